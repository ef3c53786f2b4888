//! From the bytes of a page to its characters.

use std::borrow::Cow;

use encoding_rs::{Encoding, UTF_8, WINDOWS_1252};

use super::declared::{charset_parameter, declared};

/// The characters of a page, in the first of these encodings that applies:
///
/// 1. that of its byte order mark;
/// 2. `charset_hint`: an encoding label, or the value of an HTTP `Content-Type` header;
/// 3. that of a `<meta charset>` or `<meta http-equiv="Content-Type">` within its first 1024
///    bytes;
/// 4. UTF-8, if all of it is valid UTF-8;
/// 5. windows-1252.
///
/// Labels are those of the WHATWG Encoding Standard, so `iso-8859-1` means windows-1252; an
/// unknown label is passed over. Bytes that an encoding does not have become U+FFFD. Nothing fails.
/// Borrows when the bytes are valid UTF-8 and nothing else is said.
///
/// ```
/// use simhash_core::html::decode;
///
/// assert_eq!(decode(b"caf\xe9", None), "café");
/// assert_eq!(decode("café".as_bytes(), None), "café");
/// assert_eq!(decode(b"\x83e\x83X\x83g", Some("text/html; charset=Shift_JIS")), "テスト");
/// assert_eq!(decode(b"<meta charset=koi8-r>\xcd\xc9\xd2", None), "<meta charset=koi8-r>мир");
/// ```
#[must_use]
pub fn decode<'a>(bytes: &'a [u8], charset_hint: Option<&str>) -> Cow<'a, str> {
    if let Some((encoding, mark)) = Encoding::for_bom(bytes) {
        let after_mark = bytes.get(mark..).unwrap_or_default();
        return encoding.decode_without_bom_handling(after_mark).0;
    }
    let declared = charset_hint.and_then(hinted).or_else(|| declared(bytes));
    let encoding = match declared {
        Some(encoding) => encoding,
        None if core::str::from_utf8(bytes).is_ok() => UTF_8,
        None => WINDOWS_1252,
    };
    encoding.decode_without_bom_handling(bytes).0
}

/// The encoding of a label, or of the `charset` parameter of a header.
fn hinted(hint: &str) -> Option<&'static Encoding> {
    let label = charset_parameter(hint.as_bytes());
    Encoding::for_label_no_replacement(label.unwrap_or(hint.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn each_source_yields_to_the_one_before_it() {
        let page = b"<meta charset=koi8-r>\xcd";
        assert_eq!(decode(page, None), "<meta charset=koi8-r>м");
        assert_eq!(decode(page, Some("windows-1251")), "<meta charset=koi8-r>Н");
        assert_eq!(
            decode(page, Some("no-such-charset")),
            "<meta charset=koi8-r>м"
        );
        let marked = b"\xef\xbb\xbf<meta charset=koi8-r>\xd0\xbc";
        assert_eq!(
            decode(marked, Some("windows-1251")),
            "<meta charset=koi8-r>м"
        );
        assert_eq!(decode(b"\xff\xfea\0b\0", Some("utf-8")), "ab");
        assert_eq!(decode("м".as_bytes(), None), "м");
        assert_eq!(decode(b"\x80\xe9", None), "€é");
    }

    #[test]
    fn a_header_is_a_hint() {
        for header in [
            "text/html; charset=windows-1251",
            "text/html;Charset = 'windows-1251'",
            "text/html; charset=\"windows-1251\"; x=y",
            "windows-1251",
        ] {
            assert_eq!(decode(b"\xcd", Some(header)), "Н", "{header}");
        }
    }

    #[test]
    fn bytes_that_the_encoding_lacks_are_replaced() {
        assert_eq!(decode(b"a\xffb", Some("utf-8")), "a\u{fffd}b");
    }

    proptest! {
        #[test]
        fn valid_utf_8_is_taken_as_such(text in any::<String>()) {
            prop_assume!(!text.starts_with('\u{feff}') && !text.contains("charset"));
            prop_assert_eq!(&*decode(text.as_bytes(), None), &text);
        }

        #[test]
        fn no_bytes_and_no_hint_panic(
            bytes in prop::collection::vec(any::<u8>(), 0..300),
            hint in prop::option::of(prop_oneof![any::<String>(), "charset=[a-z0-9'\" -]{0,12}"]),
        ) {
            let _ = decode(&bytes, hint.as_deref());
            let declared = [b"<meta charset=utf-16le>".as_slice(), &bytes].concat();
            // A page whose declaration can be read as ASCII is not UTF-16.
            prop_assert!(decode(&declared, None).starts_with("<meta"));
        }
    }
}
