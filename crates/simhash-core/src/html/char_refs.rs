//! Character references: `&amp;`, `&#233;`, `&#xE9;` (HTML standard, section 13.2.5.72).

use web_atoms::{C1_REPLACEMENTS, NAMED_ENTITIES};

/// A character reference that stands at the front of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct CharRef {
    /// What it stands for; a few names stand for two characters.
    pub chars: [Option<char>; 2],
    /// Its length in bytes, with the `&`.
    pub len: usize,
}

/// The reference that starts with the `&` at the front of `text`, or `None` when the `&` is text.
pub(super) fn char_ref(text: &str) -> Option<CharRef> {
    let after = text.strip_prefix('&')?;
    match after.strip_prefix('#') {
        Some(number) => numeric(number),
        None => named(after),
    }
}

/// The longest name that the text starts with; some are known without their semicolon.
fn named(text: &str) -> Option<CharRef> {
    let mut longest = None;
    // The table also has every beginning of a name, with zero for its characters.
    let ends = 1..=text
        .bytes()
        .take_while(|byte| byte.is_ascii_alphanumeric())
        .count()
        + 1;
    for end in ends {
        let Some(&(first, second)) = text.get(..end).and_then(|name| NAMED_ENTITIES.get(name))
        else {
            break;
        };
        if first != 0 {
            let second = char::from_u32(second).filter(|&c| c != '\0');
            longest = Some(CharRef {
                chars: [char::from_u32(first), second],
                len: 1 + end,
            });
        }
    }
    longest
}

/// A reference by number, from behind its `&#`.
fn numeric(text: &str) -> Option<CharRef> {
    let hex = text.strip_prefix(['x', 'X']);
    let (digits, radix) = hex.map_or((text, 10), |digits| (digits, 16));
    let mut len = "&#".len() + usize::from(hex.is_some());
    let mut value = 0_u32;
    let mut count = 0;
    for digit in digits.chars().map_while(|c| c.to_digit(radix)) {
        value = value.saturating_mul(radix).saturating_add(digit);
        count += 1;
    }
    if count == 0 {
        return None;
    }
    len += count + usize::from(digits.as_bytes().get(count) == Some(&b';'));
    Some(CharRef {
        chars: [Some(numbered(value)), None],
        len,
    })
}

/// The character with this number, as browsers have it: 128 to 159 mean windows-1252.
fn numbered(value: u32) -> char {
    let replaced = value
        .checked_sub(0x80)
        .and_then(|at| C1_REPLACEMENTS.get(at as usize))
        .copied();
    match replaced.flatten() {
        Some(c) => c,
        None => char::from_u32(value)
            .filter(|&c| c != '\0')
            .unwrap_or(char::REPLACEMENT_CHARACTER),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded(text: &str) -> Option<(String, usize)> {
        char_ref(text).map(|found| (found.chars.into_iter().flatten().collect(), found.len))
    }

    #[test]
    fn references_and_lookalikes() {
        let cases = [
            ("&amp;", Some(("&", 5))),
            ("&amp", Some(("&", 4))),
            ("&notit;", Some(("¬", 4))),
            ("&notin;", Some(("∉", 7))),
            ("&NotEqualTilde;x", Some(("≂\u{338}", 15))),
            ("&#233;", Some(("é", 6))),
            ("&#xE9x", Some(("é", 5))),
            ("&#X1F600;", Some(("😀", 9))),
            ("&#150;", Some(("–", 6))),
            ("&#0;", Some(("\u{fffd}", 4))),
            ("&#xD800;", Some(("\u{fffd}", 8))),
            ("&#99999999999999999999;", Some(("\u{fffd}", 23))),
            ("&", None),
            ("&#", None),
            ("&#x;", None),
            ("&#;", None),
            ("& amp;", None),
            ("&nosuch;", None),
            ("&é;", None),
            ("no reference", None),
        ];
        for (text, expected) in cases {
            let expected = expected.map(|(chars, len): (&str, usize)| (chars.to_owned(), len));
            assert_eq!(decoded(text), expected, "{text}");
        }
    }
}
