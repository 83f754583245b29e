//! Attributes of an unregistered dialect, as text.
//!
//! MLIR keeps `#stablehlo.dot<...>` as opaque text. Three forms occur:
//!
//! ```text
//! #stablehlo<comparison_direction EQ>                                  a keyword
//! #stablehlo.dot<lhs_contracting_dimensions = [1], ...>                a record of integers
//! #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>             dimension labels
//! ```

use std::collections::BTreeMap;

/// Returns the keyword of an attribute of this kind, such as `EQ` of a `comparison_direction`.
pub fn keyword<'t>(text: &'t str, kind: &str) -> Option<&'t str> {
    let body = body(text)?;
    let (name, keyword) = body.split_once(' ')?;
    (name == kind).then(|| keyword.trim())
}

/// A record of integers and lists of integers by name. An absent list is empty.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Record {
    fields: BTreeMap<String, Vec<i64>>,
}

impl Record {
    /// Parses the record of this kind. Returns `None` if the text is malformed, or has a field
    /// that is not one of `names`, or one twice.
    pub fn parse(text: &str, kind: &str, names: &[&str]) -> Option<Self> {
        let mut rest = angled(body(text)?, kind)?;
        let mut record = Record::default();
        while !rest.is_empty() {
            let (name, value) = rest.split_once('=')?;
            let name = name.trim();
            let value = value.trim_start();
            let (values, after) = match value.strip_prefix('[') {
                Some(list) => {
                    let (list, after) = list.split_once(']')?;
                    (integers(list)?, after)
                }
                None => {
                    let end = value.find(',').unwrap_or(value.len());
                    (vec![value[..end].trim().parse().ok()?], &value[end..])
                }
            };
            let is_known = names.contains(&name);
            if !is_known || record.fields.insert(name.to_owned(), values).is_some() {
                return None;
            }
            rest = match after.trim_start() {
                "" => "",
                after => after.strip_prefix(',')?.trim_start(),
            };
        }
        Some(record)
    }

    /// Returns the list of that name, which is empty if it is absent.
    pub fn list(&self, name: &str) -> &[i64] {
        self.fields.get(name).map_or(&[], |values| values)
    }
}

/// The meaning of each dimension of one tensor of a convolution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Labels(Vec<Label>);

/// The meaning of a dimension of a convolution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Label {
    /// `b`, `f`, `i` or `o`: batch, feature, input feature, output feature.
    Named(char),
    /// A spatial dimension, by number.
    Spatial(usize),
}

impl Labels {
    /// Returns the number of the dimension with this meaning.
    pub fn position(&self, label: Label) -> Option<usize> {
        self.0.iter().position(|one| *one == label)
    }

    /// Returns the number of dimensions.
    pub fn rank(&self) -> usize {
        self.0.len()
    }
}

/// Parses the dimension labels of input, kernel and output of a convolution.
pub fn convolution_labels(text: &str) -> Option<[Labels; 3]> {
    let body = angled(body(text)?, "conv")?;
    let (operands, output) = body.split_once("->")?;
    let (input, kernel) = operands.split_once('x')?;
    Some([
        labels(input, ['b', 'f'])?,
        labels(kernel, ['i', 'o'])?,
        labels(output, ['b', 'f'])?,
    ])
}

/// Parses the labels of one tensor, which has each name once and the spatial dimensions from 0.
fn labels(text: &str, names: [char; 2]) -> Option<Labels> {
    let list = text.trim().strip_prefix('[')?.strip_suffix(']')?;
    let labels = list.split(',').map(|label| {
        let label = label.trim();
        match label.parse() {
            Ok(number) => Some(Label::Spatial(number)),
            Err(_) => names
                .into_iter()
                .find(|name| label == name.to_string())
                .map(Label::Named),
        }
    });
    let labels = Labels(labels.collect::<Option<Vec<_>>>()?);
    let spatial = labels.rank().checked_sub(names.len())?;
    let mut expected = (0..spatial)
        .map(Label::Spatial)
        .chain(names.map(Label::Named));
    expected
        .all(|label| labels.position(label).is_some())
        .then_some(labels)
}

/// Returns the text between the dialect's name and the end: `dot<...>` or `keyword VALUE`.
fn body(text: &str) -> Option<&str> {
    let rest = text.strip_prefix('#')?;
    let rest = rest
        .strip_prefix("stablehlo")
        .or_else(|| rest.strip_prefix("chlo"))?;
    match rest.strip_prefix('.') {
        Some(named) => Some(named),
        None => rest.strip_prefix('<')?.strip_suffix('>'),
    }
}

/// Returns what stands between the angle brackets behind this name.
fn angled<'t>(body: &'t str, name: &str) -> Option<&'t str> {
    let rest = body.strip_prefix(name)?.trim_start();
    Some(rest.strip_prefix('<')?.strip_suffix('>')?.trim())
}

fn integers(list: &str) -> Option<Vec<i64>> {
    if list.trim().is_empty() {
        return Some(Vec::new());
    }
    list.split(',').map(|one| one.trim().parse().ok()).collect()
}

#[cfg(test)]
mod tests;
