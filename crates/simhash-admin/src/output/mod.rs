//! What goes to the terminal or to the next program.

pub mod progress;
pub mod stdout;
pub mod table;

use std::borrow::Cow;

/// Bytes from outside, fit for a terminal: what is not UTF-8 becomes U+FFFD,
/// and control characters are written as escapes, so that a key or file name
/// cannot move the cursor or start a new line.
pub fn printable(bytes: &[u8]) -> Cow<'_, str> {
    let text = String::from_utf8_lossy(bytes);
    if !text.contains(char::is_control) {
        return text;
    }
    let mut escaped = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if c.is_control() {
            escaped.extend(c.escape_default());
        } else {
            escaped.push(c);
        }
    }
    Cow::Owned(escaped)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_escaped_and_letters_are_not() {
        assert_eq!(printable("路径/é".as_bytes()), "路径/é");
        assert_eq!(printable(b"a\nb\x1b[0m\x7f"), "a\\nb\\u{1b}[0m\\u{7f}");
        assert_eq!(printable(b"\xff"), "\u{fffd}");
    }
}
