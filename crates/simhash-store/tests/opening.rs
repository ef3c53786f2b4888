//! What a store refuses at open, and what it mends.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod support;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use simhash_store::{Config, Durability, Error, Outcome, Store};
use support::{copy_directory, fingerprint};

const SCHEME: &str = "test/1";

fn config() -> Config {
    Config::new(SCHEME).durability(Durability::Manual)
}

/// A closed store with `count` documents.
fn closed_store(dir: &Path, count: u64, compact: bool) -> PathBuf {
    let path = dir.join("store");
    let store = config().create(&path).unwrap();
    for n in 0..count {
        store.insert(&n.to_be_bytes(), fingerprint(n)).unwrap();
    }
    if compact {
        store.compact().unwrap();
    }
    store.close().unwrap();
    path
}

fn assert_holds(store: &Store, count: u64) {
    assert_eq!(store.len(), count);
    for n in 0..count {
        let near = store.near(fingerprint(n), 0).unwrap();
        assert_eq!(near.len(), 1, "document {n}");
        let key = store.key(near[0].doc).unwrap();
        assert_eq!(key, Some(n.to_be_bytes().to_vec()));
    }
    let report = store.verify().unwrap();
    assert!(report.is_sound(), "{:?}", report.faults);
}

#[test]
fn a_store_opens_once() {
    let dir = tempfile::tempdir().unwrap();
    let path = closed_store(dir.path(), 3, false);
    let store = config().open(&path).unwrap();
    let error = config().open(&path).unwrap_err();
    assert!(matches!(error, Error::Locked { .. }), "{error}");
    assert!(error.to_string().contains(&std::process::id().to_string()));
    drop(store);
    assert_holds(&config().open(&path).unwrap(), 3);
}

#[test]
fn a_store_keeps_its_scheme() {
    let dir = tempfile::tempdir().unwrap();
    let path = closed_store(dir.path(), 3, false);
    let error = Config::new("other/1").open(&path).unwrap_err();
    assert!(
        matches!(&error, Error::SchemeMismatch { stored, asked } if stored == SCHEME && asked == "other/1"),
        "{error}"
    );
    let store = Config::stored_scheme().open(&path).unwrap();
    assert_eq!(store.scheme(), SCHEME);
}

#[test]
fn creating_and_opening_say_what_is_in_the_way() {
    let dir = tempfile::tempdir().unwrap();
    let absent = dir.path().join("absent");
    let error = config().open(&absent).unwrap_err();
    assert!(matches!(error, Error::NotAStore { .. }), "{error}");
    assert!(!absent.exists(), "a failed open leaves nothing behind");

    let foreign = dir.path().join("foreign");
    fs::create_dir(&foreign).unwrap();
    fs::write(foreign.join("notes.txt"), "mine").unwrap();
    for error in [
        config().create(&foreign).unwrap_err(),
        config().open_or_create(&foreign).unwrap_err(),
    ] {
        assert!(matches!(error, Error::Exists { .. }), "{error}");
    }
    assert_eq!(fs::read_dir(&foreign).unwrap().count(), 1);

    let path = closed_store(dir.path(), 1, false);
    let error = config().create(&path).unwrap_err();
    assert!(matches!(error, Error::Exists { .. }), "{error}");
    assert_holds(&config().open_or_create(&path).unwrap(), 1);

    let error = Config::stored_scheme()
        .create(dir.path().join("new"))
        .unwrap_err();
    assert!(matches!(error, Error::NoScheme), "{error}");
    let error = config()
        .k(Config::MAX_K + 1)
        .create(dir.path().join("new"))
        .unwrap_err();
    assert!(matches!(error, Error::KTooLarge { .. }), "{error}");
}

#[test]
fn a_creation_that_was_cut_off_is_finished_by_the_next() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("store");
    fs::create_dir(&path).unwrap();
    fs::write(path.join("FORMAT"), "simhash-store format 1\n").unwrap();
    let error = config().open(&path).unwrap_err();
    assert!(matches!(error, Error::NotAStore { .. }), "{error}");
    let store = config().create(&path).unwrap();
    assert!(matches!(
        store.check_and_insert(b"a", fingerprint(1)).unwrap(),
        Outcome::New { .. }
    ));
}

#[test]
fn a_newer_format_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let path = closed_store(dir.path(), 1, false);
    fs::write(path.join("FORMAT"), "simhash-store format 9\n").unwrap();
    let error = config().open(&path).unwrap_err();
    assert!(
        matches!(&error, Error::Format { found, supported: 1 } if found == "9"),
        "{error}"
    );
}

#[test]
fn a_half_written_snapshot_does_not_block_the_store() {
    let dir = tempfile::tempdir().unwrap();
    let path = closed_store(dir.path(), 500, true);
    fs::write(path.join("db/snap.0000000000FFFFFF.generating"), "half").unwrap();
    assert_holds(&config().open(&path).unwrap(), 500);
}

#[test]
fn a_key_has_a_longest_length() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("store");
    let store = config().create(&path).unwrap();
    let longest = vec![b'k'; 64 * 1024];
    store.insert(&longest, fingerprint(1)).unwrap();
    store.insert(b"", fingerprint(2)).unwrap();
    let error = store
        .insert(&vec![b'k'; 64 * 1024 + 1], fingerprint(3))
        .unwrap_err();
    assert!(matches!(error, Error::KeyTooLong { .. }), "{error}");
    store.close().unwrap();
    let store = config().open(&path).unwrap();
    assert_eq!(
        store.get(&longest).unwrap().unwrap().fingerprint,
        fingerprint(1)
    );
    assert!(store.contains(b"").unwrap());
}

/// Opening and reading a damaged store gives the right answers or a typed
/// error; returns the error's text.
fn open_damaged(path: &Path, count: u64) -> Option<String> {
    match config().open(path) {
        Ok(store) => {
            assert_holds(&store, count);
            None
        }
        Err(
            error @ (Error::Corrupt { .. }
            | Error::NotAStore { .. }
            | Error::Storage { .. }
            | Error::Io { .. }),
        ) => Some(error.to_string()),
        Err(other) => panic!("{other}"),
    }
}

#[test]
fn a_truncated_data_file_is_an_error_and_not_a_smaller_store() {
    const COUNT: u64 = 20_000;
    let dir = tempfile::tempdir().unwrap();
    let path = closed_store(dir.path(), COUNT, false);
    let length = fs::metadata(path.join("db/db")).unwrap().len();
    for keep in [0, 1, 1000, length / 4, length / 2, length * 3 / 4] {
        let copy = dir.path().join(format!("copy-{keep}"));
        copy_directory(&path, &copy);
        let data = fs::OpenOptions::new()
            .write(true)
            .open(copy.join("db/db"))
            .unwrap();
        data.set_len(keep).unwrap();
        let error = open_damaged(&copy, COUNT);
        assert!(error.is_some(), "{keep} of {length} bytes were enough");
    }
}

#[test]
fn a_missing_file_is_an_error_and_not_an_empty_store() {
    const COUNT: u64 = 2000;
    let dir = tempfile::tempdir().unwrap();
    let path = closed_store(dir.path(), COUNT, true);
    for missing in ["db/db", "db", "FORMAT"] {
        let copy = dir
            .path()
            .join(format!("without-{}", missing.replace('/', "-")));
        copy_directory(&path, &copy);
        let gone = copy.join(missing);
        if gone.is_dir() {
            fs::remove_dir_all(&gone).unwrap();
        } else {
            fs::remove_file(&gone).unwrap();
        }
        assert!(open_damaged(&copy, COUNT).is_some(), "without {missing}");
    }
}

#[test]
fn an_interval_makes_writes_durable_by_itself() {
    let dir = tempfile::tempdir().unwrap();
    let store = Config::new(SCHEME)
        .durability(Durability::Interval(Duration::from_millis(5)))
        .create(dir.path().join("store"))
        .unwrap();
    for n in 0..3 {
        store.insert(&[n], fingerprint(u64::from(n))).unwrap();
        // Ends when it is durable; a store that forgets it never does.
        while store.durable_upto() <= u64::from(n) {
            std::thread::yield_now();
        }
    }
}

#[test]
fn a_dropped_store_is_a_closed_one() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("store");
    let store = config().create(&path).unwrap();
    let before = fs::read(path.join("CHECKPOINT")).unwrap();
    store.insert(b"a", fingerprint(1)).unwrap();
    drop(store);
    assert_ne!(fs::read(path.join("CHECKPOINT")).unwrap(), before);
    assert!(config().open(&path).unwrap().contains(b"a").unwrap());
}
