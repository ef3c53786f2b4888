//! The command line: one file for each command, with its arguments and what it
//! does.

mod compact;
mod fingerprint;
mod help;
mod ingest;
mod input_args;
mod open;
mod query;
mod schemes;
mod stats;
mod verify;

use clap::{Parser, Subcommand};

use self::help::after_help;
use crate::exit::{Exit, Failure};

/// Find near-duplicate documents: fingerprint them, keep the fingerprints in a
/// store, ask which known documents are within k bits of a new one.
///
/// Results go to stdout; messages and progress go to stderr. With --json,
/// stdout carries JSON and nothing else.
#[derive(Debug, Parser)]
#[command(
    name = "simhash-admin",
    version,
    after_help = after_help!(
        "  simhash-admin ingest pages.store crawl.jsonl.zst\n  \
           simhash-admin query pages.store --file page.html\n  \
           simhash-admin stats pages.store"
    )
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Ingest(ingest::IngestArgs),
    Query(query::QueryArgs),
    Stats(stats::StatsArgs),
    Compact(compact::CompactArgs),
    Verify(verify::VerifyArgs),
    Fingerprint(fingerprint::FingerprintArgs),
    Schemes(schemes::SchemesArgs),
}

/// Runs the command that the process was started with.
///
/// # Errors
/// The [`Failure`] that kept the command from running, or from its end.
pub fn run() -> Result<Exit, Failure> {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(message) => {
            // Help asked for goes to stdout, wrong arguments to stderr.
            message.print()?;
            return Ok(match message.exit_code() {
                0 => Exit::Done,
                _ => Exit::CouldNotRun,
            });
        }
    };
    match cli.command {
        Command::Ingest(args) => args.run(),
        Command::Query(args) => args.run(),
        Command::Stats(args) => args.run(),
        Command::Compact(args) => args.run(),
        Command::Verify(args) => args.run(),
        Command::Fingerprint(args) => args.run(),
        Command::Schemes(args) => args.run(),
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn every_command_teaches_by_example_and_names_its_exit_codes() {
        for command in Cli::command().get_subcommands() {
            let name = command.get_name();
            let help = command
                .get_after_help()
                .unwrap_or_else(|| panic!("{name} has no examples"))
                .to_string();
            assert!(help.contains(&format!("simhash-admin {name}")), "{help}");
            assert!(help.contains("130  interrupted"), "{help}");
        }
    }
}
