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
const LOG_END_FILE: &str = "LOG_END";

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

/// Remembers how far the durable log reaches.
pub(crate) fn write_log_end(store: &Path, end: &LogEnd) -> Result<()> {
    let text = format!("{} {} {:08x}\n", end.upto, end.records, end.crc);
    replace(&store.join(LOG_END_FILE), &text)
}

/// How far the log reached when that was last written; `None` before.
pub(crate) fn read_log_end(store: &Path) -> Result<Option<LogEnd>> {
    let path = store.join(LOG_END_FILE);
    let bytes = match fs::read(&path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(Error::io("reading", &path, error)),
    };
    let parsed = std::str::from_utf8(&bytes).ok().and_then(parse_log_end);
    match parsed {
        Some(end) => Ok(Some(end)),
        None => Err(Error::corrupt(
            LOG_END_FILE,
            "",
            "is not two numbers and a checksum",
        )),
    }
}

fn parse_log_end(text: &str) -> Option<LogEnd> {
    let mut words = text.strip_suffix('\n')?.split(' ');
    let end = LogEnd {
        upto: words.next()?.parse().ok()?,
        records: words.next()?.parse().ok()?,
        crc: u32::from_str_radix(words.next()?, 16).ok()?,
    };
    words.next().is_none().then_some(end)
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
    fn the_log_end_is_read_back() {
        let dir = tempfile::tempdir().unwrap();
        assert_eq!(read_log_end(dir.path()).unwrap(), None);
        let end = LogEnd {
            upto: 12,
            records: 3,
            crc: 0xab,
        };
        write_log_end(dir.path(), &end).unwrap();
        assert_eq!(read_log_end(dir.path()).unwrap(), Some(end));
        for damaged in ["", "12 3", "12 3 zz\n", "12 3 ab 4\n", "\u{0}"] {
            fs::write(dir.path().join(LOG_END_FILE), damaged).unwrap();
            assert!(matches!(
                read_log_end(dir.path()),
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
