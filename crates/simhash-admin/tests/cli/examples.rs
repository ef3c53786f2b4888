//! The example documents through every command, checked against brute force.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::command::{Dir, examples, run};

const K: u32 = 3;

/// A document and its fingerprint, as `fingerprint --json` prints them.
struct Document {
    key: String,
    fingerprint: u64,
}

fn documents() -> Vec<Document> {
    let printed = run(["fingerprint", &examples(), "--json"]).expect(0);
    assert_eq!(printed.stderr, "");
    let lines = printed.json().into_iter();
    lines
        .map(|line| {
            assert_eq!(line.as_object().unwrap().len(), 2, "{line}");
            Document {
                key: line["key"].as_str().unwrap().to_owned(),
                fingerprint: bits(&line["fingerprint"]),
            }
        })
        .collect()
}

fn bits(fingerprint: &Value) -> u64 {
    let hex = fingerprint.as_str().unwrap();
    assert_eq!(hex.len(), 16, "{hex}");
    u64::from_str_radix(hex, 16).unwrap()
}

fn distance(a: u64, b: u64) -> u32 {
    (a ^ b).count_ones()
}

/// The lines that `ingest --json` should print into an empty store, and the
/// documents that are stored, in the order of their numbers.
fn expected(documents: &[Document]) -> (Vec<Value>, Vec<&Document>) {
    let mut stored: Vec<&Document> = Vec::new();
    let mut lines = Vec::new();
    for document in documents {
        let near = |known: &&&Document| distance(known.fingerprint, document.fingerprint);
        // Of several nearest, the first stored.
        let nearest = stored
            .iter()
            .filter(|known| near(known) <= K)
            .min_by_key(near);
        let (doc, outcome, of, distance) = match nearest {
            Some(known) => (
                None,
                "duplicate",
                Some(&known.key),
                Some(distance(known.fingerprint, document.fingerprint)),
            ),
            None => (Some(stored.len()), "new", None, None),
        };
        lines.push(json!({
            "key": document.key,
            "doc": doc,
            "fingerprint": format!("{:016x}", document.fingerprint),
            "outcome": outcome,
            "of": of,
            "distance": distance,
        }));
        if doc.is_some() {
            stored.push(document);
        }
    }
    (lines, stored)
}

#[test]
fn ingest_finds_what_brute_force_finds() {
    let dir = Dir::new();
    let documents = documents();
    assert_eq!(documents.len(), 460);
    let (expected, _) = expected(&documents);
    let ingest = run(["ingest", &dir.store(), &examples(), "--json"]).expect(0);
    assert_eq!(ingest.json(), expected);
    let fields = r#"{"key":"18f/"#;
    assert!(ingest.stdout.starts_with(fields), "fields in their order");
}

#[test]
fn versions_of_a_page_are_found_as_duplicates_of_each_other() {
    let dir = Dir::new();
    let ingest = run(["ingest", &dir.store(), &examples(), "--json"]).expect(0);
    let page = |key: &Value| key.as_str().unwrap().split('@').next().unwrap().to_owned();
    let lines = ingest.json();
    let duplicates: Vec<&Value> = lines
        .iter()
        .filter(|line| line["outcome"] == "duplicate")
        .collect();
    let of_same_page = duplicates
        .iter()
        .filter(|line| page(&line["key"]) == page(&line["of"]))
        .count();
    assert!(duplicates.len() > 150, "{}", duplicates.len());
    // The others are pages that were renamed between versions.
    assert!(of_same_page * 5 >= duplicates.len() * 4, "{of_same_page}");
}

#[test]
fn a_second_run_changes_nothing() {
    let dir = Dir::new();
    let first = run(["ingest", &dir.store(), &examples(), "--json"]).expect(0);
    let second = run(["ingest", &dir.store(), &examples(), "--json"]).expect(0);
    for (first, second) in first.json().iter().zip(second.json()) {
        assert_eq!(second["doc"], first["doc"]);
        if first["outcome"] == "new" {
            assert_eq!(second["outcome"], "unchanged");
        } else {
            // By now a nearer one may be known that came later in the input.
            assert_eq!(second["outcome"], "duplicate");
            assert!(second["distance"].as_u64() <= first["distance"].as_u64());
        }
    }
    let stats = run(["stats", &dir.store(), "--json"]).expect(0).json();
    let new = first.stdout.matches("\"outcome\":\"new\"").count();
    assert_eq!(stats[0]["operations"], new);
}

#[test]
fn the_number_of_threads_does_not_show() {
    let outputs = ["1", "2", "9"].map(|threads| {
        let dir = Dir::new();
        let args = [
            "ingest",
            &dir.store(),
            &examples(),
            "--json",
            "--threads",
            threads,
        ];
        run(args).expect(0).stdout
    });
    assert!(outputs[0] == outputs[1] && outputs[0] == outputs[2]);
}

#[test]
fn query_finds_what_brute_force_finds_before_and_after_a_compaction() {
    let dir = Dir::new();
    let documents = documents();
    let (_, stored) = expected(&documents);
    run(["ingest", &dir.store(), &examples()]).expect(0);
    for compacted in [false, true] {
        if compacted {
            run(["compact", &dir.store()]).expect(0);
        }
        for probe in documents.iter().step_by(40) {
            for k in 0..=K {
                let asked = format!("{:016x}", probe.fingerprint);
                let found = run([
                    "query",
                    &dir.store(),
                    "--json",
                    "--fingerprint",
                    &asked,
                    "-k",
                    &k.to_string(),
                ]);
                assert_eq!(found.expect(0).json(), neighbours(&stored, probe, k));
            }
        }
    }
}

/// The lines that `query --json` should print.
fn neighbours(stored: &[&Document], probe: &Document, k: u32) -> Vec<Value> {
    let mut found: Vec<(u32, usize)> = stored
        .iter()
        .enumerate()
        .map(|(doc, known)| (distance(known.fingerprint, probe.fingerprint), doc))
        .filter(|(distance, _)| *distance <= k)
        .collect();
    found.sort_unstable();
    let line = |(distance, doc): (u32, usize)| {
        json!({
            "key": stored[doc].key,
            "doc": doc,
            "fingerprint": format!("{:016x}", stored[doc].fingerprint),
            "distance": distance,
        })
    };
    found.into_iter().map(line).collect()
}

#[test]
fn stats_compact_and_verify_agree_on_the_numbers() {
    let dir = Dir::new();
    let documents = documents();
    let (_, stored) = expected(&documents);
    let count = stored.len();
    let fingerprints: BTreeSet<u64> = stored.iter().map(|known| known.fingerprint).collect();
    run(["ingest", &dir.store(), &examples()]).expect(0);

    let stats = |merged: usize| {
        let stats = run(["stats", &dir.store(), "--json"])
            .expect(0)
            .json()
            .remove(0);
        assert_eq!(stats["scheme"], "words-logtf-xxh3/1");
        assert_eq!(stats["documents"], count);
        assert_eq!(stats["distinct_fingerprints"], fingerprints.len());
        assert_eq!(stats["operations"], count);
        assert_eq!(stats["durable_upto"], count);
        assert_eq!(stats["merged_upto"], merged);
        assert_eq!(stats["tables"].as_array().unwrap().len(), 4);
        assert_eq!(stats["tables"][0]["entries"], count);
    };
    let verify = |buckets: &Value| {
        let report = run(["verify", &dir.store(), "--json"])
            .expect(0)
            .json()
            .remove(0);
        assert_eq!(report["faults"], json!([]));
        assert_eq!(report["documents"], count);
        assert_eq!(report["operations"], count);
        assert_eq!(&report["buckets"], buckets);
    };
    stats(0);
    verify(&json!(0));
    let compact = run(["compact", &dir.store(), "--json"])
        .expect(0)
        .json()
        .remove(0);
    assert_eq!(compact["merged"], count);
    assert_eq!(compact["merged_upto"], count);
    stats(count);
    verify(&compact["buckets_written"]);
    let again = run(["compact", &dir.store(), "--json"])
        .expect(0)
        .json()
        .remove(0);
    assert_eq!(again["merged"], 0);
}

#[test]
fn the_forms_for_people_say_the_same() {
    let dir = Dir::new();
    let documents = documents();
    let (lines, stored) = expected(&documents);
    let ingest = run(["ingest", &dir.store(), &examples(), "--show", "5"]).expect(0);
    assert_eq!(ingest.stderr, "");
    let shown: Vec<&str> = ingest
        .stdout
        .lines()
        .filter(|line| line.starts_with("distance"))
        .collect();
    let duplicates: Vec<&Value> = lines.iter().filter(|line| line["of"].is_string()).collect();
    assert_eq!(shown.len(), 5);
    for (shown, duplicate) in shown.iter().zip(&duplicates) {
        for field in ["key", "of"] {
            assert!(
                shown.contains(duplicate[field].as_str().unwrap()),
                "{shown}"
            );
        }
        assert!(
            shown.starts_with(&format!("distance {} ", duplicate["distance"])),
            "{shown}"
        );
    }
    let more = format!("and {} more duplicates", duplicates.len() - 5);
    assert!(ingest.stdout.contains(&more), "{}", ingest.stdout);
    assert_eq!(number_after(&ingest.stdout, "documents "), 460);
    assert_eq!(number_after(&ingest.stdout, "  new "), stored.len());
    let exact = duplicates
        .iter()
        .filter(|line| line["distance"] == 0)
        .count();
    assert_eq!(number_after(&ingest.stdout, "  exact duplicates "), exact);
    assert_eq!(
        number_after(&ingest.stdout, "  near-duplicates "),
        duplicates.len() - exact
    );

    let stats = run(["stats", &dir.store()]).expect(0).stdout;
    assert_eq!(number_after(&stats, "documents "), stored.len());
    let compact = run(["compact", &dir.store()]).expect(0).stdout;
    assert_eq!(number_after(&compact, "operations merged "), stored.len());
    let verify = run(["verify", &dir.store()]).expect(0).stdout;
    assert!(verify.ends_with("sound\n"), "{verify}");
}

/// The first number on the line that begins with `label`.
fn number_after(text: &str, label: &str) -> usize {
    let line = text.lines().find_map(|line| line.strip_prefix(label));
    let number = line.unwrap_or_else(|| panic!("{label:?} in {text}"));
    let number = number.split_whitespace().next().unwrap();
    number.replace(',', "").parse().unwrap()
}
