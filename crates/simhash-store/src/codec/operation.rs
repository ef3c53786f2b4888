//! One operation of the log, inside a record.

use simhash_core::Fingerprint;

use super::DecodeError;
use super::reader::{Reader, push_varint};
use crate::document::{DocId, Document};

/// The longest key, in bytes.
pub(crate) const MAX_KEY: usize = 64 * 1024;

/// Most bytes of an operation besides its key: a tag, four varints of at most
/// 10 bytes, two fingerprints.
pub(super) const MAX_OVERHEAD: usize = 1 + 4 * 10 + 2 * 8;

const TAG_INSERT: u8 = 1;
const TAG_REPLACE: u8 = 2;
const TAG_REMOVE: u8 = 3;

/// A change of the store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operation<'a> {
    /// `key` is now a document under `fingerprint`; its number is the
    /// operation's. The document it had before, if any, is gone.
    Insert {
        key: &'a [u8],
        fingerprint: Fingerprint,
        replaces: Option<Document>,
    },
    /// `key` and its document are gone.
    Remove { key: &'a [u8], document: Document },
}

impl<'a> Operation<'a> {
    /// The key it is about.
    pub(crate) fn key(&self) -> &'a [u8] {
        match self {
            Operation::Insert { key, .. } | Operation::Remove { key, .. } => key,
        }
    }

    /// The document that is no longer stored after it.
    pub(crate) fn retired(&self) -> Option<Document> {
        match *self {
            Operation::Insert { replaces, .. } => replaces,
            Operation::Remove { document, .. } => Some(document),
        }
    }

    /// The document it makes when it is operation number `sequence`.
    pub(crate) fn made(&self, sequence: u64) -> Option<Document> {
        match *self {
            Operation::Insert { fingerprint, .. } => Some(Document {
                doc: DocId::new(sequence)?,
                fingerprint,
            }),
            Operation::Remove { .. } => None,
        }
    }
}

/// An operation with its number and time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Entry<'a> {
    pub(crate) sequence: u64,
    /// Milliseconds since 1970.
    pub(crate) time: u64,
    pub(crate) operation: Operation<'a>,
}

/// Appends an operation: tag, time after the record's base, then what the tag
/// asks for. A document is written as its distance back from `sequence`.
pub(super) fn push_operation(
    bytes: &mut Vec<u8>,
    sequence: u64,
    delta: u64,
    operation: &Operation<'_>,
) {
    let push_document = |bytes: &mut Vec<u8>, document: &Document| {
        push_varint(bytes, sequence - document.doc.get());
        bytes.extend_from_slice(&document.fingerprint.bits().to_le_bytes());
    };
    let key = match operation {
        Operation::Insert {
            key,
            fingerprint,
            replaces,
        } => {
            bytes.push(if replaces.is_some() {
                TAG_REPLACE
            } else {
                TAG_INSERT
            });
            push_varint(bytes, delta);
            bytes.extend_from_slice(&fingerprint.bits().to_le_bytes());
            if let Some(previous) = replaces {
                push_document(bytes, previous);
            }
            key
        }
        Operation::Remove { key, document } => {
            bytes.push(TAG_REMOVE);
            push_varint(bytes, delta);
            push_document(bytes, document);
            key
        }
    };
    push_varint(bytes, key.len() as u64);
    bytes.extend_from_slice(key);
}

/// Reads what [`push_operation`] wrote.
pub(super) fn read_operation<'a>(
    reader: &mut Reader<'a>,
    sequence: u64,
    base_time: u64,
) -> Result<Entry<'a>, DecodeError> {
    let tag = reader.u8()?;
    let time = base_time.saturating_add(reader.varint()?);
    let operation = match tag {
        TAG_INSERT | TAG_REPLACE => {
            let fingerprint = Fingerprint::from_bits(reader.u64()?);
            let replaces = match tag {
                TAG_REPLACE => Some(read_document(reader, sequence)?),
                _ => None,
            };
            let key = read_key(reader)?;
            Operation::Insert {
                key,
                fingerprint,
                replaces,
            }
        }
        TAG_REMOVE => {
            let document = read_document(reader, sequence)?;
            let key = read_key(reader)?;
            Operation::Remove { key, document }
        }
        _ => return Err(DecodeError::Malformed("unknown kind of operation")),
    };
    Ok(Entry {
        sequence,
        time,
        operation,
    })
}

fn read_document(reader: &mut Reader<'_>, sequence: u64) -> Result<Document, DecodeError> {
    let back = reader.varint()?;
    let doc = sequence
        .checked_sub(back)
        .filter(|_| back > 0)
        .and_then(DocId::new)
        .ok_or(DecodeError::Malformed(
            "a document that is not an earlier one",
        ))?;
    Ok(Document {
        doc,
        fingerprint: Fingerprint::from_bits(reader.u64()?),
    })
}

fn read_key<'a>(reader: &mut Reader<'a>) -> Result<&'a [u8], DecodeError> {
    match usize::try_from(reader.varint()?) {
        Ok(length) if length <= MAX_KEY => reader.take(length),
        _ => Err(DecodeError::Malformed("a key past the length limit")),
    }
}
