//! Tables of figures: columns as wide as what they hold, numbers to the right and names to the
//! left.

use comfy_table::{presets, CellAlignment, Table};

/// Renders a table, a line for each row, the titles first. The columns `names` hold names.
pub fn render<const N: usize>(titles: [&str; N], names: &[usize], rows: &[[String; N]]) -> String {
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    table.set_header(titles);
    table.add_rows(rows);
    for (index, column) in table.column_iter_mut().enumerate() {
        column.set_padding((0, 2));
        column.set_cell_alignment(match names.contains(&index) {
            true => CellAlignment::Left,
            false => CellAlignment::Right,
        });
    }
    table.trim_fmt() + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_as_wide_as_what_they_hold() {
        let row = |number: &str, name: &str, rest: &str| [number, name, rest].map(str::to_owned);
        let rows = [
            row("1", "multiply + subtract + matmul", "a.mlir:1:2"),
            row("1000", "ä", ""),
        ];
        assert_eq!(
            render(["cycles", "kernel", "location"], &[1, 2], &rows),
            "cycles  kernel                        location\n\
             \x20    1  multiply + subtract + matmul  a.mlir:1:2\n\
             \x20 1000  ä\n"
        );
    }
}
