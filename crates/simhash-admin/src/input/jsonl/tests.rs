//! Lines by example, and at random against a plain model.

use proptest::prelude::*;
use serde_json::json;

use super::*;

fn document(line: &str) -> (String, Body<'_>) {
    let (key, body) = parse(line.as_bytes(), &Fields::default()).unwrap();
    (key.into_owned(), body)
}

fn refusal(line: &[u8]) -> String {
    parse(line, &Fields::default()).unwrap_err().to_string()
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
    assert_eq!(parse(both, &Fields::default()).unwrap().1, text("t"));
    let turned = Fields {
        prefer_html: true,
        ..Fields::default()
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
        ..Fields::default()
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

/// The same rules over a whole `serde_json::Value`.
fn model(line: &str) -> Option<(String, String, bool)> {
    let object: serde_json::Value = serde_json::from_str(line).ok()?;
    let object = object.as_object()?;
    let field = |name: &str| object.get(name).filter(|value| !value.is_null());
    let key = |name: &str| match field(name) {
        None => Ok(None),
        Some(serde_json::Value::String(key)) => Ok(Some(key.clone()).filter(|key| !key.is_empty())),
        Some(number) if number.is_u64() || number.is_i64() => Ok(Some(number.to_string())),
        Some(_) => Err(()),
    };
    let string = |name: &str| match field(name) {
        None => Ok(None),
        Some(value) => value.as_str().map(str::to_owned).map(Some).ok_or(()),
    };
    let key = match key("id").ok()? {
        Some(key) => key,
        None => key("url").ok()??,
    };
    let (text, html) = (string("text").ok()?, string("html").ok()?);
    match text {
        Some(text) => Some((key, text, false)),
        None => html.map(|html| (key, html, true)),
    }
}

/// A JSON value, of the kinds that matter more often than others.
fn value() -> impl Strategy<Value = serde_json::Value> {
    prop_oneof![
        4 => any::<String>().prop_map(serde_json::Value::from),
        1 => any::<u64>().prop_map(serde_json::Value::from),
        1 => any::<i64>().prop_map(serde_json::Value::from),
        1 => any::<f64>().prop_map(serde_json::Value::from),
        1 => any::<bool>().prop_map(serde_json::Value::from),
        1 => Just(json!(null)),
        1 => Just(json!("")),
        1 => any::<String>().prop_map(|text| json!([text, {"id": text}])),
        1 => any::<String>().prop_map(|text| json!({"text": text, "url": 1})),
    ]
}

/// An object as text, whose fields may come twice.
fn object() -> impl Strategy<Value = String> {
    let name = prop::sample::select(vec!["id", "url", "text", "html", "other"]);
    prop::collection::vec((name, value()), 0..8).prop_map(|fields| {
        let fields = fields
            .iter()
            .map(|(name, value)| format!("\"{name}\": {value}"));
        format!("{{{}}}", fields.collect::<Vec<_>>().join(", "))
    })
}

proptest! {
    #[test]
    fn objects_are_read_as_the_model_reads_them(line in object()) {
        let found = parse(line.as_bytes(), &Fields::default()).ok();
        let found = found.map(|(key, body)| match body {
            Body::Text(text) => (key.into_owned(), text.into_owned(), false),
            Body::Html(html) => (key.into_owned(), html.into_owned(), true),
        });
        prop_assert_eq!(found, model(&line));
    }

    #[test]
    fn a_broken_line_is_refused_and_never_a_crash(
        line in object(), at in any::<prop::sample::Index>(), byte in any::<u8>(),
    ) {
        let mut line = line.into_bytes();
        let at = at.index(line.len());
        line[at] = byte;
        let read = parse(&line, &Fields::default()).is_ok();
        let text = std::str::from_utf8(&line).ok();
        prop_assert_eq!(read, text.and_then(model).is_some());
    }
}
