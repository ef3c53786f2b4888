//! Readers of our output that go away early.

use std::io::{BufRead, BufReader, Read};
use std::process::Child;

use crate::command::{Dir, command, run, unlike_documents};

/// More than a pipe holds, so that the writer must notice.
const COUNT: usize = 5000;

/// Reads one line of the output, closes the pipe, and waits for the end.
fn read_one_line(mut child: Child) -> (String, Option<i32>, String) {
    let mut line = String::new();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    stdout.read_line(&mut line).unwrap();
    drop(stdout);
    let mut stderr = String::new();
    child
        .stderr
        .take()
        .unwrap()
        .read_to_string(&mut stderr)
        .unwrap();
    (line, child.wait().unwrap().code(), stderr)
}

#[test]
fn a_printer_ends_quietly() {
    let dir = Dir::new();
    let file = dir.file("a.jsonl", unlike_documents(COUNT));
    let child = command(["fingerprint", &file, "--json"]).spawn().unwrap();
    let (line, code, stderr) = read_one_line(child);
    assert!(line.starts_with("{\"key\":\"0\""), "{line}");
    assert_eq!((code, stderr.as_str()), (Some(0), ""));
}

#[test]
fn ingest_finishes_its_work() {
    let dir = Dir::new();
    let file = dir.file("a.jsonl", unlike_documents(COUNT));
    let child = command(["ingest", &dir.store(), &file, "--json"])
        .spawn()
        .unwrap();
    let (_, code, stderr) = read_one_line(child);
    assert_eq!(code, Some(0));
    assert!(
        stderr.starts_with("documents"),
        "only the summary: {stderr}"
    );
    let stats = run(["stats", &dir.store(), "--json"]).expect(0).json();
    assert_eq!(stats[0]["durable_upto"], COUNT);
}
