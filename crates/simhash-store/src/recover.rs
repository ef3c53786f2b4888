//! From the files to the tables in memory: the on-disk buckets first, then
//! the operations that came after them.
//!
//! A merge to disk runs while writers go on, so a bucket on disk can already
//! hold changes past `merged_upto`. Replaying those again changes nothing:
//! every step adds what is missing or removes what is there, and the last
//! operation on a document decides. What a crash cannot do is leave a change
//! on disk that the log lacks: `compact` syncs the log before it writes.

use crate::codec::bucket::{self, Entries, Part, Place};
use crate::codec::header::{Header, LogEnd};
use crate::codec::record::{Entry, Record};
use crate::disk::engine::{Engine, TreeName};
use crate::keys::{KEY_BUCKETS, KeyIndex};
use crate::log::read;
use crate::plan::{BUCKETS, HOME, TABLES};
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

/// Reads everything. `known_end` is the log's end by the files beside sled's.
pub(crate) fn recover(
    engine: &Engine,
    header: &Header,
    known_end: Option<LogEnd>,
) -> Result<Recovered> {
    let (tables, keys) = (Resident::new(), KeyIndex::new(header.key_seed));
    match load(engine, &tables, &keys) {
        Ok(()) => {
            let log_end = replay(
                engine,
                header,
                known_end,
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
            rebuild(engine, header, known_end, format!("{tree} {key}: {why}"))
        }
        Err(other) => Err(other),
    }
}

/// Derives everything from the log alone.
fn rebuild(
    engine: &Engine,
    header: &Header,
    known_end: Option<LogEnd>,
    reason: String,
) -> Result<Recovered> {
    let (tables, keys) = (Resident::new(), KeyIndex::new(header.key_seed));
    let log_end = replay(engine, header, known_end, 0, &tables, &keys)?;
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

fn load(engine: &Engine, tables: &Resident, keys: &KeyIndex) -> Result<()> {
    load_directory(engine, TreeName::Table(HOME), &tables.home)?;
    for (table, directory) in (HOME + 1..TABLES).zip(&tables.others) {
        load_directory(engine, TreeName::Table(table), directory)?;
    }
    load_directory(engine, TreeName::Keys, &keys.directory)?;
    tables.recount();
    Ok(())
}

fn load_directory<B: Bucket>(
    engine: &Engine,
    tree: TreeName,
    directory: &Directory<B>,
) -> Result<()> {
    for bucket in stored_buckets(engine, tree, B::KIND) {
        let (number, entries) = bucket?;
        directory.load(number, B::from_entries(entries));
    }
    Ok(())
}

/// The key of a part of a bucket.
pub(crate) fn part_key(bucket: usize, part: usize) -> [u8; 6] {
    let mut key = [0; 6];
    key[..4].copy_from_slice(&(bucket as u32).to_be_bytes());
    key[4..].copy_from_slice(&(part as u16).to_be_bytes());
    key
}

/// The place of a bucket of `tree`.
pub(crate) fn place(tree: TreeName, kind: bucket::Kind, bucket: usize) -> Place {
    let table = match tree {
        TreeName::Table(table) => table as u8,
        _ => 0,
    };
    Place {
        kind,
        table,
        bucket: bucket as u32,
    }
}

/// All buckets that a tree stores, in order, with their entries. Ends after
/// an error that is not about a single bucket.
pub(crate) fn stored_buckets(
    engine: &Engine,
    tree: TreeName,
    kind: bucket::Kind,
) -> impl Iterator<Item = Result<(usize, Entries)>> {
    let mut parts = engine.scan(tree, &[]).peekable();
    std::iter::from_fn(move || {
        let (key, value) = match parts.next()? {
            Ok(entry) => entry,
            Err(error) => return Some(Err(error)),
        };
        let (number, first) = match parse_part_key(tree, &key) {
            Ok(parsed) => parsed,
            Err(error) => return Some(Err(error)),
        };
        // All stored parts of this bucket; those past the last that its first
        // one names are left over from when it was larger.
        let mut values = vec![(first, value)];
        while let Some(Ok((key, _))) = parts.peek()
            && let Ok((same, part)) = parse_part_key(tree, key)
            && same == number
            && let Some(Ok((_, value))) = parts.next()
        {
            values.push((part, value));
        }
        let place = place(tree, kind, number);
        let entries = join_parts(place, &values)
            .map_err(|why| Error::corrupt(tree.to_string(), format!("bucket {number}"), why));
        Some(entries.map(|entries| (number, entries)))
    })
}

fn parse_part_key(tree: TreeName, key: &[u8]) -> Result<(usize, usize)> {
    let buckets = match tree {
        TreeName::Keys => KEY_BUCKETS,
        _ => BUCKETS,
    };
    if let Ok([a, b, c, d, e, f]) = <[u8; 6]>::try_from(key) {
        let bucket = u32::from_be_bytes([a, b, c, d]) as usize;
        if bucket < buckets {
            return Ok((bucket, usize::from(u16::from_be_bytes([e, f]))));
        }
    }
    let key = format!("{key:02x?}");
    Err(Error::corrupt(tree.to_string(), key, "not a bucket's key"))
}

/// Puts the parts of a bucket together, all from one write of it.
fn join_parts<V: AsRef<[u8]>>(
    place: Place,
    values: &[(usize, V)],
) -> std::result::Result<Entries, String> {
    let mut joined: Option<Part> = None;
    for (number, value) in values {
        if joined
            .as_ref()
            .is_some_and(|all| *number >= usize::from(all.parts))
        {
            break;
        }
        let part = bucket::decode(place, value.as_ref()).map_err(|error| error.to_string())?;
        if usize::from(part.part) != *number {
            return Err("a part stands under another's key".to_owned());
        }
        match &mut joined {
            None if part.part == 0 => joined = Some(part),
            Some(all) if part.part == all.part + 1 && part.upto == all.upto => {
                all.part = part.part;
                all.entries.hi.extend(part.entries.hi);
                all.entries.lo.extend(part.entries.lo);
                all.entries.docs.extend(part.entries.docs);
            }
            _ => return Err("parts of different writes".to_owned()),
        }
    }
    match joined {
        Some(all) if all.part + 1 == all.parts => Ok(all.entries),
        _ => Err("a part is missing".to_owned()),
    }
}

/// Replays the log from operation `from` on, and checks that it is whole from
/// there to the end that the header and the files beside sled's know of.
fn replay(
    engine: &Engine,
    header: &Header,
    known_end: Option<LogEnd>,
    from: u64,
    tables: &Resident,
    keys: &KeyIndex,
) -> Result<LogEnd> {
    let mut tail = Tail::new(header, known_end);
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
    last: Option<LogEnd>,
}

impl Tail {
    fn new(header: &Header, known_end: Option<LogEnd>) -> Tail {
        // A crash can leave an older end in the file than in the header.
        let later = known_end.filter(|end| end.upto > header.log_end.upto);
        let known = [Some(header.log_end), later];
        Tail {
            known: known
                .into_iter()
                .flatten()
                .map(|end| (end, end == LogEnd::default()))
                .collect(),
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
        if self.last.is_some() && before.upto != record.first {
            return damaged("the record before it is missing");
        }
        if (self.last.is_some() || record.first == 0) && before.crc != record.previous_crc {
            return damaged("it does not follow the record before it");
        }
        let mut end = LogEnd {
            upto: record.end(),
            records: before.records + 1,
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
    use super::*;
    use crate::codec::bucket::{Kind, PART_ENTRIES, encode};

    const PLACE: Place = Place {
        kind: Kind::Distinct,
        table: 1,
        bucket: 9,
    };

    fn parts(entries: usize, upto: u64) -> Vec<(usize, Vec<u8>)> {
        let entries = Entries {
            hi: (0..entries as u32).collect(),
            lo: vec![1; entries],
            docs: Vec::new(),
        };
        encode(PLACE, upto, &entries)
            .into_iter()
            .enumerate()
            .collect()
    }

    #[test]
    fn parts_of_one_write_are_joined_and_left_over_ones_ignored() {
        let large = parts(PART_ENTRIES + 1, 1);
        assert_eq!(join_parts(PLACE, &large).unwrap().len(), PART_ENTRIES + 1);
        let mut shrunk = parts(3, 2);
        shrunk.extend(large.into_iter().skip(1));
        assert_eq!(join_parts(PLACE, &shrunk).unwrap().len(), 3);
    }

    #[test]
    fn parts_of_two_writes_are_refused() {
        let (old, new) = (parts(PART_ENTRIES + 1, 1), parts(PART_ENTRIES + 2, 2));
        let mixed = [new[0].clone(), old[1].clone()];
        assert!(join_parts(PLACE, &mixed).is_err());
        assert!(join_parts(PLACE, &new[..1]).is_err());
        assert!(join_parts(PLACE, &new[1..]).is_err());
    }
}
