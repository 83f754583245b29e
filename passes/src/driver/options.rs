//! Declaration and parsing of the options of passes and pipelines.

use std::collections::BTreeMap;
use std::fmt;

/// The type of an option's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `true` or `false`; the bare name means `true`.
    Bool,
    /// A decimal integer.
    Integer,
    /// Any text, such as a path.
    Text,
    /// One of these words.
    Choice(&'static [&'static str]),
}

/// One option of a pass or pipeline.
#[derive(Clone, Copy, Debug)]
pub struct OptionInfo {
    /// Its name, such as `system-desc-path`.
    pub name: &'static str,
    /// What it does, in one sentence.
    pub description: &'static str,
    /// The type of its value.
    pub kind: Kind,
    /// Its default value.
    pub default: &'static str,
}

/// Concatenates two slices into an array of `N` items.
pub const fn joined<T: Copy, const N: usize>(one: &[T], other: &[T]) -> [T; N] {
    let mut all = [one[0]; N];
    let mut number = 0;
    while number < N {
        all[number] = if number < one.len() {
            one[number]
        } else {
            other[number - one.len()]
        };
        number += 1;
    }
    all
}

/// An error in the options of a pass or pipeline.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OptionError {
    /// No option has this name.
    #[error("no such option '{name}'; {}", known_options(known))]
    Unknown {
        /// The name given.
        name: String,
        /// The names of the declared options.
        known: Vec<&'static str>,
    },
    /// The value is not of the option's kind.
    #[error("option '{name}' takes {kind}, not '{value}'")]
    Value {
        /// The option.
        name: &'static str,
        /// The type of its value.
        kind: Kind,
        /// The value given.
        value: String,
    },
    /// The text is not `a=b c=d`.
    #[error("{0}")]
    Syntax(String),
}

fn known_options(known: &[&str]) -> String {
    match known {
        [] => "it takes no options".into(),
        _ => format!("known: {}", known.join(", ")),
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Kind::Bool => f.write_str("true or false"),
            Kind::Integer => f.write_str("an integer"),
            Kind::Text => f.write_str("a text"),
            Kind::Choice(words) => f.write_str(&words.join(" or ")),
        }
    }
}

impl Kind {
    fn accepts(self, value: &str) -> bool {
        match self {
            Kind::Bool => matches!(value, "true" | "false"),
            Kind::Integer => value.parse::<i64>().is_ok(),
            Kind::Text => true,
            Kind::Choice(words) => words.contains(&value),
        }
    }
}

/// The checked options of one pass or pipeline, with defaults filled in.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    values: BTreeMap<&'static str, String>,
    defaults: BTreeMap<&'static str, &'static str>,
}

impl Options {
    /// Parses `a=b c="d e" flag`. Values may be quoted with `"` or `'` or enclosed in braces.
    ///
    /// # Errors
    /// The first option that is unknown, malformed, or has a value of the wrong type.
    pub fn parse(text: &str, infos: &'static [OptionInfo]) -> Result<Self, OptionError> {
        let mut options: BTreeMap<_, _> = infos
            .iter()
            .map(|info| (info.name, info.default.to_owned()))
            .collect();
        for (name, value) in assignments(text)? {
            let info = infos.iter().find(|info| info.name == name).ok_or_else(|| {
                OptionError::Unknown {
                    name: name.clone(),
                    known: infos.iter().map(|info| info.name).collect(),
                }
            })?;
            let value = match (value, info.kind) {
                (Some(value), _) => value,
                (None, Kind::Bool) => "true".to_owned(),
                (None, _) => {
                    return Err(OptionError::Syntax(format!(
                        "option '{name}' requires a value: {name}=..."
                    )))
                }
            };
            if !info.kind.accepts(&value) {
                return Err(OptionError::Value {
                    name: info.name,
                    kind: info.kind,
                    value,
                });
            }
            options.insert(info.name, value);
        }
        let defaults = infos.iter().map(|info| (info.name, info.default));
        Ok(Self {
            values: options,
            defaults: defaults.collect(),
        })
    }

    /// Returns the names of options whose values differ from their defaults.
    pub fn changed(&self) -> impl Iterator<Item = &'static str> + '_ {
        let values = self.values.iter();
        let changed =
            values.filter(|(name, value)| self.defaults.get(*name) != Some(&value.as_str()));
        changed.map(|(name, _)| *name)
    }

    /// Returns the value of an option.
    ///
    /// # Panics
    /// The pass did not declare the option.
    pub fn text(&self, name: &str) -> &str {
        self.values
            .get(name)
            .unwrap_or_else(|| panic!("option '{name}' is not declared"))
    }

    /// Returns the value of a [`Kind::Bool`] option.
    pub fn flag(&self, name: &str) -> bool {
        self.text(name) == "true"
    }

    /// Returns the value of a [`Kind::Integer`] option.
    ///
    /// # Panics
    /// The pass declared the option with another type, or with a default that is not an integer.
    pub fn integer(&self, name: &str) -> i64 {
        self.text(name)
            .parse()
            .unwrap_or_else(|_| panic!("option '{name}' is not an integer"))
    }

    /// Renders the named options as text, to pass them on to a pass of a pipeline.
    pub fn forward(&self, names: &[&str]) -> String {
        let pairs: Vec<_> = names
            .iter()
            .map(|name| format!("{name}=\"{}\"", self.text(name)))
            .collect();
        pairs.join(" ")
    }
}

/// Splits `a=b c="d e" flag` into names and values.
fn assignments(text: &str) -> Result<Vec<(String, Option<String>)>, OptionError> {
    let mut found = Vec::new();
    let mut rest = text.trim();
    while !rest.is_empty() {
        let end = rest
            .find(|c: char| c == '=' || c.is_whitespace())
            .unwrap_or(rest.len());
        let (name, after) = rest.split_at(end);
        if name.is_empty() {
            return Err(OptionError::Syntax(format!(
                "an option name is missing before '{after}'"
            )));
        }
        let value = match after.strip_prefix('=') {
            Some(text) => {
                let (value, after) = value(text)?;
                rest = after;
                Some(value)
            }
            None => {
                rest = after;
                None
            }
        };
        found.push((name.to_owned(), value));
        rest = rest.trim_start();
    }
    Ok(found)
}

/// Splits off the value at the start of a text: quoted, in braces, or up to white space.
fn value(text: &str) -> Result<(String, &str), OptionError> {
    let close = match text.chars().next() {
        Some(quote @ ('"' | '\'')) => quote,
        Some('{') => '}',
        _ => {
            let end = text.find(char::is_whitespace).unwrap_or(text.len());
            return Ok((text[..end].to_owned(), &text[end..]));
        }
    };
    let inner = &text[1..];
    let end = inner
        .find(close)
        .ok_or_else(|| OptionError::Syntax(format!("{close} is missing after {text}")))?;
    Ok((inner[..end].to_owned(), &inner[end + 1..]))
}

#[cfg(test)]
mod tests;
