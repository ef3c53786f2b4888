//! Words: by UAX #29 where spaces part them, pairs of characters where none do.

use unicode_segmentation::{UnicodeSegmentation, UnicodeWords};

use super::script::{CharKind, Run, Runs};

/// The words of a text in [normal form](super::normalise), in order.
///
/// Runs of scripts that are written without spaces between words (Chinese, kana, Thai, Lao,
/// Khmer, Myanmar, ...) give every pair of neighbouring characters (code points); a run of a
/// single character gives that character. All other text is cut into the words of Unicode
/// Standard Annex #29 that hold a letter or a digit.
///
/// Linear in the length of the text; nothing is allocated.
///
/// ```
/// use simhash_core::text::words;
///
/// let found: Vec<_> = words("rust 1.95 can't: 近似重複、です").collect();
/// assert_eq!(found, ["rust", "1.95", "can't", "近似", "似重", "重複", "です"]);
/// ```
#[must_use]
pub fn words(text: &str) -> Words<'_> {
    Words {
        runs: Runs::new(text, CharKind::is_unspaced),
        current: Current::Pairs(Pairs("")),
    }
}

/// The iterator that [`words`] returns.
#[derive(Debug)]
pub struct Words<'a> {
    runs: Runs<'a>,
    current: Current<'a>,
}

/// The run whose words are being given out.
#[derive(Debug)]
enum Current<'a> {
    Spaced(UnicodeWords<'a>),
    Pairs(Pairs<'a>),
}

impl<'a> From<Run<'a>> for Current<'a> {
    fn from(run: Run<'a>) -> Self {
        if run.inside {
            Self::Pairs(Pairs(run.text))
        } else {
            Self::Spaced(run.text.unicode_words())
        }
    }
}

impl<'a> Iterator for Words<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        loop {
            let word = match &mut self.current {
                Current::Spaced(words) => words.next(),
                Current::Pairs(pairs) => pairs.next(),
            };
            if word.is_some() {
                return word;
            }
            self.current = self.runs.next()?.into();
        }
    }
}

/// The pairs of neighbouring characters that are still to come; they start with this text.
#[derive(Debug)]
struct Pairs<'a>(&'a str);

impl<'a> Iterator for Pairs<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let mut starts = self.0.char_indices().map(|(at, _)| at).skip(1);
        let (second, third) = (starts.next(), starts.next());
        let pair = self.0.get(..third.unwrap_or(self.0.len()))?;
        // The last pair ends the run; so does a lone character.
        self.0 = match (second, third) {
            (Some(second), Some(_)) => self.0.get(second..)?,
            _ => "",
        };
        (!pair.is_empty()).then_some(pair)
    }
}
