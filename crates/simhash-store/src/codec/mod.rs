//! Bytes of the log, of the on-disk buckets and of the header.
//!
//! Everything here is a pure function between values and bytes. Decoders are
//! total: any input gives a value or a [`DecodeError`], never a panic, and
//! never allocates more than a small multiple of its length. All integers are
//! little-endian unless `docs/format.md` says otherwise.

pub(crate) mod bucket;
pub(crate) mod header;
pub(crate) mod operation;
pub(crate) mod reader;
pub(crate) mod record;

/// Why stored bytes are not what was written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum DecodeError {
    /// The bytes end before the value does.
    #[error("ends after {0} bytes, in the middle of a value")]
    Truncated(usize),
    /// Written by a version this one does not know.
    #[error("version {0} is unknown")]
    Version(u8),
    /// The bytes changed since they were written.
    #[error("checksum {got:08x}, expected {expected:08x}")]
    Checksum {
        /// The checksum stored with the bytes.
        expected: u32,
        /// The checksum of the bytes.
        got: u32,
    },
    /// The checksum holds, but the contents contradict themselves.
    #[error("{0}")]
    Malformed(&'static str),
}

/// A byte string checked by the CRC32 kept at `at..at + 4` of it.
fn check_crc(bytes: &[u8], at: usize) -> Result<u32, DecodeError> {
    let stored = bytes
        .get(at..at + 4)
        .and_then(|crc| <[u8; 4]>::try_from(crc).ok())
        .ok_or(DecodeError::Truncated(bytes.len()))?;
    let expected = u32::from_le_bytes(stored);
    let got = crc_around(bytes, at);
    if got == expected {
        Ok(got)
    } else {
        Err(DecodeError::Checksum { expected, got })
    }
}

/// Writes the CRC32 of `bytes` into `at..at + 4` of them, and returns it.
fn seal_crc(bytes: &mut [u8], at: usize) -> u32 {
    let crc = crc_around(bytes, at);
    bytes[at..at + 4].copy_from_slice(&crc.to_le_bytes());
    crc
}

/// CRC32 (IEEE) of all bytes but the four at `at`.
fn crc_around(bytes: &[u8], at: usize) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&bytes[..at]);
    hasher.update(&bytes[at + 4..]);
    hasher.finalize()
}
