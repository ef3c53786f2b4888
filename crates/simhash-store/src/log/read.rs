//! Records of the log as they are on disk.

use crate::codec::DecodeError;
use crate::codec::operation::Entry;
use crate::codec::record::Record;
use crate::disk::engine::{Engine, TreeName, Value};
use crate::{Error, Result};

/// The key of the record whose first operation has this number.
pub(crate) fn record_key(first: u64) -> [u8; 8] {
    first.to_be_bytes()
}

/// A record with the bytes it lives in.
pub(crate) struct StoredRecord {
    first: u64,
    value: Value,
}

impl StoredRecord {
    fn new((key, value): (Value, Value)) -> Result<StoredRecord> {
        let first = <[u8; 8]>::try_from(&*key)
            .map(u64::from_be_bytes)
            .map_err(|_| {
                Error::corrupt("log", format!("{key:02x?}"), "a key of the wrong length")
            })?;
        Ok(StoredRecord { first, value })
    }

    /// Checks the record and opens it.
    pub(crate) fn open(&self) -> Result<Record<'_>> {
        let record = Record::decode(&self.value).map_err(|error| self.damaged(&error))?;
        if record.first != self.first {
            return Err(self.damaged(&DecodeError::Malformed("stands under another's key")));
        }
        Ok(record)
    }

    /// The operations of `record`, which this holds.
    pub(crate) fn entries<'a>(
        &'a self,
        record: &Record<'a>,
    ) -> impl Iterator<Item = Result<Entry<'a>>> {
        record
            .entries()
            .map(|entry| entry.map_err(|error| self.damaged(&error)))
    }

    fn damaged(&self, error: &DecodeError) -> Error {
        Error::corrupt("log", format!("record {}", self.first), error.to_string())
    }
}

/// The last record that starts at `sequence` or before.
pub(crate) fn record_at(engine: &Engine, sequence: u64) -> Result<Option<StoredRecord>> {
    let entry = engine.floor(TreeName::Log, &record_key(sequence))?;
    entry.map(StoredRecord::new).transpose()
}

/// All records from the one that holds `sequence` on.
pub(crate) fn records_from(
    engine: &Engine,
    sequence: u64,
) -> Result<impl Iterator<Item = Result<StoredRecord>>> {
    let from = record_at(engine, sequence)?.map_or(sequence, |record| record.first);
    let entries = engine.scan(TreeName::Log, &record_key(from));
    Ok(entries.map(|entry| entry.and_then(StoredRecord::new)))
}

/// Looks at the stored operation with number `sequence`.
pub(crate) fn operation<T>(
    engine: &Engine,
    sequence: u64,
    look: impl FnOnce(Entry<'_>) -> T,
) -> Result<Option<T>> {
    let Some(stored) = record_at(engine, sequence)? else {
        return Ok(None);
    };
    let record = stored.open()?;
    if sequence >= record.end() {
        return Ok(None);
    }
    for entry in stored.entries(&record) {
        let entry = entry?;
        if entry.sequence == sequence {
            return Ok(Some(look(entry)));
        }
    }
    Ok(None)
}
