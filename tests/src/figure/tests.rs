use super::*;

fn graph(edges: &[(&str, &[&str])]) -> Graph {
    let set = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
    let edges = edges
        .iter()
        .map(|(node, uses)| ((*node).to_owned(), set(uses)));
    edges.collect()
}

#[test]
fn boxes_are_right_below_their_users() {
    let graph = graph(&[("a", &["b", "c"]), ("b", &["c"]), ("c", &[]), ("d", &["c"])]);
    let rows = rows(&graph).unwrap();
    assert_eq!(["a", "b", "c", "d"].map(|node| rows[node]), [2, 1, 0, 2]);
}

#[test]
fn implied_dependencies_are_left_out() {
    let whole = graph(&[("a", &["b", "c"]), ("b", &["c"]), ("c", &[])]);
    let expect = graph(&[("a", &["b"]), ("b", &["c"]), ("c", &[])]);
    assert_eq!(reduced(&whole), expect);
}

#[test]
fn circles_are_refused() {
    let circle = graph(&[("a", &["b"]), ("b", &["c"]), ("c", &["b"]), ("d", &[])]);
    assert_eq!(
        svg("title", &[("panel", circle)]),
        Err("panel: b, c".to_owned())
    );
}
