//! Generates the documentation of all operations, `docs/operations.md`.

use std::fmt::Write;

use crate::attribute::{
    AttributeInfo, AttributeKind, AttributeValue, Attributes, ComputeConfig, Dialects,
    MathFidelity, Presence,
};
use crate::element::{ElementType, TensorType};
use crate::op::{Arity, Call, Class, ElementRule, OpInfo};
use crate::scalar::{Binary, Domain, Enclosure, Extrema, Sensitivity, Unary};
use crate::shape::Extents;
use crate::table;

const HEAD: &str = "\
<!-- Generated from runtime/ops:
TESSERA_BLESS=1 cargo test -p tessera-ops. -->

# Operations

These are the tensor operations of `ttir` and `ttnn`. [Operations by chip](operations-by-chip.md)
lists the element types that each chip computes. Unless the page says otherwise,

* both dialects have an operation, by the same name,
* operands are tensors, and the result is one tensor,
* operands and result have the same element type.

An element is computed from exact operands and rounded once, to the element type of the result.
Integers have 32 bits and wrap. Canonicalization folds operations of `ttir` on small constants. The
folded value has the same bits as the result of the reference device.

The *behaviour* of an element-wise function tells how errors of its operands propagate: where the
function is defined, where it is unbounded (its poles), and where it is not monotone (its extrema).
The error of a result has no bound if an operand may be at a pole or outside of the domain.

";

/// Columns of the page.
const WIDTH: usize = 100;

/// The sections of the page, and which operations are in each.
const SECTIONS: [(&str, fn(&OpInfo) -> bool); 7] = [
    ("Creations", |op| matches!(op.class, Class::Creation(_))),
    ("Other element-wise functions", |op| {
        matches!(
            op.class,
            Class::Ternary(_) | Class::Parametric(_) | Class::Cast
        )
    }),
    ("Reductions", |op| matches!(op.class, Class::Reduction(_))),
    ("Matrix products", |op| {
        matches!(op.class, Class::Contraction)
    }),
    ("Data movement", |op| {
        matches!(op.class, Class::Movement(_) | Class::Lookup(_))
    }),
    ("Composites", |op| matches!(op.class, Class::Composite(_))),
    ("Layouts, memories and the device", |op| {
        matches!(
            op.class,
            Class::Placement(_) | Class::GetDevice | Class::Deallocate
        )
    }),
];

/// Returns the page.
pub fn markdown() -> String {
    let mut page = HEAD.to_owned();
    unary_functions(&mut page);
    binary_functions(&mut page);
    for (title, is_here) in SECTIONS {
        let _ = write!(page, "## {title}\n\n");
        for op in table::all().iter().filter(|op| is_here(op)) {
            operation(&mut page, op);
        }
    }
    page.truncate(page.trim_end().len());
    page.push('\n');
    page
}

fn unary_functions(page: &mut String) {
    let of_class = |op: &&OpInfo| matches!(op.class, Class::Unary(_));
    functions(
        page,
        "Unary element-wise functions",
        &of_class,
        |op| match op.class {
            Class::Unary(function) => unary_behaviour(function),
            _ => String::new(),
        },
    );
}

fn binary_functions(page: &mut String) {
    let of_class = |op: &&OpInfo| matches!(op.class, Class::Binary(_));
    functions(
        page,
        "Binary element-wise functions",
        &of_class,
        |op| match op.class {
            Class::Binary(function) => binary_behaviour(function).to_owned(),
            _ => String::new(),
        },
    );
}

/// Writes a table of operations that differ only in the function that they compute. Common
/// properties are taken from the first.
fn functions(
    page: &mut String,
    title: &str,
    of_class: &dyn Fn(&&OpInfo) -> bool,
    behaviour: impl Fn(&OpInfo) -> String,
) {
    let ops = || table::all().iter().filter(of_class);
    let Some(first) = ops().next() else {
        return;
    };
    let _ = write!(page, "## {title}\n\n{}", description(first));
    page.push_str(&list_item(&format!("Operands: {}", operands(first))));
    page.push_str(&mismatch(first));
    let _ = write!(
        page,
        "\n{}| operation | value | elements | behaviour |\n|---|---|---|---|\n",
        example_block(first)
    );
    for op in ops() {
        let (names, summary, behaviour) = (names(op), op.summary, behaviour(op));
        let elements = elements(op);
        let _ = writeln!(page, "| {names} | {summary} | {elements} | {behaviour} |");
    }
    page.push('\n');
}

/// Writes an operation with a heading of its own.
fn operation(page: &mut String, op: &'static OpInfo) {
    let _ = write!(page, "### {}\n\n{}.", names(op), op.summary);
    match (op.ttir, op.in_ttnn) {
        (None, _) => page.push_str(" In `ttnn` only."),
        (Some(_), false) => page.push_str(" In `ttir` only."),
        (Some(_), true) => {}
    }
    page.push_str("\n\n");
    page.push_str(&description(op));
    if !op.operands.is_empty() {
        page.push_str(&list_item(&format!("Operands: {}", operands(op))));
    }
    for attribute in op.attributes {
        page.push_str(&list_item(&format!(
            "Attribute {}",
            attribute_line(attribute)
        )));
    }
    if op.result_count() > 0 {
        page.push_str(&list_item(&format!("Elements: {}", elements(op))));
        page.push_str(&mismatch(op));
    }
    page.push_str(&decomposition(op));
    let example = example_block(op);
    if !example.is_empty() {
        let _ = write!(page, "\n{}", example.trim_end());
    }
    page.truncate(page.trim_end().len());
    page.push_str("\n\n");
}

/// Returns an item of a list, wrapped.
fn list_item(text: &str) -> String {
    let options = textwrap::Options::new(WIDTH);
    let options = options.initial_indent("* ").subsequent_indent("  ");
    textwrap::fill(text, options) + "\n"
}

/// Returns the names of an operation; both, if they differ.
fn names(op: &OpInfo) -> String {
    match op.ttir {
        Some(ttir) if ttir != op.name => format!("`{ttir}` (`ttnn.{}`)", op.name),
        _ => format!("`{}`", op.name),
    }
}

fn description(op: &OpInfo) -> String {
    match op.description {
        "" => String::new(),
        text => format!("{}\n\n", textwrap::fill(text, WIDTH)),
    }
}

fn operands(op: &OpInfo) -> String {
    let operands = op.operands.iter().map(|operand| {
        let name = operand.name;
        match operand.count {
            Arity::One => format!("`{name}`"),
            Arity::Optional => format!("`{name}` (optional)"),
            Arity::Variadic => format!("`{name}` (one or more)"),
        }
    });
    operands.collect::<Vec<_>>().join(", ")
}

fn attribute_line(info: &AttributeInfo) -> String {
    let presence = match info.presence {
        Presence::Required => String::new(),
        Presence::Optional => ", optional".into(),
        Presence::DefaultFalse => ", `false` if it is absent".into(),
        Presence::Default(value) => format!(", `{value}` if it is absent"),
    };
    let dialect = match info.dialects {
        Dialects::Both => "",
        Dialects::Ttir => ", in `ttir` only",
        Dialects::Ttnn => ", in `ttnn` only",
    };
    format!("`{}`: {}{presence}{dialect}", info.name, info.kind)
}

/// Returns the supported element types and their constraint.
fn elements(op: &OpInfo) -> String {
    let domain = match op.domain {
        Domain::Any => "any",
        Domain::Float => "floats",
        Domain::Integer => "integers",
    };
    let related = match op.elements {
        ElementRule::Same => "",
        ElementRule::Predicate => "; the result, 1 or 0, may have others",
        ElementRule::AllButFirst => "; the first operand may have others",
        ElementRule::Any if op.operands.is_empty() => "",
        ElementRule::Any => "; the result may have others",
    };
    format!("{domain}{related}")
}

/// Returns the operations into which a composite decomposes, each once.
fn decomposition(op: &'static OpInfo) -> String {
    let made_of = Sample::new(op).and_then(|sample| {
        let graph = sample.call(op).decompose().ok()?;
        let mut names: Vec<String> = Vec::new();
        for node in graph.nodes() {
            let name = format!("`{}`", node.op);
            if !names.contains(&name) {
                names.push(name);
            }
        }
        Some(names.join(", "))
    });
    made_of.map_or_else(String::new, |names| {
        list_item(&format!("Decomposes into: {names}"))
    })
}

/// Returns the diagnostic for a result that does not have the inferred shape.
fn mismatch(op: &'static OpInfo) -> String {
    let text = Sample::new(op).and_then(|sample| {
        let mut found = sample.shape.clone();
        *found.first_mut()? += 1;
        let error = sample.call(op).check_shape(&found).err()?;
        let expected: Vec<_> = sample.shape.iter().map(u64::to_string).collect();
        let found: Vec<_> = found.iter().map(u64::to_string).collect();
        let (expected, found) = (expected.join("x"), found.join("x"));
        Some(list_item(&format!(
            "A result of {found} instead of {expected} is an error: `{error}`"
        )))
    });
    text.unwrap_or_default()
}

/// Returns an example in `ttir`, or `None` for an operation without one.
pub fn example(op: &'static OpInfo) -> Option<String> {
    match (op.example, op.ttir) {
        ("", Some(name)) => Sample::new(op).and_then(|sample| sample.text(name)),
        ("", None) => None,
        (text, _) => Some(text.to_owned()),
    }
}

/// Returns the code block of the example.
fn example_block(op: &'static OpInfo) -> String {
    example(op).map_or_else(String::new, |text| format!("```mlir\n{text}\n```\n\n"))
}

/// Returns the domain, poles and extrema of a unary function.
fn unary_behaviour(function: Unary) -> String {
    if function.info().float.is_none() {
        return "exact".into();
    }
    let Enclosure {
        extrema,
        poles,
        defined_from,
        defined_to,
    } = function.info().enclosure;
    let mut parts = Vec::new();
    match [defined_from, defined_to].map(f64::is_finite) {
        [true, true] => parts.push(format!("defined from {defined_from} to {defined_to}")),
        [true, false] => parts.push(format!("defined from {defined_from}")),
        [false, true] => parts.push(format!("defined to {defined_to}")),
        [false, false] => {}
    }
    parts.extend(poles.iter().map(|pole| format!("pole at {pole}")));
    match extrema {
        Extrema::At([]) => parts.push("monotone".into()),
        Extrema::At(points) => {
            let points: Vec<_> = points.iter().map(f64::to_string).collect();
            parts.push(format!("extrema at {}", points.join(", ")));
        }
        Extrema::Custom(_) => parts.push("special rule".into()),
        Extrema::Periodic { first, period } => {
            parts.push(format!(
                "extrema at {first:.4} and every {period:.4} from there"
            ));
        }
    }
    parts.join("; ")
}

/// Returns how the value of a binary function depends on its operands.
fn binary_behaviour(function: Binary) -> &'static str {
    match function.info().sensitivity {
        Sensitivity::Corners => "monotone in either operand",
        Sensitivity::CornersAndZero => {
            "monotone in either operand, on either side of 0 of the first"
        }
        Sensitivity::CornersUnlessZero => "monotone in either operand; pole where the second is 0",
        Sensitivity::Comparison => "jumps where both are equal",
        Sensitivity::Logical => "jumps where one is 0",
        Sensitivity::Exact => "exact",
        Sensitivity::Custom(_) => "special rule",
    }
}

/// An operation applied to operands, with all required attributes.
struct Sample {
    operands: Vec<TensorType>,
    attributes: Attributes,
    /// The shape of the result.
    shape: Vec<u64>,
}

/// The extent of dimensions.
const EXTENT: u64 = 64;

/// Shapes of operands, one row of which suits an operation. The last shape of a row is that of all
/// further operands.
const SHAPES: [&[&[u64]]; 4] = [
    &[&[EXTENT; 2]],
    &[&[1, EXTENT]],
    &[&[4; 4]],
    &[&[4; 4], &[1, 4, 1, 4], &[1]],
];

/// Values of attributes that are several integers, some of which suit an operation.
const INTEGERS: [&[i64]; 7] = [
    &[1, 0],
    &[EXTENT as i64],
    &[32, 128],
    &[0, 0],
    &[1, 1],
    &[0, 0, 1, 1],
    &[],
];

impl Sample {
    /// Returns the first valid sample with elements in its result, or `None` if the operands do not
    /// determine the shape of the result.
    fn new(op: &'static OpInfo) -> Option<Self> {
        let required = op.attributes.iter();
        let required = required.filter(|info| info.presence == Presence::Required);
        let arrays = required.filter(|info| is_array(info.kind)).count();
        let choices = INTEGERS.len().pow(u32::try_from(arrays).ok()?);
        SHAPES.iter().find_map(|shapes| {
            (0..choices).find_map(|choice| {
                let mut sample = Self::with(op, shapes, choice);
                sample.shape = sample.call(op).infer_shape().ok()?;
                let is_telling = !sample.shape.is_empty() && !sample.shape.contains(&0);
                is_telling.then_some(sample)
            })
        })
    }

    /// Returns a sample for operands of these shapes. The digits of `choice` select the values of
    /// attributes that are arrays.
    fn with(op: &OpInfo, shapes: &[&[u64]], mut choice: usize) -> Self {
        let element = match op.domain {
            Domain::Integer => ElementType::Int(32),
            _ => ElementType::Bf16,
        };
        let operand = |number: usize| TensorType {
            shape: shapes[number.min(shapes.len() - 1)].to_vec(),
            element,
        };
        let mut attributes = Attributes::none();
        for info in op.attributes {
            if info.presence == Presence::Required {
                attributes.set(
                    info.name,
                    value(info.kind, INTEGERS[choice % INTEGERS.len()]),
                );
                if is_array(info.kind) {
                    choice /= INTEGERS.len();
                }
            }
        }
        Sample {
            operands: (0..op.operand_counts().0).map(operand).collect(),
            attributes,
            shape: Vec::new(),
        }
    }

    fn call(&self, op: &'static OpInfo) -> Call<'_> {
        Call {
            op,
            operands: &self.operands,
            attributes: &self.attributes,
        }
    }

    /// Returns the sample in `ttir`, or `None` if it needs attributes.
    fn text(&self, name: &str) -> Option<String> {
        const NAMES: [&str; 4] = ["%a", "%b", "%c", "%d"];
        if self.attributes.iter().next().is_some() || self.operands.len() > NAMES.len() {
            return None;
        }
        let r#type = |shape: &[u64], element| format!("tensor<{}x{element}>", Extents(shape));
        let types = self.operands.iter();
        let types = types.map(|operand| r#type(&operand.shape, operand.element));
        let element = self.operands.first()?.element;
        Some(format!(
            "%0 = \"ttir.{name}\"({}) : ({}) -> {}",
            NAMES[..self.operands.len()].join(", "),
            types.collect::<Vec<_>>().join(", "),
            r#type(&self.shape, element)
        ))
    }
}

fn is_array(kind: AttributeKind) -> bool {
    matches!(value(kind, &[]), AttributeValue::Ints(_))
}

/// Returns a value of an attribute.
fn value(kind: AttributeKind, integers: &[i64]) -> AttributeValue {
    match kind {
        AttributeKind::Bool => AttributeValue::Bool(true),
        AttributeKind::Unsigned | AttributeKind::I32 => AttributeValue::Int(1),
        AttributeKind::Int | AttributeKind::I64 | AttributeKind::SignedI64 => {
            AttributeValue::Int(0)
        }
        AttributeKind::Float | AttributeKind::Number => AttributeValue::Float(1.0),
        AttributeKind::IntArray
        | AttributeKind::DenseInts
        | AttributeKind::DenseI32s
        | AttributeKind::IntOrDenseI32s
        | AttributeKind::Segments => AttributeValue::Ints(integers.to_vec()),
        AttributeKind::Elements => AttributeValue::Bytes(Vec::new()),
        AttributeKind::Text => AttributeValue::Text(String::new()),
        AttributeKind::ComputeConfig => AttributeValue::ComputeConfig(ComputeConfig {
            math_fidelity: MathFidelity::HiFi4,
            fp32_dest_acc: true,
        }),
    }
}

#[cfg(test)]
mod tests;
