//! Stores that cannot be used: exit code 2, and a message that says why.

use simhash_store::{Config, Fingerprint};

use crate::command::{Dir, run, run_with, unlike_documents};

fn filled() -> Dir {
    let dir = Dir::new();
    run_with(["ingest", &dir.store()], unlike_documents(3).as_bytes()).expect(0);
    dir
}

#[test]
fn a_store_that_is_open_elsewhere_is_locked() {
    let dir = filled();
    let _held = Config::stored_scheme().open(dir.store()).unwrap();
    let store = dir.store();
    let commands: [&[&str]; 5] = [
        &["ingest", &store, "--json"],
        &["query", &store, "--text", "a"],
        &["stats", &store],
        &["compact", &store],
        &["verify", &store],
    ];
    for command in commands {
        let run = run(command).expect(2);
        assert_eq!(run.stdout, "");
        assert!(
            run.stderr.contains("a store can be open once"),
            "{}",
            run.stderr
        );
    }
}

#[test]
fn a_store_keeps_its_scheme() {
    let dir = Dir::new();
    let lines = unlike_documents(3);
    let ingest = |scheme: &[&str]| {
        let store = dir.store();
        let args = [&["ingest", &store, "--json"], scheme].concat();
        run_with(args, lines.as_bytes())
    };
    let made = ingest(&["--scheme", "w3-logtf-xxh3/1"]).expect(0);
    let other = ingest(&["--scheme", "words-logtf-xxh3/1"]).expect(2);
    assert!(
        other.stderr.contains("`w3-logtf-xxh3/1`"),
        "{}",
        other.stderr
    );
    assert_eq!(other.stdout, "");
    // Without the flag, the store's own.
    for (again, made) in ingest(&[]).expect(0).json().iter().zip(made.json()) {
        assert_eq!(again["outcome"], "unchanged");
        assert_eq!(again["fingerprint"], made["fingerprint"]);
    }
}

#[test]
fn wrong_arguments_leave_no_store_behind() {
    let dir = Dir::new();
    let store = dir.store();
    for wrong in [["--scheme", "words"], ["-k", "4"], ["--durability", "soon"]] {
        let run = run([&["ingest", store.as_str()], &wrong[..]].concat()).expect(2);
        assert!(!run.stderr.is_empty());
        assert!(!std::path::Path::new(&store).exists(), "{wrong:?}");
    }
}

#[test]
fn a_radius_past_the_tables_is_refused() {
    let dir = filled();
    let run = run(["query", &dir.store(), "--text", "a", "-k", "4"]).expect(2);
    assert!(run.stderr.contains("k = 4 is too large"), "{}", run.stderr);
}

#[test]
fn there_must_be_a_store() {
    let dir = Dir::new();
    let missing = dir.path("missing");
    let other = dir.file("folder/file.txt", "no store");
    let folder = dir.path("folder");
    for command in ["stats", "compact", "verify"] {
        for path in [&missing, &folder, &other] {
            let run = run([command, path]).expect(2);
            assert!(run.stderr.starts_with("simhash-admin: "), "{}", run.stderr);
        }
    }
    run(["ingest", &folder]).expect(2);
    assert_eq!(
        std::fs::read_dir(&folder).unwrap().count(),
        1,
        "nothing was created"
    );
}

#[test]
fn a_store_with_a_scheme_of_its_own_answers_fingerprints_only() {
    let dir = Dir::new();
    let store = Config::new("in-house-7").create(dir.store()).unwrap();
    store.insert(b"a", Fingerprint::from_bits(5)).unwrap();
    store.close().unwrap();
    let by_bits = [
        "query",
        &dir.store(),
        "--fingerprint",
        "0000000000000005",
        "--json",
    ];
    assert_eq!(run(by_bits).expect(0).json()[0]["key"], "a");
    for args in [
        ["query", &dir.store(), "--text=a"],
        ["ingest", &dir.store(), "--json"],
    ] {
        let run = run(args).expect(2);
        assert!(run.stderr.contains("`in-house-7`"), "{}", run.stderr);
    }
}

#[test]
fn control_characters_of_a_foreign_store_do_not_reach_the_terminal() {
    let dir = Dir::new();
    let store = Config::new("in\u{1b}[2Jhouse").create(dir.store()).unwrap();
    let lock = std::path::Path::new(&dir.store()).join("LOCK");
    std::fs::write(lock, "process 1\u{1b}]0;title\u{7}").unwrap();
    let locked = run(["stats", &dir.store()]).expect(2).stderr;
    assert!(
        locked.contains("process 1\\u{1b}]0;title\\u{7}"),
        "{locked:?}"
    );
    store.close().unwrap();
    let foreign = run(["query", &dir.store(), "--text=a"]).expect(2).stderr;
    assert!(foreign.contains("`in\\u{1b}[2Jhouse`"), "{foreign:?}");
    for message in [locked, foreign] {
        let line = message.strip_suffix('\n').unwrap();
        assert!(!line.contains(char::is_control), "{line:?}");
    }
}
