# A program that speaks the protocol itself. In a class with choose(), print() would do no harm.
import json
import sys

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "begin":
        print(json.dumps({"type": "ready"}), flush=True)
    if message["type"] == "your_turn":
        print("debug", message["turn"], flush=True)
