//! The store beside mih-rs 0.3.1, the fastest in-memory rival, in one run.
//!
//! Both get the same fingerprints; all answers are compared first, and a
//! sample against brute force. Then rounds of queries alternate between them.
//! Memory is measured in a process of its own for each.

use std::error::Error;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

use clap::{Parser, ValueEnum};
use mih_rs::Index;
use serde::Serialize;
use simhash_benches::timing::{Latency, latency, median};
use simhash_benches::{data, memory};
use simhash_store::{Config, Durability, Fingerprint, Store};

const K: u32 = 3;
const SCHEME: &str = "random/1";

/// Compares the store with mih-rs on random fingerprints.
#[derive(Debug, Parser)]
struct Arguments {
    /// Number of stored fingerprints.
    #[arg(long, default_value_t = 1_000_000)]
    documents: usize,
    /// Number of queries in a round.
    #[arg(long, default_value_t = 10_000)]
    queries: usize,
    /// Rounds of queries; the median round is reported.
    #[arg(long, default_value_t = 7)]
    rounds: usize,
    /// Print JSON.
    #[arg(long)]
    json: bool,
    /// Only build this index and print the memory it takes.
    #[arg(long, hide = true)]
    memory_of: Option<Subject>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Subject {
    Store,
    /// mih-rs with the same four blocks.
    MihRsFour,
    /// mih-rs with the number of blocks that it chooses itself.
    MihRsAuto,
}

/// One line of the table.
#[derive(Debug, Serialize)]
struct Row {
    name: String,
    build_per_second: f64,
    p50_us: f64,
    p99_us: f64,
    queries_per_second: f64,
    resident_bytes: Option<u64>,
}

/// What only a persistent index has.
#[derive(Debug, Serialize)]
struct Persistence {
    check_and_insert_per_second: f64,
    disk_bytes_log_only: u64,
    disk_bytes_compacted: u64,
    compact_seconds: f64,
    reopen_seconds_log_only: f64,
    reopen_seconds_compacted: f64,
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments = Arguments::parse();
    let stored = data::uniform(arguments.documents, 42);
    if let Some(subject) = arguments.memory_of {
        return print_memory(subject, &stored);
    }
    let queries = data::queries(&stored, arguments.queries, 7);
    let dir = tempfile::tempdir()?;
    let path = dir.path().join("store");

    let (store, insert_rate) = build_store(&path, &stored)?;
    let (four, four_rate) = build_mih(Subject::MihRsFour, &stored)?;
    let (auto, auto_rate) = build_mih(Subject::MihRsAuto, &stored)?;
    check_answers(&store, &four, &stored, &queries)?;
    check_answers(&store, &auto, &stored, &queries)?;

    let [ours, with_four, with_auto] =
        time_queries(&store, [&four, &auto], &queries, arguments.rounds)?;
    let auto_name = format!("mih-rs, {} blocks", auto.num_blocks());
    let row = |name: &str, rate, latency, subject| row(name, rate, latency, &arguments, subject);
    let rows = [
        row("simhash-store", insert_rate, ours, "store")?,
        row("mih-rs, 4 blocks", four_rate, with_four, "mih-rs-four")?,
        row(&auto_name, auto_rate, with_auto, "mih-rs-auto")?,
    ];
    drop((four, auto));
    let persistence = persistence(store, &path, &stored, &queries)?;
    report(&arguments, &rows, &persistence)
}

fn rate(count: usize, start: Instant) -> f64 {
    count as f64 / start.elapsed().as_secs_f64()
}

fn config() -> Config {
    Config::new(SCHEME).k(K).durability(Durability::default())
}

/// Inserts everything one by one under 8-byte keys, and syncs.
fn build_store(path: &Path, stored: &[Fingerprint]) -> Result<(Store, f64), Box<dyn Error>> {
    let store = config().create(path)?;
    let start = Instant::now();
    for (number, fingerprint) in (0u64..).zip(stored) {
        store.insert(&number.to_be_bytes(), *fingerprint)?;
    }
    store.sync()?;
    let rate = rate(stored.len(), start);
    Ok((store, rate))
}

fn build_mih(
    subject: Subject,
    stored: &[Fingerprint],
) -> Result<(Index<u64>, f64), Box<dyn Error>> {
    let codes: Vec<u64> = stored.iter().map(|stored| stored.bits()).collect();
    let start = Instant::now();
    let index = match subject {
        Subject::MihRsAuto => Index::new(codes)?,
        _ => Index::with_blocks(codes, 4)?,
    };
    let rate = rate(stored.len(), start);
    Ok((index, rate))
}

/// Every query must give the same documents; a sample is scanned by force.
fn check_answers(
    store: &Store,
    index: &Index<u64>,
    stored: &[Fingerprint],
    queries: &[Fingerprint],
) -> Result<(), Box<dyn Error>> {
    let mut searcher = index.range_searcher();
    for (number, &query) in queries.iter().enumerate() {
        let mut ours: Vec<u64> = store
            .near(query, K)?
            .iter()
            .map(|found| found.doc.get())
            .collect();
        ours.sort_unstable();
        let theirs = searcher.run(query.bits(), K as usize);
        let mut theirs: Vec<u64> = theirs.iter().copied().map(u64::from).collect();
        theirs.sort_unstable();
        if ours != theirs {
            return Err(format!("{query}: store {ours:?}, mih-rs {theirs:?}").into());
        }
        if number % 100 == 0 {
            let scan = (0u64..).zip(stored);
            let near = scan.filter(|(_, stored)| stored.distance(query) <= K);
            let expected: Vec<u64> = near.map(|(doc, _)| doc).collect();
            if ours != expected {
                return Err(format!("{query}: store {ours:?}, scan {expected:?}").into());
            }
        }
    }
    Ok(())
}

fn time_queries(
    store: &Store,
    rivals: [&Index<u64>; 2],
    queries: &[Fingerprint],
    rounds: usize,
) -> Result<[Latency; 3], Box<dyn Error>> {
    let mut searchers = rivals.map(Index::range_searcher);
    let mut latencies = [Vec::new(), Vec::new(), Vec::new()];
    for _ in 0..rounds {
        let [ours, theirs @ ..] = &mut latencies;
        let near = |query| store.near(query, K).map_or(0, |found| found.len());
        ours.push(latency(queries, near));
        for (searcher, latencies) in searchers.iter_mut().zip(theirs) {
            let near = |query: Fingerprint| searcher.run(query.bits(), K as usize).len();
            latencies.push(latency(queries, near));
        }
    }
    Ok(latencies.map(median))
}

fn row(
    name: &str,
    build_per_second: f64,
    latency: Latency,
    arguments: &Arguments,
    subject: &str,
) -> Result<Row, Box<dyn Error>> {
    let child = Command::new(std::env::current_exe()?)
        .args(["--memory-of", subject, "--documents"])
        .arg(arguments.documents.to_string())
        .output()?;
    let resident = String::from_utf8(child.stdout)?.trim().parse().ok();
    Ok(Row {
        name: name.to_owned(),
        build_per_second,
        p50_us: latency.p50,
        p99_us: latency.p99,
        queries_per_second: latency.rate,
        resident_bytes: resident,
    })
}

/// In a process of its own: the growth of resident memory over the data.
fn print_memory(subject: Subject, stored: &[Fingerprint]) -> Result<(), Box<dyn Error>> {
    let before = memory::resident_bytes().ok_or("the system does not tell")?;
    let after = match subject {
        Subject::Store => {
            let dir = tempfile::tempdir()?;
            let (store, _) = build_store(&dir.path().join("store"), stored)?;
            let after = memory::resident_bytes();
            store.close()?;
            after
        }
        Subject::MihRsFour | Subject::MihRsAuto => {
            let (index, _) = build_mih(subject, stored)?;
            let after = memory::resident_bytes();
            drop(index);
            after
        }
    };
    let after = after.ok_or("the system does not tell")?;
    println!("{}", after.saturating_sub(before));
    Ok(())
}

/// Closes, reopens and compacts; the answers must stay the same.
fn persistence(
    store: Store,
    path: &Path,
    stored: &[Fingerprint],
    queries: &[Fingerprint],
) -> Result<Persistence, Box<dyn Error>> {
    let expected = answers(&store, queries)?;
    let disk_bytes_log_only = store.stats()?.disk_bytes;
    store.close()?;

    let start = Instant::now();
    let store = config().open(path)?;
    let reopen_seconds_log_only = start.elapsed().as_secs_f64();
    if answers(&store, queries)? != expected {
        return Err("other answers after reopening".into());
    }
    let start = Instant::now();
    let report = store.compact()?;
    let compact_seconds = start.elapsed().as_secs_f64();
    store.close()?;

    let start = Instant::now();
    let store = config().open(path)?;
    let reopen_seconds_compacted = start.elapsed().as_secs_f64();
    if answers(&store, queries)? != expected {
        return Err("other answers after compaction".into());
    }
    drop(store);
    Ok(Persistence {
        check_and_insert_per_second: check_and_insert_rate(&path.with_extension("2"), stored)?,
        disk_bytes_log_only,
        disk_bytes_compacted: report.disk_bytes_after,
        compact_seconds,
        reopen_seconds_log_only,
        reopen_seconds_compacted,
    })
}

fn answers(store: &Store, queries: &[Fingerprint]) -> Result<Vec<Vec<u64>>, Box<dyn Error>> {
    queries
        .iter()
        .map(|query| {
            let near = store.near(*query, K)?;
            Ok(near.iter().map(|found| found.doc.get()).collect())
        })
        .collect()
}

fn check_and_insert_rate(path: &Path, stored: &[Fingerprint]) -> Result<f64, Box<dyn Error>> {
    let store = config().create(path)?;
    let start = Instant::now();
    for (number, fingerprint) in (0u64..).zip(stored) {
        store.check_and_insert(&number.to_be_bytes(), *fingerprint)?;
    }
    store.sync()?;
    Ok(rate(stored.len(), start))
}

fn report(
    arguments: &Arguments,
    rows: &[Row],
    persistence: &Persistence,
) -> Result<(), Box<dyn Error>> {
    let [ours, theirs @ ..] = rows else {
        return Err("nothing was measured".into());
    };
    let fastest = theirs.iter().map(|row| row.p50_us).fold(f64::MAX, f64::min);
    let ratio = fastest / ours.p50_us;
    if arguments.json {
        let json = serde_json::json!({
            "documents": arguments.documents,
            "k": K,
            "rows": rows,
            "persistence": persistence,
            "p50_ratio": ratio,
        });
        println!("{json}");
        return Ok(());
    }
    let documents = arguments.documents as f64;
    println!(
        "{} random fingerprints, k = {K}, {} queries a round, median of {} rounds; answers equal",
        arguments.documents, arguments.queries, arguments.rounds
    );
    println!(
        "{:<16} {:>10} {:>9} {:>9} {:>12} {:>10} {:>8}",
        "", "inserts/s", "p50 us", "p99 us", "queries/s", "RSS MiB", "B/doc"
    );
    for row in rows {
        let resident = row.resident_bytes.unwrap_or(0) as f64;
        println!(
            "{:<16} {:>10.0} {:>9.2} {:>9.2} {:>12.0} {:>10.0} {:>8.1}",
            row.name,
            row.build_per_second,
            row.p50_us,
            row.p99_us,
            row.queries_per_second,
            resident / f64::from(1 << 20),
            resident / documents
        );
    }
    println!("p50 of the faster mih-rs / p50 of simhash-store: {ratio:.2}");
    print_persistence(persistence, documents);
    Ok(())
}

fn print_persistence(persistence: &Persistence, documents: f64) {
    let mib = |bytes: u64| bytes as f64 / f64::from(1 << 20);
    println!();
    println!(
        "check_and_insert  {:>10.0} /s",
        persistence.check_and_insert_per_second
    );
    for (name, bytes, seconds) in [
        (
            "log only",
            persistence.disk_bytes_log_only,
            persistence.reopen_seconds_log_only,
        ),
        (
            "compacted",
            persistence.disk_bytes_compacted,
            persistence.reopen_seconds_compacted,
        ),
    ] {
        println!(
            "{name:<12} disk {:>7.1} MiB ({:>5.1} B/doc), reopen {seconds:>6.3} s",
            mib(bytes),
            bytes as f64 / documents
        );
    }
    println!("compact           {:>10.3} s", persistence.compact_seconds);
}
