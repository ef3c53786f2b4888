//! Reading: what is near a fingerprint, what a key is, what a number is.

use simhash_core::Fingerprint;

use crate::codec::operation::Operation;
use crate::document::{DocId, Document, Match};
use crate::store::{Store, check_k};
use crate::table::resident::Found;
use crate::{Error, Result};

/// How often a search starts again because a document that it found was
/// removed before its number was looked up. Each time takes a removal at the
/// very moment, so as many in a row mean that the tables contradict each
/// other.
pub(crate) const MAX_RETRIES: usize = 10_000;

/// The error after [`MAX_RETRIES`].
pub(crate) fn nobody_has_it(query: Fingerprint) -> Error {
    let why = "a table names a fingerprint that no document has; open the store again";
    Error::corrupt("memory", format!("near {query}"), why)
}

impl Store {
    /// Every document within `k` bits of `fingerprint`, each once: nearest
    /// first, then by number.
    ///
    /// The answer is exact: every document that is stored during the whole
    /// call is in it or rightly not. One that other threads insert or remove
    /// meanwhile may be in it or not.
    /// Reads one bucket of each table (Manku, Jain and Das Sarma, WWW 2007,
    /// section 3), so about 4 n / 65536 entries of n spread evenly.
    ///
    /// # Errors
    /// [`Error::KTooLarge`] past [`Config::MAX_K`](crate::Config::MAX_K).
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let dir = tempfile::tempdir()?;
    /// use simhash_store::{Config, Fingerprint};
    ///
    /// let store = Config::new("example").create(dir.path().join("store"))?;
    /// store.insert(b"a", Fingerprint::from_bits(0b0000))?;
    /// store.insert(b"b", Fingerprint::from_bits(0b0111))?;
    /// let near = store.near(Fingerprint::from_bits(0b0011), 2)?;
    /// let distances: Vec<u32> = near.iter().map(|found| found.distance).collect();
    /// assert_eq!(distances, [1, 2]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn near(&self, fingerprint: Fingerprint, k: u32) -> Result<Vec<Match>> {
        check_k(k)?;
        for _ in 0..MAX_RETRIES {
            let Found {
                mut matches,
                elsewhere,
            } = self.tables.read(fingerprint).scan(fingerprint, k);
            if self.resolve(&elsewhere, &mut matches) {
                matches.sort_unstable_by_key(|found| (found.distance, found.doc));
                return Ok(matches);
            }
        }
        Err(nobody_has_it(fingerprint))
    }

    /// Adds the documents of fingerprints found outside the home table. False
    /// when one has none any more: it was removed after the scan.
    fn resolve(&self, elsewhere: &[(Fingerprint, u32)], matches: &mut Vec<Match>) -> bool {
        elsewhere.iter().all(|&(fingerprint, distance)| {
            let before = matches.len();
            let docs = self.tables.documents_of(fingerprint);
            matches.extend(docs.into_iter().map(|doc| Match {
                doc,
                fingerprint,
                distance,
            }));
            matches.len() > before
        })
    }

    /// The document of `key`; `None` when it is not known.
    ///
    /// # Errors
    /// [`Error::Corrupt`] when the document's log entry cannot be read.
    pub fn get(&self, key: &[u8]) -> Result<Option<Document>> {
        let hash = self.keys.hash(key);
        let bucket = self.keys.read(hash);
        self.find(bucket.candidates(hash.tag), key)
    }

    /// Whether `key` is known.
    ///
    /// # Errors
    /// As [`Store::get`].
    pub fn contains(&self, key: &[u8]) -> Result<bool> {
        Ok(self.get(key)?.is_some())
    }

    /// The key of a live document; `None` when there is no such document, or
    /// no longer.
    ///
    /// # Errors
    /// [`Error::Corrupt`] when the document's log entry cannot be read.
    pub fn key(&self, doc: DocId) -> Result<Option<Vec<u8>>> {
        let inserted = self
            .commit
            .operation(doc.get(), |entry| match entry.operation {
                Operation::Insert {
                    key, fingerprint, ..
                } => Some((key.to_vec(), fingerprint)),
                Operation::Remove { .. } => None,
            })?;
        Ok(inserted.flatten().and_then(|(key, fingerprint)| {
            let live = self.tables.documents_of(fingerprint).contains(&doc);
            live.then_some(key)
        }))
    }

    /// The one of `candidates` whose key really is `key`, by the log.
    pub(crate) fn find(
        &self,
        candidates: impl Iterator<Item = DocId>,
        key: &[u8],
    ) -> Result<Option<Document>> {
        for doc in candidates {
            let found = self
                .commit
                .operation(doc.get(), |entry| match entry.operation {
                    Operation::Insert {
                        key: stored,
                        fingerprint,
                        ..
                    } => Some((stored == key).then_some(Document { doc, fingerprint })),
                    Operation::Remove { .. } => None,
                })?;
            match found.flatten() {
                Some(Some(document)) => return Ok(Some(document)),
                Some(None) => {}
                None => {
                    let why = "the key index names it, but it is no insert";
                    return Err(Error::corrupt("log", format!("operation {doc}"), why));
                }
            }
        }
        Ok(None)
    }
}
