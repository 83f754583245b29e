//! Generator of typed Rust views of operations from their ODS declarations.
//!
//! For each operation: a type with the name of its C++ class, its full name, an accessor for each
//! operand, result, region and attribute, and a key for each attribute
//! (`src/mlir/attribute_key.rs`). A family of operations gets a view of their common accessors.

use std::error::Error;
use std::fmt::Write;

use crate::records::{Arity, Kind, Named, Operation};

/// The families that get a view: the dialect, the name of the view, and the members, each an
/// operation, an ODS class that operations derive from or, after `$`, an attribute that they have.
const FAMILIES: &[(&str, &str, &[&str])] = &[
    ("mncore", "InstructionOp", &["Mncore_Instruction"]),
    ("mncore", "IssuedOp", &["Mncore_Instruction", "wait", "mv"]),
    ("tensix", "PageMoveOp", &["Tensix_MoveOp"]),
    ("tensix", "NocMoveOp", &["Tensix_NocMove", "noc_send"]),
    ("tensix", "CountOp", &["post", "await", "noc_post"]),
    ("tensix", "BroadcastOp", &["noc_send", "noc_post"]),
    (
        "tensix",
        "NocOp",
        &["noc_read", "noc_write", "noc_send", "noc_post", "noc_wait"],
    ),
    ("tensix", "CodeOp", &["kernel", "program", "cluster"]),
    (
        "tensix",
        "CompiledOp",
        &["kernel", "program", "cluster", "alias"],
    ),
    ("ttnn", "ProductOp", &["matmul", "linear"]),
    ("ttnn", "ReductionOp", &["$keep_dim"]),
    ("ttnn", "ConfiguredOp", &["$compute_config"]),
    ("ttir", "FilledTensorOp", &["TTIR_FilledTensorOp"]),
    (
        "ttnn",
        "ShapedOp",
        &["TTNN_FilledTensorOp", "TTNN_EmptyTensorOp"],
    ),
    ("pto", "BinaryOp", &["PTO_Binary"]),
    ("pto", "ElementwiseOp", &["$precision"]),
    (
        "pto",
        "UnitOp",
        &["PTO_Binary", "PTO_OfTile", "tsel", "tfill"],
    ),
    ("pto", "InitializePipeOp", &["PTO_InitializePipe"]),
    ("pto", "BufferOp", &["reserve_buffer", "import_peer_buffer"]),
];

/// Dialect attributes with a Rust type: the C++ class and the Rust type.
const CLASSES: &[(&str, &str)] = &[
    ("::tessera::pto::BroadcastAttr", "crate::pto::Broadcast"),
    ("::tessera::pto::DstAttr", "crate::pto::Dst"),
    ("::tessera::pto::FidelityAttr", "crate::pto::Fidelity"),
    ("::tessera::pto::KindAttr", "crate::pto::Kind"),
    ("::tessera::pto::PlacementAttr", "crate::pto::Placement"),
    ("::tessera::pto::PlatformAttr", "crate::pto::Platform"),
    ("::tessera::pto::PrecisionAttr", "crate::pto::Precision"),
    ("::tessera::pto::SplitAttr", "crate::pto::Split"),
    ("::tessera::pto::UnitAttr", "crate::pto::Unit"),
    ("::tessera::ttcore::ArchAttr", "crate::ttcore::Arch"),
    (
        "::tessera::ttnn::DeviceComputeKernelConfigAttr",
        "crate::ttnn::ComputeConfig<'static>",
    ),
    ("::tessera::ttnn::ShapeAttr", "crate::ttnn::Shape<'static>"),
];

/// Methods that all views have; accessors with these names are renamed.
const TAKEN: &[&str] = &["name", "op", "symbol", "location", "parent", "regions"];

/// Rust keywords, which cannot be names.
const KEYWORDS: &[&str] = &["type", "in", "for", "if", "else", "where", "ref", "move"];

/// Returns the views of the operations of a dialect.
///
/// # Errors
/// Operand groups are ambiguous.
pub fn views(operations: &[Operation]) -> Result<String, Box<dyn Error>> {
    let mut out = String::new();
    for operation in operations {
        view(&mut out, operation)?;
    }
    for &(dialect, name, members) in FAMILIES {
        let is_member = |operation: &&Operation| {
            let classes = operation.superclasses.iter().map(String::as_str);
            let mut names = classes.chain([operation.mnemonic.as_str()]);
            let has = |one: &&str| {
                let attribute = one.strip_prefix('$');
                let mut attributes = operation.attributes.iter();
                attributes.any(|other| Some(other.name.as_str()) == attribute)
            };
            operation.dialect == dialect
                && (names.any(|one| members.contains(&one)) || members.iter().any(has))
        };
        let members: Vec<&Operation> = operations.iter().filter(is_member).collect();
        if let Some(common) = common(name, &members) {
            family(&mut out, &common, &members)?;
        }
    }
    Ok(out)
}

fn view(out: &mut String, operation: &Operation) -> Result<(), Box<dyn Error>> {
    let Operation {
        dialect,
        mnemonic,
        class,
        summary,
        ..
    } = operation;
    let doc = documentation(&format!("`{dialect}.{mnemonic}`"), summary);
    writeln!(
        out,
        "op_view! {{ {doc} {class} = \"{dialect}.{mnemonic}\" }}"
    )?;
    accessors(out, operation)
}

fn family(
    out: &mut String,
    common: &Operation,
    members: &[&Operation],
) -> Result<(), Box<dyn Error>> {
    let names: Vec<&str> = members.iter().map(|one| one.class.as_str()).collect();
    let doc = documentation(&format!("Any of `{}`", names.join("`, `")), "");
    let (class, names) = (&common.class, names.join(", "));
    writeln!(out, "op_family! {{ {doc} {class} = [{names}] }}")?;
    accessors(out, common)
}

/// Returns the common declaration of a family of operations.
fn common(name: &str, members: &[&Operation]) -> Option<Operation> {
    let (first, others) = members.split_first()?;
    let all = |has: &dyn Fn(&Operation) -> bool| others.iter().all(|other| has(other));
    let attributes = first.attributes.iter();
    let shared = attributes.filter(|one| all(&|other| other.attributes.contains(one)));
    let same = |of: fn(&Operation) -> &Vec<Named<Arity>>| {
        let list = of(first);
        all(&|other| of(other) == list).then(|| list.clone())
    };
    Some(Operation {
        dialect: first.dialect.clone(),
        mnemonic: String::new(),
        class: name.to_owned(),
        superclasses: Vec::new(),
        summary: String::new(),
        operands: same(|one| &one.operands).unwrap_or_default(),
        has_operand_segments: first.has_operand_segments,
        results: same(|one| &one.results).unwrap_or_default(),
        attributes: shared.cloned().collect(),
        regions: same(|one| &one.regions).unwrap_or_default(),
    })
}

/// Returns the accessors of a view, and the keys of its attributes.
fn accessors(out: &mut String, operation: &Operation) -> Result<(), Box<dyn Error>> {
    let mut body = String::new();
    for Named { name, what } in &operation.attributes {
        attribute(&mut body, name, what)?;
    }
    let operands = &operation.operands;
    for (index, Named { name, what }) in named(operands) {
        let taken = match operation.has_operand_segments {
            true => format!("self.op().operand_segment({index})"),
            false => values("operand", operands, index)?,
        };
        accessor(&mut body, "operand", name, *what, &taken)?;
    }
    for (index, Named { name, what }) in named(&operation.results) {
        let taken = values("result", &operation.results, index)?;
        accessor(&mut body, "result", name, *what, &taken)?;
    }
    for (index, Named { name, what }) in named(&operation.regions) {
        if *what == Arity::One {
            let mut called = snake_case(name);
            if !called.ends_with("region") {
                called += "_region";
            }
            write!(
                body,
                "/// The region `{name}`.\npub fn {called}(self) -> Option<Region<'a>> {{ self.op().region({index}) }}\n"
            )?;
        }
    }
    if !body.is_empty() {
        writeln!(out, "impl<'a> {}<'a> {{\n{body}}}", operation.class)?;
    }
    Ok(())
}

/// Iterates over the named items, with their indices.
fn named<T>(all: &[Named<T>]) -> impl Iterator<Item = (usize, &Named<T>)> {
    let all = all.iter().enumerate();
    all.filter(|(_, one)| !one.name.is_empty())
}

/// Returns the key of an attribute and the accessor of its value.
fn attribute(body: &mut String, name: &str, kind: &Kind) -> Result<(), Box<dyn Error>> {
    let snake = snake_case(name);
    let called = match TAKEN.contains(&snake.as_str()) {
        true => snake + "_attribute",
        false => snake,
    };
    let key = called.to_ascii_uppercase();
    let kind = match kind {
        Kind::Builtin(kind) => kind.as_str(),
        Kind::Class(class) => {
            let known = CLASSES.iter().find(|(cpp, _)| cpp == class);
            known.map_or("Any", |(_, rust)| rust)
        }
    };
    let accessor = identifier(&called);
    write!(
        body,
        "/// The attribute `{name}`.\npub const {key}: AttributeKey<{kind}> = AttributeKey::new(\"{name}\");\n\
         /// The value of the attribute `{name}`.\npub fn {accessor}(self) -> "
    )?;
    match kind {
        "Unit" => writeln!(body, "bool {{ Self::{key}.is_in(self.op()) }}")?,
        _ => writeln!(
            body,
            "Option<ValueOf<'a, {kind}>> {{ Self::{key}.get(self.op()) }}"
        )?,
    }
    Ok(())
}

/// Returns the expression that accesses a group of values by index. Groups before and after the
/// variadic group are counted from the start and from the end.
fn values(what: &str, all: &[Named<Arity>], index: usize) -> Result<String, Box<dyn Error>> {
    let mut variable = all.iter().enumerate();
    let variable: Vec<usize> = variable
        .by_ref()
        .filter(|(_, one)| one.what != Arity::One)
        .map(|(number, _)| number)
        .collect();
    let after = all.len() - 1 - index;
    Ok(match variable[..] {
        [] => format!("self.op().{what}({index})"),
        [variable] if index < variable => format!("self.op().{what}({index})"),
        [variable] if index > variable => format!("self.op().{what}_from_end({after})"),
        [_] => format!("self.op().{what}s_between({index}, {after})"),
        _ => {
            let name = &all[index].name;
            return Err(format!("{what} '{name}' stands among several groups of any size").into());
        }
    })
}

/// Returns the accessor for values that the expression `taken` computes.
fn accessor(
    body: &mut String,
    what: &str,
    name: &str,
    arity: Arity,
    taken: &str,
) -> Result<(), Box<dyn Error>> {
    let snake = snake_case(name);
    let called = match TAKEN.contains(&snake.as_str()) {
        true => format!("{snake}_{what}"),
        false => snake,
    };
    let (many, found, rest) = match arity {
        Arity::One => ("", "Option<Value<'a>>", ""),
        Arity::Optional => ("", "Option<Value<'a>>", ".into_iter().next()"),
        Arity::Variadic => ("s", "Vec<Value<'a>>", ""),
    };
    writeln!(
        body,
        "/// The {what}{many} `{name}`.\npub fn {}(self) -> {found} {{ {taken}{rest} }}",
        identifier(&called)
    )?;
    Ok(())
}

/// Returns a doc attribute.
fn documentation(name: &str, summary: &str) -> String {
    let text = if summary.is_empty() {
        name.to_owned()
    } else {
        format!("{name}: {summary}")
    };
    // Escape brackets, which Rustdoc would parse as links and tags.
    let text = text.replace('[', "\\[").replace('<', "\\<");
    format!("#[doc = {text:?}]")
}

fn identifier(name: &str) -> String {
    match KEYWORDS.contains(&name) {
        true => format!("r#{name}"),
        false => name.to_owned(),
    }
}

fn snake_case(name: &str) -> String {
    let mut snake = String::new();
    for letter in name.chars() {
        if letter.is_ascii_uppercase() && !snake.is_empty() {
            snake.push('_');
        }
        snake.push(letter.to_ascii_lowercase());
    }
    snake
}
