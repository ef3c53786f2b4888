//! The encoding that a page declares for itself (HTML standard, section 13.2.3.2).

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252, X_USER_DEFINED};
use html5gum::{StartTag, Token, Tokenizer};

/// How far into a page its declaration is looked for.
const PRESCAN: usize = 1024;

/// The encoding in the first `<meta>` that names a known one.
pub(super) fn declared(page: &[u8]) -> Option<&'static Encoding> {
    let start = &page[..page.len().min(PRESCAN)];
    Tokenizer::new(start).find_map(|token| match token {
        Ok(Token::StartTag(tag)) if *tag.name == b"meta" => meta(&tag),
        _ => None,
    })
}

/// The encoding in the attributes of a `<meta>`.
fn meta(tag: &StartTag<()>) -> Option<&'static Encoding> {
    let attribute = |name: &[u8]| tag.attributes.get(name).map(|value| value.as_slice());
    if let Some(label) = attribute(b"charset") {
        return for_page(label);
    }
    attribute(b"http-equiv").filter(|value| value.eq_ignore_ascii_case(b"content-type"))?;
    for_page(charset_parameter(attribute(b"content")?)?)
}

/// What a label means when it could be read as ASCII.
fn for_page(label: &[u8]) -> Option<&'static Encoding> {
    let encoding = Encoding::for_label_no_replacement(label)?;
    Some(if encoding == UTF_16BE || encoding == UTF_16LE {
        UTF_8
    } else if encoding == X_USER_DEFINED {
        WINDOWS_1252
    } else {
        encoding
    })
}

/// The value of `charset=` in `text/html; charset=utf-8`.
pub(super) fn charset_parameter(text: &[u8]) -> Option<&[u8]> {
    const NAME: &[u8] = b"charset";
    let starts = 0..text.len().saturating_sub(NAME.len());
    let named = |&at: &usize| text[at..at + NAME.len()].eq_ignore_ascii_case(NAME);
    starts.filter(named).find_map(|at| {
        let value = text[at + NAME.len()..]
            .trim_ascii_start()
            .strip_prefix(b"=")?;
        match value.trim_ascii_start() {
            [quote @ (b'"' | b'\''), quoted @ ..] => quoted
                .iter()
                .position(|byte| byte == quote)
                .map(|len| &quoted[..len]),
            plain => plain
                .split(|&byte| byte.is_ascii_whitespace() || byte == b';')
                .next(),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(page: &str) -> Option<&'static str> {
        declared(page.as_bytes()).map(Encoding::name)
    }

    #[test]
    fn declarations_and_lookalikes() {
        let cases = [
            ("<meta charset=koi8-r>", Some("KOI8-R")),
            ("<META CharSet = ' koi8-r '/>", Some("KOI8-R")),
            (
                "<!doctype html><html><head><meta charset=\"gb2312\">",
                Some("GBK"),
            ),
            (
                "<meta http-equiv=Content-Type content='text/html; charset=euc-jp'>",
                Some("EUC-JP"),
            ),
            (
                "<meta content='x; charset=euc-jp' http-equiv=content-type>",
                Some("EUC-JP"),
            ),
            ("<meta name=description content='set charset=latin1'>", None),
            ("<meta charset=no-such><meta charset=big5>", Some("Big5")),
            ("<meta charset=utf-16be>", Some("UTF-8")),
            ("<meta charset=x-user-defined>", Some("windows-1252")),
            ("<meta charset=iso-2022-kr>", None),
            ("<!-- <meta charset=big5> -->", None),
            ("<!--><meta charset=big5>", Some("Big5")),
            ("<a title='<meta charset=big5>'>", None),
            ("<metadata charset=big5>", None),
            ("<meta charset=big5", None),
            ("<meta", None),
            ("< meta charset=big5>", None),
            ("charset=big5", None),
        ];
        for (page, expected) in cases {
            assert_eq!(name(page), expected, "{page}");
        }
    }

    #[test]
    fn only_the_start_of_the_page_is_read() {
        let padding = " ".repeat(PRESCAN);
        assert_eq!(name(&format!("{padding}<meta charset=big5>")), None);
    }
}
