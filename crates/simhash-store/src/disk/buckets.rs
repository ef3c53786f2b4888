//! The trees of buckets: the permuted tables and the key index on disk.
//!
//! A bucket is stored in parts, each under the bucket's number and its own
//! (see `codec/bucket.rs`).

use super::engine::{Engine, TreeName};
use crate::codec::bucket::{self, Entries, Kind, Part, Place};
use crate::codec::header::TreeDigest;
use crate::keys::KEY_BUCKETS;
use crate::plan::{BUCKETS, TABLES};
use crate::{Error, Result};

/// All trees of buckets, in the order of their digests in the header.
pub(crate) fn trees() -> impl Iterator<Item = TreeName> {
    (0..TABLES).map(TreeName::Table).chain([TreeName::Keys])
}

/// A bucket that was read, or why it could not be, and its number.
pub(crate) struct StoredBucket {
    /// The bucket's number, or its key when that is none.
    pub(crate) name: String,
    pub(crate) contents: std::result::Result<(usize, Entries), String>,
}

/// Reads the buckets of a tree one after the other.
pub(crate) struct Buckets<'a> {
    tree: TreeName,
    kind: Kind,
    parts: Box<dyn Iterator<Item = Result<RawPart>> + 'a>,
    /// The first part of the next bucket.
    ahead: Option<RawPart>,
    digest: TreeDigest,
}

/// A part as it is stored: where its key says that it belongs, and its value.
struct RawPart {
    place: std::result::Result<(usize, usize), String>,
    value: super::engine::Value,
}

impl<'a> Buckets<'a> {
    /// All buckets of `tree`, from the first.
    pub(crate) fn read(engine: &'a Engine, tree: TreeName, kind: Kind) -> Buckets<'a> {
        let parts = engine.scan(tree, &[]).map(move |entry| {
            let (key, value) = entry?;
            let place = parse_part_key(tree, &key);
            Ok(RawPart { place, value })
        });
        Buckets {
            tree,
            kind,
            parts: Box::new(parts),
            ahead: None,
            digest: TreeDigest::default(),
        }
    }

    /// The digest of what was read so far: of the tree, after the last.
    pub(crate) fn digest(&self) -> TreeDigest {
        self.digest
    }

    /// The next part, counted.
    fn next_part(&mut self) -> Result<Option<RawPart>> {
        let part = match self.ahead.take() {
            Some(part) => return Ok(Some(part)),
            None => self.parts.next().transpose()?,
        };
        if let Some(part) = &part {
            self.digest.values += 1;
            self.digest.crc_sum += u64::from(bucket::carried_crc(&part.value));
        }
        Ok(part)
    }

    /// The next bucket with all its parts; `None` after the last.
    pub(crate) fn next_bucket(&mut self) -> Result<Option<StoredBucket>> {
        let Some(first) = self.next_part()? else {
            return Ok(None);
        };
        let (number, part) = match first.place {
            Ok(place) => place,
            Err(key) => {
                return Ok(Some(StoredBucket {
                    name: format!("key {key}"),
                    contents: Err("not a bucket's key".to_owned()),
                }));
            }
        };
        let mut values = vec![(part, first.value)];
        while let Some(next) = self.next_part()? {
            match next.place {
                Ok((same, part)) if same == number => values.push((part, next.value)),
                _ => {
                    self.ahead = Some(next);
                    break;
                }
            }
        }
        let entries = join_parts(place(self.tree, self.kind, number), &values);
        Ok(Some(StoredBucket {
            name: format!("bucket {number}"),
            contents: entries.map(|entries| (number, entries)),
        }))
    }
}

/// Writes a bucket in place of what is stored of it.
pub(crate) fn write(
    engine: &Engine,
    tree: TreeName,
    kind: Kind,
    number: usize,
    upto: u64,
    entries: &Entries,
) -> Result<()> {
    let parts = bucket::encode(place(tree, kind, number), upto, entries);
    let count = parts.len();
    for (part, value) in parts.into_iter().enumerate() {
        engine.insert(tree, &part_key(number, part), value)?;
    }
    // Parts that it no longer has.
    let end = part_key(number + 1, 0);
    for entry in engine.scan(tree, &part_key(number, count)) {
        let (key, _) = entry?;
        if *key >= end[..] {
            break;
        }
        engine.remove(tree, &key)?;
    }
    Ok(())
}

/// Removes what is under keys that no bucket has.
pub(crate) fn remove_foreign(engine: &Engine, tree: TreeName) -> Result<()> {
    for entry in engine.scan(tree, &[]) {
        let (key, _) = entry?;
        if parse_part_key(tree, &key).is_err() {
            engine.remove(tree, &key)?;
        }
    }
    Ok(())
}

/// The digest of a tree as it is.
pub(crate) fn digest(engine: &Engine, tree: TreeName) -> Result<TreeDigest> {
    let mut digest = TreeDigest::default();
    for entry in engine.scan(tree, &[]) {
        let (_, value) = entry?;
        digest.values += 1;
        digest.crc_sum += u64::from(bucket::carried_crc(&value));
    }
    Ok(digest)
}

/// What is said of a tree whose digest is not that of the header.
pub(crate) fn other_digest(tree: TreeName) -> Error {
    let why = "its values are not those of the last finished compaction; \
               one that was cut off leaves others";
    Error::corrupt(tree.to_string(), "as a whole", why)
}

fn part_key(bucket: usize, part: usize) -> [u8; 6] {
    let mut key = [0; 6];
    key[..4].copy_from_slice(&(bucket as u32).to_be_bytes());
    key[4..].copy_from_slice(&(part as u16).to_be_bytes());
    key
}

/// Bucket and part that a key stands for; the key, readable, if it is none.
fn parse_part_key(tree: TreeName, key: &[u8]) -> std::result::Result<(usize, usize), String> {
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
    let shown = &key[..key.len().min(16)];
    Err(format!("{shown:02x?}"))
}

fn place(tree: TreeName, kind: Kind, bucket: usize) -> Place {
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

/// Puts the parts of a bucket together, all from one write of it. Parts past
/// the last that the first one names are left over from when it was larger.
fn join_parts<V: AsRef<[u8]>>(
    place: Place,
    values: &[(usize, V)],
) -> std::result::Result<Entries, String> {
    let mut joined: Option<Part> = None;
    for (number, value) in values {
        let enough = |all: &Part| *number >= usize::from(all.parts);
        if joined.as_ref().is_some_and(enough) {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codec::bucket::{PART_ENTRIES, encode};

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
