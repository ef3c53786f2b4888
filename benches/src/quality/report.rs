//! Output of the measurement, as a table or as JSON lines.

use serde::Serialize;

use super::measure::Measure;

#[derive(Serialize)]
struct Line<'a> {
    scheme: &'a str,
    collection: &'a str,
    documents: usize,
    near_duplicates: usize,
    #[serde(flatten)]
    measure: &'a Measure,
}

/// Where results go.
pub enum Report {
    /// A table for reading.
    Table,
    /// One JSON object a line.
    Json,
}

impl Report {
    /// What stands above the results of one scheme.
    pub fn heading(&self, scheme: &str) {
        if matches!(self, Self::Table) {
            println!("\n{scheme}");
            println!("collection      docs  near-dup   k   found    true  precision  recall");
        }
    }

    /// The results of one scheme on one collection.
    ///
    /// # Errors
    /// When a result cannot be written as JSON.
    pub fn results(
        &self,
        scheme: &str,
        collection: &str,
        documents: usize,
        near_duplicates: usize,
        measures: &[Measure],
    ) -> Result<(), serde_json::Error> {
        for measure in measures {
            let line = Line {
                scheme,
                collection,
                documents,
                near_duplicates,
                measure,
            };
            match self {
                Self::Table => println!("{}", row(&line)),
                Self::Json => println!("{}", serde_json::to_string(&line)?),
            }
        }
        Ok(())
    }
}

fn row(line: &Line<'_>) -> String {
    let Line {
        collection,
        documents,
        near_duplicates,
        measure,
        ..
    } = line;
    let Measure {
        k,
        found,
        correct,
        precision,
        recall,
    } = measure;
    format!(
        "{collection:<14}{documents:>6}{near_duplicates:>10}{k:>4}{found:>8}{correct:>8}{precision:>11.3}{recall:>8.3}"
    )
}
