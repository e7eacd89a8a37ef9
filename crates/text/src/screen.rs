//! What a terminal gets to see: text, and no commands.
//!
//! Answers repeat names and source text of a tree that may be a stranger's. A terminal obeys escape sequences, and bidi
//! controls show code in another order than it runs. On a terminal both are shown as `\u001b`; in a pipe bytes stay what they
//! are. Our own colours carry a number that no file can know, and only those pass.

use std::borrow::Cow;
use std::hash::{BuildHasher, RandomState};
use std::io::{self, Write};
use std::sync::OnceLock;

/// Stands in front of a terminal. Text goes through line by line; the rest when it is flushed.
pub struct Screen<'w> {
    writer: &'w mut dyn Write,
    pending: Vec<u8>,
}

impl<'w> Screen<'w> {
    pub fn new(writer: &'w mut dyn Write) -> Screen<'w> {
        Screen { writer, pending: Vec::new() }
    }

    fn show(&mut self, length: usize) -> io::Result<()> {
        let mut out = String::with_capacity(length);
        for chunk in self.pending[..length].utf8_chunks() {
            escape(chunk.valid(), &mut out);
            chunk.invalid().iter().for_each(|byte| out.push_str(&format!("\\x{byte:02x}")));
        }
        self.pending.drain(..length);
        self.writer.write_all(out.as_bytes())
    }
}

impl Write for Screen<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.pending.extend_from_slice(bytes);
        if let Some(end) = self.pending.iter().rposition(|byte| *byte == b'\n') {
            self.show(end + 1)?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.show(self.pending.len())?;
        self.writer.flush()
    }
}

/// A text as a terminal may see it.
pub fn shown(text: &str) -> Cow<'_, str> {
    if !text.chars().any(is_command) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    escape(text, &mut out);
    Cow::Owned(out)
}

fn escape(text: &str, out: &mut String) {
    let mut rest = text;
    while let Some(at) = rest.find(is_command) {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        if let Some((code, length)) = own_colour(rest) {
            out.push_str(&format!("\x1b[{code}m"));
            rest = &rest[length..];
            continue;
        }
        let character = rest.chars().next().expect("one was found here");
        rest = &rest[character.len_utf8()..];
        match character {
            '\r' if rest.starts_with('\n') => out.push('\r'),
            _ => out.push_str(&format!("\\u{:04x}", u32::from(character))),
        }
    }
    out.push_str(rest);
}

/// What a terminal does not show but does, or what changes the order of what it shows.
fn is_command(character: char) -> bool {
    match character {
        '\n' | '\t' => false,
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => true,
        // Line ends that terminals and editors count differently, and letters that nobody sees.
        '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{e0000}'..='\u{e007f}' => true,
        character => character.is_control(),
    }
}

/// How a colour is written for a [`Screen`].
pub(crate) fn marked(code: &str) -> String {
    format!("\x1b[{code};{}m", secret())
}

fn own_colour(text: &str) -> Option<(&str, usize)> {
    let inside = text.strip_prefix("\x1b[")?;
    let (code, after) = inside.split_once(';').filter(|(code, _)| code.bytes().all(|byte| byte.is_ascii_digit()))?;
    let rest = after.strip_prefix(secret())?.strip_prefix('m')?;
    Some((code, text.len() - rest.len()))
}

fn secret() -> &'static str {
    static SECRET: OnceLock<String> = OnceLock::new();
    SECRET.get_or_init(|| RandomState::new().hash_one("colour").to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Out, Style};

    fn on_screen(print: impl FnOnce(&mut Out) -> io::Result<()>) -> String {
        let mut bytes = Vec::new();
        let mut screen = Screen::new(&mut bytes);
        print(&mut Out::on_screen(&mut screen, true)).expect("memory takes everything");
        screen.flush().expect("memory takes everything");
        String::from_utf8(bytes).expect("what is shown is text")
    }

    #[test]
    fn commands_are_shown_and_text_stays() {
        assert_eq!(shown("größe\t= 'ü'\r\n"), "größe\t= 'ü'\r\n");
        assert_eq!(shown("\x1b]0;x\x07\u{9b}2J\u{202e}a\rb"), "\\u001b]0;x\\u0007\\u009b2J\\u202ea\\u000db");
    }

    #[test]
    fn only_our_own_colours_are_colours() {
        let text = on_screen(|out| {
            let name = out.styled(Style::Name, "a\x1b[1mb", 0);
            out.line(&name)?;
            out.writer.write_all(b"\x1b[1mx\xff\xc3")?;
            out.writer.write_all(b"\xa9\n")
        });
        assert_eq!(text, "\x1b[1ma\\u001b[1mb\x1b[0m\n\\u001b[1mx\\xff\u{e9}\n");
    }
}
