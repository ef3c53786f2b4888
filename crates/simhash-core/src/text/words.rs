//! Words: by UAX #29 where spaces part them, single characters where none do.

use unicode_segmentation::{UnicodeSegmentation, UnicodeWords};

use super::script::{CharKind, Run, Runs};

/// The words of a text in [normal form](super::normalise), in order.
///
/// In runs of scripts that are written without spaces between words (Chinese, kana, Thai, Lao,
/// Khmer, Myanmar, ...) every character (code point) is a word. All other text is cut into the
/// words of Unicode Standard Annex #29 that hold a letter or a digit.
///
/// Linear in the length of the text; nothing is allocated.
///
/// ```
/// use simhash_core::text::words;
///
/// let found: Vec<_> = words("rust 1.95 can't: 近似重複、です").collect();
/// assert_eq!(found, ["rust", "1.95", "can't", "近", "似", "重", "複", "で", "す"]);
/// ```
#[must_use]
pub fn words(text: &str) -> Words<'_> {
    Words::new(text, false)
}

/// The [`words`] of a text and, where no spaces part them, every pair of neighbouring characters
/// too: the pair follows its first character.
///
/// This is the vocabulary of a text without regard to order. A character alone says little of
/// which word it is in; pairs alone are too easily upset by an edit.
///
/// ```
/// use simhash_core::text::terms;
///
/// let found: Vec<_> = terms("rust 近似重、す").collect();
/// assert_eq!(found, ["rust", "近", "近似", "似", "似重", "重", "す"]);
/// ```
#[must_use]
pub fn terms(text: &str) -> Words<'_> {
    Words::new(text, true)
}

/// The iterator that [`words`] and [`terms`] return.
#[derive(Debug)]
pub struct Words<'a> {
    runs: Runs<'a>,
    current: Current<'a>,
    pairs: bool,
}

/// The run whose words are being given out.
#[derive(Debug)]
enum Current<'a> {
    Spaced(UnicodeWords<'a>),
    Unspaced(Characters<'a>),
}

impl<'a> Words<'a> {
    fn new(text: &'a str, pairs: bool) -> Self {
        let runs = Runs::new(text, CharKind::is_unspaced);
        Self {
            runs,
            current: Current::Spaced("".unicode_words()),
            pairs,
        }
    }

    fn enter(&mut self, run: Run<'a>) {
        self.current = if run.inside {
            Current::Unspaced(Characters {
                rest: run.text,
                pairs: self.pairs,
                pair_is_due: false,
            })
        } else {
            Current::Spaced(run.text.unicode_words())
        };
    }
}

impl<'a> Iterator for Words<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        loop {
            let word = match &mut self.current {
                Current::Spaced(words) => words.next(),
                Current::Unspaced(characters) => characters.next(),
            };
            if word.is_some() {
                return word;
            }
            let run = self.runs.next()?;
            self.enter(run);
        }
    }
}

/// The characters of a run, each followed by the pair that it starts.
#[derive(Debug)]
struct Characters<'a> {
    rest: &'a str,
    pairs: bool,
    /// Whether the character in front has been given out, and its pair has not.
    pair_is_due: bool,
}

impl<'a> Iterator for Characters<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let mut ends = self.rest.char_indices().map(|(at, c)| at + c.len_utf8());
        let first = ends.next()?;
        let (character, after) = self.rest.split_at(first);
        let pair = if self.pairs {
            ends.next().and_then(|end| self.rest.get(..end))
        } else {
            None
        };
        if self.pair_is_due {
            self.pair_is_due = false;
            self.rest = after;
            return pair;
        }
        self.pair_is_due = pair.is_some();
        if pair.is_none() {
            self.rest = after;
        }
        Some(character)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn scripts_without_spaces() {
        let cases = [
            ("日本語", vec!["日", "日本", "本", "本語", "語"]),
            ("カー", vec!["カ", "カー", "ー"]),
            ("กาแ", vec!["ก", "กา", "า", "าแ", "แ"]),
            ("3月4日", vec!["3", "月", "4", "日"]),
            ("한국어 말", vec!["한국어", "말"]),
            ("a字b", vec!["a", "字", "b"]),
            ("👍🏽 ok", vec!["ok"]),
            (" 、。…", vec![]),
        ];
        for (text, expected) in cases {
            assert_eq!(terms(text).collect::<Vec<_>>(), expected, "{text}");
        }
    }

    #[test]
    fn words_by_uax_29() {
        let text = "don't 3.14 a.b foo_bar x-y e-mail: naïve l’été 50% c++";
        let expected = [
            "don't",
            "3.14",
            "a.b",
            "foo_bar",
            "x",
            "y",
            "e",
            "mail",
            "naïve",
            "l’été",
            "50",
            "c",
        ];
        assert_eq!(words(text).collect::<Vec<_>>(), expected);
    }

    proptest! {
        #[test]
        fn terms_are_words_and_pairs(text in "[a 字文か、1]{0,40}") {
            let is_pair = |term: &&str| !term.is_ascii() && term.chars().count() == 2;
            let (pairs, singles): (Vec<_>, Vec<_>) = terms(&text).partition(is_pair);
            prop_assert_eq!(singles, words(&text).collect::<Vec<_>>());
            let kinds: Vec<_> = text.chars().map(|c| "字文か".contains(c)).collect();
            let expected = kinds.windows(2).filter(|kinds| kinds[0] && kinds[1]).count();
            prop_assert_eq!(pairs.len(), expected);
        }

        #[test]
        fn every_word_is_a_part_of_the_text_with_a_letter_digit_or_mark(text in any::<String>()) {
            for term in terms(&text) {
                prop_assert!(text.contains(term) && !term.is_empty());
            }
        }
    }
}
