//! Passes and pipelines with their options, as `ttmlir-opt --list-passes` prints them.

use crate::mutate::numbers;
use tessera_test_support::random::Rng;

/// A pass or a pipeline.
#[derive(Debug, Default, PartialEq)]
pub struct Pass {
    /// Its name, which is its flag.
    pub name: String,
    options: Vec<PassOption>,
}

#[derive(Debug, Default, PartialEq)]
struct PassOption {
    name: String,
    default: String,
    /// What it takes: `a or b`, `an integer`, `a text`.
    takes: String,
}

/// Reads the listing.
pub fn parse(text: &str) -> Vec<Pass> {
    let mut passes: Vec<Pass> = Vec::new();
    for line in text.lines() {
        let indent = line.len() - line.trim_start().len();
        let (line, last) = (line.trim(), passes.last_mut());
        match (indent, last) {
            (2, _) => passes.push(Pass {
                name: line.to_owned(),
                options: Vec::new(),
            }),
            (6, Some(pass)) => pass.options.extend(option(line)),
            (10, Some(pass)) => {
                let takes = line
                    .rsplit_once('(')
                    .and_then(|(_, kind)| kind.strip_suffix(')'));
                if let (Some(option), Some(takes)) = (pass.options.last_mut(), takes) {
                    option.takes = takes.to_owned();
                }
            }
            _ => {}
        }
    }
    passes
}

/// `name=default`; a description has words before any `=`.
fn option(line: &str) -> Option<PassOption> {
    let (name, default) = line.split_once('=')?;
    let is_name = name
        .chars()
        .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-');
    is_name.then(|| PassOption {
        name: name.to_owned(),
        default: default.to_owned(),
        takes: String::new(),
    })
}

impl Pass {
    /// Returns the flag, perhaps with options.
    pub fn random(&self, rng: &mut Rng, files: &[&str]) -> String {
        let name = &self.name;
        let often = if self.options.is_empty() { 5 } else { 50 };
        if !rng.percent(often) {
            return format!("--{name}");
        }
        let count = 1 + rng.below(3);
        let options: Vec<_> = (0..count).map(|_| self.option(rng, files)).collect();
        format!("--{name}={}", options.join(" "))
    }

    fn option(&self, rng: &mut Rng, files: &[&str]) -> String {
        if self.options.is_empty() {
            return rng
                .pick(&["", "a=b", "=", "{", "x={y}", "\"", "true"])
                .to_owned();
        }
        let option = &self.options[rng.below(self.options.len())];
        let words: Vec<&str> = option.takes.split(" or ").collect();
        let value = match rng.below(10) {
            0 => rng.pick(&["", "{", "\"", "x", "true", "1,2"]).to_owned(),
            1 => option.default.clone(),
            _ => match option.takes.as_str() {
                "an integer" => numbers::small_or_edge(rng),
                "a text" => rng.pick(files).to_owned(),
                _ => words[rng.below(words.len())].to_owned(),
            },
        };
        format!("{}={value}", option.name)
    }
}

#[test]
fn a_listing_is_understood() {
    let text = "Passes:\n  some-pass\n      Does a = b\n      how=fast\n          \
                How to (fast or slow)\n      n=\n          How many (an integer)\n\
                Passes of MLIR:\n  cse\n      Eliminates\n";
    let passes = parse(text);
    assert_eq!(passes.len(), 2);
    let takes: Vec<_> = passes[0]
        .options
        .iter()
        .map(|option| option.takes.as_str())
        .collect();
    assert_eq!(takes, ["fast or slow", "an integer"]);
    assert_eq!(
        passes[1],
        Pass {
            name: "cse".into(),
            options: Vec::new()
        }
    );
}
