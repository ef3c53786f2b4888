//! What the store says about documents: their numbers, matches and outcomes.

use std::fmt;

use serde::{Deserialize, Serialize};
use simhash_core::Fingerprint;

/// The number of a stored document: the sequence number of the insert that
/// made it.
///
/// Numbers grow with time, are never used twice and survive compaction. They
/// fit in 40 bits.
///
/// ```
/// use simhash_store::DocId;
///
/// assert_eq!(DocId::new(7).map(DocId::get), Some(7));
/// assert_eq!(DocId::new(1 << 40), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "u64", into = "u64")]
pub struct DocId(u64);

impl DocId {
    /// The largest document number, 2^40 - 1.
    pub const MAX: DocId = DocId((1 << 40) - 1);

    /// The document with this number; `None` past [`DocId::MAX`].
    pub const fn new(number: u64) -> Option<DocId> {
        if number <= Self::MAX.0 {
            Some(DocId(number))
        } else {
            None
        }
    }

    /// The number itself.
    pub const fn get(self) -> u64 {
        self.0
    }
}

impl fmt::Display for DocId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl From<DocId> for u64 {
    fn from(doc: DocId) -> u64 {
        doc.0
    }
}

impl TryFrom<u64> for DocId {
    type Error = DocIdOutOfRange;

    fn try_from(number: u64) -> Result<DocId, DocIdOutOfRange> {
        DocId::new(number).ok_or(DocIdOutOfRange(number))
    }
}

/// A number that no document can have: it does not fit in 40 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0} is not a document number: the largest is 2^40 - 1")]
pub struct DocIdOutOfRange(pub u64);

/// A document number in five bytes, little-endian: its form in memory and on
/// disk, where there are many.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PackedDoc([u8; 5]);

impl PackedDoc {
    pub(crate) fn get(self) -> DocId {
        let [a, b, c, d, e] = self.0;
        DocId(u64::from_le_bytes([a, b, c, d, e, 0, 0, 0]))
    }

    pub(crate) const fn from_le_bytes(bytes: [u8; 5]) -> PackedDoc {
        PackedDoc(bytes)
    }

    pub(crate) const fn to_le_bytes(self) -> [u8; 5] {
        self.0
    }
}

impl From<DocId> for PackedDoc {
    fn from(doc: DocId) -> PackedDoc {
        let [a, b, c, d, e, ..] = doc.0.to_le_bytes();
        PackedDoc([a, b, c, d, e])
    }
}

/// A stored document: its number and its fingerprint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Document {
    /// The document's number.
    pub doc: DocId,
    /// The fingerprint it is stored under.
    pub fingerprint: Fingerprint,
}

/// A stored document within the asked distance of a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Match {
    /// The document's number; [`Store::key`](crate::Store::key) gives its key.
    pub doc: DocId,
    /// Its fingerprint.
    pub fingerprint: Fingerprint,
    /// Hamming distance from the query, in bits.
    pub distance: u32,
}

/// What [`Store::insert`](crate::Store::insert) did.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Inserted {
    /// The key was not known; it is now document `doc`.
    New {
        /// The document's number.
        doc: DocId,
    },
    /// The key was known under another fingerprint, which the new one
    /// replaced.
    Updated {
        /// The number of the document as it is now.
        doc: DocId,
        /// The number it had before; no longer stored.
        previous: DocId,
    },
    /// The key was known under this very fingerprint. Nothing was written.
    Unchanged {
        /// The document's number, as before.
        doc: DocId,
    },
}

/// What [`Store::check_and_insert`](crate::Store::check_and_insert) found and
/// did.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Outcome {
    /// No document under another key is within k bits, and the key was not
    /// known. It is now document `doc`.
    New {
        /// The document's number.
        doc: DocId,
    },
    /// A document under another key is within k bits. Nothing was written: if
    /// the key was known, it keeps its old fingerprint.
    Duplicate {
        /// The nearest such document; of several, the one stored first.
        of: Match,
    },
    /// The key was known under another fingerprint, which the new one
    /// replaced; no document under another key is within k bits.
    Updated {
        /// The number of the document as it is now.
        doc: DocId,
        /// The number it had before; no longer stored.
        previous: DocId,
    },
    /// The key was known under this very fingerprint. Nothing was written.
    Unchanged {
        /// The document's number, as before.
        doc: DocId,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_doc_id_fits_in_forty_bits() {
        assert_eq!(DocId::new(DocId::MAX.get()), Some(DocId::MAX));
        assert_eq!(DocId::new(DocId::MAX.get() + 1), None);
        assert!(serde_json::from_str::<DocId>("1099511627776").is_err());
        assert_eq!(serde_json::to_string(&DocId::MAX).unwrap(), "1099511627775");
    }

    #[test]
    fn a_packed_number_is_read_back() {
        for number in [0, 1, 0x01_0203_0405, DocId::MAX.get()] {
            let doc = DocId::new(number).unwrap();
            assert_eq!(PackedDoc::from(doc).get(), doc);
        }
    }
}
