import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** `make test` compares the legal moves with those of the referee, in the positions of turns.jsonl. */
public class RulesTest {
    public static void main(String[] args) throws IOException {
        int turns = 0;
        for (String line : Files.readAllLines(Path.of("turns.jsonl"))) {
            Map<String, Object> turn = Json.object(Json.parse(line));
            var position = Rules.Position.read(Json.object(turn.get("position")));
            List<String> legal = Json.list(turn.get("legal")).stream().map(Object::toString).sorted().toList();
            List<Rules.Move> moves = Rules.legalMoves(position);
            List<String> found = moves.stream().map(Rules.Move::toString).sorted().toList();
            check(found.equals(legal), "turn " + turns + ": " + found + ", but the referee has " + legal);
            String chosen = Bot.choose(position, moves).toString();
            check(legal.contains(chosen), "turn " + turns + ": " + chosen + " is not legal");
            turns++;
        }
        Map<String, Object> odd = Json.object(Json.parse(" {\"a\\n\\u0062\": [1, -2e1, true, null, {}]} "));
        check(Json.number(Json.list(odd.get("a\nb")).get(1)) == -20, "JSON is misread: " + odd);
        for (String bad : List.of("", "[", "[1", "{\"a\" 1}", "\"a", "nul", "1 2", "\"\\u12", "[".repeat(1000))) {
            try {
                Json.parse(bad);
            } catch (IllegalArgumentException expected) {
                continue;
            }
            check(false, "bad JSON is read: " + bad);
        }
        System.out.println(turns + " turns: all moves are legal");
    }

    private static void check(boolean holds, String what) {
        if (!holds) throw new AssertionError(what);
    }
}
