//! The page and the plots of measured figures.
//!
//! The benches write JSON (`tessera_test_support::bench`): an object with the name of a suite and
//! its figures. The committed results are an array of such objects.

use std::fmt::Write;

use serde_json::Value;

/// Replaces or adds the results of a suite.
pub fn merge(results: &mut Vec<Value>, suite: Value) {
    match results
        .iter_mut()
        .find(|old| old["suite"] == suite["suite"])
    {
        Some(old) => *old = suite,
        None => results.push(suite),
    }
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn figures(suite: &Value) -> &[Value] {
    suite["figures"].as_array().map_or(&[], Vec::as_slice)
}

fn number(value: &Value) -> String {
    value
        .as_f64()
        .map_or(String::new(), |number| format!("{number}"))
}

/// Returns the tables of the page: one for each suite.
pub fn tables(results: &[Value]) -> String {
    let mut page = String::new();
    for suite in results {
        let _ = writeln!(
            page,
            "## {}\n\n| | value | ratio | goal | met | bound by |\n|---|---|---|---|---|---|",
            text(&suite["suite"])
        );
        for figure in figures(suite) {
            let ratio = match figure["ratio"].as_f64() {
                Some(ratio) => format!("{ratio} x {}", text(&figure["peer"])),
                None => String::new(),
            };
            let met = figure["met"]
                .as_bool()
                .map_or("", |met| if met { "yes" } else { "no" });
            let _ = writeln!(
                page,
                "| {} | {} {} | {ratio} | {} | {met} | {} |",
                text(&figure["name"]),
                number(&figure["value"]),
                text(&figure["unit"]),
                text(&figure["goal"]),
                text(&figure["bound"]),
            );
        }
        page.push('\n');
    }
    page
}

const ROW: usize = 16;
/// Where bars begin and the width of a factor of two.
const LEFT: usize = 330;
const OCTAVE: f64 = 70.0;
/// The ratio at the left edge of bars.
const LEAST: f64 = 0.25;
const OCTAVES: usize = 8;

const STYLE: &str = "\
/* Mid-tones that read on white and on black. */
text { font-family: ui-monospace, monospace; font-size: 11px; fill: #768390; }
.yes { fill: #57ab5a; } .no { fill: #c96198; } .none { fill: #539bf5; }
line { stroke: #768390; stroke-width: 0.5; } .goal { stroke-width: 2.5; }";

/// Returns the place of a ratio on the logarithmic axis.
fn place(ratio: f64) -> f64 {
    let octaves = (ratio / LEAST).log2().clamp(0.0, OCTAVES as f64);
    LEFT as f64 + OCTAVE * octaves
}

/// Returns a plot of all figures with a ratio: bars on a logarithmic axis, and marks at the goals.
pub fn plot(results: &[Value]) -> String {
    let all: Vec<&Value> = results
        .iter()
        .flat_map(figures)
        .filter(|figure| figure["ratio"].is_number())
        .collect();
    let (width, height) = (LEFT + OCTAVES * OCTAVE as usize + 50, ROW * (all.len() + 2));
    let mut svg = String::new();
    let _ = writeln!(
        svg,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
         height=\"{height}\" role=\"img\">\n<title>Ratios to the peer, and the goals</title>\n\
         <style>{STYLE}</style>"
    );
    for octave in 0..=OCTAVES {
        let ratio = LEAST * f64::from(1 << octave);
        let x = place(ratio);
        let _ = writeln!(
            svg,
            "<line x1=\"{x:.1}\" y1=\"{ROW}\" x2=\"{x:.1}\" y2=\"{height}\"/>\
             <text x=\"{x:.1}\" y=\"12\" text-anchor=\"middle\">{ratio}</text>"
        );
    }
    for (row, figure) in all.iter().enumerate() {
        bar(&mut svg, ROW * (row + 1), figure);
    }
    svg + "</svg>\n"
}

/// Draws a figure whose row begins at `y`.
fn bar(svg: &mut String, y: usize, figure: &Value) {
    let ratio = figure["ratio"].as_f64().unwrap_or_default();
    let class = match figure["met"].as_bool() {
        Some(true) => "yes",
        Some(false) => "no",
        None => "none",
    };
    let (end, base) = (place(ratio), y + 12);
    let _ = writeln!(
        svg,
        "<text x=\"{}\" y=\"{base}\" text-anchor=\"end\">{}</text>\
         <rect class=\"{class}\" x=\"{LEFT}\" y=\"{}\" width=\"{:.1}\" height=\"10\"/>\
         <text x=\"{:.1}\" y=\"{base}\">{ratio:.1}</text>",
        LEFT - 6,
        text(&figure["name"]),
        y + 3,
        end - LEFT as f64,
        end + 4.0,
    );
    let goal = text(&figure["goal"]).split(' ').nth(1);
    if let Some(goal) = goal.and_then(|goal| goal.parse().ok()).map(place) {
        let (top, bottom) = (y + 1, y + 15);
        let _ = writeln!(
            svg,
            "<line class=\"goal\" x1=\"{goal:.1}\" y1=\"{top}\" x2=\"{goal:.1}\" y2=\"{bottom}\"/>"
        );
    }
}
