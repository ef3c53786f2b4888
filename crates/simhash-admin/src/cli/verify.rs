//! `verify`: is everything stored as it should be?

use std::path::PathBuf;

use clap::Args;
use serde_json::json;
use simhash_store::{Config, Error, VerifyReport};

use super::help::after_help;
use crate::exit::{Exit, Failure};
use crate::output::printable;
use crate::output::stdout::{Lines, print, print_json};
use crate::output::table::{Align, Table, pair};
use crate::units::Count;

/// Check every record and bucket: checksums, and every table against the log
///
/// Exit code 0 when all is sound, 1 when something is damaged. Each fault is
/// one line: place, key, what is wrong; of very many, the first 1000 are
/// listed and all are counted. Nothing is changed.
#[derive(Debug, Args)]
#[command(after_help = after_help!(
    "  simhash-admin verify pages.store && rsync -a pages.store backup:\n  \
       simhash-admin verify pages.store --json | jq .faults"
))]
pub struct VerifyArgs {
    /// Folder of the store
    store: PathBuf,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

impl VerifyArgs {
    /// Runs the command.
    ///
    /// # Errors
    /// When the store cannot be read for another reason than damage, or stdout
    /// not be written.
    pub fn run(self) -> Result<Exit, Failure> {
        let report = Config::stored_scheme()
            .open(&self.store)
            .and_then(|store| store.verify());
        match report {
            Ok(report) => self.report(&report),
            // So damaged that it does not open: that is a finding, too.
            Err(Error::Corrupt { tree, key, why }) => self.does_not_open(&tree, &key, &why),
            Err(error) => Err(error.into()),
        }
    }

    fn report(&self, report: &VerifyReport) -> Result<Exit, Failure> {
        if self.json {
            print_json(report)?;
        } else {
            print(&render(report))?;
        }
        Ok(if report.is_sound() {
            Exit::Done
        } else {
            Exit::Damaged
        })
    }

    /// The report of a store that was not opened has its one fault, and null
    /// for all that could not be counted.
    fn does_not_open(&self, place: &str, key: &str, what: &str) -> Result<Exit, Failure> {
        let mut lines = Lines::new();
        if self.json {
            lines.json(&json!({
                "log_records": null, "operations": null, "buckets": null, "documents": null,
                "rebuilt": null,
                "fault_count": 1,
                "faults": [{"place": place, "key": key, "what": what}],
            }))?;
        } else {
            lines.line(fault_line(place, key, what));
            lines.line("damaged: the store does not open");
        }
        lines.show()?;
        Ok(Exit::Damaged)
    }
}

fn fault_line(place: &str, key: &str, what: &str) -> String {
    let line = if key.is_empty() {
        format!("{place}: {what}")
    } else {
        format!("{place} {key}: {what}")
    };
    printable(line.as_bytes()).into_owned()
}

fn render(report: &VerifyReport) -> String {
    let mut text = String::new();
    for fault in &report.faults {
        text.push_str(&fault_line(&fault.place, &fault.key, &fault.what));
        text.push('\n');
    }
    let mut table = Table::new([Align::Left, Align::Right]);
    pair(&mut table, "log records", Count(report.log_records));
    pair(&mut table, "operations", Count(report.operations));
    pair(&mut table, "buckets", Count(report.buckets));
    pair(&mut table, "documents", Count(report.documents));
    text.push_str(&table.to_string());
    if let Some(why) = &report.rebuilt {
        let note = format!("tables rebuilt from the log at open: {why}");
        text.push_str(&printable(note.as_bytes()));
        text.push('\n');
    }
    text.push_str(&verdict(report.fault_count, report.faults.len() as u64));
    text
}

/// The last line: how many faults there are, of which not all need be listed.
fn verdict(faults: u64, listed: u64) -> String {
    match faults {
        0 => "sound\n".to_owned(),
        1 => "damaged: 1 fault\n".to_owned(),
        _ if listed < faults => format!(
            "damaged: {} faults, the first {} of them listed\n",
            Count(faults),
            Count(listed)
        ),
        _ => format!("damaged: {} faults\n", Count(faults)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_verdict_counts_all_faults_and_says_when_not_all_are_listed() {
        assert_eq!(verdict(0, 0), "sound\n");
        assert_eq!(verdict(1, 1), "damaged: 1 fault\n");
        assert_eq!(verdict(1000, 1000), "damaged: 1,000 faults\n");
        assert_eq!(
            verdict(1001, 1000),
            "damaged: 1,001 faults, the first 1,000 of them listed\n"
        );
    }
}
