//! Processes that die, or whose disk fills up, while they write: nothing that
//! was acknowledged is lost, and the store stays sound.
//!
//! The test runs itself again as the child that is killed. The child tells
//! every acknowledgement over a pipe; the parent opens the store after the
//! kill and looks for all of them, in every table.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod support;

use std::collections::BTreeMap;
use std::env;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use simhash_store::{Config, Durability, Error, Fingerprint, Store};
use support::mixed;

const SCHEME: &str = "test/1";
const THREADS: u64 = 3;
const ROUNDS: u64 = 12;
/// Changed to try other moments; a failure names the round.
const SEED: u64 = 20_260;

fn main() {
    let arguments: Vec<String> = env::args().collect();
    match arguments.get(1).map(String::as_str) {
        Some("child-inserts") => child_inserts(Path::new(&arguments[2]), &arguments[3]),
        Some("child-fills-disk") => child_fills_disk(Path::new(&arguments[2])),
        // What cargo-nextest asks of every test program.
        Some("--list") => {
            if !arguments.iter().any(|argument| argument == "--ignored") {
                println!("crash: test");
            }
        }
        _ => {
            acknowledged_documents_survive_kills();
            println!("test acknowledged_documents_survive_kills ... ok");
            if cfg!(unix) {
                a_full_disk_poisons_the_store_and_loses_nothing();
                println!("test a_full_disk_poisons_the_store_and_loses_nothing ... ok");
            }
        }
    }
}

fn open(path: &Path, durability: Durability) -> Store {
    Config::new(SCHEME)
        .durability(durability)
        .open_or_create(path)
        .unwrap()
}

/// Says `line` to the parent, whole.
fn acknowledge(line: &str) {
    let mut stdout = std::io::stdout().lock();
    stdout.write_all(line.as_bytes()).unwrap();
    stdout.flush().unwrap();
}

/// Inserts, moves and removes documents from several threads and compacts now
/// and then, until it is killed.
fn child_inserts(path: &Path, round: &str) {
    let store = open(path, Durability::Sync);
    acknowledge("open\n");
    thread::scope(|scope| {
        for thread in 0..THREADS {
            let store = &store;
            scope.spawn(move || {
                for n in 0.. {
                    let key = format!("{round}/{thread}/{}", n % 50);
                    let bits = mixed(mixed(round.parse::<u64>().unwrap()) ^ thread << 40 ^ n);
                    if mixed(bits).is_multiple_of(5) {
                        acknowledge(&format!("remove? {key}\n"));
                        store.remove(key.as_bytes()).unwrap();
                        acknowledge(&format!("removed {key}\n"));
                    } else {
                        acknowledge(&format!("insert? {key} {bits:016x}\n"));
                        let fingerprint = Fingerprint::from_bits(bits);
                        store.insert(key.as_bytes(), fingerprint).unwrap();
                        acknowledge(&format!("inserted {key} {bits:016x}\n"));
                    }
                }
            });
        }
        scope.spawn(|| {
            loop {
                store.compact().unwrap();
                thread::sleep(Duration::from_millis(5));
            }
        });
    });
}

/// What the parent knows of a key: its acknowledged state, and what a call
/// that was never answered may have made of it.
#[derive(Clone, Debug, Default)]
struct Known {
    acknowledged: Option<u64>,
    attempted: Option<Option<u64>>,
}

fn acknowledged_documents_survive_kills() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("store");
    let mut known: BTreeMap<String, Known> = BTreeMap::new();
    let mut acknowledgements = 0;
    for round in 0..ROUNDS {
        let mut child = start(&path, round);
        let output = BufReader::new(child.stdout.take().unwrap());
        let killer = thread::spawn(move || {
            // The first rounds die while opening, too.
            thread::sleep(Duration::from_millis(
                mixed(SEED + round) % (40 + 60 * round),
            ));
            child.kill().unwrap();
            child.wait().unwrap();
        });
        for line in output.lines() {
            acknowledgements += usize::from(note(&mut known, &line.unwrap()));
        }
        killer.join().unwrap();
        check_round(&path, &mut known, round);
    }
    assert!(acknowledgements > 20, "only {acknowledgements} operations");
}

fn start(path: &Path, round: u64) -> Child {
    Command::new(env::current_exe().unwrap())
        .arg("child-inserts")
        .arg(path)
        .arg(round.to_string())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap()
}

/// Takes in a line of the child. True for an acknowledgement.
fn note(known: &mut BTreeMap<String, Known>, line: &str) -> bool {
    let words: Vec<&str> = line.split(' ').collect();
    let bits = |text: &str| u64::from_str_radix(text, 16).unwrap();
    let mut set = |key: &str, attempted, acknowledged| {
        let entry = known.entry(key.to_owned()).or_default();
        entry.attempted = attempted;
        if let Some(state) = acknowledged {
            entry.acknowledged = state;
        }
    };
    match words[..] {
        ["insert?", key, hex] if hex.len() == 16 => set(key, Some(Some(bits(hex))), None),
        ["remove?", key] => set(key, Some(None), None),
        ["inserted", key, hex] if hex.len() == 16 => set(key, None, Some(Some(bits(hex)))),
        ["removed", key] => set(key, None, Some(None)),
        _ => return false,
    }
    matches!(words[0], "inserted" | "removed")
}

/// Opens the store after a kill and looks for everything.
fn check_round(path: &Path, known: &mut BTreeMap<String, Known>, round: u64) {
    let store = open(path, Durability::Manual);
    for (key, known) in known.iter_mut() {
        let document = store.get(key.as_bytes()).unwrap();
        let bits = document.map(|document| document.fingerprint.bits());
        let allowed = bits == known.acknowledged || known.attempted == Some(bits);
        assert!(allowed, "round {round}: {key} is {bits:?}, {known:?}");
        if let Some(document) = document {
            assert_in_every_table(&store, document.fingerprint);
        }
        *known = Known {
            acknowledged: bits,
            attempted: None,
        };
    }
    let report = store.verify().unwrap();
    assert!(report.is_sound(), "round {round}: {:?}", report.faults);
}

/// A query that differs by one bit in each of three blocks can find its
/// neighbour only through the table of the fourth.
fn assert_in_every_table(store: &Store, fingerprint: Fingerprint) {
    for table in 0..4 {
        let others = (0..4).filter(|block| *block != table);
        let query = others.fold(fingerprint.bits(), |bits, block| {
            bits ^ (1 << (63 - 16 * block))
        });
        let near = store.near(Fingerprint::from_bits(query), 3).unwrap();
        let found = near.iter().any(|found| found.fingerprint == fingerprint);
        assert!(found, "{fingerprint} is not in table {table}");
    }
}

/// Inserts until the file size limit stops it, then shows that the store
/// still answers and refuses to write.
fn child_fills_disk(path: &Path) {
    let store = open(path, Durability::Sync);
    let key = |n: u64| format!("{n}/{}", "long".repeat(500));
    for n in 0..1_000_000 {
        match store.insert(key(n).as_bytes(), Fingerprint::from_bits(mixed(n))) {
            Ok(_) => acknowledge(&format!("{n}\n")),
            Err(error) => {
                assert!(matches!(error, Error::Poisoned { .. }), "{error}");
                let again = store.insert(b"again", Fingerprint::from_bits(1));
                assert!(matches!(again, Err(Error::Poisoned { .. })));
                // Even where nothing would be written: what the answer tells
                // of may not survive.
                let known = store.check_and_insert(b"new", Fingerprint::from_bits(mixed(0)));
                assert!(matches!(known, Err(Error::Poisoned { .. })));
                assert!(matches!(store.remove(b"-"), Err(Error::Poisoned { .. })));
                assert!(matches!(store.sync(), Err(Error::Poisoned { .. })));
                assert!(matches!(store.compact(), Err(Error::Poisoned { .. })));
                let near = store.near(Fingerprint::from_bits(mixed(0)), 0).unwrap();
                assert_eq!(near.len(), 1);
                assert!(store.get(key(0).as_bytes()).unwrap().is_some());
                acknowledge("poisoned\n");
                return;
            }
        }
    }
}

fn a_full_disk_poisons_the_store_and_loses_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("store");
    // A write past the limit fails with EFBIG once the signal is ignored.
    let output = Command::new("sh")
        .arg("-c")
        .arg(r#"trap '' XFSZ; ulimit -f 65536; exec "$0" child-fills-disk "$1""#)
        .arg(env::current_exe().unwrap())
        .arg(&path)
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    let mut lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.pop(), Some("poisoned"), "{errors}");
    let acknowledged: u64 = lines.last().unwrap().parse().unwrap();
    let store = open(&path, Durability::Manual);
    for n in 0..=acknowledged {
        let near = store.near(Fingerprint::from_bits(mixed(n)), 0).unwrap();
        assert_eq!(near.len(), 1, "document {n} is lost");
    }
    let report = store.verify().unwrap();
    assert!(report.is_sound(), "{:?}", report.faults);
}
