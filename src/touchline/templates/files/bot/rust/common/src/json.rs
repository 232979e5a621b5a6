//! Read JSON, as much as the referee writes. With crates, serde_json does this for you.

use std::collections::HashMap;
use std::ops::Index;

const DEEPEST: usize = 64;

#[derive(Debug)]
pub enum Json {
    Null,
    #[allow(dead_code)] // not every game has such a field
    Bool(bool),
    Number(f64),
    Text(String),
    List(Vec<Json>),
    Object(HashMap<String, Json>),
}

static NULL: Json = Json::Null;

#[allow(dead_code)] // a bot needs some of these
impl Json {
    /// Read a text that holds one value and nothing else.
    pub fn parse(text: &str) -> Result<Json, String> {
        let mut reader = Reader {
            bytes: text.as_bytes(),
            at: 0,
        };
        let value = reader.value(0)?;
        reader.skip_blanks();
        if reader.at < reader.bytes.len() {
            Err(reader.error("the end"))
        } else {
            Ok(value)
        }
    }

    /// The items of a list; none if this is no list.
    pub fn items(&self) -> &[Json] {
        if let Json::List(items) = self {
            items
        } else {
            &[]
        }
    }

    /// A string; empty if this is none.
    pub fn text(&self) -> &str {
        if let Json::Text(text) = self {
            text
        } else {
            ""
        }
    }

    /// A whole number; 0 if this is no number. Numbers up to 2^53 are exact.
    pub fn number(&self) -> i64 {
        if let Json::Number(number) = self {
            *number as i64
        } else {
            0
        }
    }

    pub fn is_null(&self) -> bool {
        matches!(self, Json::Null)
    }

    /// A list of two numbers.
    pub fn cell(&self) -> (i64, i64) {
        (self[0].number(), self[1].number())
    }
}

/// `json["key"]`; null if there is no such key.
impl Index<&str> for Json {
    type Output = Json;
    fn index(&self, key: &str) -> &Json {
        if let Json::Object(fields) = self {
            fields.get(key).unwrap_or(&NULL)
        } else {
            &NULL
        }
    }
}

/// `json[0]`; null if there is no such item.
impl Index<usize> for Json {
    type Output = Json;
    fn index(&self, at: usize) -> &Json {
        self.items().get(at).unwrap_or(&NULL)
    }
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Reader<'_> {
    fn error(&self, wanted: &str) -> String {
        format!("{wanted} was expected at byte {}", self.at)
    }

    fn peek(&self) -> u8 {
        self.bytes.get(self.at).copied().unwrap_or(0)
    }

    fn skip_blanks(&mut self) {
        while matches!(self.peek(), b' ' | b'\t' | b'\r' | b'\n') {
            self.at += 1;
        }
    }

    /// Skip a text if it comes next.
    fn takes(&mut self, text: &str) -> bool {
        let found = self.bytes[self.at..].starts_with(text.as_bytes());
        self.at += if found { text.len() } else { 0 };
        found
    }

    fn value(&mut self, depth: usize) -> Result<Json, String> {
        self.skip_blanks();
        if depth > DEEPEST {
            return Err(self.error("a value that is not nested so deeply"));
        }
        match self.peek() {
            b'{' => self.object(depth),
            b'[' => self.list(depth),
            b'"' => Ok(Json::Text(self.string()?)),
            b't' if self.takes("true") => Ok(Json::Bool(true)),
            b'f' if self.takes("false") => Ok(Json::Bool(false)),
            b'n' if self.takes("null") => Ok(Json::Null),
            _ => self.number(),
        }
    }

    fn list(&mut self, depth: usize) -> Result<Json, String> {
        let mut items = vec![];
        self.at += 1;
        self.skip_blanks();
        if self.takes("]") {
            return Ok(Json::List(items));
        }
        loop {
            items.push(self.value(depth + 1)?);
            self.skip_blanks();
            if self.takes("]") {
                return Ok(Json::List(items));
            }
            if !self.takes(",") {
                return Err(self.error("',' or ']'"));
            }
        }
    }

    fn object(&mut self, depth: usize) -> Result<Json, String> {
        let mut fields = HashMap::new();
        self.at += 1;
        self.skip_blanks();
        if self.takes("}") {
            return Ok(Json::Object(fields));
        }
        loop {
            self.skip_blanks();
            let key = self.string()?;
            self.skip_blanks();
            if !self.takes(":") {
                return Err(self.error("':'"));
            }
            fields.insert(key, self.value(depth + 1)?);
            self.skip_blanks();
            if self.takes("}") {
                return Ok(Json::Object(fields));
            }
            if !self.takes(",") {
                return Err(self.error("',' or '}'"));
            }
        }
    }

    fn number(&mut self) -> Result<Json, String> {
        let start = self.at;
        while matches!(self.peek(), b'0'..=b'9' | b'-' | b'+' | b'.' | b'e' | b'E') {
            self.at += 1;
        }
        let text = std::str::from_utf8(&self.bytes[start..self.at]).unwrap_or("");
        text.parse()
            .map(Json::Number)
            .map_err(|_| self.error("a value"))
    }

    fn string(&mut self) -> Result<String, String> {
        if !self.takes("\"") {
            return Err(self.error("a string"));
        }
        let mut found = vec![];
        loop {
            let byte = self.peek();
            self.at += 1;
            match byte {
                b'"' => return String::from_utf8(found).map_err(|_| self.error("UTF-8")),
                b'\\' => {
                    let character = self.escaped()?;
                    found.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
                }
                0 if self.at > self.bytes.len() => return Err(self.error("'\"'")),
                _ => found.push(byte),
            }
        }
    }

    fn escaped(&mut self) -> Result<char, String> {
        let byte = self.peek();
        self.at += 1;
        Ok(match byte {
            b'n' => '\n',
            b't' => '\t',
            b'r' => '\r',
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'u' => {
                let high = self.four_digits()?;
                let pair = (0xD800..0xDC00).contains(&high) && self.takes("\\u");
                let code = if pair {
                    0x10000 + ((high - 0xD800) << 10) + (self.four_digits()? & 0x3FF)
                } else {
                    high
                };
                char::from_u32(code).unwrap_or('\u{FFFD}')
            }
            _ => byte as char,
        })
    }

    fn four_digits(&mut self) -> Result<u32, String> {
        let digits = self
            .bytes
            .get(self.at..self.at + 4)
            .and_then(|digits| std::str::from_utf8(digits).ok());
        self.at += 4;
        digits
            .and_then(|digits| u32::from_str_radix(digits, 16).ok())
            .ok_or("four digits were expected".into())
    }
}
