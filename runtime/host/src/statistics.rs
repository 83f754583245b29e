//! Statistics of kernels that a device ran, as text and tables.

/// A section of the statistics.
#[derive(Debug, Clone, PartialEq)]
pub enum Section {
    /// Lines of text.
    Text(String),
    /// A table.
    Table(Table),
}

/// A table.
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    /// The column titles.
    pub titles: Vec<&'static str>,
    /// The indices of columns that hold names instead of numbers.
    pub names: Vec<usize>,
    /// The rows, one text for each column.
    pub rows: Vec<Vec<String>>,
}
