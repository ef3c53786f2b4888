//! Whole recipes from text to fingerprint, each with a stable id.

mod catalogue;
mod counts;
mod parse;
mod recipe;

pub use catalogue::CatalogueEntry;
pub use parse::ParseSchemeError;

use core::fmt;

use counts::{Counts, count};
use recipe::{Features, Weight};

use crate::text::{Shingles, Token, normalise, terms, words};
use crate::weight::TermWeight;
use crate::{Accumulator, FeatureHasher, Fingerprint};

/// A whole recipe from text to fingerprint, named by a stable id.
///
/// The id is `<features>-<weight>-<hash>/<version>`:
///
/// | part | values |
/// |---|---|
/// | features | `words` ([`terms`](crate::text::terms)); `w2` to `w8` (shingles of that many [`words`]); `jieba` (as `words`, with Chinese cut by a dictionary) |
/// | weight | `logtf` (ln(1 + tf), half of it for a feature with a number in it); `tf`; `binary`; `tfidf1` to `tfidf1000` (with `jieba` only: that many keywords and their TF-IDF weights) |
/// | hash | `xxh3`, `fnv1a` |
/// | version | `1` |
///
/// The same id gives the same bits on every CPU and operating system, with every set of cargo
/// features, and in every version of this crate, as long as the Unicode tables are the same.
/// Those for normal form, script and word boundaries are pinned at Unicode 17.0; lower case,
/// letters and digits are what [`char`] says, in the version of the compiler
/// ([`char::UNICODE_VERSION`]; Rust 1.95: 17.0). Text without characters that two versions treat
/// differently has the same fingerprint under both. Fingerprints of different schemes cannot be
/// compared. All definitions are in `docs/fingerprint.md`.
///
/// A scheme is a few bytes, and may be used from any number of threads. The dictionary of
/// `jieba` schemes is loaded once per process, at first use.
///
/// ```
/// use simhash_core::Scheme;
///
/// let scheme = Scheme::default();
/// assert_eq!(scheme.to_string(), "words-logtf-xxh3/1");
/// assert_eq!("words-logtf-xxh3/1".parse(), Ok(scheme.clone()));
///
/// let a = scheme.fingerprint("The quick brown fox jumps over the lazy dog.");
/// let b = scheme.fingerprint("the QUICK brown fox: jumps over the lazy dog");
/// assert!(a.is_some());
/// assert_eq!(a, b);
/// assert_eq!(scheme.fingerprint(" ... "), None);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Scheme {
    features: Features,
    weight: Weight,
    hasher: FeatureHasher,
}

/// One distinct feature of a text, and what it adds to the fingerprint.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Feature {
    /// The word, or the words of the shingle with a space between them.
    pub text: String,
    /// Its hash, whose bits say where the weight is added and where it is taken away.
    pub hash: u64,
    /// Its weight, in [units](Scheme::weight_units).
    pub weight: i64,
}

impl Default for Scheme {
    /// `words-logtf-xxh3/1`.
    fn default() -> Self {
        Self {
            features: Features::Words,
            weight: Weight::Term(TermWeight::LogTf),
            hasher: FeatureHasher::default(),
        }
    }
}

impl fmt::Display for Scheme {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let hash = match self.hasher {
            FeatureHasher::Xxh3 { .. } => "xxh3",
            FeatureHasher::Fnv1a => "fnv1a",
        };
        write!(f, "{}-{}-{hash}/1", self.features, self.weight)
    }
}

impl Scheme {
    /// The fingerprint of a text, or `None` when the text has no feature (no letter and no
    /// digit, or for `tfidf` no keyword): such texts are not near-duplicates of each other.
    ///
    /// Linear in the length of the text. Memory: about 16 bytes for each distinct feature, and
    /// a copy of the text unless it is in normal form already.
    #[must_use]
    pub fn fingerprint(&self, text: &str) -> Option<Fingerprint> {
        let text = &*normalise(text);
        let mut sums = Accumulator::<i64>::new();
        match self.weight {
            Weight::Term(weight) => {
                for (hash, tally) in self.count(text) {
                    sums.add(hash, tally.weight(weight));
                }
            }
            #[cfg(feature = "jieba")]
            Weight::TfIdf { top } => {
                for feature in self.keywords(text, top) {
                    sums.add(feature.hash, feature.weight);
                }
            }
        }
        sums.fingerprint()
    }

    /// The distinct features of a text with their weights, in the order in which they first
    /// occur (`tfidf`: heaviest first). Adding them to an [`Accumulator`] gives
    /// [`fingerprint`](Self::fingerprint); this is for showing why a fingerprint is what it is.
    ///
    /// Features with the same 64-bit hash count as one, under the text that came first.
    ///
    /// ```
    /// use simhash_core::{Accumulator, Scheme};
    ///
    /// let scheme: Scheme = "words-tf-xxh3/1".parse()?;
    /// let text = "to be or not to be";
    /// let features = scheme.features(text);
    /// let weights: Vec<_> = features.iter().map(|f| (f.text.as_str(), f.weight)).collect();
    /// assert_eq!(weights, [("to", 2), ("be", 2), ("or", 1), ("not", 1)]);
    ///
    /// let mut sums = Accumulator::<i64>::new();
    /// for feature in &features {
    ///     sums.add(feature.hash, feature.weight);
    /// }
    /// assert_eq!(sums.fingerprint(), scheme.fingerprint(text));
    /// # Ok::<(), simhash_core::ParseSchemeError>(())
    /// ```
    #[must_use]
    pub fn features(&self, text: &str) -> Vec<Feature> {
        let text = &*normalise(text);
        match self.weight {
            Weight::Term(weight) => self.weighted(text, weight),
            #[cfg(feature = "jieba")]
            Weight::TfIdf { top } => self.keywords(text, top),
        }
    }

    /// How many units a [`Feature`]'s weight of 1 has: 65536 for `logtf`, 2^32 for `tfidf`, else 1.
    #[must_use]
    pub fn weight_units(&self) -> u64 {
        match self.weight {
            Weight::Term(weight) => weight.units().into(),
            #[cfg(feature = "jieba")]
            Weight::TfIdf { .. } => TF_IDF_UNITS,
        }
    }

    fn hash(&self, word: &str) -> u64 {
        self.hasher.hash(word.as_bytes())
    }

    fn token(&self, word: &str) -> Token {
        Token::new(word, self.hash(word))
    }

    /// Counts the features of a normalised text.
    fn count(&self, text: &str) -> Counts {
        match self.features {
            Features::Words => count(terms(text).map(|term| self.token(term))),
            Features::Shingles(width) => count(Shingles::new(
                words(text).map(|word| self.token(word)),
                width.into(),
            )),
            #[cfg(feature = "jieba")]
            Features::Jieba => count(
                crate::jieba::terms(text)
                    .into_iter()
                    .map(|term| self.token(term)),
            ),
        }
    }

    /// All features of a normalised text, repeated ones too, as (text, hash).
    fn occurrences(&self, text: &str) -> Vec<(String, u64)> {
        match self.features {
            Features::Words => self.named(terms(text)),
            Features::Shingles(width) => self.named_shingles(words(text), width.into()),
            #[cfg(feature = "jieba")]
            Features::Jieba => self.named(crate::jieba::terms(text)),
        }
    }

    fn named<'a>(&self, terms: impl IntoIterator<Item = &'a str>) -> Vec<(String, u64)> {
        terms
            .into_iter()
            .map(|term| (term.to_owned(), self.hash(term)))
            .collect()
    }

    fn named_shingles<'a>(
        &self,
        words: impl Iterator<Item = &'a str>,
        width: usize,
    ) -> Vec<(String, u64)> {
        let words: Vec<_> = words.collect();
        // A text of fewer words is one shingle.
        let texts = words
            .windows(width.clamp(1, words.len().max(1)))
            .map(|words| words.join(" "));
        let shingles = Shingles::new(words.iter().map(|word| self.token(word)), width);
        texts.zip(shingles.map(|shingle| shingle.hash)).collect()
    }

    fn weighted(&self, text: &str, weight: TermWeight) -> Vec<Feature> {
        let mut counts = self.count(text);
        let mut features = Vec::with_capacity(counts.len());
        for (text, hash) in self.occurrences(text) {
            // Taken out at its first occurrence.
            if let Some(tally) = counts.remove(&hash) {
                features.push(Feature {
                    text,
                    hash,
                    weight: tally.weight(weight),
                });
            }
        }
        features
    }

    #[cfg(feature = "jieba")]
    fn keywords(&self, text: &str, top: u16) -> Vec<Feature> {
        let keywords = crate::jieba::keywords(text, top.into()).into_iter();
        let weigh = |(text, weight): (String, f64)| Feature {
            hash: self.hash(&text),
            text,
            weight: (weight * TF_IDF_UNITS as f64).round() as i64,
        };
        keywords.map(weigh).collect()
    }
}

/// Units of a TF-IDF weight of 1.
#[cfg(feature = "jieba")]
const TF_IDF_UNITS: u64 = 1 << 32;

#[cfg(test)]
mod tests;
