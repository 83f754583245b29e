//! Figures of a bench, printed as a table and written as JSON.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{json, Map, Value};

/// The committed results, relative to this crate.
const COMMITTED: &str = "../../docs/figures/performance.json";

/// A figure of a bench.
#[derive(Clone, Debug)]
pub struct Figure {
    /// What was measured; unique in its suite.
    pub name: String,
    /// The value.
    pub value: f64,
    /// The unit of the value.
    pub unit: &'static str,
    /// How many times as good this is as a peer, and which one.
    pub ratio: Option<(f64, &'static str)>,
    /// What the ratio, or the value if there is none, has to reach.
    pub goal: Option<Goal>,
    /// What the work is bound by, where it is known.
    pub bound: Option<&'static str>,
}

/// A goal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Goal {
    /// At least this.
    AtLeast(f64),
    /// At most this.
    AtMost(f64),
}

impl Goal {
    /// Returns whether a number reaches the goal.
    fn is_met_by(self, number: f64) -> bool {
        match self {
            Goal::AtLeast(least) => number >= least,
            Goal::AtMost(most) => number <= most,
        }
    }

    fn text(self) -> String {
        match self {
            Goal::AtLeast(least) => format!(">= {}", rounded(least)),
            Goal::AtMost(most) => format!("<= {}", rounded(most)),
        }
    }
}

impl Figure {
    /// Creates a figure without peer, goal and bound.
    pub fn new(name: impl Into<String>, value: f64, unit: &'static str) -> Figure {
        Figure {
            name: name.into(),
            value,
            unit,
            ratio: None,
            goal: None,
            bound: None,
        }
    }

    /// Returns the figure with what it is bound by, if its goal is not met.
    pub fn or_bound_by(self, bound: Option<&'static str>) -> Figure {
        match self.is_met() {
            Some(false) => Figure { bound, ..self },
            _ => self,
        }
    }

    /// Returns whether the goal is met; `None` if there is none.
    fn is_met(&self) -> Option<bool> {
        let number = self.ratio.map_or(self.value, |(ratio, _)| ratio);
        self.goal.map(|goal| goal.is_met_by(number))
    }

    fn to_json(&self) -> Value {
        let mut fields = Map::new();
        fields.insert("name".into(), json!(self.name));
        fields.insert("value".into(), json!(rounded(self.value)));
        fields.insert("unit".into(), json!(self.unit));
        if let Some((ratio, peer)) = self.ratio {
            fields.insert("ratio".into(), json!(rounded(ratio)));
            fields.insert("peer".into(), json!(peer));
        }
        if let Some(goal) = self.goal {
            fields.insert("goal".into(), json!(goal.text()));
            fields.insert("met".into(), json!(self.is_met()));
        }
        if let Some(bound) = self.bound {
            fields.insert("bound".into(), json!(bound));
        }
        Value::Object(fields)
    }
}

/// Returns a number with four significant digits.
fn rounded(number: f64) -> f64 {
    format!("{number:.3e}").parse().unwrap_or(number)
}

/// The figures of one bench.
pub struct Suite {
    name: &'static str,
    file: PathBuf,
    /// Parts of names on the command line; all figures are measured if there are none.
    chosen: Vec<String>,
    before: Vec<Value>,
    figures: Vec<Figure>,
}

impl Suite {
    /// Starts a suite whose results go below `temporary`, the bench's `CARGO_TARGET_TMPDIR`, and
    /// prints the head of the table. Arguments of the process choose figures by parts of names.
    pub fn new(name: &'static str, temporary: &str) -> Suite {
        println!(
            "{:<44} {:>10} {:<9} {:>7} {:>9} {:>5} {:>10}",
            name, "value", "", "ratio", "goal", "met", "before"
        );
        Suite {
            name,
            file: Path::new(temporary)
                .join("bench")
                .join(format!("{name}.json")),
            chosen: std::env::args()
                .skip(1)
                .filter(|argument| !argument.starts_with('-'))
                .collect(),
            before: committed(name),
            figures: Vec::new(),
        }
    }

    /// Returns whether the figure with this name is to be measured.
    pub fn wants(&self, name: &str) -> bool {
        self.chosen.is_empty() || self.chosen.iter().any(|part| name.contains(part))
    }

    /// Adds a figure and prints its line.
    pub fn add(&mut self, figure: Figure) {
        let before = self.before.iter().find(|row| row["name"] == figure.name);
        let text = |number: Option<f64>| number.map_or(String::new(), |number| format!("{number}"));
        println!(
            "{:<44} {:>10} {:<9} {:>7} {:>9} {:>5} {:>10}",
            figure.name,
            text(Some(rounded(figure.value))),
            figure.unit,
            text(figure.ratio.map(|(ratio, _)| rounded(ratio))),
            figure.goal.map_or(String::new(), Goal::text),
            figure
                .is_met()
                .map_or("", |met| if met { "yes" } else { "no" }),
            text(before.and_then(|row| row["value"].as_f64())),
        );
        self.figures.push(figure);
    }

    /// Writes the results, unless only some figures were chosen.
    pub fn finish(self) {
        if !self.chosen.is_empty() {
            return;
        }
        let rows: Vec<Value> = self.figures.iter().map(Figure::to_json).collect();
        let text = serde_json::to_string_pretty(&json!({ "suite": self.name, "figures": rows }));
        let folder = self.file.parent().expect("the file is in a folder");
        fs::create_dir_all(folder).expect("a directory below target can be made");
        fs::write(
            &self.file,
            text.expect("these are numbers and texts") + "\n",
        )
        .expect("the file can be written");
        println!("written to {}", self.file.display());
    }
}

/// Returns the committed figures of a suite.
fn committed(suite: &str) -> Vec<Value> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(COMMITTED);
    let text = fs::read_to_string(file).unwrap_or_default();
    let all: Value = serde_json::from_str(&text).unwrap_or_default();
    let is_it = |entry: &&Value| entry["suite"] == suite;
    let suites = all.as_array().into_iter().flatten();
    suites
        .filter(is_it)
        .flat_map(|entry| entry["figures"].as_array().cloned().unwrap_or_default())
        .collect()
}
