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
mod tests;
