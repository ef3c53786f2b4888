//! One process at a time.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Seek, Write};
use std::path::{Path, PathBuf};

use crate::{Error, Result};

/// The store's lock; released when dropped, also by a crash.
#[derive(Debug)]
pub(crate) struct StoreLock {
    _file: File,
}

impl StoreLock {
    /// Takes the lock of the store at `store`, or says who has it.
    pub(crate) fn acquire(store: &Path) -> Result<StoreLock> {
        let path: PathBuf = store.join("LOCK");
        let failed = |source| Error::io("locking", &path, source);
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(&path)
            .map_err(failed)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(Error::Locked {
                    path: store.to_owned(),
                    holder: holder(&mut file),
                });
            }
            Err(TryLockError::Error(source)) => return Err(failed(source)),
        }
        // Only for the message above: who wrote it need not live any more.
        let note = format!("process {}\n", std::process::id());
        file.set_len(0)
            .and_then(|()| file.rewind())
            .and_then(|()| file.write_all(note.as_bytes()))
            .map_err(failed)?;
        Ok(StoreLock { _file: file })
    }
}

/// What the holder wrote into the file, as far as it is readable.
fn holder(file: &mut File) -> String {
    let mut note = String::new();
    let read = file.take(100).read_to_string(&mut note);
    match (read, note.trim()) {
        (Ok(_), note) if note.starts_with("process ") => note.to_owned(),
        _ => "another process".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_second_one_learns_who_was_first() {
        let dir = tempfile::tempdir().unwrap();
        let lock = StoreLock::acquire(dir.path()).unwrap();
        let Err(Error::Locked { holder, .. }) = StoreLock::acquire(dir.path()) else {
            panic!("a second lock was given");
        };
        assert_eq!(holder, format!("process {}", std::process::id()));
        drop(lock);
        StoreLock::acquire(dir.path()).unwrap();
    }
}
