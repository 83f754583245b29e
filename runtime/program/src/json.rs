//! Program files as JSON, for people and scripts.

use std::collections::BTreeMap;

use serde_json::{json, Map, Value};

use crate::{schema_hash, Binary, GlobalId, Op, Operation, Program};

/// A part of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Section {
    /// Everything.
    All,
    /// Version of the writer, schema hash.
    Version,
    /// The system the program was compiled for.
    SystemDesc,
    /// The module from which the programs were translated.
    Mlir,
    /// Inputs of each program.
    Inputs,
    /// Outputs of each program.
    Outputs,
    /// Each kernel with its lists as assembly.
    Kernels,
    /// Number of operations by name in each program; kernel groups count, and so do the operations
    /// in them.
    OpStats,
}

impl Section {
    /// All sections with their names and descriptions.
    pub const ALL: [(Section, &'static str, &'static str); 8] = [
        (Section::All, "all", "The whole file"),
        (
            Section::Version,
            "version",
            "Version of the writer, schema hash",
        ),
        (
            Section::SystemDesc,
            "system_desc",
            "The system the program was compiled for",
        ),
        (
            Section::Mlir,
            "mlir",
            "The module the program was translated from",
        ),
        (Section::Inputs, "inputs", "Inputs of each program"),
        (Section::Outputs, "outputs", "Outputs of each program"),
        (
            Section::Kernels,
            "kernels",
            "Each kernel with its lists as assembly",
        ),
        (
            Section::OpStats,
            "op_stats",
            "Number of operations of each kind in each program",
        ),
    ];
}

impl Binary {
    /// Returns a part of the file as JSON: the fields of the owned types under their own names,
    /// bytes in hexadecimal, list entries in the text form of [`tessera_isa_tensix::list`], and the
    /// `schema_hash`.
    pub fn to_json(&self, section: Section) -> Value {
        match section {
            Section::All => json!({
                "version": self.version.to_string(),
                "schema_hash": schema_hash().to_string(),
                "system_desc": self.system_desc,
                "mlir": self.mlir,
                "kernels": self.kernels,
                "programs": self.programs,
            }),
            Section::Version => json!({
                "version": self.version.to_string(),
                "schema_hash": schema_hash().to_string(),
            }),
            Section::SystemDesc => json!(self.system_desc),
            Section::Mlir => json!(self.mlir),
            Section::Inputs => self.by_program(|program| tensors(program, &program.inputs)),
            Section::Outputs => self.by_program(|program| tensors(program, &program.outputs)),
            Section::Kernels => json!(self.kernels),
            Section::OpStats => self.by_program(|program| {
                let mut counts = BTreeMap::new();
                count(&program.operations, &mut counts);
                json!(counts)
            }),
        }
    }

    fn by_program(&self, value: impl Fn(&Program) -> Value) -> Value {
        let entries = self
            .programs
            .iter()
            .map(|program| (program.name.clone(), value(program)));
        Value::Object(entries.collect::<Map<_, _>>())
    }
}

fn tensors(program: &Program, ids: &[GlobalId]) -> Value {
    let tensor = |&id: &GlobalId| json!({ "global_id": id, "desc": program.tensor(id) });
    ids.iter().map(tensor).collect()
}

/// Serializes a value as its displayed text.
pub(crate) fn displayed<T: std::fmt::Display, S: serde::Serializer>(
    value: &T,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_str(value)
}

fn count(operations: &[Operation], counts: &mut BTreeMap<&'static str, u64>) {
    for operation in operations {
        *counts.entry(operation.op.name()).or_default() += 1;
        if let Op::Kernel(group) = &operation.op {
            count(&group.operations, counts);
        }
    }
}
