//! What is printed is stored, however the run ends.
#![cfg(unix)]

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Command, Stdio};

use crate::command::{Dir, command, run, run_with, unlike_documents};

/// An ingest that has printed the outcomes of `count` documents and waits for
/// more on stdin.
fn waiting(dir: &Dir, count: usize) -> Child {
    let mut child = command(["ingest", &dir.store(), "--json"])
        .stdin(Stdio::piped())
        .spawn()
        .unwrap();
    let stdin = child.stdin.as_mut().unwrap();
    stdin.write_all(unlike_documents(count).as_bytes()).unwrap();
    // Not to its end: the lines must come while the pipe is still open.
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    for _ in 0..count {
        let mut line = String::new();
        stdout.read_line(&mut line).unwrap();
        assert!(line.contains("\"new\""), "{line}");
    }
    child.stdout = Some(stdout.into_inner());
    child
}

fn signal(child: &Child, signal: &str) {
    let id = child.id().to_string();
    assert!(
        Command::new("kill")
            .args([signal, &id])
            .status()
            .unwrap()
            .success()
    );
}

fn documents(dir: &Dir) -> u64 {
    let verify = run(["verify", &dir.store(), "--json"]).expect(0).json();
    verify[0]["documents"].as_u64().unwrap()
}

#[test]
fn ctrl_c_ends_the_run_in_good_order() {
    for name in ["-INT", "-TERM"] {
        let dir = Dir::new();
        let mut child = waiting(&dir, 3);
        signal(&child, name);
        let mut summary = String::new();
        child
            .stderr
            .take()
            .unwrap()
            .read_to_string(&mut summary)
            .unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(130));
        assert!(summary.starts_with("interrupted"), "{summary}");
        assert_eq!(documents(&dir), 3);
    }
}

#[test]
fn what_was_printed_survives_a_kill() {
    let dir = Dir::new();
    let mut child = waiting(&dir, 300);
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(documents(&dir), 300);
}

#[test]
fn every_durability_gives_the_same_store_in_the_end() {
    let lines = unlike_documents(50);
    let outputs = ["sync", "manual", "interval", "5ms"].map(|durability| {
        let dir = Dir::new();
        let args = ["ingest", &dir.store(), "--json", "--durability", durability];
        let output = run_with(args, lines.as_bytes()).expect(0).stdout;
        assert_eq!(documents(&dir), 50);
        output
    });
    assert!(outputs.iter().all(|output| output == &outputs[0]));
}
