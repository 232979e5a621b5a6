import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * Speaks with the referee: reads one JSON message per line from stdin, writes one answer per line to stdout.
 * Print to System.err to debug: System.out belongs to the protocol.
 */
public class Main {
    public static void main(String[] args) throws IOException {
        var lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            Map<String, Object> message = Json.object(Json.parse(line));
            switch (String.valueOf(message.get("type"))) {
                // A match begins: "seat" is your seat, "names" are the players.
                case "begin" -> System.out.println("{\"type\":\"ready\"}");
                case "your_turn" -> {
                    var position = Rules.Position.read(Json.object(message.get("position")));
                    Rules.Move move = Bot.choose(position, Rules.legalMoves(position));
                    long turn = Json.number(message.get("turn")); // the answer repeats it
                    System.out.println("{\"type\":\"act\",\"turn\":" + turn + ",\"move\":" + move + "}");
                }
                case "over", "expelled" -> { return; } // nothing follows
                default -> { } // ignore other messages: later versions may have more of them
            }
        }
    }
}
