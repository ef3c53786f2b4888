//! Single operations on a store of 200,000 random fingerprints.

use std::hint::black_box;

use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use simhash_benches::data;
use simhash_store::{Config, Durability, Fingerprint, Store};

const DOCUMENTS: usize = 200_000;
const K: u32 = 3;

/// A store of `stored`, in a directory that must outlive it.
fn filled(
    stored: &[Fingerprint],
) -> Result<(tempfile::TempDir, Store), Box<dyn std::error::Error>> {
    let dir = tempfile::tempdir()?;
    let store = Config::new("random/1")
        .k(K)
        .durability(Durability::Manual)
        .create(dir.path().join("store"))?;
    for (number, fingerprint) in (0u64..).zip(stored) {
        store.insert(&number.to_be_bytes(), *fingerprint)?;
    }
    Ok((dir, store))
}

fn store(criterion: &mut Criterion) {
    let stored = data::uniform(DOCUMENTS, 42);
    let queries = data::queries(&stored, 1000, 7);
    let (_dir, store) = match filled(&stored) {
        Ok(filled) => filled,
        Err(error) => panic!("cannot fill a store: {error}"),
    };
    let near = |query: Fingerprint| store.near(query, K).map_or(0, |found| found.len());
    for query in queries.iter().step_by(50) {
        let scan = stored.iter().filter(|stored| stored.distance(*query) <= K);
        assert_eq!(near(*query), scan.count());
    }

    let mut number = 0;
    let mut next = || {
        number += 1;
        number
    };
    criterion.bench_function("store/near/k3/200k", |bencher| {
        bencher.iter_batched(
            || queries[next() % queries.len()],
            |query| near(black_box(query)),
            BatchSize::SmallInput,
        );
    });
    criterion.bench_function("store/get/200k", |bencher| {
        bencher.iter_batched(
            || ((next() % DOCUMENTS) as u64).to_be_bytes(),
            |key| {
                store
                    .get(black_box(&key))
                    .is_ok_and(|found| found.is_some())
            },
            BatchSize::SmallInput,
        );
    });
    let mut random = data::SplitMix64::new(99);
    criterion.bench_function("store/check_and_insert", |bencher| {
        bencher.iter_batched(
            || ((DOCUMENTS + next()).to_string(), random.next_u64()),
            |(key, bits)| {
                let fingerprint = Fingerprint::from_bits(bits);
                store.check_and_insert(key.as_bytes(), fingerprint).is_ok()
            },
            BatchSize::SmallInput,
        );
    });
}

criterion_group!(benches, store);
criterion_main!(benches);
