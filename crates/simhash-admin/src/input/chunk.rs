//! Raw documents, packed in chunks for the trip from reader to workers.

use std::ops::Range;

use super::problem::{Place, Reason};

/// A run of records in input order, with their bytes in one buffer.
#[derive(Debug, Default)]
pub struct Chunk {
    /// The bytes that the records' ranges point into.
    pub bytes: Vec<u8>,
    /// The records, in input order.
    pub records: Vec<Record>,
}

/// One raw document, or what stands in its place.
#[derive(Debug)]
pub struct Record {
    /// Where it stands.
    pub place: Place,
    /// What it is.
    pub content: Content,
}

/// What a record holds. Ranges are those of the chunk's buffer.
#[derive(Debug)]
pub enum Content {
    /// A line of JSONL.
    Line(Range<usize>),
    /// A whole plain text and its key.
    Text(Vec<u8>, Range<usize>),
    /// A whole HTML page and its key.
    Html(Vec<u8>, Range<usize>),
    /// A file of no known kind.
    Skipped,
    /// Something that cannot be used.
    Unusable(Reason),
}

impl Chunk {
    /// A chunk is sent on at this size. Small enough to keep all cores busy
    /// with a few megabytes in flight, large enough that its cost is that of
    /// the work in it.
    const FULL_BYTES: usize = 256 << 10;
    /// Or at this number of records.
    const FULL_RECORDS: usize = 512;

    /// True when it is time to send it on.
    pub fn is_full(&self) -> bool {
        self.bytes.len() >= Self::FULL_BYTES || self.records.len() >= Self::FULL_RECORDS
    }

    /// Memory it takes, in bytes.
    pub fn cost(&self) -> usize {
        self.bytes.capacity() + self.records.capacity() * size_of::<Record>()
    }
}
