//! Formats tables: numbers are aligned right, names left.

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
mod tests;
