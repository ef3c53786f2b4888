//! The parts of fingerprinting and of scanning.

use std::fs;
use std::hint::black_box;
use std::io::Read;
use std::path::Path;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use simhash_benches::data::{self, SplitMix64};
use simhash_core::hamming::{ColumnQuery, Columns, Scanner};
use simhash_core::{Accumulator, Scheme};

const K: u32 = 3;

fn accumulate(criterion: &mut Criterion) {
    let mut random = SplitMix64::new(1);
    let features: Vec<u64> = (0..1000).map(|_| random.next_u64()).collect();
    let mut group = criterion.benchmark_group("accumulate");
    group.throughput(Throughput::Elements(features.len() as u64));
    group.bench_function("1000 features", |bencher| {
        bencher.iter(|| {
            let mut sums = Accumulator::<i64>::new();
            for (weight, &feature) in (1..).zip(&features) {
                sums.add(black_box(feature), weight);
            }
            sums.fingerprint()
        });
    });
    group.finish();
}

fn scan(criterion: &mut Criterion) {
    let stored = data::uniform(1 << 16, 2);
    let bits: Vec<u64> = stored.iter().map(|stored| stored.bits()).collect();
    let hi: Vec<u32> = bits.iter().map(|bits| (bits >> 16) as u32).collect();
    let lo: Vec<u16> = bits.iter().map(|bits| *bits as u16).collect();
    let query = bits[777] ^ 1;
    let mut group = criterion.benchmark_group("scan");
    group.throughput(Throughput::Elements(bits.len() as u64));
    for scanner in Scanner::available() {
        let wide = || {
            let mut found = 0;
            scanner.within(black_box(query), K, &bits, |_, _| found += 1);
            found
        };
        assert_eq!(wide(), 1);
        group.bench_function(format!("within/{}", scanner.name()), |b| b.iter(wide));
        let columns = Columns { hi: &hi, lo: &lo };
        let narrow = || {
            let mut found = 0;
            let query = ColumnQuery::from_low_bits(black_box(query));
            scanner.within_columns(query, K, columns, |_, _| found += 1);
            found
        };
        assert_eq!(narrow(), 1);
        group.bench_function(format!("columns/{}", scanner.name()), |b| b.iter(narrow));
    }
    group.finish();
}

/// The English example documents, one JSON object a line: enough like prose.
fn example_text() -> std::io::Result<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/documents/blog-en.jsonl.xz");
    let mut text = String::new();
    liblzma::read::XzDecoder::new(fs::File::open(path)?).read_to_string(&mut text)?;
    Ok(text)
}

fn fingerprint(criterion: &mut Criterion) {
    let text = match example_text() {
        Ok(text) => text,
        Err(error) => panic!("cannot read the examples: {error}"),
    };
    let documents: Vec<&str> = text.lines().take(200).collect();
    let bytes: usize = documents.iter().map(|document| document.len()).sum();
    let mut group = criterion.benchmark_group("fingerprint");
    group.throughput(Throughput::Bytes(bytes as u64));
    for id in ["words-logtf-xxh3/1", "words-tf-fnv1a/1", "w3-logtf-xxh3/1"] {
        let scheme: Scheme = match id.parse() {
            Ok(scheme) => scheme,
            Err(error) => panic!("{error}"),
        };
        group.bench_function(id, |bencher| {
            bencher.iter(|| {
                documents
                    .iter()
                    .filter_map(|document| scheme.fingerprint(black_box(document)))
                    .fold(0, |all, fingerprint| all ^ fingerprint.bits())
            });
        });
    }
    group.finish();
}

criterion_group!(benches, accumulate, scan, fingerprint);
criterion_main!(benches);
