//! Stored bytes that are not what was written: nothing wrong is ever served.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod support;

use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use simhash_store::{Config, Durability, Error, Fingerprint, Store};
use support::{copy_directory, fingerprint};

const COUNT: u64 = 3000;

fn config() -> Config {
    Config::new("test/1").durability(Durability::Manual)
}

/// A closed store of which all but the last hundred documents are compacted.
fn closed_store(dir: &Path) -> PathBuf {
    let path = dir.join("store");
    let store = config().create(&path).unwrap();
    for n in 0..COUNT {
        if n == COUNT - 100 {
            store.compact().unwrap();
        }
        store.insert(&n.to_be_bytes(), fingerprint(n)).unwrap();
    }
    store.close().unwrap();
    path
}

/// Opens sled's folder as the store does. Its lock can be held for a moment
/// after a close.
fn open_sled(path: &Path) -> sled::Db {
    loop {
        let config = sled::Config::new()
            .path(path.join("db"))
            .segment_size(8 << 20);
        match config.open() {
            Ok(db) => return db,
            Err(sled::Error::Io(_)) => std::thread::yield_now(),
            Err(error) => panic!("{error}"),
        }
    }
}

/// Changes a tree behind the store's back.
fn tamper(path: &Path, tree: &str, change: impl FnOnce(&sled::Tree)) {
    let db = open_sled(path);
    change(&db.open_tree(tree).unwrap());
    db.flush().unwrap();
}

/// Flips a bit in the middle of a value.
fn flip(tree: &sled::Tree, (key, value): (sled::IVec, sled::IVec)) {
    let mut bytes = value.to_vec();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 0x10;
    tree.insert(key, bytes).unwrap();
}

fn assert_answers(store: &Store) {
    assert_eq!(store.len(), COUNT);
    for n in 0..COUNT {
        // Only one table can find it: all other blocks differ.
        for table in 0..4 {
            let others = (0..4).filter(|block| *block != table);
            let bits = others.fold(fingerprint(n).bits(), |bits, b| bits ^ 1 << (63 - 16 * b));
            let near = store.near(Fingerprint::from_bits(bits), 3).unwrap();
            assert!(near.iter().any(|m| m.fingerprint == fingerprint(n)));
        }
        let document = store.get(&n.to_be_bytes()).unwrap().unwrap();
        assert_eq!(document.fingerprint, fingerprint(n));
    }
}

/// Opening it is refused because of damage in this tree.
fn assert_is_corrupt(path: &Path, place: &str) {
    let error = config().open(path).unwrap_err();
    assert!(
        matches!(&error, Error::Corrupt { tree, .. } if tree == place),
        "{error}"
    );
}

/// The store answers rightly in spite of damage to what is derived, tells of
/// it, and is whole again after a compaction.
fn assert_heals(path: &Path, place: &str) {
    let store = config().open(path).unwrap();
    assert!(store.stats().unwrap().rebuilt.is_some(), "{place}");
    assert_answers(&store);
    let report = store.verify().unwrap();
    assert!(!report.is_sound(), "{place}");
    assert!(report.faults.iter().all(|fault| fault.place == place));
    store.compact().unwrap();
    let report = store.verify().unwrap();
    assert!(report.is_sound(), "{place}: {:?}", report.faults);
    store.close().unwrap();
    let store = config().open(path).unwrap();
    assert_eq!(store.stats().unwrap().rebuilt, None, "{place}");
    assert_answers(&store);
}

#[test]
fn a_damaged_lost_or_foreign_bucket_is_rebuilt_from_the_log() {
    let dir = tempfile::tempdir().unwrap();
    let path = closed_store(dir.path());
    for place in ["table/0", "table/1", "table/3", "keys"] {
        tamper(&path, place, |tree| {
            flip(tree, tree.first().unwrap().unwrap())
        });
        assert_heals(&path, place);
        tamper(&path, place, |tree| {
            tree.pop_min().unwrap().unwrap();
        });
        assert_heals(&path, place);
        tamper(&path, place, |tree| {
            let (_, value) = tree.first().unwrap().unwrap();
            tree.insert("foreign", value).unwrap();
        });
        assert_heals(&path, place);
    }
}

#[test]
fn an_old_bucket_in_place_of_a_new_one_is_noticed() {
    let dir = tempfile::tempdir().unwrap();
    let path = closed_store(dir.path());
    let mut old = Vec::new();
    tamper(&path, "table/2", |tree| {
        old = tree.iter().collect::<Result<_, _>>().unwrap();
    });
    let store = config().open(&path).unwrap();
    // Shares a bucket of table 2 with the first document.
    let late = Fingerprint::from_bits(fingerprint(0).bits() ^ 1 << 63);
    store.insert(b"late", late).unwrap();
    store.compact().unwrap();
    store.close().unwrap();
    tamper(&path, "table/2", |tree| {
        for (key, value) in &old {
            if tree.get(key).unwrap().as_ref() != Some(value) {
                tree.insert(key, value).unwrap();
                return;
            }
        }
        panic!("no bucket was written again");
    });
    let store = config().open(&path).unwrap();
    assert!(store.stats().unwrap().rebuilt.is_some());
    // Only table 2 can find it.
    let query = Fingerprint::from_bits(late.bits() ^ (1 << 62 | 1 << 47 | 1));
    assert_eq!(store.near(query, 3).unwrap().len(), 1);
    let report = store.verify().unwrap();
    assert!(report.faults.iter().any(|fault| fault.place == "table/2"));
    store.compact().unwrap();
    assert!(store.verify().unwrap().is_sound());
}

#[test]
fn a_damaged_log_is_an_error_and_never_a_smaller_store() {
    let dir = tempfile::tempdir().unwrap();
    let path = closed_store(dir.path());
    // In the tail that every open reads.
    let mut last = None;
    tamper(&path, "log", |tree| {
        last = tree.last().unwrap();
        flip(tree, last.clone().unwrap());
    });
    assert_is_corrupt(&path, "log");
    // Cut off: the end that was synced is no longer there.
    let (key, value) = last.unwrap();
    tamper(&path, "log", |tree| {
        tree.remove(&key).unwrap();
    });
    assert_is_corrupt(&path, "log");
    tamper(&path, "log", |tree| {
        tree.insert(&key, &value).unwrap();
    });
    assert_answers(&config().open(&path).unwrap());
}

#[test]
fn damage_in_the_merged_part_of_the_log_is_found_by_verify() {
    let dir = tempfile::tempdir().unwrap();
    let path = closed_store(dir.path());
    tamper(&path, "log", |tree| {
        flip(tree, tree.first().unwrap().unwrap())
    });
    let store = config().open(&path).unwrap();
    let report = store.verify().unwrap();
    assert_eq!(report.fault_count, 1);
    assert_eq!(report.faults[0].place, "log");
    assert_eq!(report.faults[0].key, "record 0");
    // Keys are confirmed by the log, so they are an error, not a guess.
    let error = store.get(&0u64.to_be_bytes()).unwrap_err();
    assert!(matches!(error, Error::Corrupt { .. }), "{error}");
    drop(store);
    // A record that is gone leaves a hole.
    tamper(&path, "log", |tree| {
        tree.pop_min().unwrap().unwrap();
    });
    let store = config().open(&path).unwrap();
    assert!(!store.verify().unwrap().is_sound());
}

#[test]
fn a_damaged_or_missing_header_is_an_error() {
    let dir = tempfile::tempdir().unwrap();
    let path = closed_store(dir.path());
    tamper(&path, "meta", |tree| {
        flip(tree, tree.first().unwrap().unwrap())
    });
    assert_is_corrupt(&path, "meta");
    tamper(&path, "meta", |tree| {
        tree.clear().unwrap();
    });
    for error in [
        config().open(&path).unwrap_err(),
        config().open_or_create(&path).unwrap_err(),
    ] {
        assert!(
            matches!(&error, Error::Corrupt { tree, .. } if tree == "meta"),
            "{error}"
        );
    }
}

#[test]
fn an_old_header_in_place_of_a_new_one_is_noticed() {
    let dir = tempfile::tempdir().unwrap();
    let path = closed_store(dir.path());
    let mut old = None;
    tamper(&path, "meta", |tree| old = tree.first().unwrap());
    let store = config().open(&path).unwrap();
    store.compact().unwrap();
    store.close().unwrap();
    let (key, value) = old.unwrap();
    tamper(&path, "meta", |tree| {
        tree.insert(key, value).unwrap();
    });
    assert_heals(&path, "meta");
}

#[test]
fn a_log_without_its_first_records_is_an_error() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("store");
    let store = config().create(&path).unwrap();
    for n in 0..1000 {
        store
            .insert(&n.to_string().into_bytes(), fingerprint(n))
            .unwrap();
    }
    store.close().unwrap();
    tamper(&path, "log", |tree| {
        tree.pop_min().unwrap().unwrap();
    });
    assert_is_corrupt(&path, "log");
}

#[test]
fn a_rebuild_that_meets_a_damaged_log_is_an_error() {
    let dir = tempfile::tempdir().unwrap();
    let path = closed_store(dir.path());
    tamper(&path, "table/1", |tree| {
        flip(tree, tree.first().unwrap().unwrap())
    });
    tamper(&path, "log", |tree| {
        tree.pop_min().unwrap().unwrap();
    });
    assert_is_corrupt(&path, "log");
}

#[test]
fn a_lost_database_is_not_a_new_one() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("store");
    let store = config().create(&path).unwrap();
    store.insert(b"a", fingerprint(0)).unwrap();
    store.sync().unwrap();
    // As after a kill: nothing is closed.
    let copy = dir.path().join("copy");
    fs::create_dir(&copy).unwrap();
    for file in ["FORMAT", "CHECKPOINT"] {
        fs::copy(path.join(file), copy.join(file)).unwrap();
    }
    for error in [
        config().open(&copy).unwrap_err(),
        config().open_or_create(&copy).unwrap_err(),
        config().create(&copy).unwrap_err(),
    ] {
        assert!(matches!(error, Error::Corrupt { .. }), "{error}");
    }
}

#[test]
fn a_damaged_checkpoint_is_reported_and_written_anew() {
    let dir = tempfile::tempdir().unwrap();
    let path = closed_store(dir.path());
    let file = path.join("CHECKPOINT");
    let mut bytes = fs::read(&file).unwrap();
    bytes[3] ^= 1;
    fs::write(&file, &bytes).unwrap();
    let store = config().open(&path).unwrap();
    assert!(store.stats().unwrap().rebuilt.is_some());
    assert_answers(&store);
    store.close().unwrap();
    let store = config().open(&path).unwrap();
    assert_eq!(store.stats().unwrap().rebuilt, None);
    assert!(store.verify().unwrap().is_sound());
}

#[test]
fn sled_keeps_no_files_that_it_would_not_sync() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("store");
    let store = config().create(&path).unwrap();
    let mut inserted = 0;
    for length in [8, 64, 3000, 64 * 1024] {
        let key = "k".repeat(length);
        for n in 0..(20_000_000 / length as u64).min(20_000) {
            let key = format!("{n:08}{}", &key[8..]);
            store.insert(key.as_bytes(), fingerprint(inserted)).unwrap();
            inserted += 1;
        }
        store.sync().unwrap();
        store.compact().unwrap();
    }
    // One bucket with more entries than go into a value.
    for n in 0..20_000u64 {
        let fingerprint = Fingerprint::from_bits(n.reverse_bits() >> 16);
        store
            .insert(format!("same {n}").as_bytes(), fingerprint)
            .unwrap();
    }
    store.compact().unwrap();
    let blobs = fs::read_dir(path.join("db/blobs")).unwrap().count();
    assert_eq!(blobs, 0);
}

#[test]
fn a_cancelled_compaction_leaves_a_sound_store() {
    let dir = tempfile::tempdir().unwrap();
    let path = closed_store(dir.path());
    let store = config().open(&path).unwrap();
    let mut steps = 0;
    let error = store.compact_with(|_| {
        steps += 1;
        match steps {
            100 => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        }
    });
    assert!(matches!(error, Err(Error::Cancelled)));
    assert!(store.verify().unwrap().is_sound());
    store.close().unwrap();
    let store = config().open(&path).unwrap();
    assert_eq!(store.stats().unwrap().rebuilt, None);
    assert_answers(&store);
    store.compact().unwrap();
    assert!(store.verify().unwrap().is_sound());
    store.close().unwrap();
    let store = config().open(&path).unwrap();
    let stats = store.stats().unwrap();
    assert_eq!((stats.rebuilt, stats.merged_upto), (None, COUNT));
    assert_answers(&store);
}

#[test]
fn a_flipped_bit_anywhere_is_an_error_or_no_harm() {
    let dir = tempfile::tempdir().unwrap();
    let path = closed_store(dir.path());
    let sound = fs::read(path.join("db/db")).unwrap();
    // Most of a segment is still empty: aim at what is written.
    let written = sound.iter().rposition(|byte| *byte != 0).unwrap();
    for n in 0..40 {
        let copy = tempfile::tempdir().unwrap();
        copy_directory(&path, copy.path());
        let mut bytes = sound.clone();
        bytes[fingerprint(n).bits() as usize % written] ^= 1 << (n % 8);
        fs::write(copy.path().join("db/db"), &bytes).unwrap();
        match config().open(copy.path()) {
            Ok(store) => {
                // Right answers, or an error where the log itself is hit.
                for n in 0..COUNT {
                    assert_eq!(store.near(fingerprint(n), 0).unwrap().len(), 1);
                    match store.get(&n.to_be_bytes()) {
                        Ok(document) => {
                            let found = document.map(|document| document.fingerprint);
                            assert_eq!(found, Some(fingerprint(n)));
                        }
                        Err(error) => assert!(matches!(error, Error::Corrupt { .. }), "{error}"),
                    }
                }
                // A report, whatever it says.
                store.verify().unwrap();
            }
            // sled drops whatever it wrote after a damaged place; the end of
            // the log then is among it, and is missed.
            Err(error) => assert!(matches!(error, Error::Corrupt { .. }), "{error}"),
        }
    }
}
