import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Fish: the legal moves of a position. */
public final class Rules {
    private Rules() { }

    /** The steps to the N, NE, SE, S, SW and NW. Odd rows lie half a tile to the right. */
    private static final int[][][] STEPS = {
        {{-2, 0}, {-1, 0}, {1, 0}, {2, 0}, {1, -1}, {-1, -1}}, // from an even row
        {{-2, 0}, {-1, 1}, {1, 1}, {2, 0}, {1, 0}, {-1, 0}}, // from an odd row
    };

    /** A tile. */
    public record Cell(int row, int col) {
        static Cell read(Object json) {
            List<Object> pair = Json.list(json);
            return new Cell((int) Json.number(pair.get(0)), (int) Json.number(pair.get(1)));
        }

        Cell step(int way) {
            int[] step = STEPS[row & 1][way];
            return new Cell(row + step[0], col + step[1]);
        }

        @Override
        public String toString() {
            return "[" + row + "," + col + "]";
        }
    }

    /**
     * A position.
     *
     * @param board the fish on each tile, row by row; 0 is a hole
     * @param penguins the tiles of each seat's penguins; none for a seat that is out
     * @param placing whether penguins are still being placed
     * @param commercial whether the commercial rules hold: then a penguin starts on a tile with one fish
     * @param toMove the seat whose turn it is
     */
    public record Position(
            List<List<Integer>> board, List<List<Cell>> penguins, boolean placing, boolean commercial, int toMove) {
        static Position read(Map<String, Object> json) {
            List<List<Integer>> board = new ArrayList<>();
            for (Object row : Json.list(json.get("board"))) {
                board.add(Json.list(row).stream().map(fish -> (int) Json.number(fish)).toList());
            }
            List<List<Cell>> penguins = new ArrayList<>();
            for (Object cells : Json.list(json.get("penguins"))) {
                penguins.add(cells == null ? List.of() : Json.list(cells).stream().map(Cell::read).toList());
            }
            return new Position(
                board, penguins, "placing".equals(json.get("phase")), !Json.list(json.get("tiles")).isEmpty(),
                (int) Json.number(json.get("to_move")));
        }

        /** The fish on a tile; 0 where there is none. */
        public int fish(Cell cell) {
            boolean there = cell.row() >= 0 && cell.row() < board.size()
                && cell.col() >= 0 && cell.col() < board.get(cell.row()).size();
            return there ? board.get(cell.row()).get(cell.col()) : 0;
        }

        boolean isFree(Cell cell) {
            return fish(cell) > 0 && penguins.stream().noneMatch(cells -> cells.contains(cell));
        }
    }

    /** A slide; without `from` a placement. */
    public record Move(Cell from, Cell to) {
        /** The move as the referee wants it. */
        @Override
        public String toString() {
            if (from == null) return "{\"type\":\"place\",\"at\":" + to + "}";
            return "{\"type\":\"slide\",\"from\":" + from + ",\"to\":" + to + "}";
        }
    }

    /** Returns the legal moves of the seat to move. */
    public static List<Move> legalMoves(Position position) {
        return position.placing() ? placements(position) : slides(position);
    }

    private static List<Move> placements(Position position) {
        List<Move> moves = new ArrayList<>();
        for (int row = 0; row < position.board().size(); row++) {
            for (int col = 0; col < position.board().get(row).size(); col++) {
                var at = new Cell(row, col);
                boolean allowed = !position.commercial() || position.fish(at) == 1;
                if (allowed && position.isFree(at)) moves.add(new Move(null, at));
            }
        }
        return moves;
    }

    private static List<Move> slides(Position position) {
        List<Move> moves = new ArrayList<>();
        for (Cell from : position.penguins().get(position.toMove())) {
            for (int way = 0; way < 6; way++) {
                for (Cell to = from.step(way); position.isFree(to); to = to.step(way)) moves.add(new Move(from, to));
            }
        }
        return moves;
    }
}
