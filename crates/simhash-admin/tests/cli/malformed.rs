//! Inputs that cannot be used: reported by file and line, and passed over.

use crate::command::{Dir, run, unlike_documents, unlike_text};

/// Each kind of bad line, and what is said about it.
const BAD: [(&[u8], &str); 9] = [
    (b"{\"id\":1,\"text\":", "bad JSON at column 15: EOF"),
    (b"plain words", "bad JSON at column"),
    (b"[\"id\",\"text\"]", "not a JSON object"),
    (b"{\"text\":\"no key\"}", "no key: neither `id` nor `url`"),
    (b"{\"id\":{},\"text\":\"t\"}", "`id` must be a string or a 64-bit integer"),
    (b"{\"id\":\"a\"}", "no text: neither `text` nor `html`"),
    (b"{\"id\":\"a\",\"text\":[1]}", "`text` must be a string"),
    (b"{\"id\":\"a\",\"text\":\"\xc3\"}", "invalid UTF-8 at byte 18"),
    (b"{\"id\":\"a\",\"text\":\"longer than it may be, by far: ....................................................................................................................................................................................................................................................\"}",
     "longer than 256 B"),
];

/// Good line, bad line, blank line, and so on, with a good line at the end.
fn mixed() -> Vec<u8> {
    let mut lines = Vec::new();
    for (index, (bad, _)) in BAD.iter().enumerate() {
        lines.extend(format!("{{\"id\":{index},\"text\":\"w{index}a w{index}b\"}}\n").bytes());
        lines.extend(*bad);
        lines.extend(b"\n\n");
    }
    lines.extend(b"{\"id\":\"last\",\"text\":\"the end\"}");
    lines
}

#[test]
fn every_kind_of_bad_line_is_reported_and_the_run_goes_on() {
    let dir = Dir::new();
    let file = dir.file("a.jsonl", mixed());
    let args = [
        "ingest",
        &dir.store(),
        &file,
        "--json",
        "--max-document",
        "256",
    ];
    let run = run(args).expect(3);
    assert_eq!(run.json().len(), BAD.len() + 1, "all good lines");
    assert_eq!(run.json()[BAD.len()]["key"], "last");
    for (index, (_, what)) in BAD.iter().enumerate() {
        let place = format!("{file}:{}: {what}", 3 * index + 2);
        let told = run.stderr.lines().filter(|line| line.starts_with(&place));
        assert_eq!(told.count(), 1, "{place} in {}", run.stderr);
    }
    let unusable = run.stderr.lines().find(|line| line.starts_with("unusable"));
    assert!(unusable.unwrap().ends_with(" 9"), "{}", run.stderr);
}

#[test]
fn strict_stops_at_the_first_and_keeps_what_was_before() {
    let dir = Dir::new();
    let file = dir.file("a.jsonl", mixed());
    let ingest = run(["ingest", &dir.store(), &file, "--json", "--strict"]).expect(3);
    assert_eq!(ingest.json().len(), 1);
    assert!(ingest.stderr.starts_with(&format!("{file}:2: bad JSON")));
    let stats = run(["stats", &dir.store(), "--json"]).expect(0).json();
    assert_eq!(
        (&stats[0]["documents"], &stats[0]["durable_upto"]),
        (&1.into(), &1.into())
    );
    let printed = run(["fingerprint", &file, "--json", "--strict"]).expect(3);
    assert_eq!(printed.json().len(), 1);
}

#[test]
fn files_that_cannot_be_used_do_not_stop_the_others() {
    let dir = Dir::new();
    let missing = dir.path("missing.txt");
    let latin1 = dir.file("latin1.txt", b"caf\xe9");
    let long = dir.file("long.txt", "word ".repeat(2000));
    let good = dir.file("good.txt", unlike_text(1));
    let inputs = [missing.as_str(), &latin1, &long, &good];
    let args = [
        &["fingerprint", "--json", "--max-document", "4KiB"],
        &inputs[..],
    ]
    .concat();
    let run = run(args).expect(3);
    assert_eq!(run.json().len(), 1);
    assert_eq!(run.json()[0]["key"], good.as_str());
    let told: Vec<&str> = run.stderr.lines().collect();
    assert_eq!(told.len(), 3);
    assert!(told[0].starts_with(&format!("{missing}: cannot read: No such file")));
    assert_eq!(told[1], format!("{latin1}: invalid UTF-8 at byte 3"));
    assert!(told[2].starts_with(&format!("{long}: longer than 4 KiB")));
}

#[test]
fn a_truncated_gzip_gives_its_whole_lines_and_an_error() {
    let dir = Dir::new();
    let lines = unlike_documents(2000);
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    std::io::Write::write_all(&mut encoder, lines.as_bytes()).unwrap();
    let mut packed = encoder.finish().unwrap();
    packed.truncate(packed.len() / 2);
    let truncated = dir.file("a.jsonl.gz", packed);
    let next = dir.file("b.txt", "the next file");
    let run = run(["fingerprint", &truncated, &next, "--json"]).expect(3);
    let read = run.json();
    assert!(read.len() > 100 && read.len() < 2000, "{}", read.len());
    assert_eq!(read.last().unwrap()["key"], next.as_str());
    for (number, line) in read[..read.len() - 1].iter().enumerate() {
        assert_eq!(line["key"], number.to_string());
    }
    let place = format!(
        "{truncated}:{}: cannot read: damaged or truncated gzip",
        read.len()
    );
    assert!(run.stderr.starts_with(&place), "{}", run.stderr);
}

#[test]
fn a_key_that_the_store_does_not_take_is_one_bad_line() {
    let dir = Dir::new();
    let long = "k".repeat(70_000);
    let lines = format!("{{\"id\":\"{long}\",\"text\":\"a b\"}}\n{{\"id\":1,\"text\":\"c d\"}}\n");
    let file = dir.file("a.jsonl", lines);
    let run = run(["ingest", &dir.store(), &file, "--json"]).expect(3);
    assert_eq!(run.json().len(), 1);
    let told = format!("{file}:1: key of 70000 bytes");
    assert!(run.stderr.starts_with(&told), "{}", run.stderr);
}
