//! Asking a store.

use crate::command::{Dir, run, run_with, unlike_documents, unlike_text};

fn filled() -> Dir {
    let dir = Dir::new();
    run_with(["ingest", &dir.store()], unlike_documents(20).as_bytes()).expect(0);
    dir
}

#[test]
fn text_file_and_stdin_ask_for_the_same() {
    let dir = filled();
    let text = unlike_text(7);
    let by_text = run(["query", &dir.store(), "--text", &text, "--json"]).expect(0);
    assert_eq!(by_text.json()[0]["key"], "7");
    assert_eq!(by_text.json()[0]["distance"], 0);
    let page = zstd::stream::encode_all(format!("<p>{text}").as_bytes(), 1).unwrap();
    for name in ["page.html.zst", "page"] {
        let file = dir.file(name, &page);
        let by_file = run(["query", &dir.store(), "--file", &file, "--json"]);
        assert_eq!(by_file.expect(0), by_text);
    }
    let by_stdin = run_with(
        ["query", &dir.store(), "--file", "-", "--json"],
        text.as_bytes(),
    );
    assert_eq!(by_stdin.expect(0), by_text);
}

#[test]
fn a_query_stores_nothing() {
    let dir = filled();
    for _ in 0..2 {
        let args = ["query", &dir.store(), "--text", "words never seen before"];
        assert_eq!(
            run(args).expect(0).stdout,
            "no document within k = 3 bits\n"
        );
    }
}

#[test]
fn limit_keeps_the_nearest() {
    let dir = Dir::new();
    {
        let config = simhash_store::Config::new("words-logtf-xxh3/1");
        let store = config.create(dir.store()).unwrap();
        for (key, bits) in [("three", 0b111), ("one", 0b1), ("two", 0b11), ("zero", 0)] {
            let fingerprint = simhash_store::Fingerprint::from_bits(bits);
            store.insert(key.as_bytes(), fingerprint).unwrap();
        }
        store.close().unwrap();
    }
    let ask = |limit: &str| {
        let zero = "0000000000000000";
        let args = [
            "query",
            &dir.store(),
            "--fingerprint",
            zero,
            "--json",
            "--limit",
            limit,
        ];
        let found = run(args).expect(0).json();
        found
            .iter()
            .map(|line| line["key"].as_str().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(ask("2"), ["zero", "one"]);
    assert_eq!(ask("99"), ["zero", "one", "two", "three"]);
    let people = run(["query", &dir.store(), "--fingerprint", "0000000000000000"]).expect(0);
    let expected = "\
distance  doc  fingerprint       key
       0    3  0000000000000000  zero
       1    1  0000000000000001  one
       2    2  0000000000000003  two
       3    0  0000000000000007  three
";
    assert_eq!(people.stdout, expected);
}

#[test]
fn what_has_no_fingerprint_cannot_be_asked_for() {
    let dir = filled();
    let run = run(["query", &dir.store(), "--text", " -- "]).expect(2);
    assert!(run.stderr.contains("no features"), "{}", run.stderr);
    assert_eq!(run.stdout, "");
}

#[test]
fn a_query_takes_one_document_only() {
    let dir = filled();
    let file = dir.file("many.jsonl", unlike_documents(3));
    let many = run(["query", &dir.store(), "--file", &file]).expect(2);
    assert!(
        many.stderr.contains("is not one document"),
        "{}",
        many.stderr
    );
    let missing = run(["query", &dir.store(), "--file", &dir.path("missing")]).expect(2);
    assert!(
        missing.stderr.contains("missing: cannot read"),
        "{}",
        missing.stderr
    );
}

#[test]
fn one_of_text_file_and_fingerprint_must_be_given() {
    let dir = filled();
    run(["query", &dir.store()]).expect(2);
    run([
        "query",
        &dir.store(),
        "--text",
        "a",
        "--fingerprint",
        "0000000000000000",
    ])
    .expect(2);
    run(["query", &dir.store(), "--fingerprint", "12345"]).expect(2);
}
