//! The normal form all tokens are taken from.

use std::borrow::Cow;

use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfkc_quick};

/// NFKC, then the lower case of each character by itself.
///
/// NFKC (Unicode Standard Annex #15) makes full-width letters, ligatures, and composed and
/// decomposed accents the same. Lower-casing is Unicode's full mapping of single characters
/// ([`char::to_lowercase`]): no language is assumed, and a final capital sigma becomes `σ`,
/// so that the result does not depend on where a text is cut.
///
/// Borrows when the text is in that form already. Linear in the length of the text, but for
/// the sorting of the combining marks that follow one character.
///
/// ```
/// use simhash_core::text::normalise;
///
/// assert_eq!(normalise("Ｆｕｌｌ ﬁne CAFE\u{301}"), "full fine café");
/// ```
#[must_use]
pub fn normalise(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        return normalise_ascii(text);
    }
    if is_nfkc_quick(text.chars()) == IsNormalized::Yes && text.chars().all(is_lower_case) {
        return Cow::Borrowed(text);
    }
    let mut normal = String::with_capacity(text.len());
    normal.extend(text.nfkc().flat_map(char::to_lowercase));
    Cow::Owned(normal)
}

/// ASCII is in NFKC by definition.
fn normalise_ascii(text: &str) -> Cow<'_, str> {
    if text.bytes().any(|byte| byte.is_ascii_uppercase()) {
        Cow::Owned(text.to_ascii_lowercase())
    } else {
        Cow::Borrowed(text)
    }
}

fn is_lower_case(c: char) -> bool {
    if c.is_ascii() {
        !c.is_ascii_uppercase()
    } else {
        c.to_lowercase().eq([c])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn by_definition(text: &str) -> String {
        text.nfkc().flat_map(char::to_lowercase).collect()
    }

    #[test]
    fn a_sigma_is_the_same_everywhere_in_a_word() {
        assert_eq!(normalise("ΟΔΟΣ"), "οδοσ");
    }

    #[test]
    fn a_text_in_normal_form_is_borrowed() {
        for text in ["plain ascii 1", "日本語 ёлка", ""] {
            assert!(matches!(normalise(text), Cow::Borrowed(_)), "{text:?}");
        }
    }

    proptest! {
        #[test]
        fn shortcuts_change_nothing(text in "\\PC*", ascii in "[ -~]*", mixed in "[a-zA-Z Éßİ１ﬁ한글\u{301}\u{1100}]*") {
            for text in [&text, &ascii, &mixed] {
                prop_assert_eq!(&*normalise(text), &by_definition(text));
            }
        }
    }
}
