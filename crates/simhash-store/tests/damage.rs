//! Stored bytes that are not what was written: nothing wrong is ever served.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::path::{Path, PathBuf};

use simhash_store::{Config, Durability, Error, Fingerprint, Store};

const COUNT: u64 = 3000;

fn config() -> Config {
    Config::new("test/1").durability(Durability::Manual)
}

/// Far apart from one another.
fn fingerprint(n: u64) -> Fingerprint {
    Fingerprint::from_bits((n + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15))
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

/// Changes a tree behind the store's back.
fn tamper(path: &Path, tree: &str, change: impl FnOnce(&sled::Tree)) {
    let db = sled::open(path.join("db")).unwrap();
    change(&db.open_tree(tree).unwrap());
    db.flush().unwrap();
    drop(db);
    // sled gives its lock back a moment later.
    while sled::open(path.join("db")).is_err() {}
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
    let error = config().open(&path).unwrap_err();
    assert!(
        matches!(&error, Error::Corrupt { tree, .. } if tree == "log"),
        "{error}"
    );
    // Cut off: the end that was synced is no longer there.
    let (key, value) = last.unwrap();
    tamper(&path, "log", |tree| {
        tree.remove(&key).unwrap();
    });
    let error = config().open(&path).unwrap_err();
    assert!(
        matches!(&error, Error::Corrupt { tree, .. } if tree == "log"),
        "{error}"
    );
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
    let error = config().open(&path).unwrap_err();
    assert!(
        matches!(&error, Error::Corrupt { tree, .. } if tree == "meta"),
        "{error}"
    );
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
