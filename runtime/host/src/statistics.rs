//! What a device tells of the kernels that ran: text and tables of figures.

/// A part of what a device tells.
#[derive(Debug, Clone, PartialEq)]
pub enum Section {
    /// Whole lines.
    Text(String),
    /// Figures.
    Table(Table),
}

/// A table.
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    /// The titles of its columns.
    pub titles: Vec<&'static str>,
    /// The columns that hold names, not numbers.
    pub names: Vec<usize>,
    /// Its rows: a text for each column.
    pub rows: Vec<Vec<String>>,
}
