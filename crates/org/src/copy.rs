//! Rows in the text form of COPY.

use codegraph_store::Cell;

/// A row in the making: values between tabs.
#[derive(Default)]
pub(crate) struct Line {
    pub(crate) text: Vec<u8>,
    has_value: bool,
}

impl Line {
    fn next(&mut self) {
        if self.has_value {
            self.text.push(b'\t');
        }
        self.has_value = true;
    }

    pub(crate) fn null(&mut self) {
        self.next();
        self.text.extend(b"\\N");
    }

    pub(crate) fn number(&mut self, value: i64) {
        self.next();
        self.text.extend(value.to_string().as_bytes());
    }

    pub(crate) fn number_if(&mut self, value: Option<i64>) {
        match value {
            Some(value) => self.number(value),
            None => self.null(),
        }
    }

    /// A server takes no NUL, and what would end the value is written as an escape.
    pub(crate) fn word(&mut self, value: &str) {
        self.next();
        for byte in value.bytes() {
            match byte {
                b'\\' => self.text.extend(b"\\\\"),
                b'\t' => self.text.extend(b"\\t"),
                b'\n' => self.text.extend(b"\\n"),
                b'\r' => self.text.extend(b"\\r"),
                0 => self.text.extend("\u{fffd}".as_bytes()),
                byte => self.text.push(byte),
            }
        }
    }

    pub(crate) fn word_if(&mut self, value: Option<&str>) {
        match value {
            Some(value) => self.word(value),
            None => self.null(),
        }
    }

    /// A list of texts, as an array is written.
    pub(crate) fn list(&mut self, values: &[String]) {
        let quoted: Vec<String> =
            values.iter().map(|value| format!("\"{}\"", value.replace('\\', "\\\\").replace('"', "\\\""))).collect();
        self.word(&format!("{{{}}}", quoted.join(",")));
    }

    pub(crate) fn cell(&mut self, cell: &Cell) {
        match cell {
            Cell::Null => self.null(),
            Cell::Integer(number) => self.number(*number),
            Cell::Real(number) => self.word(&number.to_string()),
            Cell::Text(text) | Cell::Blob(text) => self.word(text),
        }
    }

    pub(crate) fn end(&mut self) {
        self.text.push(b'\n');
        self.has_value = false;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_cannot_end_their_row() {
        let mut line = Line::default();
        line.word("a\tb\\\n\0");
        line.null();
        line.number(-3);
        line.end();
        assert_eq!(String::from_utf8(line.text).expect("text"), "a\\tb\\\\\\n\u{fffd}\t\\N\t-3\n");
        let mut line = Line::default();
        line.list(&["a\"b".to_owned(), "c\\".to_owned()]);
        assert_eq!(String::from_utf8(line.text).expect("text"), "{\"a\\\\\"b\",\"c\\\\\\\\\"}");
    }
}
