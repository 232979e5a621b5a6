// Hexapawn in Java (17 or later): a bot that captures if it can, and else steps forward.
//
// The referee writes one JSON value per line to our stdin, and reads our answers from our stdout.

import java.io.*;
import java.nio.charset.StandardCharsets;
import java.util.*;

public class Hexapawn {
    /** Java has no JSON of its own, so here is as much as we need: the values of a list, or the keys and
     *  values of an object in turn, as text. It cuts at commas and colons that are not inside something. */
    static List<String> parts(String json) {
        List<String> parts = new ArrayList<>();
        int depth = 0, start = 1;
        for (int at = 0; at < json.length(); at++) {
            char c = json.charAt(at);
            if (c == '"') { // a string: skip to its end, past escapes
                while (++at < json.length() && json.charAt(at) != '"') if (json.charAt(at) == '\\') at++;
            }
            if (c == '[' || c == '{') depth++;
            boolean last = (c == ']' || c == '}') && --depth == 0;
            if (last || (depth == 1 && (c == ',' || c == ':'))) {
                parts.add(json.substring(start, at).strip());
                start = at + 1;
            }
        }
        return parts;
    }

    /** The value of an object's key; empty if it has no such key. */
    static String field(String object, String key) {
        List<String> parts = parts(object);
        for (int at = 0; at + 1 < parts.size(); at += 2) {
            if (parts.get(at).equals('"' + key + '"')) return parts.get(at + 1);
        }
        return "";
    }

    /** Seat 0 owns the pawns "1" and walks down the board, seat 1 owns the pawns "2" and walks up. */
    static String choose(List<String> board, int seat) {
        char own = seat == 0 ? '1' : '2', enemy = seat == 0 ? '2' : '1';
        int forward = seat == 0 ? 1 : -1;
        String step = null;
        for (int row = 0; row < board.size(); row++) {
            int next = row + forward;
            if (next < 0 || next >= board.size()) continue;
            String here = board.get(row), ahead = board.get(next); // still in quotes: column 0 is at 1
            for (int at = 1; at < here.length() - 1; at++) {
                for (int to = at - 1; to <= at + 1 && here.charAt(at) == own; to++) {
                    var from = List.of(row, at - 1); // which prints as JSON writes it: [1, 2]
                    String move = "{\"from\":" + from + ",\"to\":" + List.of(next, to - 1) + "}";
                    if (to != at && ahead.charAt(to) == enemy) return move;
                    if (to == at && ahead.charAt(to) == '.') step = move;
                }
            }
        }
        return step; // a player without a move is not asked
    }

    public static void main(String[] args) throws IOException {
        var lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        int seat = 0;
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            switch (field(line, "type")) {
                case "\"begin\"" -> {
                    seat = Integer.parseInt(field(line, "seat"));
                    System.out.println("{\"type\":\"ready\"}");
                }
                case "\"your_turn\"" -> {
                    String move = choose(parts(field(field(line, "position"), "board")), seat);
                    String turn = field(line, "turn"); // repeated in the answer
                    System.out.println("{\"type\":\"act\",\"turn\":" + turn + ",\"move\":" + move + "}");
                }
                case "\"over\"", "\"expelled\"" -> { return; } // the last message
                default -> { } // ignore unknown messages: later versions may have more of them
            }
        }
    }
}
