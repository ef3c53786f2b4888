//! One worker's part: from a chunk of raw records to fingerprints.

use simhash_core::{Fingerprint, Scheme};

use crate::input::chunk::{Chunk, Record};
use crate::input::document::document;
use crate::input::jsonl::Fields;
use crate::input::problem::{Place, Problem};

/// A document ready for the store.
#[derive(Debug)]
pub struct Fingerprinted {
    /// Where it stands in the input.
    pub place: Place,
    /// The caller's name for it.
    pub key: Vec<u8>,
    /// `None` when its text has no features.
    pub fingerprint: Option<Fingerprint>,
    /// Bytes of the text that was fingerprinted.
    pub text_bytes: u64,
}

/// What became of one record.
#[derive(Debug)]
pub enum Item {
    /// A document.
    Document(Fingerprinted),
    /// A file of no known kind.
    Skipped,
    /// Something that cannot be used.
    Unusable(Problem),
}

/// The recipe that all workers share.
#[derive(Clone, Debug)]
pub struct Recipe {
    /// The scheme of the fingerprints.
    pub scheme: Scheme,
    /// The names of the JSONL fields.
    pub fields: Fields,
}

impl Recipe {
    /// The items of a chunk's records, in their order.
    pub fn apply(&self, chunk: Chunk) -> Vec<Item> {
        let Chunk { bytes, records } = chunk;
        records
            .into_iter()
            .map(|record| self.item(record, &bytes))
            .collect()
    }

    fn item(&self, record: Record, bytes: &[u8]) -> Item {
        let Record { place, content } = record;
        match document(content, bytes, &self.fields) {
            Ok(Some(document)) => Item::Document(Fingerprinted {
                place,
                fingerprint: self.scheme.fingerprint(&document.text),
                text_bytes: document.text.len() as u64,
                key: document.key.into_owned(),
            }),
            Ok(None) => Item::Skipped,
            Err(reason) => Item::Unusable(Problem { place, reason }),
        }
    }
}
