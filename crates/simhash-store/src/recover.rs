//! From the files to the tables in memory: the on-disk buckets first, then
//! the operations that came after them.
//!
//! A merge to disk runs while writers go on, so a bucket on disk can already
//! hold changes past `merged_upto`. Replaying those again changes nothing:
//! every step adds what is missing or removes what is there, and the last
//! operation on a document decides. What a crash cannot do is leave a change
//! on disk that the log lacks: `compact` syncs the log before it writes.
//!
//! Where the buckets on disk are damaged, incomplete, or not those that the
//! header tells of (a crash in the middle of a merge leaves newer ones),
//! everything is derived from the log alone.

use crate::codec::header::{Header, LogEnd, TreeDigest};
use crate::codec::operation::Entry;
use crate::codec::record::Record;
use crate::disk::buckets::{Buckets, StoredBucket, other_digest};
use crate::disk::engine::{Engine, TreeName};
use crate::disk::files::Checkpoint;
use crate::keys::KeyIndex;
use crate::log::read;
use crate::plan::{HOME, TABLES};
use crate::table::bucket::Bucket;
use crate::table::directory::Directory;
use crate::table::resident::Resident;
use crate::{Error, Result};

/// What was read from disk.
#[derive(Debug)]
pub(crate) struct Recovered {
    pub(crate) tables: Resident,
    pub(crate) keys: KeyIndex,
    pub(crate) log_end: LogEnd,
    /// Why the on-disk tables were not used, if they were not.
    pub(crate) rebuilt: Option<String>,
}

/// Reads everything, and holds it against the checkpoint beside sled's files.
/// If that is damaged, it is one more reason to trust nothing but the log.
pub(crate) fn recover(
    engine: &Engine,
    header: &Header,
    checkpoint: Result<Option<Checkpoint>>,
) -> Result<Recovered> {
    let (tables, keys) = (Resident::new(), KeyIndex::new(header.key_seed));
    let loaded = checkpoint
        .clone()
        .and_then(|checkpoint| check_header_age(header, checkpoint))
        .and_then(|()| load(engine, header, &tables, &keys));
    let checkpoint = checkpoint.unwrap_or(None);
    match loaded {
        Ok(()) => {
            let log_end = replay(
                engine,
                header,
                checkpoint,
                header.merged_upto,
                &tables,
                &keys,
            )?;
            Ok(Recovered {
                tables,
                keys,
                log_end,
                rebuilt: None,
            })
        }
        Err(Error::Corrupt { tree, key, why }) => {
            rebuild(engine, header, checkpoint, format!("{tree} {key}: {why}"))
        }
        Err(other) => Err(other),
    }
}

/// Refuses a header from before the checkpoint: sled has lost later writes,
/// and perhaps some of the tables' too.
pub(crate) fn check_header_age(header: &Header, checkpoint: Option<Checkpoint>) -> Result<()> {
    match checkpoint {
        Some(checkpoint) if header.merged_upto < checkpoint.merged_upto => {
            let why = format!(
                "it tells of {} merged operations, but {} were merged",
                header.merged_upto, checkpoint.merged_upto
            );
            Err(Error::corrupt("meta", "header", why))
        }
        _ => Ok(()),
    }
}

/// Derives everything from the log alone.
fn rebuild(
    engine: &Engine,
    header: &Header,
    checkpoint: Option<Checkpoint>,
    reason: String,
) -> Result<Recovered> {
    let (tables, keys) = (Resident::new(), KeyIndex::new(header.key_seed));
    let log_end = replay(engine, header, checkpoint, 0, &tables, &keys)?;
    mark_all_dirty(&tables, &keys);
    Ok(Recovered {
        tables,
        keys,
        log_end,
        rebuilt: Some(reason),
    })
}

/// Makes the next merge write every bucket.
pub(crate) fn mark_all_dirty(tables: &Resident, keys: &KeyIndex) {
    tables.home.mark_all_dirty();
    for table in &tables.others {
        table.mark_all_dirty();
    }
    keys.directory.mark_all_dirty();
}

fn load(engine: &Engine, header: &Header, tables: &Resident, keys: &KeyIndex) -> Result<()> {
    let mut digests = header.digests.iter();
    let mut expect = || digests.next().copied().unwrap_or_default();
    load_directory(engine, TreeName::Table(HOME), expect(), &tables.home)?;
    for (table, directory) in (HOME + 1..TABLES).zip(&tables.others) {
        load_directory(engine, TreeName::Table(table), expect(), directory)?;
    }
    load_directory(engine, TreeName::Keys, expect(), &keys.directory)?;
    tables.recount();
    Ok(())
}

fn load_directory<B: Bucket>(
    engine: &Engine,
    tree: TreeName,
    expected: TreeDigest,
    directory: &Directory<B>,
) -> Result<()> {
    let mut buckets = Buckets::read(engine, tree, B::KIND);
    while let Some(StoredBucket { name, contents }) = buckets.next_bucket()? {
        let (number, entries) =
            contents.map_err(|why| Error::corrupt(tree.to_string(), name, why))?;
        directory.load(number, B::from_entries(entries));
    }
    if buckets.digest() == expected {
        Ok(())
    } else {
        Err(other_digest(tree))
    }
}

/// Replays the log from operation `from` on, and checks that it is whole from
/// there to the end that the header and the checkpoint know of.
fn replay(
    engine: &Engine,
    header: &Header,
    checkpoint: Option<Checkpoint>,
    from: u64,
    tables: &Resident,
    keys: &KeyIndex,
) -> Result<LogEnd> {
    let mut tail = Tail::new(header, checkpoint, from.saturating_sub(1));
    // From the last merged operation, so that the record with the known end
    // is among those read.
    for stored in read::records_from(engine, from.saturating_sub(1))? {
        let stored = stored?;
        let record = stored.open()?;
        tail.check(&record)?;
        for entry in stored.entries(&record) {
            let entry = entry?;
            if entry.sequence >= from {
                apply(&entry, tables, keys);
            }
        }
    }
    tail.finish()
}

/// Brings the tables and the key index to the state after `entry`, or leaves
/// them there.
fn apply(entry: &Entry<'_>, tables: &Resident, keys: &KeyIndex) {
    let mut key = keys.write(keys.hash(entry.operation.key()));
    if let Some(document) = entry.operation.retired() {
        key.remove(document.doc);
        tables.write(document.fingerprint, None).remove(document);
    }
    if let Some(document) = entry.operation.made(entry.sequence) {
        key.insert(document.doc);
        let mut locks = tables.write(document.fingerprint, None);
        locks.insert_if_missing(document);
    }
}

/// Follows the chain of records to the end of the log.
struct Tail {
    /// Ends that the log had at earlier times, and whether they were met.
    known: Vec<(LogEnd, bool)>,
    /// The first record must hold this operation.
    from: u64,
    last: Option<LogEnd>,
}

impl Tail {
    fn new(header: &Header, checkpoint: Option<Checkpoint>, from: u64) -> Tail {
        // A crash can leave an older end in the file than in the header.
        let later = checkpoint
            .map(|checkpoint| checkpoint.log_end)
            .filter(|end| end.upto > header.log_end.upto);
        let known = [Some(header.log_end), later];
        Tail {
            known: known
                .into_iter()
                .flatten()
                .map(|end| (end, end == LogEnd::default()))
                .collect(),
            from,
            last: None,
        }
    }

    /// Checks that `record` follows the one before, and notes the known ends
    /// that it meets.
    fn check(&mut self, record: &Record<'_>) -> Result<()> {
        let damaged = |why: &str| {
            let key = format!("record {}", record.first);
            Err(Error::corrupt("log", key, why))
        };
        let before = self.last.unwrap_or_default();
        let (is_missing, is_chained) = match self.last {
            Some(last) => (record.first != last.upto, record.previous_crc == last.crc),
            None => (
                record.first > self.from,
                record.first > 0 || record.previous_crc == 0,
            ),
        };
        if is_missing {
            return damaged("a record before it is missing");
        }
        if !is_chained {
            return damaged("it does not follow the record before it");
        }
        let mut end = LogEnd {
            upto: record.end(),
            records: before.records.saturating_add(1),
            crc: record.crc,
        };
        for (known, met) in &mut self.known {
            if (known.upto, known.crc) == (end.upto, end.crc) {
                *met = true;
                end.records = known.records;
            }
        }
        self.last = Some(end);
        Ok(())
    }

    fn finish(self) -> Result<LogEnd> {
        let end = self.last.unwrap_or_default();
        match self.known.iter().find(|(_, met)| !met) {
            None => Ok(end),
            Some((known, _)) => {
                let why = format!(
                    "it ends at operation {}, but {} were written and synced, or its records changed",
                    end.upto, known.upto
                );
                Err(Error::corrupt("log", "end", why))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use simhash_core::Fingerprint;

    use super::*;
    use crate::codec::operation::Operation;
    use crate::codec::record::RecordBuilder;

    /// A record of one operation with this number, after one with this CRC.
    fn record(first: u64, previous_crc: u32) -> (Vec<u8>, u32) {
        let mut builder = RecordBuilder::new(first);
        let operation = Operation::Insert {
            key: b"key",
            fingerprint: Fingerprint::from_bits(first),
            replaces: None,
        };
        builder.push(0, &operation);
        builder.finish(previous_crc)
    }

    fn follow(from: u64, records: &[(Vec<u8>, u32)]) -> Result<LogEnd> {
        let mut tail = Tail {
            known: Vec::new(),
            from,
            last: None,
        };
        for (bytes, _) in records {
            tail.check(&Record::decode(bytes).unwrap())?;
        }
        tail.finish()
    }

    #[test]
    fn a_log_is_followed_from_its_beginning_without_a_gap() {
        let first = record(0, 0);
        let second = record(1, first.1);
        let third = record(2, second.1);
        let log = [first, second, third];
        assert_eq!(follow(0, &log).unwrap().upto, 3);
        assert_eq!(follow(1, &log[1..]).unwrap().upto, 3);
        // Without the first, without the second, with another first.
        assert!(follow(0, &log[1..]).is_err());
        assert!(follow(0, &[log[0].clone(), log[2].clone()]).is_err());
        assert!(follow(0, &[record(0, 5)]).is_err());
        assert!(follow(0, &[log[0].clone(), record(1, log[0].1 ^ 1)]).is_err());
    }
}
