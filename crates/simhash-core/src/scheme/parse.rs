//! The grammar of scheme ids, and what is wrong with a text that is none.

use core::str::FromStr;

use super::Scheme;
use super::recipe::{Features, Weight};
use crate::FeatureHasher;
use crate::text::MAX_WIDTH;
use crate::weight::TermWeight;

/// Why a text is not the id of a [`Scheme`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ParseSchemeError {
    /// The text does not have the parts of an id.
    #[error(
        "scheme {id:?} is not of the form <features>-<weight>-<hash>/<version>; an example is words-logtf-xxh3/1"
    )]
    Syntax {
        /// The text.
        id: String,
    },
    /// A part is not known to this version.
    #[error("scheme {id:?}: unknown {part} {found:?}; known are {known}")]
    Unknown {
        /// The text.
        id: String,
        /// Which part it is: `features`, `weight`, `hash` or `version`.
        part: &'static str,
        /// What stands there.
        found: String,
        /// What may stand there.
        known: &'static str,
    },
    /// TF-IDF weights are defined by jieba's keywords alone.
    #[error(
        "scheme {id:?}: tfidf weights exist for jieba features only, as in jieba-tfidf20-xxh3/1"
    )]
    TfIdfWithoutJieba {
        /// The text.
        id: String,
    },
    /// The scheme exists, but was not compiled in.
    #[error(
        "scheme {id:?} is not compiled in; build simhash-core with its cargo feature {cargo_feature:?}"
    )]
    NotCompiledIn {
        /// The text.
        id: String,
        /// The cargo feature of this crate that brings it.
        cargo_feature: &'static str,
    },
}

const KNOWN_FEATURES: &str = "words, w2 to w8, jieba";
const KNOWN_WEIGHTS: &str = "logtf, tf, binary, tfidf1 to tfidf1000 (jieba only)";
const KNOWN_HASHES: &str = "xxh3, fnv1a";
const KNOWN_VERSIONS: &str = "1";

/// A weight as written, whether or not it is compiled in.
#[derive(Clone, Copy)]
enum WrittenWeight {
    Term(TermWeight),
    #[cfg_attr(
        not(feature = "jieba"),
        expect(dead_code, reason = "read by jieba schemes only")
    )]
    TfIdf(u16),
}

impl FromStr for Scheme {
    type Err = ParseSchemeError;

    fn from_str(id: &str) -> Result<Self, Self::Err> {
        let (features, weight, hash, version) =
            split(id).ok_or_else(|| ParseSchemeError::Syntax { id: id.into() })?;
        let unknown = |part, found: &str, known| ParseSchemeError::Unknown {
            id: id.into(),
            part,
            found: found.into(),
            known,
        };
        if version != "1" {
            return Err(unknown("version", version, KNOWN_VERSIONS));
        }
        let hasher = hasher(hash).ok_or_else(|| unknown("hash", hash, KNOWN_HASHES))?;
        let written =
            written_weight(weight).ok_or_else(|| unknown("weight", weight, KNOWN_WEIGHTS))?;
        if features == "jieba" {
            return jieba(id, written, hasher);
        }
        let features = plain_features(features)
            .ok_or_else(|| unknown("features", features, KNOWN_FEATURES))?;
        match written {
            WrittenWeight::Term(weight) => Ok(Self {
                features,
                weight: Weight::Term(weight),
                hasher,
            }),
            WrittenWeight::TfIdf(_) => Err(ParseSchemeError::TfIdfWithoutJieba { id: id.into() }),
        }
    }
}

/// The four parts of an id.
fn split(id: &str) -> Option<(&str, &str, &str, &str)> {
    let (recipe, version) = id.split_once('/')?;
    let mut parts = recipe.split('-');
    let found = (parts.next()?, parts.next()?, parts.next()?, version);
    parts.next().is_none().then_some(found)
}

fn hasher(text: &str) -> Option<FeatureHasher> {
    match text {
        "xxh3" => Some(FeatureHasher::Xxh3 { seed: 0 }),
        "fnv1a" => Some(FeatureHasher::Fnv1a),
        _ => None,
    }
}

fn plain_features(text: &str) -> Option<Features> {
    if text == "words" {
        return Some(Features::Words);
    }
    let width = number(text.strip_prefix('w')?)?;
    (2..=MAX_WIDTH as u16)
        .contains(&width)
        .then_some(Features::Shingles(width as u8))
}

fn written_weight(text: &str) -> Option<WrittenWeight> {
    match text {
        "logtf" => Some(WrittenWeight::Term(TermWeight::LogTf)),
        "tf" => Some(WrittenWeight::Term(TermWeight::Tf)),
        "binary" => Some(WrittenWeight::Term(TermWeight::Binary)),
        _ => {
            let top = number(text.strip_prefix("tfidf")?)?;
            (1..=1000)
                .contains(&top)
                .then_some(WrittenWeight::TfIdf(top))
        }
    }
}

/// A number in its one canonical form: digits only, no leading zero.
fn number(text: &str) -> Option<u16> {
    let canonical = text.bytes().all(|byte| byte.is_ascii_digit()) && !text.starts_with('0');
    text.parse().ok().filter(|_| canonical)
}

#[cfg(feature = "jieba")]
fn jieba(
    _id: &str,
    weight: WrittenWeight,
    hasher: FeatureHasher,
) -> Result<Scheme, ParseSchemeError> {
    let weight = match weight {
        WrittenWeight::Term(weight) => Weight::Term(weight),
        WrittenWeight::TfIdf(top) => Weight::TfIdf { top },
    };
    Ok(Scheme {
        features: Features::Jieba,
        weight,
        hasher,
    })
}

#[cfg(not(feature = "jieba"))]
fn jieba(
    id: &str,
    _weight: WrittenWeight,
    _hasher: FeatureHasher,
) -> Result<Scheme, ParseSchemeError> {
    Err(ParseSchemeError::NotCompiledIn {
        id: id.into(),
        cargo_feature: "jieba",
    })
}
