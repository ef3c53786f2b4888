//! Each outcome of `ingest`, on documents made for it.

use serde_json::{Value, json};

use crate::command::{Dir, Run, run, run_with, unlike_text};

fn ingest(dir: &Dir, lines: &str) -> Run {
    run_with(["ingest", &dir.store(), "--json"], lines.as_bytes()).expect(0)
}

fn line(key: &str, text: &str) -> String {
    json!({"id": key, "text": text}).to_string() + "\n"
}

fn outcomes(run: &Run) -> Vec<(String, Value)> {
    let of = |line: Value| {
        (
            line["outcome"].as_str().unwrap().to_owned(),
            line["doc"].clone(),
        )
    };
    run.json().into_iter().map(of).collect()
}

#[test]
fn documents_without_words_are_empty_and_never_duplicates_of_each_other() {
    let dir = Dir::new();
    let run = ingest(
        &dir,
        &(line("a", "") + &line("b", " ...\n") + &line("c", "")),
    );
    let empty = |key| {
        json!({"key": key, "doc": null, "fingerprint": null, "outcome": "empty", "of": null,
               "distance": null})
    };
    assert_eq!(run.json(), ["a", "b", "c"].map(empty));
    assert!(run.stderr.contains("empty"), "the summary goes to stderr");
}

#[test]
fn a_known_key_with_another_text_is_updated() {
    let dir = Dir::new();
    let (old, new) = (unlike_text(1), unlike_text(2));
    let first = ingest(&dir, &line("a", &old));
    let second = ingest(
        &dir,
        &(line("a", &new) + &line("a", &new) + &line("b", &old)),
    );
    assert_eq!(outcomes(&first), [("new".to_owned(), json!(0))]);
    let expected = [
        ("updated", json!(1)),
        ("unchanged", json!(1)),
        ("new", json!(2)),
    ];
    let expected = expected.map(|(outcome, doc)| (outcome.to_owned(), doc));
    assert_eq!(
        outcomes(&second),
        expected,
        "the old text is no longer known"
    );
}

#[test]
fn the_same_text_under_another_key_is_a_duplicate_at_distance_0() {
    let dir = Dir::new();
    let text = unlike_text(3);
    let run = ingest(&dir, &(line("a", &text) + &line("b", &text)));
    let duplicate = &run.json()[1];
    assert_eq!(duplicate["outcome"], "duplicate");
    assert_eq!(duplicate["of"], "a");
    assert_eq!(duplicate["distance"], 0);
    assert_eq!(duplicate["doc"], Value::Null);
    assert_eq!(duplicate["fingerprint"], run.json()[0]["fingerprint"]);
}

#[test]
fn k_decides_what_is_a_near_duplicate() {
    // Texts of many words, few of which differ: some bits apart.
    let text: String = (0..100).map(|word| format!("word{word} ")).collect();
    let lines: String = (0..40)
        .map(|n| line(&n.to_string(), &format!("{text} a{n} b{n} c{n}")))
        .collect();
    let new = |k: &str| {
        let dir = Dir::new();
        let run = run_with(
            ["ingest", &dir.store(), "--json", "-k", k],
            lines.as_bytes(),
        );
        run.expect(0).stdout.matches("\"new\"").count()
    };
    assert!(
        new("0") > new("1") && new("1") >= new("3"),
        "{} {} {}",
        new("0"),
        new("1"),
        new("3")
    );
}

#[test]
fn keys_are_printed_as_they_are_to_programs_and_escaped_to_people() {
    let dir = Dir::new();
    let text = unlike_text(4);
    let lines = line("a\u{1b}[2J\n\"", &text) + &line("é 路", &text);
    let json = ingest(&dir, &lines).json();
    assert_eq!(json[0]["key"], "a\u{1b}[2J\n\"");
    assert_eq!(json[1]["key"], "é 路");
    let other = Dir::new();
    let people = run_with(["ingest", &other.store()], lines.as_bytes())
        .expect(0)
        .stdout;
    let expected = "distance 0  é 路  has the fingerprint of  a\\u{1b}[2J\\n\"\n";
    assert!(people.starts_with(expected), "{people}");
}

#[test]
fn show_0_shows_no_duplicate_but_counts_them() {
    let dir = Dir::new();
    let text = unlike_text(5);
    let lines = dir.file("a.jsonl", line("a", &text) + &line("b", &text));
    let people = run(["ingest", &dir.store(), &lines, "--show", "0"])
        .expect(0)
        .stdout;
    assert!(people.starts_with("and 1 more duplicate"), "{people}");
}
