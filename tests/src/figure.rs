//! Drawings of acyclic dependencies: boxes in rows, each above all that it depends on.
//!
//! A box is in the row below the lowest box that depends on it; the number of rows is the length of
//! the longest path. Dependencies that follow from others are left out (the transitive reduction).
//! Within a row, boxes are sorted by the mean place of what they depend on (Sugiyama, Tagawa and
//! Toda, "Methods for visual understanding of hierarchical system structures", 1981).

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// What each node depends on.
pub type Graph = BTreeMap<String, BTreeSet<String>>;

const BOX_HEIGHT: usize = 26;
const ROW: usize = 62;
const GAP: usize = 16;
const TITLE: usize = 34;
/// The width of a letter of the boxes' font.
const LETTER: usize = 8;

const STYLE: &str = "\
/* Boxes keep light fills and dark text; what is outside is a mid-tone that reads on white and on black. */
text { font-family: ui-monospace, monospace; font-size: 12px; fill: #1f2328; }
.h { font-family: ui-sans-serif, system-ui, sans-serif; font-size: 14px; font-weight: 600; fill: #768390; }
rect { fill: #cfeaff; stroke: #768390; stroke-width: 1.2; }
path { fill: none; stroke: #768390; stroke-width: 1.2; }
.x { fill: #768390; stroke: none; }";

/// Returns the row of each node, from 0 at the bottom: as high as what depends on it allows.
///
/// # Errors
/// The nodes that depend on each other in circles, or that such nodes depend on.
pub fn rows(graph: &Graph) -> Result<BTreeMap<String, usize>, Vec<String>> {
    // The distance from the top.
    let mut depths = BTreeMap::new();
    while depths.len() < graph.len() {
        let before = depths.len();
        for node in graph.keys() {
            let users = graph.iter().filter(|(_, uses)| uses.contains(node));
            let above: Option<Vec<usize>> =
                users.map(|(user, _)| depths.get(user).copied()).collect();
            if let (false, Some(above)) = (depths.contains_key(node), above) {
                let depth = above.into_iter().max().map_or(0, |depth| depth + 1);
                depths.insert(node.clone(), depth);
            }
        }
        if depths.len() == before {
            let left = graph.keys().filter(|node| !depths.contains_key(*node));
            return Err(left.cloned().collect());
        }
    }
    let deepest = depths.values().max().copied().unwrap_or(0);
    let rows = depths
        .into_iter()
        .map(|(node, depth)| (node, deepest - depth));
    Ok(rows.collect())
}

/// Returns an acyclic graph without the dependencies that follow from others.
fn reduced(graph: &Graph) -> Graph {
    let below = |node: &str| {
        let mut found = BTreeSet::new();
        let mut open = vec![node.to_owned()];
        while let Some(next) = open.pop() {
            for used in &graph[&next] {
                if found.insert(used.clone()) {
                    open.push(used.clone());
                }
            }
        }
        found
    };
    let direct = |uses: &BTreeSet<String>| {
        let implied: BTreeSet<String> = uses.iter().flat_map(|used| below(used)).collect();
        uses.difference(&implied).cloned().collect()
    };
    let edges = graph
        .iter()
        .map(|(node, uses)| (node.clone(), direct(uses)));
    edges.collect()
}

/// A box: its left edge and its width.
#[derive(Clone, Copy)]
struct Place {
    x: usize,
    width: usize,
    row: usize,
}

impl Place {
    fn middle(&self) -> usize {
        self.x + self.width / 2
    }
}

/// Returns the places of the boxes, row by row from the bottom, and the width of the widest row.
fn places(graph: &Graph, rows: &BTreeMap<String, usize>) -> (BTreeMap<String, Place>, usize) {
    let width_of = |node: &str| node.len() * LETTER + 20;
    let count = rows.values().max().map_or(0, |row| row + 1);
    let in_row = |row: usize| graph.keys().filter(move |node| rows[*node] == row);
    let row_width = |row| in_row(row).map(|node| width_of(node) + GAP).sum::<usize>();
    let whole = (0..count).map(row_width).max().unwrap_or(0);
    let mut places = BTreeMap::<String, Place>::new();
    for row in 0..count {
        let mut nodes: Vec<&String> = in_row(row).collect();
        let mean = |node: &String| {
            let below: Vec<usize> = graph[node]
                .iter()
                .map(|used| places[used].middle())
                .collect();
            below.iter().sum::<usize>() / below.len().max(1)
        };
        nodes.sort_by_key(|node| (mean(node), (*node).clone()));
        let mut x = GAP / 2 + (whole - row_width(row)) / 2;
        for node in nodes {
            let width = width_of(node);
            places.insert(node.clone(), Place { x, width, row });
            x += width + GAP;
        }
    }
    (places, whole)
}

/// Returns an SVG with a title and a panel for each graph, one above the other.
///
/// # Errors
/// The title of the first graph with a circle, and the nodes on it or below it.
pub fn svg(title: &str, panels: &[(&str, Graph)]) -> Result<String, String> {
    let (mut body, mut y, mut width) = (String::new(), 0, 0);
    let write = "a String takes everything";
    for (name, graph) in panels {
        let rows = rows(graph).map_err(|nodes| format!("{name}: {}", nodes.join(", ")))?;
        let graph = reduced(graph);
        let (places, whole) = places(&graph, &rows);
        let count = rows.values().max().map_or(0, |row| row + 1);
        let top = |row: usize| y + TITLE + (count - 1 - row) * ROW;
        writeln!(
            body,
            r#"<text class="h" x="{GAP}" y="{}">{name}</text>"#,
            y + 20
        )
        .expect(write);
        for (node, uses) in &graph {
            let from = places[node];
            for used in uses {
                let to = places[used];
                let (x0, y0) = (from.middle(), top(from.row) + BOX_HEIGHT);
                let (x1, y1) = (to.middle(), top(to.row) - 2);
                let (c0, c1) = (y0 + ROW / 3, y1 - ROW / 3);
                writeln!(
                    body,
                    r#"<path d="M{x0} {y0} C {x0} {c0}, {x1} {c1}, {x1} {y1}" marker-end="url(#e)"/>"#
                )
                .expect(write);
            }
        }
        for (node, place) in &places {
            let (x, y, w) = (place.x, top(place.row), place.width);
            let (middle, base) = (place.middle(), y + 17);
            writeln!(
                body,
                r#"<rect x="{x}" y="{y}" width="{w}" height="{BOX_HEIGHT}" rx="4"/>
<text x="{middle}" y="{base}" text-anchor="middle">{node}</text>"#
            )
            .expect(write);
        }
        y += TITLE + count * ROW;
        width = width.max(whole);
    }
    Ok(format!(
        r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {y}" width="{width}" height="{y}" role="img" aria-labelledby="title">
<title id="title">{title}</title>
<style>
{STYLE}
</style>
<defs><marker id="e" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto"><path class="x" d="M0 0 L8 4 L0 8 z"/></marker></defs>
{body}</svg>
"##
    ))
}

#[cfg(test)]
mod tests;
