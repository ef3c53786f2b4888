//! The small files beside sled's folder.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::codec::header::LogEnd;
use crate::{Error, Result};

/// The on-disk format that this version writes and reads.
pub(crate) const FORMAT: u32 = 1;

const FORMAT_FILE: &str = "FORMAT";
const FORMAT_LINE: &str = "simhash-store format ";
const CHECKPOINT_FILE: &str = "CHECKPOINT";
const CHECKPOINT_VERSION: &str = "1";

/// sled's folder in the store at `store`.
pub(crate) fn db_path(store: &Path) -> PathBuf {
    store.join("db")
}

/// Whether the directory at `store` says that it is a store.
pub(crate) fn has_format(store: &Path) -> bool {
    store.join(FORMAT_FILE).exists()
}

/// Says that the directory is a store of this format.
pub(crate) fn write_format(store: &Path) -> Result<()> {
    replace(
        &store.join(FORMAT_FILE),
        &format!("{FORMAT_LINE}{FORMAT}\n"),
    )
}

/// Refuses a directory that is no store, or of another format.
pub(crate) fn check_format(store: &Path) -> Result<()> {
    let path = store.join(FORMAT_FILE);
    let text = match fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let why = if store.is_dir() {
                "it has no FORMAT file"
            } else {
                "there is no such directory"
            };
            return Err(Error::NotAStore {
                path: store.to_owned(),
                why: why.to_owned(),
            });
        }
        Err(error) if error.kind() == io::ErrorKind::InvalidData => String::new(),
        Err(error) => return Err(Error::io("reading", &path, error)),
    };
    match text.trim_end().strip_prefix(FORMAT_LINE) {
        Some(version) if version == FORMAT.to_string() => Ok(()),
        Some(version) => Err(Error::Format {
            found: version.chars().take(20).collect(),
            supported: FORMAT,
        }),
        None => Err(Error::corrupt(FORMAT_FILE, "", "does not name a format")),
    }
}

/// What the store had reached at its last compaction or close. sled can lose
/// writes when its file is damaged, and then says nothing; this file, kept
/// outside its folder, tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Checkpoint {
    /// Where the durable log ended.
    pub(crate) log_end: LogEnd,
    /// Operations with a smaller number were in the on-disk tables.
    pub(crate) merged_upto: u64,
}

/// Replaces the checkpoint.
pub(crate) fn write_checkpoint(store: &Path, checkpoint: &Checkpoint) -> Result<()> {
    let Checkpoint {
        log_end: LogEnd { upto, records, crc },
        merged_upto,
    } = checkpoint;
    let line = format!("{CHECKPOINT_VERSION} {upto} {records} {crc:08x} {merged_upto}");
    let line_crc = crc32fast::hash(line.as_bytes());
    replace(
        &store.join(CHECKPOINT_FILE),
        &format!("{line} {line_crc:08x}\n"),
    )
}

/// The last checkpoint; `None` before the first.
pub(crate) fn read_checkpoint(store: &Path) -> Result<Option<Checkpoint>> {
    let path = store.join(CHECKPOINT_FILE);
    let bytes = match fs::read(&path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(Error::io("reading", &path, error)),
    };
    let parsed = std::str::from_utf8(&bytes).ok().and_then(parse_checkpoint);
    match parsed {
        Some(checkpoint) => Ok(Some(checkpoint)),
        None => Err(Error::corrupt(
            CHECKPOINT_FILE,
            "",
            "it is not what was written",
        )),
    }
}

fn parse_checkpoint(text: &str) -> Option<Checkpoint> {
    let (line, line_crc) = text.strip_suffix('\n')?.rsplit_once(' ')?;
    if line_crc != format!("{:08x}", crc32fast::hash(line.as_bytes())) {
        return None;
    }
    let mut words = line.split(' ');
    if words.next()? != CHECKPOINT_VERSION {
        return None;
    }
    let log_end = LogEnd {
        upto: words.next()?.parse().ok()?,
        records: words.next()?.parse().ok()?,
        crc: u32::from_str_radix(words.next()?, 16).ok()?,
    };
    let merged_upto = words.next()?.parse().ok()?;
    let possible = log_end.records <= log_end.upto && merged_upto <= log_end.upto;
    (words.next().is_none() && possible).then_some(Checkpoint {
        log_end,
        merged_upto,
    })
}

/// Writes a file so that a crash leaves the old contents or the new.
fn replace(path: &Path, contents: &str) -> Result<()> {
    let new = path.with_extension("new");
    let write = || {
        let mut file = File::create(&new)?;
        file.write_all(contents.as_bytes())?;
        file.sync_all()?;
        fs::rename(&new, path)
    };
    write().map_err(|error| Error::io("writing", path, error))?;
    path.parent().map_or(Ok(()), sync_directory)
}

/// Makes a directory and those above it that are missing, durably.
pub(crate) fn create_directories(path: &Path) -> Result<()> {
    let missing: Vec<&Path> = path
        .ancestors()
        .take_while(|ancestor| !ancestor.as_os_str().is_empty() && !ancestor.exists())
        .collect();
    fs::create_dir_all(path).map_err(|error| Error::io("creating", path, error))?;
    missing
        .into_iter()
        .try_for_each(|made| match made.parent() {
            Some(parent) if parent != Path::new("") => sync_directory(parent),
            _ => sync_directory(Path::new(".")),
        })
}

/// Makes the names in a directory durable.
pub(crate) fn sync_directory(path: &Path) -> Result<()> {
    // Windows cannot open a directory as a file, and needs no such sync.
    if cfg!(not(unix)) {
        return Ok(());
    }
    File::open(path)
        .and_then(|directory| directory.sync_all())
        .map_err(|error| Error::io("syncing", path, error))
}

/// Bytes of all files below `path`. Files that vanish meanwhile do not count.
pub(crate) fn disk_bytes(path: &Path) -> Result<u64> {
    let failed = |error| Error::io("reading", path, error);
    let mut total = 0;
    for entry in fs::read_dir(path).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        match entry.metadata() {
            Ok(metadata) if metadata.is_dir() => total += disk_bytes(&entry.path())?,
            Ok(metadata) => total += metadata.len(),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(Error::io("reading", &entry.path(), error)),
        }
    }
    Ok(total)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checkpoint_is_read_back() {
        let dir = tempfile::tempdir().unwrap();
        assert_eq!(read_checkpoint(dir.path()).unwrap(), None);
        let checkpoint = Checkpoint {
            log_end: LogEnd {
                upto: 12,
                records: 3,
                crc: 0xab,
            },
            merged_upto: 7,
        };
        write_checkpoint(dir.path(), &checkpoint).unwrap();
        assert_eq!(read_checkpoint(dir.path()).unwrap(), Some(checkpoint));
        let sound = fs::read(dir.path().join(CHECKPOINT_FILE)).unwrap();
        for (at, _) in sound.iter().enumerate() {
            let mut flipped = sound.clone();
            flipped[at] ^= 1;
            for damaged in [&flipped[..], &sound[..at]] {
                fs::write(dir.path().join(CHECKPOINT_FILE), damaged).unwrap();
                assert!(matches!(
                    read_checkpoint(dir.path()),
                    Err(Error::Corrupt { .. })
                ));
            }
        }
        for impossible in ["1 3 4 000000ab 0", "1 3 3 000000ab 4", "2 3 3 000000ab 0"] {
            let crc = crc32fast::hash(impossible.as_bytes());
            let line = format!("{impossible} {crc:08x}\n");
            fs::write(dir.path().join(CHECKPOINT_FILE), line).unwrap();
            assert!(matches!(
                read_checkpoint(dir.path()),
                Err(Error::Corrupt { .. })
            ));
        }
    }

    #[test]
    fn another_format_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        assert!(matches!(
            check_format(dir.path()),
            Err(Error::NotAStore { .. })
        ));
        write_format(dir.path()).unwrap();
        check_format(dir.path()).unwrap();
        fs::write(dir.path().join(FORMAT_FILE), "simhash-store format 2\n").unwrap();
        assert!(matches!(
            check_format(dir.path()),
            Err(Error::Format { found, .. }) if found == "2"
        ));
        fs::write(dir.path().join(FORMAT_FILE), [0xff, 0xfe]).unwrap();
        assert!(matches!(
            check_format(dir.path()),
            Err(Error::Corrupt { .. })
        ));
    }
}
