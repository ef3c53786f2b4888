//! The store against a plain map that is scanned by brute force, under random
//! operations with reopening and compaction among them.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::Path;

use proptest::prelude::*;
use simhash_store::{Config, DocId, Durability, Fingerprint, Inserted, Outcome, Store};

const SCHEME: &str = "test/1";

/// The plain model: key -> (fingerprint, document).
#[derive(Default)]
struct Model(BTreeMap<u8, (Fingerprint, DocId)>);

impl Model {
    /// All within k, as (distance, document), nearest first.
    fn near(&self, query: Fingerprint, k: u32) -> Vec<(u32, DocId)> {
        let mut near: Vec<_> = self
            .0
            .values()
            .map(|(fingerprint, doc)| (fingerprint.distance(query), *doc))
            .filter(|(distance, _)| *distance <= k)
            .collect();
        near.sort_unstable();
        near
    }
}

#[derive(Clone, Debug)]
enum Step {
    Insert(u8, Fingerprint),
    CheckAndInsert(u8, Fingerprint),
    Remove(u8),
    Near(Fingerprint, u32),
    Sync,
    Reopen,
    Compact,
    /// A compaction with these steps in the middle of it.
    CompactAmid(Vec<Step>),
    Verify,
}

/// Fingerprints from a few centres with up to four bits flipped, so that all
/// distances around k are common and equal ones occur.
fn fingerprint() -> impl Strategy<Value = Fingerprint> {
    let centre = prop_oneof![
        Just(0u64),
        Just(u64::MAX),
        Just(0x0123_4567_89ab_cdef),
        any::<u64>()
    ];
    (centre, prop::collection::vec(0..64u32, 0..=4)).prop_map(|(centre, flips)| {
        Fingerprint::from_bits(flips.iter().fold(centre, |bits, flip| bits ^ (1 << flip)))
    })
}

/// A step that any thread may do at any time.
fn plain_step() -> impl Strategy<Value = Step> {
    let key = || 0..24u8;
    prop_oneof![
        6 => (key(), fingerprint()).prop_map(|(key, f)| Step::Insert(key, f)),
        8 => (key(), fingerprint()).prop_map(|(key, f)| Step::CheckAndInsert(key, f)),
        3 => key().prop_map(Step::Remove),
        6 => (fingerprint(), 0..=3u32).prop_map(|(f, k)| Step::Near(f, k)),
    ]
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        23 => plain_step(),
        2 => prop::collection::vec(plain_step(), 1..30).prop_map(Step::CompactAmid),
        1 => Just(Step::Sync),
        1 => Just(Step::Reopen),
        1 => Just(Step::Compact),
        1 => Just(Step::Verify),
    ]
}

fn open(path: &Path, k: u32) -> Store {
    Config::new(SCHEME)
        .k(k)
        .durability(Durability::Manual)
        .open_or_create(path)
        .unwrap()
}

/// Does one step on both and compares what they say.
fn run(store: &Store, model: &mut Model, k: u32, step: &Step) {
    match step {
        Step::Insert(key, fingerprint) => {
            let known = model.0.get(key).copied();
            match (store.insert(&[*key], *fingerprint).unwrap(), known) {
                (Inserted::New { doc }, None) => {
                    model.0.insert(*key, (*fingerprint, doc));
                }
                (Inserted::Unchanged { doc }, Some(old)) => assert_eq!(old, (*fingerprint, doc)),
                (Inserted::Updated { doc, previous }, Some(old)) => {
                    assert_ne!(old.0, *fingerprint);
                    assert_eq!(old.1, previous);
                    model.0.insert(*key, (*fingerprint, doc));
                }
                other => panic!("insert: {other:?}"),
            }
        }
        Step::CheckAndInsert(key, fingerprint) => {
            let outcome = store.check_and_insert(&[*key], *fingerprint).unwrap();
            compare_check(model, k, *key, *fingerprint, outcome);
        }
        Step::Remove(key) => {
            let removed = store.remove(&[*key]).unwrap();
            let expected = model.0.remove(key).map(|(_, doc)| doc);
            assert_eq!(removed, expected);
            if let Some(doc) = removed {
                assert_eq!(store.key(doc).unwrap(), None);
            }
        }
        Step::Near(query, k) => {
            let near = store.near(*query, *k).unwrap();
            let found: Vec<_> = near.iter().map(|m| (m.distance, m.doc)).collect();
            assert_eq!(found, model.near(*query, *k));
        }
        Step::Sync => {
            store.sync().unwrap();
            assert_eq!(store.durable_upto(), store.stats().unwrap().operations);
        }
        Step::Compact => {
            let report = store.compact().unwrap();
            assert_eq!(report.merged_upto, store.stats().unwrap().operations);
        }
        Step::CompactAmid(steps) => {
            let mut steps = steps.iter();
            let amid = |_| {
                if let Some(step) = steps.next() {
                    run(store, model, k, step);
                }
                ControlFlow::Continue(())
            };
            store.compact_with(amid).unwrap();
        }
        Step::Verify => {
            let report = store.verify().unwrap();
            assert!(report.is_sound(), "{:?}", report.faults);
            assert_eq!(report.documents, model.0.len() as u64);
        }
        Step::Reopen => unreachable!("done by the caller"),
    }
}

fn compare_check(model: &mut Model, k: u32, key: u8, fingerprint: Fingerprint, outcome: Outcome) {
    let own = model.0.get(&key).copied();
    let others = model.near(fingerprint, k);
    let nearest = others
        .iter()
        .find(|(_, doc)| own.is_none_or(|own| own.1 != *doc));
    match (outcome, own, nearest) {
        (Outcome::Unchanged { doc }, Some(own), _) => assert_eq!(own, (fingerprint, doc)),
        (Outcome::Duplicate { of }, own, Some(nearest)) => {
            assert_ne!(own.map(|own| own.0), Some(fingerprint));
            assert_eq!((of.distance, of.doc), *nearest);
            assert_eq!(of.fingerprint.distance(fingerprint), of.distance);
        }
        (Outcome::New { doc }, None, None) => {
            model.0.insert(key, (fingerprint, doc));
        }
        (Outcome::Updated { doc, previous }, Some(own), None) => {
            assert_eq!(own.1, previous);
            assert_ne!(own.0, fingerprint);
            model.0.insert(key, (fingerprint, doc));
        }
        other => panic!("check_and_insert: {other:?}"),
    }
}

/// Everything that can be asked about the model's keys.
fn compare_all(store: &Store, model: &Model) {
    assert_eq!(store.len(), model.0.len() as u64);
    for key in 0..24u8 {
        let document = store.get(&[key]).unwrap();
        let document = document.map(|document| (document.fingerprint, document.doc));
        assert_eq!(document, model.0.get(&key).copied());
        if let Some((_, doc)) = document {
            assert_eq!(store.key(doc).unwrap(), Some(vec![key]));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn the_store_answers_like_a_brute_force_scan(
        k in 0..=3u32,
        steps in prop::collection::vec(step(), 1..120),
    ) {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("store");
        let mut store = open(&path, k);
        let mut model = Model::default();
        for step in &steps {
            if matches!(step, Step::Reopen) {
                store.close().unwrap();
                store = open(&path, k);
                compare_all(&store, &model);
            } else {
                run(&store, &mut model, k, step);
            }
        }
        compare_all(&store, &model);
        let report = store.verify().unwrap();
        prop_assert!(report.is_sound(), "{:?}", report.faults);
    }
}
