//! From a raw record to the key and the text that is fingerprinted.

use std::borrow::Cow;
use std::ops::Range;

use simhash_core::html;

use super::chunk::Content;
use super::jsonl::{self, Body, Fields};
use super::problem::Reason;

/// A document's key and the text that stands for it.
#[derive(Debug, PartialEq, Eq)]
pub struct Document<'a> {
    /// The caller's name for it.
    pub key: Cow<'a, [u8]>,
    /// The text to fingerprint.
    pub text: Cow<'a, str>,
}

/// The document of a record, whose ranges point into `bytes`; `None` for a
/// skipped file.
///
/// # Errors
/// The [`Reason`] why it cannot be used.
pub fn document<'a>(
    content: Content,
    bytes: &'a [u8],
    fields: &Fields,
) -> Result<Option<Document<'a>>, Reason> {
    let slice = |range: Range<usize>| bytes.get(range).unwrap_or_default();
    let document = match content {
        Content::Line(range) => line(slice(range), fields)?,
        Content::Text(key, range) => Document {
            key: Cow::Owned(key),
            text: Cow::Borrowed(plain_text(slice(range))?),
        },
        Content::Html(key, range) => Document {
            key: Cow::Owned(key),
            text: Cow::Owned(html::visible_text(&html::decode(slice(range), None)).full_text()),
        },
        Content::Skipped => return Ok(None),
        Content::Unusable(reason) => return Err(reason),
    };
    Ok(Some(document))
}

fn line<'a>(line: &'a [u8], fields: &Fields) -> Result<Document<'a>, Reason> {
    let (key, body) = jsonl::parse(line, fields)?;
    let key = match key {
        Cow::Borrowed(key) => Cow::Borrowed(key.as_bytes()),
        Cow::Owned(key) => Cow::Owned(key.into_bytes()),
    };
    let text = match body {
        Body::Text(text) => text,
        Body::Html(html) => Cow::Owned(html::visible_text(&html).full_text()),
    };
    Ok(Document { key, text })
}

fn plain_text(bytes: &[u8]) -> Result<&str, Reason> {
    let text = std::str::from_utf8(bytes).map_err(|error| Reason::NotUtf8 {
        at: error.valid_up_to(),
    })?;
    Ok(text.strip_prefix('\u{feff}').unwrap_or(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text_of(content: Content, bytes: &[u8]) -> String {
        let document = document(content, bytes, &Fields::default())
            .unwrap()
            .unwrap();
        document.text.into_owned()
    }

    #[test]
    fn a_byte_order_mark_is_no_part_of_a_text() {
        let bytes = "\u{feff}words".as_bytes();
        assert_eq!(
            text_of(Content::Text(vec![], 0..bytes.len()), bytes),
            "words"
        );
    }

    #[test]
    fn text_that_is_not_utf8_is_refused() {
        let refused = document(Content::Text(vec![], 0..3), b"ab\xff", &Fields::default());
        assert!(matches!(refused, Err(Reason::NotUtf8 { at: 2 })));
    }

    #[test]
    fn title_and_text_of_a_page_count_in_files_and_in_lines() {
        let page = "<title>The title</title><p>Some <b>text</b>.";
        let file = text_of(Content::Html(vec![], 0..page.len()), page.as_bytes());
        assert!(file.starts_with("The title\n") && file.contains("Some text."));
        let line = serde_json::json!({"id": "a", "html": page}).to_string();
        let range = 0..line.len();
        assert_eq!(text_of(Content::Line(range), line.as_bytes()), file);
    }

    #[test]
    fn pages_in_an_older_encoding_are_decoded() {
        let page = b"<meta charset=windows-1251><p>\xcf\xf0\xe8\xe2\xe5\xf2";
        let text = text_of(Content::Html(vec![], 0..page.len()), page);
        assert!(text.contains("Привет"));
    }
}
