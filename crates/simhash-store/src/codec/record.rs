//! A log record: many operations in one value.

use super::operation::{Entry, MAX_OVERHEAD, Operation, push_operation, read_operation};
use super::reader::Reader;
use super::{DecodeError, check_crc, seal_crc};
use crate::document::DocId;

/// The version this code writes.
const VERSION: u8 = 1;
/// Bytes before the first operation.
const HEADER: usize = 28;
/// Where the checksum stands.
const CRC_AT: usize = 4;

/// Most operations in a record.
pub(crate) const MAX_OPERATIONS: usize = 256;
/// Most bytes in a record: room for the longest key. sled puts some 30 values
/// on a page, and pages past a limit into files that it does not sync.
pub(crate) const MAX_BYTES: usize = 72 * 1024;

/// Collects operations into a record.
#[derive(Debug)]
pub(crate) struct RecordBuilder {
    first: u64,
    base_time: u64,
    /// Room for the header, then the operations.
    bytes: Vec<u8>,
    /// Where each operation starts.
    starts: Vec<u32>,
}

impl RecordBuilder {
    /// A record whose first operation will have number `first`.
    pub(crate) fn new(first: u64) -> RecordBuilder {
        RecordBuilder {
            first,
            base_time: 0,
            bytes: vec![0; HEADER],
            starts: Vec::with_capacity(MAX_OPERATIONS),
        }
    }

    pub(crate) fn first(&self) -> u64 {
        self.first
    }

    /// The number the next operation will get.
    pub(crate) fn next(&self) -> u64 {
        self.first + self.starts.len() as u64
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.starts.is_empty()
    }

    /// Whether an operation on a key of `key_length` bytes still fits.
    pub(crate) fn has_room(&self, key_length: usize) -> bool {
        self.starts.len() < MAX_OPERATIONS
            && self.bytes.len() + key_length + MAX_OVERHEAD <= MAX_BYTES
    }

    /// Adds an operation at `time`. The caller has asked
    /// [`has_room`](Self::has_room).
    pub(crate) fn push(&mut self, time: u64, operation: &Operation<'_>) -> u64 {
        let sequence = self.next();
        if self.is_empty() {
            self.base_time = time;
        }
        self.starts.push(self.bytes.len() as u32);
        // The clock can be set back; a record's times never go below its base.
        let delta = time.saturating_sub(self.base_time);
        push_operation(&mut self.bytes, sequence, delta, operation);
        sequence
    }

    /// The operation with number `sequence`, if it is in this record.
    pub(crate) fn get(&self, sequence: u64) -> Option<Result<Entry<'_>, DecodeError>> {
        let index = usize::try_from(sequence.checked_sub(self.first)?).ok()?;
        let start = *self.starts.get(index)? as usize;
        let mut reader = Reader::new(&self.bytes[start..]);
        Some(read_operation(&mut reader, sequence, self.base_time))
    }

    /// The finished bytes and their CRC32, which the next record repeats.
    pub(crate) fn finish(&self, previous_crc: u32) -> (Vec<u8>, u32) {
        let mut bytes = self.bytes.clone();
        let header = &mut bytes[..HEADER];
        header[0] = VERSION;
        header[2..4].copy_from_slice(&(self.starts.len() as u16).to_le_bytes());
        header[8..12].copy_from_slice(&previous_crc.to_le_bytes());
        header[12..20].copy_from_slice(&self.first.to_le_bytes());
        header[20..28].copy_from_slice(&self.base_time.to_le_bytes());
        let crc = seal_crc(&mut bytes, CRC_AT);
        (bytes, crc)
    }
}

/// A decoded record, over the bytes it was decoded from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Record<'a> {
    /// Number of its first operation.
    pub(crate) first: u64,
    /// Operations in it.
    pub(crate) count: u16,
    /// CRC32 of the record before it; 0 for the first of a log.
    pub(crate) previous_crc: u32,
    /// Its own CRC32.
    pub(crate) crc: u32,
    base_time: u64,
    operations: &'a [u8],
}

impl<'a> Record<'a> {
    /// Checks and opens a record. The operations themselves are decoded by
    /// [`entries`](Self::entries).
    pub(crate) fn decode(bytes: &'a [u8]) -> Result<Record<'a>, DecodeError> {
        let mut reader = Reader::new(bytes);
        let version = reader.u8()?;
        if version != VERSION {
            return Err(DecodeError::Version(version));
        }
        let crc = check_crc(bytes, CRC_AT)?;
        let flags = reader.u8()?;
        let count = reader.u16()?;
        reader.u32()?;
        let record = Record {
            previous_crc: reader.u32()?,
            first: reader.u64()?,
            base_time: reader.u64()?,
            operations: bytes
                .get(HEADER..)
                .ok_or(DecodeError::Truncated(bytes.len()))?,
            count,
            crc,
        };
        if flags != 0 || count == 0 {
            return Err(DecodeError::Malformed("unknown flags, or no operations"));
        }
        // Numbers past the end could not be document numbers.
        if record.first > DocId::MAX.get() + 1 - u64::from(count) {
            return Err(DecodeError::Malformed("operation numbers past 2^40"));
        }
        Ok(record)
    }

    /// The number after that of its last operation.
    pub(crate) fn end(&self) -> u64 {
        self.first + u64::from(self.count)
    }

    /// Its operations in order. Ends after the first error.
    pub(crate) fn entries(&self) -> impl Iterator<Item = Result<Entry<'a>, DecodeError>> + use<'a> {
        let (base_time, end) = (self.base_time, self.end());
        let mut reader = Reader::new(self.operations);
        let mut sequence = self.first;
        std::iter::from_fn(move || {
            if sequence == end {
                let trailing = !reader.is_empty();
                reader = Reader::new(&[]);
                return trailing.then_some(Err(DecodeError::Malformed(
                    "bytes after the last operation",
                )));
            }
            let entry = read_operation(&mut reader, sequence, base_time);
            if entry.is_ok() {
                sequence += 1;
            } else {
                (sequence, reader) = (end, Reader::new(&[]));
            }
            Some(entry)
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use simhash_core::Fingerprint;

    use super::*;
    use crate::codec::operation::MAX_KEY;
    use crate::document::Document;

    #[derive(Clone, Debug)]
    struct Owned {
        key: Vec<u8>,
        bits: u64,
        back: Option<u64>,
        remove: bool,
        delta: u64,
    }

    fn owned() -> impl Strategy<Value = Owned> {
        (
            prop::collection::vec(any::<u8>(), 0..40),
            any::<u64>(),
            prop::option::of(1..1000u64),
            any::<bool>(),
            0..1u64 << 40,
        )
            .prop_map(|(key, bits, back, remove, delta)| Owned {
                key,
                bits,
                back,
                remove,
                delta,
            })
    }

    fn operation(owned: &Owned, sequence: u64) -> Operation<'_> {
        let fingerprint = Fingerprint::from_bits(owned.bits);
        let document = |back: u64| Document {
            doc: DocId::new(sequence - back).unwrap(),
            fingerprint: Fingerprint::from_bits(!owned.bits),
        };
        if owned.remove {
            Operation::Remove {
                key: &owned.key,
                document: document(owned.back.unwrap_or(1)),
            }
        } else {
            Operation::Insert {
                key: &owned.key,
                fingerprint,
                replaces: owned.back.map(document),
            }
        }
    }

    proptest! {
        #[test]
        fn a_record_is_read_back(
            first in 1000..1u64 << 39,
            time in 0..1u64 << 50,
            operations in prop::collection::vec(owned(), 1..=MAX_OPERATIONS),
        ) {
            let mut builder = RecordBuilder::new(first);
            for (sequence, owned) in (first..).zip(&operations) {
                prop_assert!(builder.has_room(owned.key.len()));
                let pushed = builder.push(time + if sequence == first { 0 } else { owned.delta },
                    &operation(owned, sequence));
                prop_assert_eq!(pushed, sequence);
                prop_assert_eq!(
                    builder.get(sequence).unwrap().unwrap().operation,
                    operation(owned, sequence)
                );
            }
            let (bytes, crc) = builder.finish(7);
            let record = Record::decode(&bytes).unwrap();
            prop_assert_eq!((record.crc, record.previous_crc, record.first), (crc, 7, first));
            let entries: Vec<Entry<'_>> = record.entries().collect::<Result<_, _>>().unwrap();
            prop_assert_eq!(entries.len(), operations.len());
            for (entry, owned) in entries.iter().zip(&operations) {
                prop_assert_eq!(entry.operation, operation(owned, entry.sequence));
            }
        }

        #[test]
        fn a_changed_byte_is_noticed(at in 0..80usize, flip in 1..=255u8) {
            let mut builder = RecordBuilder::new(0);
            for key in [b"one", b"two"] {
                builder.push(5, &Operation::Insert {
                    key, fingerprint: Fingerprint::from_bits(9), replaces: None });
            }
            let (mut bytes, _) = builder.finish(0);
            let at = at % bytes.len();
            bytes[at] ^= flip;
            prop_assert!(Record::decode(&bytes).is_err());
        }

        #[test]
        fn any_bytes_behind_a_right_checksum_are_read_without_panic(
            mut bytes in prop::collection::vec(any::<u8>(), HEADER..200),
            small: bool,
        ) {
            bytes[0] = VERSION;
            bytes[1] = 0;
            if small {
                bytes[15..20].fill(0);
                bytes[2..4].copy_from_slice(&[3, 0]);
            }
            seal_crc(&mut bytes, CRC_AT);
            if let Ok(record) = Record::decode(&bytes) {
                prop_assert!(record.entries().count() <= usize::from(record.count) + 1);
            }
        }
    }

    #[test]
    fn a_record_stays_under_its_limit_with_the_longest_keys() {
        let key = vec![b'k'; MAX_KEY];
        let mut builder = RecordBuilder::new(0);
        while builder.has_room(key.len()) {
            builder.push(
                u64::MAX,
                &Operation::Insert {
                    key: &key,
                    fingerprint: Fingerprint::from_bits(0),
                    replaces: None,
                },
            );
        }
        assert!(!builder.is_empty());
        let (bytes, _) = builder.finish(0);
        assert!(bytes.len() <= MAX_BYTES);
        assert_eq!(Record::decode(&bytes).unwrap().entries().count(), 1);
    }
}
