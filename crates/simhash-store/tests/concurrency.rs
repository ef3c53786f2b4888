//! Many threads on one store.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod support;

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;

use simhash_store::{Config, DocId, Durability, Fingerprint, Match, Outcome, Store};
use support::mixed;

/// A copy of page number `cluster`: one bit away from it, so that two copies
/// are at most two bits apart. The pages themselves are far apart.
fn copy(cluster: u64, thread: u64) -> Fingerprint {
    Fingerprint::from_bits(mixed(cluster) ^ 1 << (mixed(cluster * 64 + thread) % 64))
}

fn store(dir: &tempfile::TempDir) -> Store {
    Config::new("test/1")
        .durability(Durability::Manual)
        .create(dir.path().join("store"))
        .unwrap()
}

#[test]
fn of_racing_near_duplicates_exactly_one_is_new() {
    const THREADS: u64 = 4;
    const CLUSTERS: u64 = 20_000;
    let dir = tempfile::tempdir().unwrap();
    let store = store(&dir);
    let arrived = AtomicU64::new(0);
    let race = |thread: u64| {
        (0..CLUSTERS)
            .map(|cluster| {
                // All threads at once, for every single cluster.
                arrived.fetch_add(1, Ordering::Relaxed);
                while arrived.load(Ordering::Relaxed) < (cluster + 1) * THREADS {
                    thread::yield_now();
                }
                let key = format!("{cluster}/{thread}");
                store.check_and_insert(key.as_bytes(), copy(cluster, thread))
            })
            .collect::<Result<Vec<Outcome>, _>>()
            .unwrap()
    };
    let outcomes: Vec<Vec<Outcome>> = thread::scope(|scope| {
        let threads: Vec<_> = (0..THREADS)
            .map(|thread| scope.spawn(move || race(thread)))
            .collect();
        threads.into_iter().map(|t| t.join().unwrap()).collect()
    });
    for cluster in 0..CLUSTERS {
        let of_cluster = outcomes.iter().map(|thread| thread[cluster as usize]);
        let new: Vec<DocId> = of_cluster
            .clone()
            .filter_map(|outcome| match outcome {
                Outcome::New { doc } => Some(doc),
                _ => None,
            })
            .collect();
        assert_eq!(new.len(), 1, "cluster {cluster}");
        for outcome in of_cluster {
            match outcome {
                Outcome::New { .. } => {}
                Outcome::Duplicate {
                    of: Match { doc, distance, .. },
                } => assert_eq!((doc, distance <= 2), (new[0], true)),
                other => panic!("{other:?}"),
            }
        }
    }
    assert_eq!(store.len(), CLUSTERS);
    assert!(store.verify().unwrap().is_sound());
}

#[test]
fn mixed_work_with_compaction_and_verification_stays_consistent() {
    const THREADS: u64 = 4;
    const KEYS: u64 = 400;
    const ROUNDS: u64 = 6000;
    let dir = tempfile::tempdir().unwrap();
    let store = store(&dir);
    let done = AtomicBool::new(false);
    // Each thread has keys of its own, so it knows what they are; the
    // fingerprints of all threads fall into the same clusters.
    let work = |thread: u64| {
        let mut own: HashMap<u64, Fingerprint> = HashMap::new();
        for round in 0..ROUNDS {
            let random = mixed(thread << 32 | round);
            let number = random % KEYS;
            let key = format!("{thread}/{number}");
            let fingerprint = copy(random >> 40 & 0xff, random >> 20 & 0x7);
            match random >> 60 {
                0..=4 => {
                    let removed = store.remove(key.as_bytes()).unwrap();
                    assert_eq!(removed.is_some(), own.remove(&number).is_some());
                }
                5..=9 => {
                    store.insert(key.as_bytes(), fingerprint).unwrap();
                    own.insert(number, fingerprint);
                }
                _ => match store.check_and_insert(key.as_bytes(), fingerprint).unwrap() {
                    Outcome::New { .. } | Outcome::Updated { .. } => {
                        own.insert(number, fingerprint);
                    }
                    Outcome::Unchanged { .. } => assert_eq!(own[&number], fingerprint),
                    Outcome::Duplicate { of } => {
                        assert_eq!(of.fingerprint.distance(fingerprint), of.distance);
                    }
                    other => panic!("{other:?}"),
                },
            }
            let stored = store.get(key.as_bytes()).unwrap();
            assert_eq!(stored.map(|d| d.fingerprint), own.get(&number).copied());
        }
        own.len() as u64
    };
    let maintain = || {
        let mut runs = 0;
        while !done.load(Ordering::Relaxed) || runs < 2 {
            store.compact().unwrap();
            let report = store.verify().unwrap();
            assert!(report.is_sound(), "{:?}", report.faults);
            runs += 1;
        }
    };
    let live: u64 = thread::scope(|scope| {
        let maintenance = scope.spawn(maintain);
        let threads: Vec<_> = (0..THREADS)
            .map(|thread| scope.spawn(move || work(thread)))
            .collect();
        let live = threads.into_iter().map(|t| t.join().unwrap()).sum();
        done.store(true, Ordering::Relaxed);
        maintenance.join().unwrap();
        live
    });
    assert_eq!(store.len(), live);
    store.close().unwrap();
    let store = Config::new("test/1")
        .open(dir.path().join("store"))
        .unwrap();
    assert_eq!(store.len(), live);
    assert!(store.verify().unwrap().is_sound());
}

#[test]
fn a_store_can_be_sent_and_shared() {
    fn check<T: Send + Sync>() {}
    check::<Store>();
}
