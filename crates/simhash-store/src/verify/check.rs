//! Comparing tables and the key index with the history, both ways.

use simhash_core::Fingerprint;

use super::history::{Changes, History, LIVE, Life};
use super::{Fault, VerifyReport};
use crate::disk::buckets::{Buckets, StoredBucket};
use crate::disk::engine::{Engine, TreeName};
use crate::keys::KeyHash;
use crate::plan::{self, HOME, Position};
use crate::table::bucket::{Bucket, Distinct, Home, Keys};
use crate::table::directory::Directory;
use crate::{Error, Result};

/// What a structure should hold that has seen all operations below a number,
/// and perhaps later ones.
pub(super) struct Expected<'a> {
    history: &'a History,
    /// All operations below it are applied.
    upto: u64,
    /// Fingerprints that must be there, ascending.
    must: Vec<u64>,
    /// Fingerprints that may be there, ascending.
    may: Vec<u64>,
}

/// What a suspicion is about, to tell whether a change explains it.
enum Subject {
    Document(u64),
    Fingerprint(u64),
    Damage,
}

/// What looks wrong in one structure.
pub(super) struct Suspicions {
    place: String,
    found: Vec<(Subject, String, String)>,
}

/// Which of the expected entries were met.
struct Seen(Vec<bool>);

impl Seen {
    fn new(length: usize) -> Seen {
        Seen(vec![false; length])
    }

    /// Notes an entry; false when it was met before.
    fn first_time(&mut self, index: usize) -> bool {
        !std::mem::replace(&mut self.0[index], true)
    }
}

impl<'a> Expected<'a> {
    pub(super) fn new(history: &'a History, upto: u64) -> Expected<'a> {
        let fingerprints = |wanted: &dyn Fn(&Life) -> bool| {
            let lives = history.lives().iter().filter(|life| wanted(life));
            let mut fingerprints: Vec<u64> = lives.map(|life| life.fingerprint).collect();
            fingerprints.sort_unstable();
            fingerprints.dedup();
            fingerprints
        };
        Expected {
            history,
            upto,
            must: fingerprints(&|life| life.must_be_seen(upto)),
            may: fingerprints(&|life| life.may_be_seen(upto)),
        }
    }

    /// Checks a tree on disk, bucket by bucket.
    pub(super) fn check_tree(
        &self,
        engine: &Engine,
        tree: TreeName,
        buckets: &mut u64,
    ) -> Result<Suspicions> {
        match tree {
            TreeName::Table(HOME) => self.check_stored(engine, tree, buckets, Self::check_home_in),
            TreeName::Table(table) => {
                self.check_stored(engine, tree, buckets, |me, bucket, suspicions, seen| {
                    me.check_distinct_in(table, bucket, suspicions, seen);
                })
            }
            _ => self.check_stored(engine, tree, buckets, Self::check_keys_in),
        }
    }

    fn check_stored<B: Bucket>(
        &self,
        engine: &Engine,
        tree: TreeName,
        buckets: &mut u64,
        check: impl Fn(&Self, (usize, &B), &mut Suspicions, &mut Seen),
    ) -> Result<Suspicions> {
        let mut suspicions = Suspicions::new(tree.to_string());
        let mut seen = self.nothing_seen::<B>();
        let mut stored = Buckets::read(engine, tree, B::KIND);
        loop {
            let StoredBucket { name, contents } = match stored.next_bucket() {
                Ok(Some(bucket)) => bucket,
                Ok(None) => break,
                Err(Error::Corrupt { why, .. }) => {
                    let key = "from here on".to_owned();
                    suspicions.found.push((Subject::Damage, key, why));
                    break;
                }
                Err(other) => return Err(other),
            };
            *buckets += 1;
            match contents {
                Ok((number, entries)) => {
                    let bucket = B::from_entries(entries);
                    check(self, (number, &bucket), &mut suspicions, &mut seen);
                }
                Err(why) => suspicions.found.push((Subject::Damage, name, why)),
            }
        }
        self.missing::<B>(&seen, &mut suspicions);
        Ok(suspicions)
    }

    pub(super) fn check_home(&self, home: &Directory<Home>) -> Suspicions {
        self.check_resident(TreeName::Table(HOME), home, Self::check_home_in)
    }

    pub(super) fn check_distinct(
        &self,
        table: usize,
        directory: &Directory<Distinct>,
    ) -> Suspicions {
        let tree = TreeName::Table(table);
        self.check_resident(tree, directory, |me, bucket, suspicions, seen| {
            me.check_distinct_in(table, bucket, suspicions, seen);
        })
    }

    pub(super) fn check_keys(&self, keys: &Directory<Keys>) -> Suspicions {
        self.check_resident(TreeName::Keys, keys, Self::check_keys_in)
    }

    fn check_resident<B: Bucket>(
        &self,
        tree: TreeName,
        directory: &Directory<B>,
        check: impl Fn(&Self, (usize, &B), &mut Suspicions, &mut Seen),
    ) -> Suspicions {
        let mut suspicions = Suspicions::new(format!("memory of {tree}"));
        let mut seen = self.nothing_seen::<B>();
        for number in 0..directory.buckets() {
            let bucket = directory.read(number);
            check(self, (number, &bucket), &mut suspicions, &mut seen);
        }
        self.missing::<B>(&seen, &mut suspicions);
        suspicions
    }

    fn check_home_in(
        &self,
        (number, bucket): (usize, &Home),
        suspicions: &mut Suspicions,
        seen: &mut Seen,
    ) {
        for index in 0..bucket.len() {
            let (hi, lo, doc) = bucket.at(index);
            let position = Position {
                bucket: number,
                hi,
                lo,
            };
            let fingerprint = plan::fingerprint(HOME, position);
            self.check_document(doc.get(), suspicions, seen, |life| {
                life.fingerprint == fingerprint.bits()
            });
        }
    }

    fn check_keys_in(
        &self,
        (number, bucket): (usize, &Keys),
        suspicions: &mut Suspicions,
        seen: &mut Seen,
    ) {
        for index in 0..bucket.len() {
            let (tag, doc) = bucket.at(index);
            let key = KeyHash {
                bucket: number as u16,
                tag,
            };
            self.check_document(doc.get(), suspicions, seen, |life| life.key == key);
        }
    }

    fn check_document(
        &self,
        doc: u64,
        suspicions: &mut Suspicions,
        seen: &mut Seen,
        stands_right: impl Fn(&Life) -> bool,
    ) {
        let what = match self.history.index(doc) {
            None => "is not in the log",
            Some(index) => {
                let life = &self.history.lives()[index];
                if !life.may_be_seen(self.upto) {
                    "was removed, but is there"
                } else if !stands_right(life) {
                    "stands in the wrong place"
                } else if !seen.first_time(index) {
                    "is there twice"
                } else {
                    return;
                }
            }
        };
        suspicions.document(doc, what);
    }

    fn check_distinct_in(
        &self,
        table: usize,
        (number, bucket): (usize, &Distinct),
        suspicions: &mut Suspicions,
        seen: &mut Seen,
    ) {
        for index in 0..bucket.len() {
            let (hi, lo) = bucket.at(index);
            let position = Position {
                bucket: number,
                hi,
                lo,
            };
            let fingerprint = plan::fingerprint(table, position);
            let what = match self.may.binary_search(&fingerprint.bits()) {
                Err(_) => "is of no live document, but is there",
                Ok(index) if !seen.first_time(index) => "is there twice",
                Ok(_) => continue,
            };
            suspicions.fingerprint(fingerprint, what);
        }
    }

    /// Room to note what was met: documents, or fingerprints that may be
    /// there.
    fn nothing_seen<B: Bucket>(&self) -> Seen {
        if B::KIND.has_docs() {
            Seen::new(self.history.lives().len())
        } else {
            Seen::new(self.may.len())
        }
    }

    /// What must be there and was not met.
    fn missing<B: Bucket>(&self, seen: &Seen, suspicions: &mut Suspicions) {
        if B::KIND.has_docs() {
            for (life, seen) in self.history.lives().iter().zip(&seen.0) {
                if !seen && life.must_be_seen(self.upto) {
                    suspicions.document(life.doc, "is missing");
                }
            }
        } else {
            for (bits, seen) in self.may.iter().zip(&seen.0) {
                if !seen && self.must.binary_search(bits).is_ok() {
                    suspicions.fingerprint(Fingerprint::from_bits(*bits), "is missing");
                }
            }
        }
    }
}

impl Life {
    /// In a structure that has seen all operations below `upto`.
    fn must_be_seen(&self, upto: u64) -> bool {
        self.doc < upto && self.died == LIVE
    }

    fn may_be_seen(&self, upto: u64) -> bool {
        self.died >= upto
    }
}

impl Suspicions {
    fn new(place: String) -> Suspicions {
        Suspicions {
            place,
            found: Vec::new(),
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    fn document(&mut self, doc: u64, what: &str) {
        let key = format!("document {doc}");
        self.found
            .push((Subject::Document(doc), key, what.to_owned()));
    }

    fn fingerprint(&mut self, fingerprint: Fingerprint, what: &str) {
        let key = format!("fingerprint {fingerprint}");
        let subject = Subject::Fingerprint(fingerprint.bits());
        self.found.push((subject, key, what.to_owned()));
    }

    /// All of them are faults.
    pub(super) fn report_all(self, report: &mut VerifyReport) {
        self.report_unless(&Changes::none(), report);
    }

    /// Those that no later change explains are faults.
    pub(super) fn report_unless(self, changes: &Changes, report: &mut VerifyReport) {
        for (subject, key, what) in self.found {
            let explained = match subject {
                Subject::Document(doc) => {
                    changes.numbers.contains(&doc) || changes.retired.contains(&doc)
                }
                Subject::Fingerprint(bits) => changes.fingerprints.contains(&bits),
                Subject::Damage => false,
            };
            if !explained {
                report.add(Fault {
                    place: self.place.clone(),
                    key,
                    what,
                });
            }
        }
    }
}
