//! A bucket of a table, or of the key index, as a value on disk.
//!
//! A large bucket is cut into parts, so that no value reaches the size at
//! which sled keeps it in a file of its own. Every part says where it belongs
//! and which write of the bucket it is from.

use super::reader::Reader;
use super::{DecodeError, check_crc, seal_crc};
use crate::document::PackedDoc;

/// The version this code writes.
const VERSION: u8 = 1;
/// Bytes before the columns.
const HEADER: usize = 28;
/// Where the checksum stands.
const CRC_AT: usize = 24;
/// The columns follow one another as they are.
const ENCODING_PLAIN: u8 = 0;

/// Most entries in a part: at most 11 bytes each, 44 KiB.
pub(crate) const PART_ENTRIES: usize = 4096;

/// What the entries of a bucket are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A fingerprint and a document: the first table.
    Home,
    /// A fingerprint: the other tables.
    Distinct,
    /// A key's hash and a document: the key index.
    Keys,
}

impl Kind {
    const fn code(self) -> u8 {
        match self {
            Kind::Home => 1,
            Kind::Distinct => 2,
            Kind::Keys => 3,
        }
    }

    const fn has_lo(self) -> bool {
        !matches!(self, Kind::Keys)
    }

    pub(crate) const fn has_docs(self) -> bool {
        !matches!(self, Kind::Distinct)
    }

    /// Bytes of one entry.
    const fn entry_bytes(self) -> usize {
        4 + if self.has_lo() { 2 } else { 0 } + if self.has_docs() { 5 } else { 0 }
    }
}

/// Which bucket of which tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) kind: Kind,
    /// Number of the table; 0 for keys.
    pub(crate) table: u8,
    pub(crate) bucket: u32,
}

/// The entries of a bucket, column by column. Columns that its [`Kind`] does
/// not have are empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Entries {
    /// 32 bits of the fingerprint, or of the key's hash.
    pub(crate) hi: Vec<u32>,
    /// The last 16 bits of the fingerprint.
    pub(crate) lo: Vec<u16>,
    pub(crate) docs: Vec<PackedDoc>,
}

impl Entries {
    pub(crate) fn len(&self) -> usize {
        self.hi.len()
    }

    /// The same entries in ascending order, so that equal buckets are equal
    /// bytes.
    pub(crate) fn sorted(&self) -> Entries {
        let mut order: Vec<usize> = (0..self.len()).collect();
        order.sort_unstable_by_key(|&i| {
            let doc = self.docs.get(i).map(|doc| doc.get());
            (self.hi[i], self.lo.get(i), doc)
        });
        Entries {
            hi: order.iter().map(|&i| self.hi[i]).collect(),
            lo: order
                .iter()
                .filter_map(|&i| self.lo.get(i).copied())
                .collect(),
            docs: order
                .iter()
                .filter_map(|&i| self.docs.get(i).copied())
                .collect(),
        }
    }
}

/// The values of a bucket, part by part. `upto` says which write of the
/// bucket they are from. A bucket without entries has no values.
pub(crate) fn encode(place: Place, upto: u64, entries: &Entries) -> Vec<Vec<u8>> {
    let entries = entries.sorted();
    let parts = entries.len().div_ceil(PART_ENTRIES);
    (0..parts)
        .map(|part| {
            let from = part * PART_ENTRIES;
            let range = from..entries.len().min(from + PART_ENTRIES);
            let mut bytes = header(place, part, parts, range.len(), upto);
            for hi in &entries.hi[range.clone()] {
                bytes.extend_from_slice(&hi.to_le_bytes());
            }
            if place.kind.has_lo() {
                for lo in &entries.lo[range.clone()] {
                    bytes.extend_from_slice(&lo.to_le_bytes());
                }
            }
            if place.kind.has_docs() {
                for doc in &entries.docs[range] {
                    bytes.extend_from_slice(&doc.to_le_bytes());
                }
            }
            seal_crc(&mut bytes, CRC_AT);
            bytes
        })
        .collect()
}

fn header(place: Place, part: usize, parts: usize, count: usize, upto: u64) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(HEADER + count * place.kind.entry_bytes());
    bytes.extend_from_slice(&[VERSION, place.kind.code(), place.table, ENCODING_PLAIN]);
    bytes.extend_from_slice(&place.bucket.to_le_bytes());
    bytes.extend_from_slice(&(part as u16).to_le_bytes());
    bytes.extend_from_slice(&(parts as u16).to_le_bytes());
    bytes.extend_from_slice(&(count as u32).to_le_bytes());
    bytes.extend_from_slice(&upto.to_le_bytes());
    bytes.extend_from_slice(&[0; 4]);
    bytes
}

/// One decoded part of a bucket.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Part {
    /// Number of this part.
    pub(crate) part: u16,
    /// Parts that the bucket has.
    pub(crate) parts: u16,
    /// Which write of the bucket it is from.
    pub(crate) upto: u64,
    pub(crate) entries: Entries,
}

/// The CRC32 that a value carries; 0 when it is too short to have one.
pub(crate) fn carried_crc(value: &[u8]) -> u32 {
    let crc = value.get(CRC_AT..HEADER);
    let crc = crc.and_then(|crc| <[u8; 4]>::try_from(crc).ok());
    crc.map_or(0, u32::from_le_bytes)
}

/// Checks and decodes one part of the bucket at `place`.
pub(crate) fn decode(place: Place, bytes: &[u8]) -> Result<Part, DecodeError> {
    let mut reader = Reader::new(bytes);
    let version = reader.u8()?;
    if version != VERSION {
        return Err(DecodeError::Version(version));
    }
    check_crc(bytes, CRC_AT)?;
    let (kind, table, encoding) = (reader.u8()?, reader.u8()?, reader.u8()?);
    if (kind, table, reader.u32()?) != (place.kind.code(), place.table, place.bucket) {
        return Err(DecodeError::Malformed("belongs to another bucket"));
    }
    if encoding != ENCODING_PLAIN {
        return Err(DecodeError::Malformed("unknown encoding"));
    }
    let (part, parts) = (reader.u16()?, reader.u16()?);
    let count = reader.u32()? as usize;
    let upto = reader.u64()?;
    reader.u32()?;
    if part >= parts {
        return Err(DecodeError::Malformed("a part past the last"));
    }
    if count.checked_mul(place.kind.entry_bytes()) != Some(bytes.len() - HEADER) {
        return Err(DecodeError::Malformed("length and count do not agree"));
    }
    Ok(Part {
        part,
        parts,
        upto,
        entries: read_columns(&mut reader, place.kind, count)?,
    })
}

fn read_columns(reader: &mut Reader<'_>, kind: Kind, count: usize) -> Result<Entries, DecodeError> {
    let (hi, _) = reader.take(count * 4)?.as_chunks();
    let mut entries = Entries {
        hi: hi.iter().map(|&bytes| u32::from_le_bytes(bytes)).collect(),
        ..Entries::default()
    };
    if kind.has_lo() {
        let (lo, _) = reader.take(count * 2)?.as_chunks();
        entries.lo = lo.iter().map(|&bytes| u16::from_le_bytes(bytes)).collect();
    }
    if kind.has_docs() {
        let (docs, _) = reader.take(count * 5)?.as_chunks();
        entries.docs = docs
            .iter()
            .map(|&bytes| PackedDoc::from_le_bytes(bytes))
            .collect();
    }
    Ok(entries)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::document::DocId;

    fn place(kind: Kind) -> Place {
        Place {
            kind,
            table: 2,
            bucket: 0xbeef,
        }
    }

    fn entries(kind: Kind, rows: &[(u32, u16, u64)]) -> Entries {
        let mut entries = Entries::default();
        for &(hi, lo, doc) in rows {
            entries.hi.push(hi);
            if kind.has_lo() {
                entries.lo.push(lo);
            }
            if kind.has_docs() {
                entries.docs.push(PackedDoc::from(DocId::new(doc).unwrap()));
            }
        }
        entries
    }

    fn kinds() -> impl Strategy<Value = Kind> {
        prop_oneof![Just(Kind::Home), Just(Kind::Distinct), Just(Kind::Keys)]
    }

    proptest! {
        #[test]
        fn a_bucket_is_read_back(
            kind in kinds(),
            rows in prop::collection::vec((any::<u32>(), any::<u16>(), 0..1u64 << 40), 1..100),
            upto: u64,
        ) {
            let entries = entries(kind, &rows);
            let values = encode(place(kind), upto, &entries);
            prop_assert_eq!(values.len(), 1);
            let part = decode(place(kind), &values[0]).unwrap();
            prop_assert_eq!((part.part, part.parts, part.upto), (0, 1, upto));
            prop_assert_eq!(part.entries, entries.sorted());
        }

        #[test]
        fn a_changed_byte_is_noticed(kind in kinds(), at in 0..1000usize, flip in 1..=255u8) {
            let mut value = encode(place(kind), 3, &entries(kind, &[(1, 2, 3), (4, 5, 6)])).remove(0);
            let at = at % value.len();
            value[at] ^= flip;
            prop_assert!(decode(place(kind), &value).is_err());
        }

        #[test]
        fn any_bytes_behind_a_right_checksum_are_read_without_panic(
            kind in kinds(),
            mut bytes in prop::collection::vec(any::<u8>(), HEADER..100),
            sensible: bool,
        ) {
            if sensible {
                let upto = bytes.len() as u64;
                bytes[..HEADER].copy_from_slice(&header(place(kind), 0, 1, 3, upto));
            }
            bytes[0] = VERSION;
            seal_crc(&mut bytes, CRC_AT);
            let _ = decode(place(kind), &bytes);
        }
    }

    #[test]
    fn a_large_bucket_is_cut_into_parts_below_the_size_limit() {
        let rows: Vec<_> = (0..PART_ENTRIES as u32 * 2 + 1)
            .map(|i| (i, 0, u64::from(i)))
            .collect();
        let values = encode(place(Kind::Home), 1, &entries(Kind::Home, &rows));
        assert_eq!(values.len(), 3);
        let mut hi = Vec::new();
        for (number, value) in values.iter().enumerate() {
            assert!(value.len() <= super::super::record::MAX_BYTES);
            let part = decode(place(Kind::Home), value).unwrap();
            assert_eq!((usize::from(part.part), part.parts), (number, 3));
            hi.extend(part.entries.hi);
        }
        assert_eq!(hi.len(), rows.len());
        assert!(hi.is_sorted());
    }

    #[test]
    fn a_value_of_another_bucket_is_refused() {
        let value = encode(place(Kind::Home), 1, &entries(Kind::Home, &[(1, 1, 1)])).remove(0);
        let elsewhere = Place {
            bucket: 7,
            ..place(Kind::Home)
        };
        assert_eq!(
            decode(elsewhere, &value),
            Err(DecodeError::Malformed("belongs to another bucket"))
        );
    }
}
