//! The ODS of the tensor dialects, generated from the table.
//!
//! `ttir` and `ttnn` declare by hand only what is not an operation on tensors (devices, layouts,
//! kernels); those files include what is generated here, and define the classes that it refers to.
//! The element-wise operations of `pto` follow from the functions.

use std::fmt::Write;

use crate::attribute::{AttributeInfo, AttributeKind, Dialects, Presence};
use crate::op::{Arity, Class, Creation, OpInfo};
use crate::scalar::{Binary, Unary};
use crate::table;

/// Returns the operations of `ttir`.
///
/// TTIR has two spellings: upstream dropped the output operand in November 2025, its guide still
/// writes it. ODS would report a wrong operand count of an optional output as "expected 2 or more";
/// so the operands are one group, and a trait counts them and names the count that the operation
/// has today.
pub fn ttir() -> String {
    let entries = table::all().iter().filter_map(|op| Some((op, op.ttir?)));
    entries.fold(String::new(), |mut text, (op, name)| {
        let (least, most) = op.operand_counts();
        let class = match op.class {
            Class::Creation(creation) => format!("TTIR_{}<\"{name}\">", creation_class(creation)),
            _ => {
                let most = most.unwrap_or(MANY);
                format!("TTIR_TensorOp<\"{name}\", {least}, {most}>")
            }
        };
        let attributes = declarations(op, Dialects::Ttir);
        let arguments = match op.class {
            Class::Creation(_) => attributes,
            _ => [vec!["Variadic<AnyRankedTensor>:$inputs".into()], attributes].concat(),
        };
        let _ = write!(text, "{}", definition("TTIR", name, &class, op, &arguments));
        text
    })
}

/// More operands than any operation of TTIR has.
const MANY: usize = 1 << 20;

/// Returns the operations of `ttnn` that compute.
pub fn ttnn() -> String {
    let entries = table::all()
        .iter()
        .filter(|op| op.in_ttnn && op.ttir.is_some());
    entries.fold(String::new(), |mut text, op| {
        let class = match op.class {
            Class::Creation(creation) => {
                format!("TTNN_{}<\"{}\">", creation_class(creation), op.name)
            }
            _ => format!("TTNN_PureOp<\"{}\">", op.name),
        };
        let operands = op.operands.iter().map(|operand| {
            let constraint = match operand.count {
                Arity::One => "AnyRankedTensor",
                Arity::Optional => "Optional<AnyRankedTensor>",
                Arity::Variadic => "Variadic<AnyRankedTensor>",
            };
            format!("{constraint}:${}", operand.name)
        });
        let arguments: Vec<_> = operands.chain(declarations(op, Dialects::Ttnn)).collect();
        let _ = write!(
            text,
            "{}",
            definition("TTNN", op.name, &class, op, &arguments)
        );
        text
    })
}

/// Returns the hand-written ODS class of a creation, which holds what is specific to the dialect.
fn creation_class(creation: Creation) -> &'static str {
    match creation {
        Creation::Empty => "EmptyTensorOp",
        Creation::Constant => "ConstantTensorOp",
        Creation::Range => "RangeTensorOp",
        Creation::Zeros | Creation::Ones | Creation::Full => "FilledTensorOp",
    }
}

/// Returns the element-wise operations of `pto`.
pub fn pto() -> String {
    let unaries = Unary::ALL
        .iter()
        .map(|one| ("Unary", one.mnemonic(), one.info().summary));
    let binaries = Binary::ALL
        .iter()
        .map(|one| ("Binary", one.mnemonic(), one.info().summary));
    unaries
        .chain(binaries)
        .fold(String::new(), |mut text, (class, mnemonic, summary)| {
            let name = camel_case(mnemonic);
            let _ = writeln!(
                text,
                "def PTO_T{name}Op : PTO_{class}<\"t{mnemonic}\", [{{{summary}}}]>;"
            );
            text
        })
}

/// Returns the ODS definition of an operation.
fn definition(prefix: &str, name: &str, class: &str, op: &OpInfo, arguments: &[String]) -> String {
    let mut text = format!("def {prefix}_{}Op : {class} {{\n", camel_case(name));
    let _ = writeln!(text, "  let summary = [{{{}}}];", op.summary);
    let mut description = op.description.to_owned();
    if prefix == "TTIR" && !op.example.is_empty() {
        let _ = write!(description, "\n\n```mlir\n{}\n```", op.example);
    }
    if !description.is_empty() {
        let _ = writeln!(text, "  let description = [{{{description}\n}}];");
    }
    match op.class {
        Class::Creation(_) if arguments.is_empty() => {}
        Class::Creation(_) => {
            let _ = writeln!(text, "  let more = (ins {});", arguments.join(", "));
        }
        _ => {
            let _ = writeln!(text, "  let arguments = (ins {});", arguments.join(", "));
        }
    }
    if matches!(op.class, Class::Cast) {
        text.push_str("  let hasFolder = 1;\n");
    }
    text.push_str("}\n\n");
    text
}

/// Returns the attributes that a dialect declares.
fn declarations(op: &OpInfo, dialect: Dialects) -> Vec<String> {
    let here =
        |info: &&AttributeInfo| matches!(info.dialects, Dialects::Both) || info.dialects == dialect;
    op.attributes.iter().filter(here).map(declaration).collect()
}

fn declaration(info: &AttributeInfo) -> String {
    let constraint = match info.kind {
        AttributeKind::Bool => "BoolAttr",
        AttributeKind::Int => "SI32Attr",
        AttributeKind::Unsigned => "UI32Attr",
        AttributeKind::I32 => "I32Attr",
        AttributeKind::I64 => "I64Attr",
        AttributeKind::SignedI64 => "SI64Attr",
        AttributeKind::Float => "F32Attr",
        AttributeKind::Number => "AnyAttrOf<[F32Attr, I32Attr]>",
        AttributeKind::IntArray => "I32ArrayAttr",
        AttributeKind::DenseInts => "DenseI64ArrayAttr",
        AttributeKind::DenseI32s | AttributeKind::Segments => "DenseI32ArrayAttr",
        AttributeKind::IntOrDenseI32s => "AnyAttrOf<[I32Attr, DenseI32ArrayAttr]>",
        AttributeKind::Elements => "ElementsAttr",
        AttributeKind::Text => "StrAttr",
        AttributeKind::ComputeConfig => "TTNN_DeviceComputeKernelConfigAttr",
    };
    let name = info.name;
    match info.presence {
        Presence::Required => format!("{constraint}:${name}"),
        Presence::Optional => format!("OptionalAttr<{constraint}>:${name}"),
        Presence::Default(value) => {
            format!("DefaultValuedAttr<{constraint}, \"{value}\">:${name}")
        }
        Presence::DefaultFalse => format!("DefaultValuedAttr<{constraint}, \"false\">:${name}"),
    }
}

/// Converts `logical_not` to `LogicalNot`.
fn camel_case(name: &str) -> String {
    let capitalized = name.split('_').map(|word| {
        let (first, rest) = word.split_at(word.len().min(1));
        first.to_uppercase() + rest
    });
    capitalized.collect()
}
