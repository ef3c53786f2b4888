//! Inserts, checked inserts and removals.
//!
//! Each locks the bucket of the key, then the buckets of the fingerprints
//! (see [`Resident`](crate::table::resident::Resident)), queues its operation
//! and changes the buckets before it lets go.

use std::convert::Infallible;

use simhash_core::Fingerprint;

use crate::codec::operation::{MAX_KEY, Operation};
use crate::document::{DocId, Document, Inserted, Match, Outcome};
use crate::keys::KeyLock;
use crate::query::{MAX_RETRIES, nobody_has_it};
use crate::store::Store;
use crate::table::resident::{Found, WriteLocks};
use crate::{Error, Result};

/// What an attempt to store a key came to. `R` says why it was refused.
enum Attempt<R> {
    /// The key has this very fingerprint.
    Unchanged { doc: DocId },
    /// The operation was queued and applied.
    Stored { doc: DocId, previous: Option<DocId> },
    /// Nothing was written.
    Refused(R),
}

/// The other documents near a fingerprint. Which documents have the
/// fingerprints found elsewhere is to be looked up without the locks.
struct Near {
    found: Found,
    /// The key's own document, which does not count.
    own: Option<Document>,
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
        let attempt = self.attempt(key, fingerprint, |_, _| None::<Infallible>)?;
        Ok(match attempt {
            Attempt::Unchanged { doc } => Inserted::Unchanged { doc },
            Attempt::Stored {
                doc,
                previous: None,
            } => Inserted::New { doc },
            Attempt::Stored {
                doc,
                previous: Some(previous),
            } => Inserted::Updated { doc, previous },
            Attempt::Refused(never) => match never {},
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
        for _ in 0..MAX_RETRIES {
            let attempt = self.attempt(key, fingerprint, |own, locks| {
                self.near_others(fingerprint, own, locks)
            })?;
            let near = match attempt {
                Attempt::Unchanged { doc } => return Ok(Outcome::Unchanged { doc }),
                Attempt::Stored {
                    doc,
                    previous: None,
                } => return Ok(Outcome::New { doc }),
                Attempt::Stored {
                    doc,
                    previous: Some(previous),
                } => return Ok(Outcome::Updated { doc, previous }),
                Attempt::Refused(near) => near,
            };
            // None when it was removed since: check again. So is a document of
            // this very key, which has moved since.
            if let Some(of) = self.nearest(near)
                && !self.is_document_of(key, of.doc)?
            {
                self.acknowledge(of.doc.get() + 1)?;
                return Ok(Outcome::Duplicate { of });
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

    /// Stores `key` under `fingerprint`, unless `refuse` finds a reason not to
    /// while all locks are held. Returns when what it tells of is as safe as
    /// the durability promises.
    fn attempt<R>(
        &self,
        key: &[u8],
        fingerprint: Fingerprint,
        refuse: impl FnOnce(Option<Document>, &WriteLocks<'_>) -> Option<R>,
    ) -> Result<Attempt<R>> {
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
            return Ok(Attempt::Unchanged { doc: document.doc });
        }
        let previous = known.map(|document| document.fingerprint);
        let mut locks = self.tables.write(fingerprint, previous);
        if let Some(reason) = refuse(known, &locks) {
            return Ok(Attempt::Refused(reason));
        }
        let doc = self.put(key, fingerprint, known, &mut key_lock, &mut locks)?;
        drop((locks, key_lock));
        self.acknowledge(doc.get() + 1)?;
        Ok(Attempt::Stored {
            doc,
            previous: known.map(|document| document.doc),
        })
    }

    /// What is within k bits of `fingerprint`, but for the key's own document.
    fn near_others(
        &self,
        fingerprint: Fingerprint,
        own: Option<Document>,
        locks: &WriteLocks<'_>,
    ) -> Option<Near> {
        let mut found = locks.scan(fingerprint, self.k);
        if let Some(own) = own {
            forget_own(&mut found, own, locks);
        }
        let is_alone = found.matches.is_empty() && found.elsewhere.is_empty();
        (!is_alone).then_some(Near { found, own })
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
    fn nearest(&self, near: Near) -> Option<Match> {
        let Near { found, own } = near;
        let Found { matches, elsewhere } = found;
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
            .filter(|found| own.is_none_or(|own| own.doc != found.doc))
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
