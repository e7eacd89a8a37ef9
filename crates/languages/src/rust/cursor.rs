//! A place in a text, and ways over what is no bracket although it may have some in it.

pub(super) struct Cursor<'s> {
    pub(super) source: &'s [u8],
    pub(super) at: usize,
}

impl Cursor<'_> {
    pub(super) fn peek(&self, ahead: usize) -> Option<u8> {
        self.source.get(self.at + ahead).copied()
    }

    pub(super) fn skip_word(&mut self) {
        while self.peek(0).is_some_and(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80) {
            self.at += 1;
        }
    }

    pub(super) fn skip_space(&mut self) {
        while self.peek(0).is_some_and(|byte| byte.is_ascii_whitespace()) {
            self.at += 1;
        }
    }

    pub(super) fn string(&mut self) -> Option<()> {
        self.at += 1;
        loop {
            match self.peek(0)? {
                b'"' => break,
                b'\\' => self.at += 2,
                _ => self.at += 1,
            }
        }
        self.at += 1;
        Some(())
    }

    /// A raw string, or a name that is a keyword elsewhere.
    pub(super) fn raw_string(&mut self) -> Option<()> {
        let hashes = self.source[self.at..].iter().take_while(|byte| **byte == b'#').count();
        if self.peek(hashes) != Some(b'"') {
            self.at += hashes;
            return Some(());
        }
        self.at += hashes + 1;
        loop {
            let rest = &self.source[self.at..];
            self.at += rest.iter().position(|byte| *byte == b'"')? + 1;
            let after = &self.source[self.at..];
            if after.len() >= hashes && after[..hashes].iter().all(|byte| *byte == b'#') {
                self.at += hashes;
                return Some(());
            }
        }
    }

    /// A character, or the start of a lifetime.
    pub(super) fn quote(&mut self) {
        let rest = &self.source[self.at + 1..];
        let length = match rest.first() {
            Some(b'\\') => rest.iter().skip(2).position(|byte| *byte == b'\'').map(|end| end + 2),
            Some(first) => {
                let width = match first {
                    ..0x80 => 1,
                    ..0xe0 => 2,
                    ..0xf0 => 3,
                    _ => 4,
                };
                (rest.get(width) == Some(&b'\'')).then_some(width)
            }
            None => None,
        };
        self.at += length.map_or(1, |length| length + 2);
    }

    pub(super) fn slash(&mut self) -> Option<()> {
        match self.peek(1) {
            Some(b'/') => {
                let rest = &self.source[self.at..];
                self.at += rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len());
            }
            Some(b'*') => {
                self.at += 2;
                let mut depth = 1;
                while depth > 0 {
                    match (self.peek(0)?, self.peek(1)) {
                        (b'*', Some(b'/')) => (depth, self.at) = (depth - 1, self.at + 2),
                        (b'/', Some(b'*')) => (depth, self.at) = (depth + 1, self.at + 2),
                        _ => self.at += 1,
                    }
                }
            }
            _ => self.at += 1,
        }
        Some(())
    }
}
