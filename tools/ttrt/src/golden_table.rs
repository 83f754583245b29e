//! Formats comparisons with the reference as text.

use tessera_runtime::golden::{Comparison, Report};
use tessera_runtime::statistics::Table;

use crate::table;

/// Returns a line for each result, the number of results within their bounds, and the number of
/// undetermined elements.
pub fn text(reports: &[Report]) -> String {
    let titles = vec![
        "#",
        "operation",
        "bound used",
        "max error",
        "nRMS",
        "PCC",
        "max chained",
        "nRMS",
        "PCC",
        "location",
    ];
    let table = Table {
        titles,
        names: vec![1, 9],
        rows: reports.iter().map(cells).collect(),
    };
    let passed = reports.iter().filter(|report| report.pass).count();
    let undetermined = reports.iter().filter_map(undetermined_text);
    format!(
        "against the reference: errors of each operation on the operands that it had, and chained \
         from the inputs on\n\
         {}{}golden: {passed} of {} results are within their bounds\n",
        table::render(&table),
        undetermined.collect::<String>(),
        reports.len()
    )
}

/// Returns a line about undetermined elements, if there are any.
fn undetermined_text(report: &Report) -> Option<String> {
    let others = report.undetermined - report.miscounted;
    let of = |count: usize, why: &str| {
        format!(
            "operation {} ({}): {count} of {} elements {why}\n",
            report.operation, report.name, report.elements
        )
    };
    let poles = of(
        others,
        "are undetermined for these inputs: operands may be at a pole or outside of the domain",
    );
    let cause = report.erratum.map_or("", |erratum| erratum.cause);
    let miscounted = of(
        report.miscounted,
        &format!("are undetermined because {cause}"),
    );
    match (others, report.miscounted) {
        (0, 0) => None,
        (_, 0) => Some(poles),
        (0, _) => Some(miscounted),
        (_, _) => Some(poles + &miscounted),
    }
}

/// Returns a summary of failed results, if any: their number and the first one.
pub fn failure(reports: &[Report]) -> Option<String> {
    let failed: Vec<&Report> = reports.iter().filter(|report| !report.pass).collect();
    let first = failed.first()?;
    let at = match first.loc.is_empty() {
        true => String::new(),
        false => format!(" at {}", first.loc),
    };
    let what = match failed.iter().any(|report| report.used > 1.0) {
        true => "exceed their error bounds",
        false => "are undetermined for these inputs in all elements",
    };
    Some(format!(
        "{} of {} results {what}, first operation {} ({}){at}",
        failed.len(),
        reports.len(),
        first.operation,
        first.name
    ))
}

fn cells(report: &Report) -> Vec<String> {
    let [max, nrms, pcc] = errors(&report.isolated);
    let [chained_max, chained_nrms, chained_pcc] = errors(&report.chained);
    let place = match (report.pass, report.used > 1.0) {
        (true, _) => report.loc.clone(),
        (false, true) => format!("FAIL at {}", report.loc),
        (false, false) => format!("UNDETERMINED at {}", report.loc),
    };
    vec![
        report.operation.to_string(),
        report.name.clone(),
        match report.undetermined < report.elements {
            true => share(report.used),
            false => "-".into(),
        },
        max,
        nrms,
        pcc,
        chained_max,
        chained_nrms,
        chained_pcc,
        place,
    ]
}

fn errors(comparison: &Comparison) -> [String; 3] {
    let optional = |value: Option<f64>, text: fn(f64) -> String| value.map_or("-".into(), text);
    [
        format!("{:.3e}", comparison.max_abs_error),
        optional(comparison.nrms, |nrms| format!("{nrms:.2e}")),
        optional(comparison.pcc, |pcc| format!("{pcc:.6}")),
    ]
}

/// Formats the used part of a bound in percent. Values far beyond the bound have two digits and an
/// exponent.
fn share(used: f64) -> String {
    match 100.0 * used {
        percent if !percent.is_finite() => "over".into(),
        percent if percent < 9999.95 => format!("{percent:.1}%"),
        percent => format!("{percent:.1e}%"),
    }
}

#[cfg(test)]
mod tests;
