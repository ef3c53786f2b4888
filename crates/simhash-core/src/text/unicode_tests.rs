//! Which Unicode version the tables are of: those of our dependencies, and those of the compiler.
//!
//! The golden fingerprints are of a few texts. These tests look at every character, so that no
//! update of a table goes unnoticed; "What can still move" in `docs/fingerprint.md` says what
//! such an update means.

use xxhash_rust::xxh3::Xxh3;

use super::script::{CharKind, kind};

#[test]
fn the_tables_of_the_dependencies_are_of_unicode_17() {
    assert_eq!(unicode_normalization::UNICODE_VERSION, (17, 0, 0));
    assert_eq!(unicode_script::UNICODE_VERSION, (17, 0, 0));
    assert_eq!(unicode_segmentation::UNICODE_VERSION, (17, 0, 0));
}

/// All that steps 1 to 4 of the definition ask of a single character, but for its normal form
/// and word boundaries: these come from pinned tables alone.
fn properties(c: char) -> [u8; 3] {
    let kind = match kind(c) {
        CharKind::Spaced => 0,
        CharKind::Han => 1,
        CharKind::Unspaced => 2,
        CharKind::Inherited => 3,
    };
    [
        kind,
        u8::from(c.is_alphanumeric()),
        u8::from(c.is_numeric()),
    ]
}

#[test]
fn no_property_of_any_character_has_changed() {
    let mut digest = Xxh3::new();
    for c in '\0'..=char::MAX {
        digest.update(&properties(c));
        for lower in c.to_lowercase() {
            digest.update(&u32::from(lower).to_le_bytes());
        }
    }
    // A compiler with another version has other tables, for it knows other characters.
    if char::UNICODE_VERSION == (17, 0, 0) {
        assert_eq!(format!("{:016x}", digest.digest()), "1b482ba85b6f4128");
    }
}
