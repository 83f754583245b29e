//! `dot_general`: a product of tensors, contracted along any dimensions.
//!
//! Both operands become sequences of matrices: the batch dimensions, then the free and the
//! contracted ones, both collapsed into one dimension. The flags `transpose_a` and `transpose_b` of
//! `matmul` allow either order of the last two. The order that needs no permutation is chosen, or
//! else the one that keeps the last dimension. An operand that is one matrix already stays as it
//! is.
//!
//! Matrix units multiply floats. Products of integers are element-wise products, and a sum.

use super::operand;
use crate::attribute::{AttributeInfo, AttributeKind, AttributeValue, Attributes};
use crate::graph::{Graph, Value};
use crate::op::{Call, CallError, Class, ElementRule, OpInfo, OperandInfo};
use crate::scalar::Domain;

use super::{join, no_check};

const OPERANDS: &[OperandInfo] = &[operand("lhs"), operand("rhs")];
const ATTRIBUTES: &[AttributeInfo] = &[
    AttributeInfo::required("batch_dims_lhs", AttributeKind::DenseInts),
    AttributeInfo::required("contract_dims_lhs", AttributeKind::DenseInts),
    AttributeInfo::required("batch_dims_rhs", AttributeKind::DenseInts),
    AttributeInfo::required("contract_dims_rhs", AttributeKind::DenseInts),
];

/// Returns the entries.
pub(super) fn entries() -> impl Iterator<Item = OpInfo> {
    [OpInfo {
        name: "dot_general",
        ttir: Some("dot_general"),
        in_ttnn: false,
        summary: "Product of tensors, summed along any dimensions",
        description: "Batch and contracted dimensions of `lhs` have the extents of those of \
                      `rhs`, in the order in which the attributes list them. The result has the \
                      batch dimensions, then the remaining ones of `lhs`, then those of `rhs`.",
        example: "%0 = \"ttir.dot_general\"(%a, %b) <{batch_dims_lhs = array<i64: 0>, \
                  contract_dims_lhs = array<i64: 2>, batch_dims_rhs = array<i64: 0>, \
                  contract_dims_rhs = array<i64: 1>}> : (tensor<3x64x128xbf16>, \
                  tensor<3x128x96xbf16>) -> tensor<3x64x96xbf16>",
        operands: OPERANDS,
        attributes: ATTRIBUTES,
        class: Class::Composite(decompose),
        elements: ElementRule::Same,
        domain: Domain::Any,
        verify: no_check,
        shape,
        mismatch: |_, expected, found| {
            format!(
                "expected result shape ({}), got ({})",
                join(expected, ", "),
                join(found, ", ")
            )
        },
    }]
    .into_iter()
}

/// The dimensions of an operand by their role.
struct Roles {
    batch: Vec<usize>,
    free: Vec<usize>,
    contracted: Vec<usize>,
}

impl Roles {
    fn new(call: &Call, number: usize, side: &str) -> Result<Self, String> {
        let rank = call.operand_shape(number).len();
        let mut is_free = vec![true; rank];
        let mut named = |role: &str| -> Result<Vec<usize>, String> {
            let name = format!("{role}_dims_{side}");
            let dims = call.attributes.ints(&name).unwrap_or_default();
            let mut found = Vec::new();
            for &dim in dims {
                let index = usize::try_from(dim).ok().filter(|index| *index < rank);
                let index = index.ok_or_else(|| {
                    format!("'{name}' names dimension {dim} of a tensor of rank {rank}")
                })?;
                if !std::mem::replace(&mut is_free[index], false) {
                    return Err(format!("dimension {dim} of {side} is named twice"));
                }
                found.push(index);
            }
            Ok(found)
        };
        let (batch, contracted) = (named("batch")?, named("contract")?);
        let free = (0..rank).filter(|&dim| is_free[dim]).collect();
        Ok(Roles {
            batch,
            free,
            contracted,
        })
    }
}

fn extents(shape: &[u64], dims: &[usize]) -> Vec<u64> {
    dims.iter().map(|&dim| shape[dim]).collect()
}

fn roles(call: &Call) -> Result<[Roles; 2], String> {
    let roles = [Roles::new(call, 0, "lhs")?, Roles::new(call, 1, "rhs")?];
    let [lhs, rhs] = [0, 1].map(|number| call.operand_shape(number));
    for (name, dims) in [
        ("batch", roles.each_ref().map(|one| &one.batch)),
        ("contracted", roles.each_ref().map(|one| &one.contracted)),
    ] {
        let [ours, theirs] = [extents(lhs, dims[0]), extents(rhs, dims[1])];
        if ours != theirs {
            return Err(format!(
                "{name} dimensions of lhs ({}) and rhs ({}) must have the same extents",
                join(&ours, ", "),
                join(&theirs, ", ")
            ));
        }
    }
    Ok(roles)
}

fn shape(call: &Call) -> Result<Vec<u64>, String> {
    let [lhs, rhs] = roles(call)?;
    let [a, b] = [0, 1].map(|number| call.operand_shape(number));
    Ok([
        extents(a, &lhs.batch),
        extents(a, &lhs.free),
        extents(b, &rhs.free),
    ]
    .concat())
}

fn decompose(call: &Call, graph: &mut Graph) -> Result<(), CallError> {
    let [lhs, rhs] = roles(call).map_err(CallError::Shape)?;
    if call.operands[0].element.is_integer() {
        return sum_products(call, graph, [&lhs, &rhs]);
    }
    let (a, transpose_a) = match is_one_matrix(call.operand_shape(0), &lhs) && rhs.free.len() == 1 {
        true => (Value::Operand(0), false),
        false => matrices(graph, 0, &lhs.batch, [&lhs.free, &lhs.contracted])?,
    };
    let (b, transpose_b) = matrices(graph, 1, &rhs.batch, [&rhs.contracted, &rhs.free])?;
    let mut attributes = Attributes::none();
    for (name, flag) in [("transpose_a", transpose_a), ("transpose_b", transpose_b)] {
        if flag {
            attributes = attributes.with(name, AttributeValue::Bool(true));
        }
    }
    let product = graph.add("matmul", &[a, b], attributes)?;
    graph.finish(product, &call.infer_shape()?)
}

/// Adds the products of all pairs of rows, along dimensions for the batch, the rows of `lhs`, the
/// rows of `rhs` and the contracted elements, and sums along the last one.
fn sum_products(call: &Call, graph: &mut Graph, roles: [&Roles; 2]) -> Result<(), CallError> {
    let mut operands = Vec::new();
    for (number, roles) in roles.into_iter().enumerate() {
        let input = Value::Operand(number);
        let order = [&roles.batch[..], &roles.free, &roles.contracted].concat();
        let moved = graph.permute(input, &order)?;
        let shape = call.operand_shape(number);
        let count = |dims: &[usize]| extents(shape, dims).into_iter().product::<u64>();
        let mut target = vec![count(&roles.batch), 1, 1, count(&roles.contracted)];
        target[1 + number] = count(&roles.free);
        operands.push(graph.reshape(moved, &target)?);
    }
    let products = graph.add("multiply", &operands, Attributes::none())?;
    let sums = graph.reduce("sum", products, &[3])?;
    graph.finish(sums, &call.infer_shape()?)
}

/// Returns whether an operand is one matrix, contracted along its last dimension, with leading
/// dimensions of extent 1, which `matmul` keeps.
fn is_one_matrix(shape: &[u64], roles: &Roles) -> bool {
    let Some(leading) = shape.len().checked_sub(2) else {
        return false;
    };
    let is_last = roles.contracted == [leading + 1];
    roles.batch.is_empty() && is_last && shape[..leading].iter().all(|extent| *extent == 1)
}

/// Adds an operand as a sequence of matrices with these rows and columns. Returns it, and whether
/// its matrices are transposed.
fn matrices(
    graph: &mut Graph,
    number: usize,
    batch: &[usize],
    [rows, columns]: [&[usize]; 2],
) -> Result<(Value, bool), CallError> {
    let input = Value::Operand(number);
    let shape = graph.type_of(input).shape.clone();
    let straight = [batch, rows, columns].concat();
    let swapped = [batch, columns, rows].concat();
    let moves_nothing = |order: &[usize]| {
        let long = order.iter().filter(|&&dim| shape[dim] != 1);
        long.is_sorted()
    };
    // Rows that stay whole move as blocks.
    let keeps_rows = |order: &[usize]| {
        let mut long = order.iter().rev().filter(|&&dim| shape[dim] != 1);
        long.next() == (0..shape.len()).rev().find(|&dim| shape[dim] != 1).as_ref()
    };
    let is_better = moves_nothing(&swapped) || keeps_rows(&swapped) && !keeps_rows(&straight);
    let is_transposed = !moves_nothing(&straight) && is_better;
    let order = if is_transposed { swapped } else { straight };
    let count = |dims: &[usize]| extents(&shape, dims).into_iter().product::<u64>();
    let matrix = match is_transposed {
        true => [count(columns), count(rows)],
        false => [count(rows), count(columns)],
    };
    let target = [&extents(&shape, batch)[..], &matrix].concat();
    let moved = match moves_nothing(&order) {
        true => input,
        false => graph.permute(input, &order)?,
    };
    Ok((graph.reshape(moved, &target)?, is_transposed))
}
