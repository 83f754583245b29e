//! Files that describe a system.
//!
//! MLIR text whose module carries the description, the same that `ttmlir-opt
//! --ttcore-register-device` prints:
//!
//! ```mlir
//! module attributes {ttcore.system_desc = #ttcore.system_desc<[{role = host, ...}], [{arch = <wormhole_b0>, ...}], ...>} {}
//! ```
//!
//! A compiled program can stand for its own system. The file is parsed in a context of its own,
//! with the checks of any program text; what it says is not checked against a chip.

use tessera_dialects::mlir::{Context, Module, Source};

use crate::target::SystemInfo;
use crate::targets;

/// Returns the descriptions in a file, as attribute text: one of each family of chips at most.
///
/// # Errors
/// What is wrong with the file, with the place in it.
pub fn read(path: &str) -> Result<Vec<(&'static SystemInfo, String)>, String> {
    let bytes = std::fs::read(path)
        .map_err(|error| format!("cannot read the system description {path}: {error}"))?;
    let context = Context::new();
    let wrong = |what: String| format!("the system description is wrong: {what}");
    let source = Source::new(path, bytes).map_err(|diagnostic| wrong(diagnostic.to_string()))?;
    let module = Module::parse(&context, &source);
    let reported = context.diagnostics().drain();
    let Ok(module) = module else {
        let first = reported.first().map(ToString::to_string);
        return Err(wrong(first.unwrap_or_default()));
    };
    let systems = targets::ALL.iter().map(|target| target.system());
    let described = systems.filter_map(|system| {
        let text = module.op().attribute(system.attribute)?.to_string();
        text.starts_with(system.prefix).then_some((system, text))
    });
    let described: Vec<_> = described.collect();
    if described.is_empty() {
        let forms = targets::ALL.iter().map(|target| target.system());
        let forms: Vec<_> = forms
            .map(|system| format!("{} = {}...", system.attribute, system.prefix))
            .collect();
        let forms = forms.join(" or ");
        return Err(wrong(format!(
            "{path}:1:1: its module has no attribute {forms}"
        )));
    }
    Ok(described)
}
