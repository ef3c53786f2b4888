//! The store's header: what it holds and how far its derived parts go.

use serde::{Deserialize, Serialize};

use super::DecodeError;
use crate::plan::{StoredPlan, TABLES};

/// First bytes of an encoded header.
const MAGIC: [u8; 4] = *b"SHST";
/// The version this code writes.
const VERSION: u8 = 1;
/// Bytes before the bincode body: magic, version, three zeros, checksum.
const PREFIX: usize = 12;
const CRC_AT: usize = 8;

/// What the `meta` tree remembers of the whole store.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Header {
    /// The scheme of all fingerprints.
    pub(crate) scheme: String,
    /// The permuted tables.
    pub(crate) plan: StoredPlan,
    /// Seed of the key hash, drawn when the store was made.
    pub(crate) key_seed: u64,
    /// When the store was made: milliseconds since 1970.
    pub(crate) created: u64,
    /// Operations with a smaller number are in the on-disk tables.
    pub(crate) merged_upto: u64,
    /// Where the log ended.
    pub(crate) log_end: LogEnd,
    /// What the trees of buckets held: the tables in order, then the keys.
    pub(crate) digests: [TreeDigest; TABLES + 1],
}

/// Tells whether a tree of buckets holds what was last written to it: a
/// bucket that is lost, or old, would leave its checksum whole.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct TreeDigest {
    /// Values in the tree.
    pub(crate) values: u64,
    /// The sum of their CRC32s.
    pub(crate) crc_sum: u64,
}

/// The end of the log when the header was written. A log that no longer
/// reaches it has lost acknowledged operations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct LogEnd {
    /// The number after that of the last operation.
    pub(crate) upto: u64,
    /// Records up to there.
    pub(crate) records: u64,
    /// CRC32 of the last of them; 0 when there is none.
    pub(crate) crc: u32,
}

fn encoding() -> impl bincode::config::Config {
    bincode::config::standard()
        .with_little_endian()
        .with_fixed_int_encoding()
        .with_limit::<{ 64 * 1024 }>()
}

impl Header {
    pub(crate) fn encode(&self) -> Result<Vec<u8>, bincode::error::EncodeError> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend_from_slice(&[VERSION, 0, 0, 0, 0, 0, 0, 0]);
        bytes.extend(bincode::serde::encode_to_vec(self, encoding())?);
        super::seal_crc(&mut bytes, CRC_AT);
        Ok(bytes)
    }

    pub(crate) fn decode(bytes: &[u8]) -> Result<Header, DecodeError> {
        let prefix = bytes
            .get(..PREFIX)
            .ok_or(DecodeError::Truncated(bytes.len()))?;
        if prefix[..4] != MAGIC {
            return Err(DecodeError::Malformed("not a store header"));
        }
        if prefix[4] != VERSION {
            return Err(DecodeError::Version(prefix[4]));
        }
        super::check_crc(bytes, CRC_AT)?;
        let body = &bytes[PREFIX..];
        match bincode::serde::decode_from_slice(body, encoding()) {
            Ok((header, read)) if read == body.len() => Ok(header),
            Ok(_) => Err(DecodeError::Malformed("bytes after the header")),
            Err(_) => Err(DecodeError::Malformed("fields do not decode")),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn header() -> Header {
        Header {
            scheme: "words-logtf-xxh3/1".to_owned(),
            plan: StoredPlan::CURRENT,
            key_seed: 0x0123_4567_89ab_cdef,
            created: 1_700_000_000_000,
            merged_upto: 77,
            log_end: LogEnd {
                upto: 99,
                records: 3,
                crc: 0xdead_beef,
            },
            digests: [TreeDigest {
                values: 5,
                crc_sum: 6,
            }; TABLES + 1],
        }
    }

    #[test]
    fn a_header_is_read_back() {
        let bytes = header().encode().unwrap();
        assert_eq!(Header::decode(&bytes), Ok(header()));
    }

    #[test]
    fn the_bytes_are_those_of_the_format_document() {
        let bytes = header().encode().unwrap();
        assert_eq!(&bytes[..8], b"SHST\x01\0\0\0");
        assert_eq!(&bytes[12..20], &18u64.to_le_bytes());
        assert_eq!(&bytes[20..38], b"words-logtf-xxh3/1");
        assert_eq!(&bytes[38..46], &[4, 0, 0, 0, 16, 0, 0, 0]);
        assert_eq!(&bytes[46..54], &0x0123_4567_89ab_cdef_u64.to_le_bytes());
        assert_eq!(&bytes[90..98], &5u64.to_le_bytes());
        assert_eq!(bytes.len(), 90 + 5 * 16);
    }

    proptest! {
        #[test]
        fn a_changed_byte_is_noticed(at in 0..1000usize, flip in 1..=255u8) {
            let mut bytes = header().encode().unwrap();
            let at = at % bytes.len();
            bytes[at] ^= flip;
            prop_assert!(Header::decode(&bytes).is_err());
        }

        #[test]
        fn any_bytes_behind_a_right_checksum_are_read_without_panic(body: Vec<u8>) {
            let mut bytes = MAGIC.to_vec();
            bytes.extend_from_slice(&[VERSION, 0, 0, 0, 0, 0, 0, 0]);
            bytes.extend(body);
            super::super::seal_crc(&mut bytes, CRC_AT);
            let _ = Header::decode(&bytes);
        }
    }
}
