//! Inserts, checked inserts and removals.
//!
//! Each locks the bucket of the key, then the buckets of the fingerprints
//! (see [`Resident`](crate::table::resident::Resident)), queues its operation
//! and changes the buckets before it lets go.

use simhash_core::Fingerprint;

use crate::codec::operation::{MAX_KEY, Operation};
use crate::document::{DocId, Document, Inserted, Match, Outcome};
use crate::keys::KeyLock;
use crate::query::{MAX_RETRIES, nobody_has_it};
use crate::store::Store;
use crate::table::resident::{Found, WriteLocks};
use crate::{Error, Result};

/// What a check found while the locks were held.
enum Checked {
    /// The operation was queued and applied.
    Stored { doc: DocId },
    /// The nearest other fingerprints; which documents have them is to be
    /// looked up once the locks are released.
    Near {
        matches: Vec<Match>,
        elsewhere: Vec<(Fingerprint, u32)>,
    },
}

impl Store {
    /// Stores `key` under `fingerprint`, whatever else is near it. A key that
    /// is known moves to the new fingerprint.
    ///
    /// # Errors
    /// [`Error::KeyTooLong`] past 64 KiB; [`Error::Poisoned`] after a failed
    /// write; [`Error::Corrupt`] when the log entry of the key's document
    /// cannot be read.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let dir = tempfile::tempdir()?;
    /// use simhash_store::{Config, Fingerprint, Inserted};
    ///
    /// let store = Config::new("example").create(dir.path().join("store"))?;
    /// let (one, two) = (Fingerprint::from_bits(1), Fingerprint::from_bits(2));
    /// assert!(matches!(store.insert(b"a", one)?, Inserted::New { .. }));
    /// assert!(matches!(store.insert(b"a", one)?, Inserted::Unchanged { .. }));
    /// assert!(matches!(store.insert(b"a", two)?, Inserted::Updated { .. }));
    /// assert_eq!(store.len(), 1);
    /// # Ok(())
    /// # }
    /// ```
    pub fn insert(&self, key: &[u8], fingerprint: Fingerprint) -> Result<Inserted> {
        check_key(key)?;
        self.commit.admit()?;
        let hash = self.keys.hash(key);
        let mut key_lock = self.keys.write(hash);
        let known = self.find(key_lock.candidates(), key)?;
        if let Some(document) = known
            && document.fingerprint == fingerprint
        {
            drop(key_lock);
            self.acknowledge(document.doc.get() + 1)?;
            return Ok(Inserted::Unchanged { doc: document.doc });
        }
        let mut locks = self
            .tables
            .write(fingerprint, known.map(|document| document.fingerprint));
        let doc = self.put(key, fingerprint, known, &mut key_lock, &mut locks)?;
        drop((locks, key_lock));
        self.acknowledge(doc.get() + 1)?;
        Ok(match known {
            None => Inserted::New { doc },
            Some(previous) => Inserted::Updated {
                doc,
                previous: previous.doc,
            },
        })
    }

    /// Stores `key` under `fingerprint`, unless a document under another key
    /// is within [`Config::k`](crate::Config::k) bits: then that document is
    /// named and nothing is written.
    ///
    /// The check and the insert are one step: of several threads that bring
    /// near-duplicates of one another at the same time, exactly one is told
    /// [`Outcome::New`]. A key never counts as a duplicate of itself.
    ///
    /// The argument is the pigeonhole of Manku, Jain and Das Sarma (WWW 2007,
    /// section 3): two fingerprints within k bits share a bucket, and both
    /// threads hold the locks of all buckets of theirs.
    ///
    /// # Errors
    /// As [`Store::insert`].
    pub fn check_and_insert(&self, key: &[u8], fingerprint: Fingerprint) -> Result<Outcome> {
        check_key(key)?;
        for _ in 0..MAX_RETRIES {
            self.commit.admit()?;
            let hash = self.keys.hash(key);
            let mut key_lock = self.keys.write(hash);
            let known = self.find(key_lock.candidates(), key)?;
            if let Some(document) = known
                && document.fingerprint == fingerprint
            {
                drop(key_lock);
                self.acknowledge(document.doc.get() + 1)?;
                return Ok(Outcome::Unchanged { doc: document.doc });
            }
            match self.check_locked(key, fingerprint, known, &mut key_lock)? {
                Checked::Stored { doc } => {
                    drop(key_lock);
                    self.acknowledge(doc.get() + 1)?;
                    return Ok(match known {
                        None => Outcome::New { doc },
                        Some(previous) => Outcome::Updated {
                            doc,
                            previous: previous.doc,
                        },
                    });
                }
                Checked::Near { matches, elsewhere } => {
                    drop(key_lock);
                    // None when it was removed since: check again.
                    // So is a document of this very key, which has moved since.
                    if let Some(of) = self.nearest(matches, &elsewhere, known)
                        && !self.is_document_of(key, of.doc)?
                    {
                        self.acknowledge(of.doc.get() + 1)?;
                        return Ok(Outcome::Duplicate { of });
                    }
                }
            }
        }
        Err(nobody_has_it(fingerprint))
    }

    /// Removes `key` and returns its document's number; `None` when it is not
    /// known.
    ///
    /// # Errors
    /// As [`Store::insert`].
    pub fn remove(&self, key: &[u8]) -> Result<Option<DocId>> {
        check_key(key)?;
        self.commit.admit()?;
        let hash = self.keys.hash(key);
        let mut key_lock = self.keys.write(hash);
        let Some(document) = self.find(key_lock.candidates(), key)? else {
            return Ok(None);
        };
        let mut locks = self.tables.write(document.fingerprint, None);
        let number = self.commit.append(&Operation::Remove { key, document })?;
        key_lock.remove(document.doc);
        locks.remove(document);
        drop((locks, key_lock));
        self.acknowledge(number.get() + 1)?;
        Ok(Some(document.doc))
    }

    /// Checks and, when nothing is near, stores: all under the locks of the
    /// buckets.
    fn check_locked(
        &self,
        key: &[u8],
        fingerprint: Fingerprint,
        known: Option<Document>,
        key_lock: &mut KeyLock<'_>,
    ) -> Result<Checked> {
        let previous = known.map(|document| document.fingerprint);
        let mut locks = self.tables.write(fingerprint, previous);
        let mut found = locks.scan(fingerprint, self.k);
        if let Some(known) = known {
            forget_own(&mut found, known, &locks);
        }
        let Found { matches, elsewhere } = found;
        if matches.is_empty() && elsewhere.is_empty() {
            let doc = self.put(key, fingerprint, known, key_lock, &mut locks)?;
            return Ok(Checked::Stored { doc });
        }
        Ok(Checked::Near { matches, elsewhere })
    }

    /// Queues the insert and brings the buckets up to date.
    fn put(
        &self,
        key: &[u8],
        fingerprint: Fingerprint,
        replaces: Option<Document>,
        key_lock: &mut KeyLock<'_>,
        locks: &mut WriteLocks<'_>,
    ) -> Result<DocId> {
        let doc = self.commit.append(&Operation::Insert {
            key,
            fingerprint,
            replaces,
        })?;
        if let Some(previous) = replaces {
            key_lock.remove(previous.doc);
            locks.remove(previous);
        }
        key_lock.insert(doc);
        locks.insert(Document { doc, fingerprint });
        Ok(doc)
    }

    /// Whether `doc` is the document of `key` by now.
    fn is_document_of(&self, key: &[u8], doc: DocId) -> Result<bool> {
        let hash = self.keys.hash(key);
        if !self.keys.read(hash).contains(hash.tag, doc) {
            return Ok(false);
        }
        Ok(self.get(key)?.is_some_and(|document| document.doc == doc))
    }

    /// The nearest of what a check found, and of several the one with the
    /// smallest number; `None` when it is gone.
    fn nearest(
        &self,
        matches: Vec<Match>,
        elsewhere: &[(Fingerprint, u32)],
        known: Option<Document>,
    ) -> Option<Match> {
        let distances = matches.iter().map(|found| found.distance);
        let least = distances
            .chain(elsewhere.iter().map(|(_, distance)| *distance))
            .min()?;
        let at_home = matches.into_iter().filter(|found| found.distance == least);
        let others = elsewhere.iter().filter(|(_, distance)| *distance == least);
        let others = others.flat_map(|&(fingerprint, distance)| {
            let docs = self.tables.documents_of(fingerprint).into_iter();
            docs.map(move |doc| Match {
                doc,
                fingerprint,
                distance,
            })
        });
        at_home
            .chain(others)
            .filter(|found| known.is_none_or(|known| known.doc != found.doc))
            .min_by_key(|found| found.doc)
    }
}

/// Takes a key's own old document out of what its check found. Its buckets
/// are locked too, so who else is under the old fingerprint is known.
fn forget_own(found: &mut Found, own: Document, locks: &WriteLocks<'_>) {
    found.matches.retain(|near| near.doc != own.doc);
    let alone = locks
        .documents_of(own.fingerprint)
        .all(|doc| doc == own.doc);
    if alone {
        let elsewhere = &mut found.elsewhere;
        elsewhere.retain(|(fingerprint, _)| *fingerprint != own.fingerprint);
    }
}

fn check_key(key: &[u8]) -> Result<()> {
    if key.len() <= MAX_KEY {
        return Ok(());
    }
    Err(Error::KeyTooLong {
        length: key.len(),
        max: MAX_KEY,
    })
}
