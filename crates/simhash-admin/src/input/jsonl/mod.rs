//! One line of JSONL: the key and the text of a document.

mod fields;
mod object;

use std::borrow::Cow;

use serde::de::DeserializeSeed;

pub use self::fields::Fields;
use self::object::{Found, Object, Value};
use super::problem::Reason;

/// A document's text as it stands in the line.
#[derive(Debug, PartialEq, Eq)]
pub enum Body<'a> {
    /// Plain text.
    Text(Cow<'a, str>),
    /// HTML source.
    Html(Cow<'a, str>),
}

/// Reads the document of one line.
///
/// The key is the `id` field, else `url`; a string, or an integer for its
/// decimal text. A field that is `null` counts as missing, and so does an empty
/// key. Of a field that stands twice, the last counts.
///
/// # Errors
/// A [`Reason`] for a line that is not UTF-8, not one JSON object, or has no
/// key or text of the right type.
pub fn parse<'a>(line: &'a [u8], fields: &Fields) -> Result<(Cow<'a, str>, Body<'a>), Reason> {
    let line = std::str::from_utf8(line).map_err(|error| Reason::NotUtf8 {
        at: error.valid_up_to(),
    })?;
    let found = parse_object(line, fields)?;
    let key = match found.id.key(&fields.id)? {
        Some(key) => Some(key),
        None => found.url.key(&fields.url)?,
    };
    let key = key.ok_or_else(|| Reason::NoKey {
        id: fields.id.clone(),
        url: fields.url.clone(),
    })?;
    Ok((key, body(found.text, found.html, fields)?))
}

fn parse_object<'a>(line: &'a str, fields: &Fields) -> Result<Found<'a>, Reason> {
    let mut json = serde_json::Deserializer::from_str(line);
    let found = Object(fields).deserialize(&mut json).map_err(bad_json)?;
    json.end().map_err(bad_json)?;
    found.ok_or(Reason::NotAnObject)
}

fn body<'a>(text: Value<'a>, html: Value<'a>, fields: &Fields) -> Result<Body<'a>, Reason> {
    let text = text.string(&fields.text)?.map(Body::Text);
    let html = html.string(&fields.html)?.map(Body::Html);
    let body = if fields.prefer_html {
        html.or(text)
    } else {
        text.or(html)
    };
    body.ok_or_else(|| Reason::NoText {
        text: fields.text.clone(),
        html: fields.html.clone(),
    })
}

/// The parser always says "line 1": the line within the line. Drop that.
fn bad_json(error: serde_json::Error) -> Reason {
    let what = error.to_string();
    let end = what.rfind(" at line ").unwrap_or(what.len());
    Reason::Json {
        column: error.column(),
        what: what[..end].to_owned(),
    }
}

impl<'a> Value<'a> {
    fn key(self, field: &str) -> Result<Option<Cow<'a, str>>, Reason> {
        match self {
            Value::Missing => Ok(None),
            Value::String(key) => Ok(Some(key).filter(|key| !key.is_empty())),
            Value::Integer(key) => Ok(Some(Cow::Owned(key))),
            Value::Other => Err(Reason::WrongType {
                field: field.to_owned(),
                expected: "a string or a 64-bit integer",
            }),
        }
    }

    fn string(self, field: &str) -> Result<Option<Cow<'a, str>>, Reason> {
        match self {
            Value::Missing => Ok(None),
            Value::String(text) => Ok(Some(text)),
            Value::Integer(_) | Value::Other => Err(Reason::WrongType {
                field: field.to_owned(),
                expected: "a string",
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields() -> Fields {
        Fields {
            id: "id".to_owned(),
            url: "url".to_owned(),
            text: "text".to_owned(),
            html: "html".to_owned(),
            prefer_html: false,
        }
    }

    fn document(line: &str) -> (String, Body<'_>) {
        let (key, body) = parse(line.as_bytes(), &fields()).unwrap();
        (key.into_owned(), body)
    }

    fn refusal(line: &[u8]) -> String {
        parse(line, &fields()).unwrap_err().to_string()
    }

    fn text(text: &str) -> Body<'_> {
        Body::Text(Cow::Borrowed(text))
    }

    fn html(html: &str) -> Body<'_> {
        Body::Html(Cow::Borrowed(html))
    }

    #[test]
    fn the_key_is_id_else_url() {
        assert_eq!(document(r#"{"id":"a","url":"b","text":"t"}"#).0, "a");
        assert_eq!(document(r#"{"url":"b","text":"t"}"#).0, "b");
        assert_eq!(document(r#"{"id":null,"url":"b","text":"t"}"#).0, "b");
        assert_eq!(document(r#"{"id":"","url":"b","text":"t"}"#).0, "b");
    }

    #[test]
    fn integers_are_keys_by_their_decimal_text() {
        assert_eq!(document(r#"{"id":-7,"text":"t"}"#).0, "-7");
        let max = document(r#"{"id":18446744073709551615,"text":"t"}"#).0;
        assert_eq!(max, u64::MAX.to_string());
        for id in ["1.0", "1e3", "18446744073709551616", "true", "[1]", "{}"] {
            let line = format!(r#"{{"id":{id},"url":"b","text":"t"}}"#);
            assert_eq!(
                refusal(line.as_bytes()),
                "`id` must be a string or a 64-bit integer",
                "{id}"
            );
        }
    }

    #[test]
    fn text_wins_over_html_unless_turned_round() {
        let both = br#"{"id":1,"html":"<p>h","text":"t"}"#;
        assert_eq!(parse(both, &fields()).unwrap().1, text("t"));
        let turned = Fields {
            prefer_html: true,
            ..fields()
        };
        assert_eq!(parse(both, &turned).unwrap().1, html("<p>h"));
        let only_text = br#"{"id":1,"text":"t"}"#;
        assert_eq!(parse(only_text, &turned).unwrap().1, text("t"));
        assert_eq!(document(r#"{"id":1,"text":null,"html":"h"}"#).1, html("h"));
        assert_eq!(document(r#"{"id":1,"text":"","html":"h"}"#).1, text(""));
    }

    #[test]
    fn other_fields_of_any_shape_are_passed_over() {
        let line = r#" {"x":[{"id":"no"},1.5,null],"id":"a","y":{"text":3},"text":"t"} "#;
        assert_eq!(document(line), ("a".to_owned(), text("t")));
    }

    #[test]
    fn escapes_are_decoded_also_in_field_names() {
        let (key, body) = document(r#"{"\u0069d":"\u00e9","text":"a\nb \ud83d\ude00"}"#);
        assert_eq!((key.as_str(), body), ("é", text("a\nb 😀")));
    }

    #[test]
    fn field_names_can_be_changed() {
        let fields = Fields {
            id: "key".to_owned(),
            text: "content".to_owned(),
            ..fields()
        };
        let line = br#"{"id":"x","text":"x","key":"k","content":"c"}"#;
        let (key, body) = parse(line, &fields).unwrap();
        assert_eq!((key.as_ref(), body), ("k", text("c")));
    }

    #[test]
    fn every_malformed_line_says_what_is_wrong() {
        let cases: [(&[u8], &str); 12] = [
            (
                b"{\"id\":1,",
                "bad JSON at column 8: EOF while parsing a value",
            ),
            (b"nonsense", "bad JSON at column 2: expected ident"),
            (
                b"{\"id\":1,\"text\":\"t\"} {}",
                "bad JSON at column 21: trailing characters",
            ),
            (b"{\"id\":1,\"text\":\"\\ud800\"}", "bad JSON at column"),
            (b"[1,2]", "not a JSON object"),
            (b"\"text\"", "not a JSON object"),
            (b"null", "not a JSON object"),
            (
                b"{\"text\":\"t\"}",
                "no key: neither `id` nor `url` names the document",
            ),
            (b"{\"id\":1}", "no text: neither `text` nor `html` is there"),
            (b"{\"id\":1,\"text\":5}", "`text` must be a string"),
            (
                b"{\"id\":1,\"text\":\"t\",\"html\":[]}",
                "`html` must be a string",
            ),
            (b"{\"id\":1,\"text\":\"\xff\"}", "invalid UTF-8 at byte 16"),
        ];
        for (line, expected) in cases {
            let refusal = refusal(line);
            assert!(refusal.starts_with(expected), "{refusal} / {expected}");
        }
    }

    #[test]
    fn deep_nesting_is_an_error_and_not_a_crash() {
        let deep = "[".repeat(100_000);
        refusal(deep.as_bytes());
        refusal(format!("{{\"id\":{deep}").as_bytes());
    }
}
