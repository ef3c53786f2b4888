//! Help and wrong command lines.

use crate::command::run;

#[test]
fn help_goes_to_stdout_and_teaches() {
    for command in [
        "ingest",
        "query",
        "stats",
        "compact",
        "verify",
        "fingerprint",
        "schemes",
    ] {
        let help = run([command, "--help"]).expect(0);
        assert_eq!(help.stderr, "");
        assert!(help.stdout.contains("Examples:"), "{}", help.stdout);
        assert!(help.stdout.contains("130  interrupted"), "{}", help.stdout);
    }
    let version = run(["--version"]).expect(0).stdout;
    assert_eq!(
        version,
        format!("simhash-admin {}\n", env!("CARGO_PKG_VERSION"))
    );
}

#[test]
fn wrong_command_lines_could_not_run() {
    let wrong: [&[&str]; 5] = [
        &[],
        &["frobnicate"],
        &["stats"],
        &["ingest", "store", "--threads", "0"],
        &["ingest", "store", "--max-document", "0"],
    ];
    for args in wrong {
        let run = run(args).expect(2);
        assert_eq!(run.stdout, "");
        assert!(!run.stderr.is_empty());
    }
}
