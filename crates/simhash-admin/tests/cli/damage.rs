//! Damaged stores: `verify` finds the damage, all else refuses to run.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::command::{Dir, run, run_with, unlike_documents};

fn compacted() -> Dir {
    let dir = Dir::new();
    run_with(["ingest", &dir.store()], unlike_documents(50).as_bytes()).expect(0);
    run(["compact", &dir.store()]).expect(0);
    dir
}

#[test]
fn a_store_that_does_not_open_is_damaged_to_verify_and_unusable_to_the_rest() {
    let dir = compacted();
    let format = Path::new(&dir.store()).join("FORMAT");
    fs::write(&format, "nonsense\n").unwrap();
    let verify = run(["verify", &dir.store()]).expect(1);
    assert!(verify.stdout.starts_with("FORMAT: "), "{}", verify.stdout);
    assert!(
        verify
            .stdout
            .ends_with("damaged: the store does not open\n")
    );
    let report = run(["verify", &dir.store(), "--json"])
        .expect(1)
        .json()
        .remove(0);
    assert_eq!(report["faults"].as_array().unwrap().len(), 1);
    assert_eq!(report["fault_count"], 1);
    assert_eq!(report["faults"][0]["place"], "FORMAT");
    assert_eq!(report["documents"], Value::Null);
    for command in ["stats", "compact", "ingest"] {
        let run = run([command, &dir.store()]).expect(2);
        assert!(run.stderr.contains("FORMAT"), "{}", run.stderr);
    }
}

/// Changes one byte in the first bucket of the second table, below all of
/// the engine's own checksums.
fn damage_a_bucket(store: &str) {
    let db = sled::Config::new()
        .path(Path::new(store).join("db"))
        .segment_size(8 << 20)
        .open()
        .unwrap();
    let tree = db.open_tree("table/1").unwrap();
    let (key, value) = tree.first().unwrap().unwrap();
    let mut value = value.to_vec();
    *value.last_mut().unwrap() ^= 1;
    tree.insert(key, value).unwrap();
    tree.flush().unwrap();
}

#[test]
fn every_fault_is_a_line_and_the_exit_code_says_so() {
    let dir = compacted();
    damage_a_bucket(&dir.store());
    let report = run(["verify", &dir.store(), "--json"])
        .expect(1)
        .json()
        .remove(0);
    let faults = report["faults"].as_array().unwrap();
    assert!(!faults.is_empty());
    assert_eq!(report["documents"], 50, "the log is sound");
    let people = run(["verify", &dir.store()]).expect(1).stdout;
    for fault in faults {
        let line = ["place", "key", "what"].map(|field| fault[field].as_str().unwrap());
        let line = format!("{} {}: {}", line[0], line[1], line[2]);
        assert!(
            people.lines().any(|shown| shown == line),
            "{line} in {people}"
        );
    }
    assert!(
        people
            .trim_end()
            .lines()
            .last()
            .unwrap()
            .starts_with("damaged: ")
    );
    // Tables are derived: the answers are right, and a compaction mends them.
    assert!(
        run(["stats", &dir.store()])
            .expect(0)
            .stdout
            .contains("rebuilt")
    );
    run(["compact", &dir.store()]).expect(0);
    let mended = run(["verify", &dir.store(), "--json"])
        .expect(0)
        .json()
        .remove(0);
    assert_eq!(mended["faults"], json!([]));
}
