import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Labyrinth: the legal moves of a position. */
public final class Rules {
    private Rules() { }

    private static final int NORTH = 1, EAST = 2, SOUTH = 4, WEST = 8;
    private static final Map<String, Integer> WAYS = Map.ofEntries(
        Map.entry("\u2502", NORTH | SOUTH), // │
        Map.entry("\u2500", EAST | WEST), // ─
        Map.entry("\u2510", SOUTH | WEST), // ┐
        Map.entry("\u2514", NORTH | EAST), // └
        Map.entry("\u250C", EAST | SOUTH), // ┌
        Map.entry("\u2518", NORTH | WEST), // ┘
        Map.entry("\u252C", EAST | SOUTH | WEST), // ┬
        Map.entry("\u251C", NORTH | EAST | SOUTH), // ├
        Map.entry("\u2534", NORTH | EAST | WEST), // ┴
        Map.entry("\u2524", NORTH | SOUTH | WEST), // ┤
        Map.entry("\u253C", NORTH | EAST | SOUTH | WEST)); // ┼
    private static final int[][] SIDES = {
        {NORTH, -1, 0, SOUTH}, {EAST, 0, 1, WEST}, {SOUTH, 1, 0, NORTH}, {WEST, 0, -1, EAST}};

    /** A tile. */
    public record Cell(int row, int col) {
        static Cell read(Object json) {
            List<Object> pair = Json.list(json);
            return new Cell((int) Json.number(pair.get(0)), (int) Json.number(pair.get(1)));
        }
    }

    /** Pushes row (LEFT, RIGHT) or column (UP, DOWN) `index`. */
    public record Push(int index, Direction direction) {
        boolean undoes(Push last) {
            return last != null && index == last.index && direction == last.direction.opposite();
        }
    }

    public enum Direction {
        LEFT, RIGHT, UP, DOWN;

        Direction opposite() {
            return values()[ordinal() ^ 1];
        }

        boolean isAcross() {
            return this == LEFT || this == RIGHT;
        }
    }

    /**
     * A position.
     *
     * @param board the open sides of each tile, row by row
     * @param spare the open sides of the tile to push in
     * @param avatar where you stand
     * @param goal where you must go: to a treasure, or home
     * @param last the push before this one; null if there was none
     */
    public record Position(int[][] board, int spare, Cell avatar, Cell goal, Push last) {
        static Position read(Map<String, Object> json) {
            List<Object> rows = Json.list(json.get("connectors"));
            int[][] board = rows.stream().map(row -> ways(row.toString())).toArray(int[][]::new);
            int spare = WAYS.get(Json.object(json.get("spare")).get("connector").toString());
            int seat = (int) Json.number(json.get("to_move"));
            Map<String, Object> me = Json.object(Json.list(json.get("seekers")).get(seat));
            Push last = null;
            if (json.get("last") != null) {
                List<Object> pair = Json.list(json.get("last"));
                last = new Push((int) Json.number(pair.get(0)), Direction.valueOf(pair.get(1).toString()));
            }
            return new Position(board, spare, Cell.read(me.get("avatar")), Cell.read(me.get("goal")), last);
        }

        private static int[] ways(String connectors) {
            return connectors.chars().map(connector -> WAYS.get(String.valueOf((char) connector))).toArray();
        }
    }

    /**
     * Turns the spare by `degree` counter-clockwise, pushes it in, and walks to another tile; without a push,
     * it passes.
     */
    public record Move(Push push, int degree, Cell to) {
        /** The move as the referee wants it. */
        @Override
        public String toString() {
            if (push == null) return "{\"type\":\"pass\"}";
            return String.format(
                "{\"type\":\"slide\",\"index\":%d,\"direction\":\"%s\",\"degree\":%d,\"to\":[%d,%d]}",
                push.index(), push.direction(), degree, to.row(), to.col());
        }
    }

    /** Returns the legal moves of the seat to move. */
    public static List<Move> legalMoves(Position position) {
        List<Move> moves = new ArrayList<>();
        for (Push push : pushes(position.board())) {
            if (push.undoes(position.last())) continue;
            for (int degree = 0; degree < 360; degree += 90) {
                int[][] maze = pushed(position.board(), push, turned(position.spare(), degree));
                Cell start = carried(position.board(), push, position.avatar());
                for (Cell to : reachable(maze, start)) moves.add(new Move(push, degree, to));
            }
        }
        moves.add(new Move(null, 0, position.avatar()));
        return moves;
    }

    /** Rows and columns with an even index can be pushed. */
    private static List<Push> pushes(int[][] board) {
        List<Push> all = new ArrayList<>();
        for (Direction direction : Direction.values()) {
            int lines = direction.isAcross() ? board.length : board[0].length;
            for (int index = 0; index < lines; index += 2) all.add(new Push(index, direction));
        }
        return all;
    }

    private static int turned(int ways, int degree) {
        int quarters = degree / 90;
        return ways >> quarters | ways << 4 - quarters & 15;
    }

    /** Returns where a push moves a tile, and whoever stands on it; who drops out comes back on the new tile. */
    private static Cell carried(int[][] board, Push push, Cell cell) {
        int rows = board.length, cols = board[0].length;
        int shift = push.direction() == Direction.RIGHT || push.direction() == Direction.DOWN ? 1 : -1;
        if (push.direction().isAcross()) {
            return cell.row() == push.index() ? new Cell(cell.row(), (cell.col() + shift + cols) % cols) : cell;
        }
        return cell.col() == push.index() ? new Cell((cell.row() + shift + rows) % rows, cell.col()) : cell;
    }

    private static int[][] pushed(int[][] board, Push push, int spare) {
        int[][] maze = new int[board.length][board[0].length];
        for (int row = 0; row < board.length; row++) {
            for (int col = 0; col < board[0].length; col++) {
                Cell to = carried(board, push, new Cell(row, col));
                maze[to.row()][to.col()] = board[row][col];
            }
        }
        Cell entry = switch (push.direction()) {
            case LEFT -> new Cell(push.index(), board[0].length - 1);
            case RIGHT -> new Cell(push.index(), 0);
            case UP -> new Cell(board.length - 1, push.index());
            case DOWN -> new Cell(0, push.index());
        };
        maze[entry.row()][entry.col()] = spare;
        return maze;
    }

    /** Returns the tiles to which ways lead from a tile, without that tile. */
    private static List<Cell> reachable(int[][] maze, Cell start) {
        boolean[][] seen = new boolean[maze.length][maze[0].length];
        seen[start.row()][start.col()] = true;
        List<Cell> found = new ArrayList<>(List.of(start));
        for (int next = 0; next < found.size(); next++) {
            Cell cell = found.get(next);
            for (int[] side : SIDES) {
                int row = cell.row() + side[1], col = cell.col() + side[2];
                if (row < 0 || row >= maze.length || col < 0 || col >= maze[0].length || seen[row][col]) continue;
                if ((maze[cell.row()][cell.col()] & side[0]) == 0 || (maze[row][col] & side[3]) == 0) continue;
                seen[row][col] = true;
                found.add(new Cell(row, col));
            }
        }
        return found.subList(1, found.size());
    }
}
