import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads JSON, because Java has no class for it: maps, lists, strings, doubles, booleans and null. */
public final class Json {
    private static final int DEEPEST = 64;
    private final String text;
    private int at = 0;

    private Json(String text) {
        this.text = text;
    }

    /** Reads a text that holds one value and nothing else. */
    public static Object parse(String text) {
        var reader = new Json(text);
        Object value = reader.value(0);
        reader.skipBlanks();
        if (reader.at < text.length()) throw reader.error("the end");
        return value;
    }

    @SuppressWarnings("unchecked")
    public static Map<String, Object> object(Object value) {
        return (Map<String, Object>) value;
    }

    @SuppressWarnings("unchecked")
    public static List<Object> list(Object value) {
        return (List<Object>) value;
    }

    /** A whole number; those up to 2^53 are exact. */
    public static long number(Object value) {
        return ((Number) value).longValue();
    }

    private IllegalArgumentException error(String wanted) {
        return new IllegalArgumentException(wanted + " was expected at character " + at);
    }

    private char peek() {
        return at < text.length() ? text.charAt(at) : 0;
    }

    private void skipBlanks() {
        while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) at++;
    }

    private boolean takes(String word) {
        boolean found = text.startsWith(word, at);
        if (found) at += word.length();
        return found;
    }

    private Object value(int depth) {
        skipBlanks();
        if (depth > DEEPEST) throw error("a value that is not nested so deeply");
        if (takes("{")) return readObject(depth);
        if (takes("[")) return readList(depth);
        if (takes("\"")) return readString();
        if (takes("true")) return true;
        if (takes("false")) return false;
        if (takes("null")) return null;
        return readNumber();
    }

    private Map<String, Object> readObject(int depth) {
        var fields = new LinkedHashMap<String, Object>();
        skipBlanks();
        if (takes("}")) return fields;
        while (true) {
            skipBlanks();
            if (!takes("\"")) throw error("a string");
            String key = readString();
            skipBlanks();
            if (!takes(":")) throw error("':'");
            fields.put(key, value(depth + 1));
            skipBlanks();
            if (takes("}")) return fields;
            if (!takes(",")) throw error("',' or '}'");
        }
    }

    private List<Object> readList(int depth) {
        var items = new ArrayList<Object>();
        skipBlanks();
        if (takes("]")) return items;
        while (true) {
            items.add(value(depth + 1));
            skipBlanks();
            if (takes("]")) return items;
            if (!takes(",")) throw error("',' or ']'");
        }
    }

    private Double readNumber() {
        int start = at;
        while (at < text.length() && "+-.eE0123456789".indexOf(text.charAt(at)) >= 0) at++;
        try {
            return Double.valueOf(text.substring(start, at));
        } catch (NumberFormatException none) {
            throw error("a value");
        }
    }

    private String readString() {
        var found = new StringBuilder();
        while (at < text.length()) {
            char c = text.charAt(at++);
            if (c == '"') return found.toString();
            found.append(c == '\\' ? escaped() : c);
        }
        throw error("'\"'");
    }

    private char escaped() {
        char c = peek();
        at++;
        switch (c) {
            case 'n': return '\n';
            case 't': return '\t';
            case 'r': return '\r';
            case 'b': return '\b';
            case 'f': return '\f';
            case 'u': break;
            default: return c;
        }
        if (at + 4 > text.length()) throw error("four digits");
        try {
            at += 4;
            return (char) Integer.parseInt(text.substring(at - 4, at), 16);
        } catch (NumberFormatException none) {
            throw error("four digits");
        }
    }
}
