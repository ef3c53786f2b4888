//! Tables of aligned columns, for people.

use std::fmt;

/// On which side of its column a cell stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Align {
    /// For words.
    Left,
    /// For numbers.
    Right,
}

/// No column is wider: one long key must not push all others off the screen.
/// Longer cells stand out of their column.
const WIDEST: usize = 100;

/// Rows of cells; columns are as wide as their widest cell, within reason.
#[derive(Clone, Debug)]
pub struct Table<const N: usize> {
    align: [Align; N],
    rows: Vec<[String; N]>,
}

impl<const N: usize> Table<N> {
    /// A table without rows.
    pub fn new(align: [Align; N]) -> Table<N> {
        Table {
            align,
            rows: Vec::new(),
        }
    }

    /// Adds a row.
    pub fn row(&mut self, cells: [String; N]) {
        self.rows.push(cells);
    }

    fn widths(&self) -> [usize; N] {
        let mut widths = [0; N];
        for row in &self.rows {
            for (width, cell) in widths.iter_mut().zip(row) {
                *width = (*width).max(cell.chars().count().min(WIDEST));
            }
        }
        widths
    }
}

impl<const N: usize> fmt::Display for Table<N> {
    /// One line a row, two spaces between columns, none at the end.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let widths = self.widths();
        for row in &self.rows {
            let mut line = String::new();
            for ((cell, width), align) in row.iter().zip(widths).zip(self.align) {
                line.push_str(&match align {
                    Align::Left => format!("{cell:<width$}  "),
                    Align::Right => format!("{cell:>width$}  "),
                });
            }
            writeln!(f, "{}", line.trim_end())?;
        }
        Ok(())
    }
}

/// Adds a row of a label and its value.
pub fn pair(table: &mut Table<2>, label: &str, value: impl fmt::Display) {
    table.row([label.to_owned(), value.to_string()]);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_aligned_and_lines_have_no_tail() {
        let mut table = Table::new([Align::Left, Align::Right, Align::Left]);
        table.row(["a", "1", ""].map(String::from));
        table.row(["long", "1,000", "note"].map(String::from));
        assert_eq!(table.to_string(), "a         1\nlong  1,000  note\n");
    }

    #[test]
    fn a_cell_may_be_longer_than_any_column() {
        let long = "k".repeat(70_000);
        let mut table = Table::new([Align::Left, Align::Left]);
        table.row([long.clone(), "x".to_owned()]);
        table.row(["short".to_owned(), "y".to_owned()]);
        let short = format!("short{}y", " ".repeat(WIDEST - 5 + 2));
        assert_eq!(table.to_string(), format!("{long}  x\n{short}\n"));
    }
}
