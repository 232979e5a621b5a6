#!/usr/bin/env python3
print('{"type":"ready"}', flush=True)
