//! A bucket: the entries that share their front bits, column by column.
//!
//! A query scans the `hi` column alone and looks at the others only where it
//! passes. Order does not matter, so an insert is an append and a removal
//! moves the last entry into the gap.

use simhash_core::hamming;

use crate::codec::bucket::{Entries, Kind};
use crate::document::{DocId, PackedDoc};

/// What every bucket can do: go to disk and come back.
pub(crate) trait Bucket: Default + Send + Sync {
    /// The columns it has.
    const KIND: Kind;

    fn from_entries(entries: Entries) -> Self;
    fn to_entries(&self) -> Entries;
    fn len(&self) -> usize;
    /// Bytes reserved outside the bucket itself.
    fn heap_bytes(&self) -> usize;
}

/// Fingerprints, each once, less the front bits that the bucket stands for.
#[derive(Debug, Default)]
pub(crate) struct Distinct {
    hi: Vec<u32>,
    lo: Vec<u16>,
}

impl Distinct {
    /// The columns as the search kernels take them.
    pub(crate) fn columns(&self) -> hamming::Columns<'_> {
        hamming::Columns {
            hi: &self.hi,
            lo: &self.lo,
        }
    }

    /// The entry at `index`.
    pub(crate) fn at(&self, index: usize) -> (u32, u16) {
        (self.hi[index], self.lo[index])
    }

    /// Indices of the entries equal to (`hi`, `lo`).
    fn equal(&self, hi: u32, lo: u16) -> impl Iterator<Item = usize> {
        let candidates = self.hi.iter().enumerate();
        candidates
            .filter(move |(_, other)| **other == hi)
            .map(|(index, _)| index)
            .filter(move |&index| self.lo[index] == lo)
    }

    pub(crate) fn contains(&self, hi: u32, lo: u16) -> bool {
        self.equal(hi, lo).next().is_some()
    }

    pub(crate) fn push(&mut self, hi: u32, lo: u16) {
        self.hi.push(hi);
        self.lo.push(lo);
    }

    /// Removes the entry (`hi`, `lo`); false when it is not there.
    pub(crate) fn remove(&mut self, hi: u32, lo: u16) -> bool {
        let found = self.equal(hi, lo).next();
        found.inspect(|&index| self.swap_remove(index)).is_some()
    }

    fn swap_remove(&mut self, index: usize) {
        self.hi.swap_remove(index);
        self.lo.swap_remove(index);
    }
}

impl Bucket for Distinct {
    const KIND: Kind = Kind::Distinct;

    fn from_entries(Entries { hi, lo, .. }: Entries) -> Distinct {
        Distinct { hi, lo }
    }

    fn to_entries(&self) -> Entries {
        Entries {
            hi: self.hi.clone(),
            lo: self.lo.clone(),
            docs: Vec::new(),
        }
    }

    fn len(&self) -> usize {
        self.hi.len()
    }

    fn heap_bytes(&self) -> usize {
        self.hi.capacity() * 4 + self.lo.capacity() * 2
    }
}

/// A bucket of the home table: every document, so a fingerprint as often as
/// documents have it.
#[derive(Debug, Default)]
pub(crate) struct Home {
    fingerprints: Distinct,
    docs: Vec<PackedDoc>,
}

impl Home {
    pub(crate) fn columns(&self) -> hamming::Columns<'_> {
        self.fingerprints.columns()
    }

    pub(crate) fn at(&self, index: usize) -> (u32, u16, DocId) {
        let (hi, lo) = self.fingerprints.at(index);
        (hi, lo, self.docs[index].get())
    }

    pub(crate) fn contains(&self, hi: u32, lo: u16) -> bool {
        self.fingerprints.contains(hi, lo)
    }

    /// The documents under (`hi`, `lo`).
    pub(crate) fn docs(&self, hi: u32, lo: u16) -> impl Iterator<Item = DocId> {
        self.fingerprints
            .equal(hi, lo)
            .map(|index| self.docs[index].get())
    }

    pub(crate) fn push(&mut self, hi: u32, lo: u16, doc: DocId) {
        self.fingerprints.push(hi, lo);
        self.docs.push(doc.into());
    }

    /// Removes `doc` from under (`hi`, `lo`); false when it is not there.
    pub(crate) fn remove(&mut self, hi: u32, lo: u16, doc: DocId) -> bool {
        let packed = PackedDoc::from(doc);
        let found = self
            .fingerprints
            .equal(hi, lo)
            .find(|&index| self.docs[index] == packed);
        if let Some(index) = found {
            self.fingerprints.swap_remove(index);
            self.docs.swap_remove(index);
        }
        found.is_some()
    }
}

impl Bucket for Home {
    const KIND: Kind = Kind::Home;

    fn from_entries(Entries { hi, lo, docs }: Entries) -> Home {
        Home {
            fingerprints: Distinct { hi, lo },
            docs,
        }
    }

    fn to_entries(&self) -> Entries {
        Entries {
            docs: self.docs.clone(),
            ..self.fingerprints.to_entries()
        }
    }

    fn len(&self) -> usize {
        self.docs.len()
    }

    fn heap_bytes(&self) -> usize {
        self.fingerprints.heap_bytes() + self.docs.capacity() * 5
    }
}

/// A bucket of the key index: part of a key's hash, and its document.
#[derive(Debug, Default)]
pub(crate) struct Keys {
    tags: Vec<u32>,
    docs: Vec<PackedDoc>,
}

impl Keys {
    /// Documents whose key may be the one with this hash.
    pub(crate) fn candidates(&self, tag: u32) -> impl Iterator<Item = DocId> {
        let entries = self.tags.iter().zip(&self.docs);
        entries
            .filter(move |(other, _)| **other == tag)
            .map(|(_, doc)| doc.get())
    }

    pub(crate) fn at(&self, index: usize) -> (u32, DocId) {
        (self.tags[index], self.docs[index].get())
    }

    pub(crate) fn contains(&self, tag: u32, doc: DocId) -> bool {
        self.candidates(tag).any(|candidate| candidate == doc)
    }

    pub(crate) fn push(&mut self, tag: u32, doc: DocId) {
        self.tags.push(tag);
        self.docs.push(doc.into());
    }

    /// Removes the entry; false when it is not there.
    pub(crate) fn remove(&mut self, tag: u32, doc: DocId) -> bool {
        let packed = PackedDoc::from(doc);
        let found = (0..self.tags.len())
            .find(|&index| self.tags[index] == tag && self.docs[index] == packed);
        if let Some(index) = found {
            self.tags.swap_remove(index);
            self.docs.swap_remove(index);
        }
        found.is_some()
    }
}

impl Bucket for Keys {
    const KIND: Kind = Kind::Keys;

    fn from_entries(Entries { hi, docs, .. }: Entries) -> Keys {
        Keys { tags: hi, docs }
    }

    fn to_entries(&self) -> Entries {
        Entries {
            hi: self.tags.clone(),
            lo: Vec::new(),
            docs: self.docs.clone(),
        }
    }

    fn len(&self) -> usize {
        self.tags.len()
    }

    fn heap_bytes(&self) -> usize {
        self.tags.capacity() * 4 + self.docs.capacity() * 5
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn doc(number: u64) -> DocId {
        DocId::new(number).unwrap()
    }

    #[test]
    fn a_home_bucket_keeps_documents_with_their_fingerprints() {
        let mut bucket = Home::default();
        bucket.push(1, 1, doc(10));
        bucket.push(1, 2, doc(11));
        bucket.push(1, 1, doc(12));
        assert!(!bucket.remove(1, 2, doc(10)));
        assert!(bucket.remove(1, 1, doc(10)));
        assert_eq!(bucket.docs(1, 1).collect::<Vec<_>>(), [doc(12)]);
        assert_eq!(bucket.docs(1, 2).collect::<Vec<_>>(), [doc(11)]);
        let again = Home::from_entries(bucket.to_entries());
        assert_eq!(again.at(0), bucket.at(0));
        assert_eq!(again.len(), 2);
    }

    #[test]
    fn two_keys_may_share_a_tag() {
        let mut bucket = Keys::default();
        bucket.push(7, doc(1));
        bucket.push(7, doc(2));
        assert!(bucket.remove(7, doc(1)));
        assert!(!bucket.remove(7, doc(1)));
        assert_eq!(bucket.candidates(7).collect::<Vec<_>>(), [doc(2)]);
    }
}
