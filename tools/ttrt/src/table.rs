//! Tables of figures: columns as wide as what they hold, numbers to the right and names to the
//! left.

use comfy_table::{presets, CellAlignment};
use tessera_runtime::statistics::{Section, Table};

/// Renders sections, one below the other.
pub fn render_all(sections: &[Section]) -> String {
    let render = |section: &Section| match section {
        Section::Text(text) => text.clone(),
        Section::Table(table) => render(table),
    };
    sections.iter().map(render).collect()
}

/// Renders a table, a line for each row, the titles first.
pub fn render(table: &Table) -> String {
    let mut rendered = comfy_table::Table::new();
    rendered.load_style(presets::NOTHING);
    rendered.set_header(&table.titles);
    rendered.add_rows(&table.rows);
    for (index, column) in rendered.column_iter_mut().enumerate() {
        column.set_padding((0, 2));
        column.set_cell_alignment(match table.names.contains(&index) {
            true => CellAlignment::Left,
            false => CellAlignment::Right,
        });
    }
    rendered.trim_fmt() + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_as_wide_as_what_they_hold() {
        let row = |number: &str, name: &str, rest: &str| [number, name, rest].map(str::to_owned);
        let table = Table {
            titles: vec!["cycles", "kernel", "location"],
            names: vec![1, 2],
            rows: vec![
                row("1", "multiply + subtract + matmul", "a.mlir:1:2").to_vec(),
                row("1000", "ä", "").to_vec(),
            ],
        };
        let text = "cycles  kernel                        location\n\
             \x20    1  multiply + subtract + matmul  a.mlir:1:2\n\
             \x20 1000  ä\n";
        assert_eq!(render(&table), text);
        let sections = [Section::Text("first\n".into()), Section::Table(table)];
        assert_eq!(render_all(&sections), format!("first\n{text}"));
    }
}
