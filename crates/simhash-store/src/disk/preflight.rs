//! A look at sled's files before sled sees them.
//!
//! sled 0.34.7 refuses to open over a left-over half-written snapshot, and
//! panics over some damaged files. The first is mended here, the second
//! reported where it can be told beforehand.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::{Error, Result};

/// Bytes of a file's trailer in sled's `conf`: its CRC32.
const CONF_TRAILER: usize = 4;
/// Bytes of a snapshot's trailer: length and CRC32.
const SNAPSHOT_TRAILER: usize = 12;

/// Makes the folder at `db` ready for sled, or says what is wrong with it.
pub(crate) fn prepare(db: &Path) -> Result<()> {
    let names = match names(db) {
        Ok(names) => names,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(Error::io("reading", db, error)),
    };
    // Written by a process that died before it could rename it. sled would
    // take it for a snapshot and stop.
    for half_written in names.iter().filter(|name| name.ends_with(".generating")) {
        let path = db.join(half_written);
        fs::remove_file(&path).map_err(|error| Error::io("removing", &path, error))?;
    }
    check_conf(db)?;
    // sled reads the newest snapshot, which is the last by name.
    let snapshots = names
        .iter()
        .filter(|name| name.starts_with("snap.") && !name.ends_with(".generating"));
    match snapshots.max() {
        Some(newest) => check_snapshot(db, newest),
        None => Ok(()),
    }
}

fn names(db: &Path) -> io::Result<Vec<String>> {
    fs::read_dir(db)?
        .map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned()))
        .collect()
}

/// sled's settings file ends with its own CRC32. An empty one is sled's to
/// write again.
fn check_conf(db: &Path) -> Result<()> {
    let conf = read(&db.join("conf"))?;
    if conf.len() > 2 * CONF_TRAILER && !crc_holds(&conf, CONF_TRAILER) {
        return Err(Error::corrupt("db/conf", "", "its checksum does not hold"));
    }
    Ok(())
}

fn check_snapshot(db: &Path, name: &str) -> Result<()> {
    let place = format!("db/{name}");
    let snapshot = read(&db.join(name))?;
    if snapshot.len() <= SNAPSHOT_TRAILER {
        return Err(Error::corrupt(place, "", "it is cut short"));
    }
    if !crc_holds(&snapshot, SNAPSHOT_TRAILER) {
        return Err(Error::corrupt(place, "", "its checksum does not hold"));
    }
    // A snapshot tells of pages in the data file.
    let data = db.join("db");
    match fs::metadata(&data) {
        Ok(metadata) if metadata.len() > 0 => Ok(()),
        Ok(_) => Err(Error::corrupt("db/db", "", "the data file is empty")),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            Err(Error::corrupt("db/db", "", "the data file is missing"))
        }
        Err(error) => Err(Error::io("reading", &data, error)),
    }
}

/// Whether the last four bytes are the CRC32 of all before the trailer.
fn crc_holds(bytes: &[u8], trailer: usize) -> bool {
    let body = &bytes[..bytes.len() - trailer];
    let crc = crc32fast::hash(body).to_le_bytes();
    bytes.ends_with(&crc)
}

fn read(path: &PathBuf) -> Result<Vec<u8>> {
    match fs::read(path) {
        Ok(bytes) => Ok(bytes),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(Error::io("reading", path, error)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A folder as sled leaves it.
    fn sled_folder() -> tempfile::TempDir {
        let dir = tempfile::tempdir().unwrap();
        let db = sled::open(dir.path()).unwrap();
        for i in 0..1000u32 {
            db.insert(i.to_be_bytes(), vec![7; 100]).unwrap();
        }
        db.flush().unwrap();
        drop(db);
        // The second open writes the snapshot.
        reopen(dir.path());
        dir
    }

    /// Opens and closes sled, whose threads can hold its lock for a moment
    /// after a close.
    fn reopen(dir: &Path) {
        while sled::open(dir).is_err() {
            std::thread::yield_now();
        }
    }

    fn snapshot(dir: &Path) -> PathBuf {
        let name = names(dir)
            .unwrap()
            .into_iter()
            .find(|name| name.starts_with("snap."));
        dir.join(name.unwrap())
    }

    #[test]
    fn a_sound_folder_passes_and_a_half_written_snapshot_is_removed() {
        let dir = sled_folder();
        let half_written = dir.path().join("snap.00000000FFFFFFFF.generating");
        fs::write(&half_written, b"half").unwrap();
        prepare(dir.path()).unwrap();
        assert!(!half_written.exists());
        reopen(dir.path());
    }

    #[test]
    fn damage_is_named() {
        let dir = sled_folder();
        let path = snapshot(dir.path());
        let sound = fs::read(&path).unwrap();
        let mut flipped = sound.clone();
        flipped[0] ^= 1;
        for damaged in [&flipped[..], &sound[..5], &sound[..sound.len() - 1]] {
            fs::write(&path, damaged).unwrap();
            let error = prepare(dir.path()).unwrap_err();
            assert!(
                matches!(&error, Error::Corrupt { tree, .. } if tree.starts_with("db/snap.")),
                "{error}"
            );
        }
        fs::write(&path, &sound).unwrap();
        prepare(dir.path()).unwrap();

        fs::remove_file(dir.path().join("db")).unwrap();
        let error = prepare(dir.path()).unwrap_err();
        assert!(
            matches!(&error, Error::Corrupt { tree, .. } if tree == "db/db"),
            "{error}"
        );
    }

    #[test]
    fn a_damaged_conf_is_named() {
        let dir = sled_folder();
        let path = dir.path().join("conf");
        let mut conf = fs::read(&path).unwrap();
        conf[0] ^= 1;
        fs::write(&path, conf).unwrap();
        let error = prepare(dir.path()).unwrap_err();
        assert!(
            matches!(&error, Error::Corrupt { tree, .. } if tree == "db/conf"),
            "{error}"
        );
    }
}
