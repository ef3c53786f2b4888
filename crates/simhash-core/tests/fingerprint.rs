//! The text and serde forms of a fingerprint.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use proptest::prelude::*;
use serde::de::IntoDeserializer;
use serde::de::value::{Error as ValueError, U64Deserializer};
use serde::{Deserialize, Serialize};
use simhash_core::{Fingerprint, ParseFingerprintError};

#[test]
fn sixteen_lower_case_digits() {
    let fingerprint = Fingerprint::from_bits(0x0123_4567_89ab_cdef);
    assert_eq!(fingerprint.to_string(), "0123456789abcdef");
    assert_eq!(format!("{fingerprint:x}"), "0123456789abcdef");
    assert_eq!(format!("{fingerprint:?}"), "Fingerprint(0123456789abcdef)");
    assert_eq!(format!("[{fingerprint:>18}]"), "[  0123456789abcdef]");
    assert_eq!(Fingerprint::from_bits(0).to_string(), "0000000000000000");
    assert_eq!(Fingerprint::from_bits(1).to_string(), "0000000000000001");
}

#[test]
fn what_is_wrong_with_a_text_is_said() {
    let error = |text: &str| text.parse::<Fingerprint>().unwrap_err();
    let length = |found| ParseFingerprintError::Length { found };
    let digit = |found, position| ParseFingerprintError::Digit { found, position };
    assert_eq!(error(""), length(0));
    assert_eq!(error("0123456789abcde"), length(15));
    assert_eq!(error("0123456789abcdef0"), length(17));
    assert_eq!(error("0x0123456789abcdef"), length(18));
    assert_eq!(error("0x23456789abcdef"), digit('x', 2));
    assert_eq!(error("+123456789abcdef"), digit('+', 1));
    assert_eq!(error("0123456789abcde "), digit(' ', 16));
    assert_eq!(error("１123456789abcdef"), digit('１', 1));
    assert_eq!(
        error("0123456789abcdeg").to_string(),
        "a fingerprint is exactly 16 hexadecimal digits (0-9, a-f, no 0x), but character 16 is 'g'"
    );
}

#[test]
fn order_is_that_of_the_number() {
    assert!(Fingerprint::from_bits(1) < Fingerprint::from_bits(1 << 63));
}

#[test]
fn json_has_the_digits() {
    let fingerprint = Fingerprint::from_bits(0xf0);
    let json = serde_json::to_string(&fingerprint).unwrap();
    assert_eq!(json, "\"00000000000000f0\"");
    assert_eq!(
        serde_json::from_str::<Fingerprint>(&json).unwrap(),
        fingerprint
    );
    for wrong in ["240", "\"f0\"", "null", "\"00000000000000fg\""] {
        let error = serde_json::from_str::<Fingerprint>(wrong).unwrap_err();
        assert!(
            error.to_string().contains("16 hexadecimal digits"),
            "{error}"
        );
    }
}

/// A binary format in the small: it holds one number.
struct Binary<D>(D);

impl<'de, D: serde::Deserializer<'de>> serde::Deserializer<'de> for Binary<D> {
    type Error = D::Error;

    fn is_human_readable(&self) -> bool {
        false
    }

    fn deserialize_any<V: serde::de::Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        self.0.deserialize_any(visitor)
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 char str string bytes byte_buf option unit
        unit_struct newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

#[test]
fn binary_formats_have_the_number() {
    let number: U64Deserializer<ValueError> = 0xf0_u64.into_deserializer();
    let read = Fingerprint::deserialize(Binary(number)).unwrap();
    assert_eq!(read, Fingerprint::from_bits(0xf0));
    let digits: serde::de::value::StrDeserializer<'_, ValueError> =
        "00000000000000f0".into_deserializer();
    assert!(Fingerprint::deserialize(Binary(digits)).is_err());
}

#[test]
fn it_can_be_a_field() {
    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    struct Document {
        fingerprint: Option<Fingerprint>,
    }
    let document = Document {
        fingerprint: Some(Fingerprint::from_bits(7)),
    };
    let json = serde_json::to_string(&document).unwrap();
    assert_eq!(json, "{\"fingerprint\":\"0000000000000007\"}");
    assert_eq!(serde_json::from_str::<Document>(&json).unwrap(), document);
}

proptest! {
    #[test]
    fn text_forms_are_read_back_in_either_case(bits in any::<u64>()) {
        let fingerprint = Fingerprint::from_bits(bits);
        prop_assert_eq!(fingerprint.to_string(), format!("{bits:016x}"));
        prop_assert_eq!(fingerprint.to_string().parse(), Ok(fingerprint));
        prop_assert_eq!(fingerprint.to_string().to_uppercase().parse(), Ok(fingerprint));
    }

    #[test]
    fn no_text_panics(text in any::<String>()) {
        if let Ok(fingerprint) = text.parse::<Fingerprint>() {
            prop_assert_eq!(fingerprint.to_string(), text.to_lowercase());
        }
    }

    #[test]
    fn distance_counts_differing_bits(bits in any::<u64>(), flips in prop::collection::hash_set(0_u32..64, 0..20)) {
        let other = flips.iter().fold(bits, |bits, flip| bits ^ 1 << flip);
        let (a, b) = (Fingerprint::from_bits(bits), Fingerprint::from_bits(other));
        prop_assert_eq!(a.distance(b) as usize, flips.len());
        prop_assert_eq!(a.distance(b), b.distance(a));
    }
}
