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
