//! Paths as editors write them: `file:///a%20b.rs`.

use std::path::{Path, PathBuf};

/// The path that a URI names; none for other schemes.
pub(crate) fn to_path(uri: &str) -> Option<PathBuf> {
    let rest = uri.strip_prefix("file://")?;
    let path = rest.find('/').map(|start| &rest[start..])?;
    let text = decoded(path)?;
    // `/C:/x` names a drive.
    let drive = text.as_bytes().get(2) == Some(&b':') && text.as_bytes().get(1).is_some_and(u8::is_ascii_alphabetic);
    Some(PathBuf::from(if drive { &text[1..] } else { &text }))
}

fn decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        match byte {
            b'%' => {
                let digits = std::str::from_utf8(rest.get(..2)?).ok()?;
                bytes.push(u8::from_str_radix(digits, 16).ok()?);
                rest = &rest[2..];
            }
            // What follows is no part of the path.
            b'?' | b'#' => break,
            other => bytes.push(other),
        }
    }
    String::from_utf8(bytes).ok()
}

/// A path as a URI.
pub(crate) fn from_path(path: &Path) -> String {
    let text = path.to_string_lossy().replace('\\', "/");
    let mut uri = String::from("file://");
    if !text.starts_with('/') {
        uri.push('/');
    }
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'_' | b'.' | b'~' => uri.push(byte as char),
            other => uri.push_str(&format!("%{other:02X}")),
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_come_back_from_uris() {
        for path in ["/a/b c.rs", "/ü/#1?.py", "/plain.go", "/100%.c"] {
            assert_eq!(to_path(&from_path(Path::new(path))), Some(PathBuf::from(path)));
        }
        assert_eq!(to_path("file:///C%3A/x.cs"), Some(PathBuf::from("C:/x.cs")));
        assert_eq!(to_path("untitled:Untitled-1"), None);
        assert_eq!(to_path("file:///%zz"), None);
    }
}
