//! Reading the fields of interest of one JSON object, without building the
//! rest.

use std::borrow::Cow;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::fields::Fields;

/// The fields of interest of one object.
#[derive(Default)]
pub struct Found<'a> {
    /// The key.
    pub id: Value<'a>,
    /// The key, when the first is missing.
    pub url: Value<'a>,
    /// Plain text.
    pub text: Value<'a>,
    /// HTML.
    pub html: Value<'a>,
}

impl<'a> Found<'a> {
    fn slot(&mut self, name: &str, fields: &Fields) -> Option<&mut Value<'a>> {
        if name == fields.id {
            Some(&mut self.id)
        } else if name == fields.url {
            Some(&mut self.url)
        } else if name == fields.text {
            Some(&mut self.text)
        } else if name == fields.html {
            Some(&mut self.html)
        } else {
            None
        }
    }
}

/// A field's value, as far as it matters here.
#[derive(Default)]
pub enum Value<'a> {
    /// Not there, or null.
    #[default]
    Missing,
    /// A string; borrowed from the line when it has no escapes.
    String(Cow<'a, str>),
    /// The decimal text of an integer.
    Integer(String),
    /// Anything else.
    Other,
}

/// Reads an object's fields of interest and passes over the rest without
/// building it; `None` for JSON that is no object.
pub struct Object<'f>(pub &'f Fields);

impl<'de> DeserializeSeed<'de> for Object<'_> {
    type Value = Option<Found<'de>>;

    fn deserialize<D: Deserializer<'de>>(self, json: D) -> Result<Self::Value, D::Error> {
        json.deserialize_any(self)
    }
}

/// The scalar visits that all mean the same.
macro_rules! visit_all_as {
    ($value:expr; $($visit:ident: $type:ty),*) => {
        $(fn $visit<E>(self, _: $type) -> Result<Self::Value, E> { Ok($value) })*
    };
}

impl<'de> Visitor<'de> for Object<'_> {
    type Value = Option<Found<'de>>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut found = Found::default();
        while let Some(name) = map.next_key_seed(Scalar)? {
            let slot = match &name {
                Value::String(name) => found.slot(name, self.0),
                _ => None,
            };
            match slot {
                Some(slot) => *slot = map.next_value_seed(Scalar)?,
                None => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(Some(found))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<Self::Value, A::Error> {
        IgnoredAny.visit_seq(seq)?;
        Ok(None)
    }

    fn visit_unit<E>(self) -> Result<Self::Value, E> {
        Ok(None)
    }

    visit_all_as!(None; visit_bool: bool, visit_i64: i64, visit_u64: u64, visit_f64: f64,
        visit_str: &str);
}

/// Reads one value of a field of interest, or the name of a field.
struct Scalar;

impl<'de> DeserializeSeed<'de> for Scalar {
    type Value = Value<'de>;

    fn deserialize<D: Deserializer<'de>>(self, json: D) -> Result<Value<'de>, D::Error> {
        json.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Scalar {
    type Value = Value<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Value<'de>, E> {
        Ok(Value::String(Cow::Borrowed(text)))
    }

    fn visit_str<E>(self, text: &str) -> Result<Value<'de>, E> {
        Ok(Value::String(Cow::Owned(text.to_owned())))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Value<'de>, E> {
        Ok(Value::Integer(number.to_string()))
    }

    fn visit_u64<E>(self, number: u64) -> Result<Value<'de>, E> {
        Ok(Value::Integer(number.to_string()))
    }

    fn visit_unit<E>(self) -> Result<Value<'de>, E> {
        Ok(Value::Missing)
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Value<'de>, A::Error> {
        IgnoredAny.visit_map(map)?;
        Ok(Value::Other)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<Value<'de>, A::Error> {
        IgnoredAny.visit_seq(seq)?;
        Ok(Value::Other)
    }

    visit_all_as!(Value::Other; visit_bool: bool, visit_f64: f64);
}
