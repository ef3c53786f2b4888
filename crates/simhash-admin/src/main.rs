//! `simhash-admin`: fingerprints documents, keeps them in a store of
//! near-duplicates, and looks after such stores.
//!
//! `cli` has one file for each command; `input` turns files into documents;
//! `pipeline` fingerprints them on all cores and delivers them in input order;
//! `output` is all that is printed.
#![forbid(unsafe_code)]

mod cli;
mod exit;
mod input;
mod interrupt;
mod output;
mod pipeline;
mod units;

use std::io::Write as _;
use std::process::ExitCode;

use exit::Exit;
use output::printable;

fn main() -> ExitCode {
    let exit = match cli::run() {
        Ok(exit) => exit,
        // As `| head` does: no fault of ours, and nobody left to tell.
        Err(failure) if failure.is_broken_pipe() => Exit::Done,
        Err(failure) => {
            // It may quote what stands in a file of the store or in a path.
            let message = failure.to_string();
            let message = printable(message.as_bytes());
            // Unlike eprintln!, this does not panic when stderr is closed.
            let _ = writeln!(std::io::stderr(), "simhash-admin: {message}");
            Exit::CouldNotRun
        }
    };
    exit.into()
}
