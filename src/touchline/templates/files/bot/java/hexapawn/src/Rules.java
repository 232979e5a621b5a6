import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Hexapawn: the legal moves of a position. */
public final class Rules {
    private Rules() { }

    /**
     * A position.
     *
     * @param board rows from the top: '1' is a pawn of seat 0, '2' of seat 1, '.' is an empty square
     * @param toMove the seat whose turn it is; seat 0 walks down, seat 1 up
     */
    public record Position(List<String> board, int toMove) {
        static Position read(Map<String, Object> json) {
            List<String> board = Json.list(json.get("board")).stream().map(Object::toString).toList();
            return new Position(board, (int) Json.number(json.get("to_move")));
        }
    }

    public record Move(int row, int col, int toRow, int toCol) {
        /** The move as the referee wants it. */
        @Override
        public String toString() {
            return String.format("{\"from\":[%d,%d],\"to\":[%d,%d]}", row, col, toRow, toCol);
        }
    }

    /** Returns the legal moves of the seat to move. */
    public static List<Move> legalMoves(Position position) {
        char own = position.toMove() == 0 ? '1' : '2', enemy = position.toMove() == 0 ? '2' : '1';
        int forward = position.toMove() == 0 ? 1 : -1;
        List<String> board = position.board();
        List<Move> moves = new ArrayList<>();
        for (int row = 0; row < board.size(); row++) {
            int next = row + forward;
            if (next < 0 || next >= board.size()) continue;
            String squares = board.get(row), ahead = board.get(next);
            for (int col = 0; col < squares.length(); col++) {
                if (squares.charAt(col) != own) continue;
                for (int to = Math.max(col - 1, 0); to <= Math.min(col + 1, ahead.length() - 1); to++) {
                    char wanted = to == col ? '.' : enemy;
                    if (ahead.charAt(to) == wanted) moves.add(new Move(row, col, next, to));
                }
            }
        }
        return moves;
    }
}
