//! Classification of what an operation computes.

use tessera_dialects::mlir::{ContextRef, Op, Reported, TensorType, Value};
use tessera_dialects::pto::Broadcast;
use tessera_dialects::ttnn::{self, ProductOp};
use tessera_dialects::verify::{call, TensorCall};
use tessera_ops::{
    row_major_strides, Binary, Class, ElementRule, IndexMap, Parametric, Ternary, Unary,
};
use tessera_pto::kernel as group;

use super::abilities::Abilities;
use super::extent::Extent;
use super::matrix_view::{has_matrices, MatrixView};
use super::reduction::Reduction;
use super::tensor::Element;
use crate::ttnn::layout::{unsupported_shape, Layout};
use crate::verified::expect_verified;

/// The computation of an operation in a kernel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Compute {
    /// Product of the first two operands, plus the third, broadcast.
    Matmul {
        /// Which of the first two operands are transposed.
        transposed: [bool; 2],
        /// How the third operand is broadcast, if there is one.
        bias: Option<Broadcast>,
    },
    /// A binary element-wise function.
    Binary {
        /// The function.
        function: Binary,
        /// How each operand is broadcast.
        broadcasts: [Broadcast; 2],
    },
    /// A unary element-wise function.
    Unary(Unary),
    /// Binary functions with a constant right operand, one after the other.
    Numbers([Option<(Binary, f64)>; 2]),
    /// Clamp of the first operand between the second and the third; how each is broadcast.
    Clamp([Broadcast; 3]),
    /// Select: the second operand where the first is not zero, else the third; how each is
    /// broadcast.
    Where([Broadcast; 3]),
    /// A conversion of the element type.
    Cast {
        /// Whether it rounds to bf16.
        narrows: bool,
    },
    /// A reduction of rows or columns.
    Reduce(Reduction),
    /// A transposition.
    Transpose,
}

impl Compute {
    /// Classifies an operation. Returns `None` if it needs no kernel.
    pub fn from_op(op: Op, abilities: Abilities) -> Option<Result<Self, Reported>> {
        let info = call::info(op)?;
        let may_collapse_dims = abilities.may_collapse_dims;
        let view = || MatrixView::infer(op, may_collapse_dims);
        let compute = match info.class {
            Class::Creation(_) | Class::Placement(_) | Class::GetDevice | Class::Deallocate => {
                return None
            }
            Class::Composite(_) => Err(op.error(
                "has no kernel of its own; run ttir-to-ttir-decomposition before ttnn-layout",
            )),
            _ if op.name().starts_with("ttir.") => {
                Err(op.error("is not an operation of TTNN; run convert-ttir-to-ttnn first"))
            }
            Class::Unary(function) => view().map(|_| Compute::Unary(function)),
            Class::Binary(function) => {
                let broadcasts =
                    view().and_then(|view| Self::broadcasts(op, &view, may_collapse_dims));
                broadcasts.map(|broadcasts| Compute::Binary {
                    function,
                    broadcasts,
                })
            }
            Class::Ternary(function) => {
                let broadcasts =
                    view().and_then(|view| Self::broadcasts(op, &view, may_collapse_dims));
                broadcasts.map(match function {
                    Ternary::Where => Compute::Where,
                    Ternary::Clamp => Compute::Clamp,
                })
            }
            Class::Parametric(function) => {
                let functions = match function {
                    Parametric::LeakyRelu => [Some((Binary::Prelu, "parameter")), None],
                    Parametric::Clamp => [Some((Binary::Max, "min")), Some((Binary::Min, "max"))],
                };
                view().and_then(|_| Self::numbers(op, functions))
            }
            Class::Cast => view().map(|_| Self::cast(op)),
            Class::Reduction(function) => {
                view().map(|view| Compute::Reduce(Reduction::from_view(&view, function)))
            }
            Class::Contraction => Self::matmul(op, abilities),
            Class::Movement(_) => match is_transposition(op) {
                true => Ok(Compute::Transpose),
                // It only moves elements.
                false => return None,
            },
            Class::Lookup(_) => return None,
        };
        Some(compute)
    }

    fn numbers(op: Op, functions: [Option<(Binary, &'static str)>; 2]) -> Result<Self, Reported> {
        let [first, second] = functions.map(|function| {
            let number =
                |(function, name)| Ok((function, expect_verified(op, call::number(op, name))?));
            function.map(number).transpose()
        });
        Ok(Compute::Numbers([first?, second?]))
    }

    /// Returns how each operand is broadcast to the result.
    fn broadcasts<const N: usize>(
        op: Op,
        view: &MatrixView,
        may_collapse_dims: bool,
    ) -> Result<[Broadcast; N], Reported> {
        let mut broadcasts = [Broadcast::None; N];
        for ((broadcast, from), index) in
            broadcasts.iter_mut().zip(&view.operands).zip(&view.indices)
        {
            let found = from.broadcast_to(view.result);
            let found = found.filter(|_| has_matrices(from, index, may_collapse_dims));
            *broadcast = found.ok_or_else(|| no_broadcast(op, *from, view.result))?;
        }
        Ok(broadcasts)
    }

    fn matmul(op: Op, abilities: Abilities) -> Result<Self, Reported> {
        let may_collapse_dims = abilities.may_collapse_dims;
        let is_matrix = |operand: usize| {
            let shape = op.operand(operand).and_then(|value| value.r#type().shape());
            shape.is_some_and(|shape| shape.len() >= 2)
        };
        let flags = [ProductOp::TRANSPOSE_A, ProductOp::TRANSPOSE_B];
        let transposed =
            [0, 1].map(|number| is_matrix(number) && flags[number].get(op) == Some(true));
        if transposed.contains(&true) && !abilities.transposed_factors {
            return Err(op.error(
                "with a transposed factor has no kernel; run ttnn-transpose-factors first",
            ));
        }
        if ProductOp::ACTIVATION.is_in(op) {
            return Err(op.error(
                "with an activation has no kernel yet; apply it in an operation of its own",
            ));
        }
        if !is_matrix(1) && !may_collapse_dims {
            return Err(
                op.error("by a vector has no kernel yet; give the right factor two dimensions")
            );
        }
        let view = MatrixView::infer(op, may_collapse_dims)?;
        let to = view.result;
        if !is_matrix(0) && view.operands[1].matrices > to.matrices {
            return Err(op.error(
                "of a vector by several matrices has no kernel for this target; give the left factor two dimensions",
            ));
        }
        for (factor, index) in view.operands.iter().zip(&view.indices).take(2) {
            if !has_matrices(factor, index, may_collapse_dims) {
                return Err(op.error(format!(
                    "broadcasts {} matrices to {}; kernels for this target broadcast one matrix: run \
                     ttnn-materialize-broadcasts first",
                    factor.matrices, to.matrices
                )));
            }
        }
        let bias = view.operands.get(2).map(|from| {
            let broadcast = from.broadcast_to(to);
            let broadcast =
                broadcast.filter(|_| has_matrices(from, &view.indices[2], may_collapse_dims));
            broadcast.ok_or_else(|| no_broadcast(op, *from, to))
        });
        Ok(Compute::Matmul {
            transposed,
            bias: bias.transpose()?,
        })
    }

    fn cast(op: Op) -> Self {
        let element = |value: Option<Value>| value.and_then(Element::from_value);
        let (from, to) = (element(op.operand(0)), element(op.result(0)));
        let wide = matches!(from, Some(Element::F32 | Element::I32));
        let narrows = wide && to == Some(Element::Bf16);
        Compute::Cast { narrows }
    }

    /// Returns whether rounding before it gives the same result as rounding after it.
    pub fn commutes_with_rounding(self) -> bool {
        matches!(self, Compute::Unary(Unary::Relu | Unary::Neg | Unary::Abs))
    }

    /// Returns whether it maps zeros to zero, apart from broadcast operands.
    pub fn keeps_zero(self) -> bool {
        let of_two =
            |function: Binary, number| function.eval(group::Element::F32, 0.0, number) == 0.0;
        match self {
            Compute::Unary(function) => function.eval(group::Element::F32, 0.0) == 0.0,
            Compute::Binary { function, .. } => of_two(function, 0.0),
            Compute::Numbers(functions) => {
                let mut functions = functions.iter().flatten();
                functions.all(|&(function, number)| of_two(function, number))
            }
            Compute::Clamp(_) | Compute::Where(_) => false,
            Compute::Matmul { .. }
            | Compute::Cast { .. }
            | Compute::Reduce(_)
            | Compute::Transpose => true,
        }
    }

    /// Returns whether an element of the result depends on several elements of an operand. Such an
    /// operation heads a group.
    pub fn is_head(self) -> bool {
        matches!(
            self,
            Compute::Matmul { .. } | Compute::Reduce(_) | Compute::Transpose
        )
    }

    /// Returns whether it is a matrix product.
    pub fn is_product(self) -> bool {
        matches!(self, Compute::Matmul { .. })
    }
}

fn no_broadcast(op: Op, from: Extent, to: Extent) -> Reported {
    op.error(format!(
        "broadcasts {from} to {to}; kernels for this target broadcast a row, a column or one element, within each \
         matrix or the same in all: run ttnn-materialize-broadcasts first"
    ))
}

/// Returns the index map of a movement, or `None` for other operations.
pub fn index_map(op: Op) -> Option<IndexMap> {
    let call = TensorCall::new(op).ok()?;
    match call.op.class {
        Class::Movement(map) | Class::Lookup(map) => Some(map(&call.as_call())),
        _ => None,
    }
}

/// Returns whether a movement only exchanges the last two dimensions.
fn is_transposition(op: Op) -> bool {
    let shape = op
        .operand(0)
        .and_then(|value| value.r#type().static_shape());
    let Some((mut shape, map)) = shape.zip(index_map(op)) else {
        return false;
    };
    let Some(last) = shape.len().checked_sub(1).filter(|last| *last > 0) else {
        return false;
    };
    let mut strides: Vec<i64> = row_major_strides(&shape)
        .into_iter()
        .map(|stride| stride as i64)
        .collect();
    strides.swap(last - 1, last);
    shape.swap(last - 1, last);
    map == IndexMap::view(&shape, 0, strides)
}

/// Says which types of a program are kept as an element type, where its own name may not occur in
/// the program.
fn kept_as(element: &str) -> &'static str {
    match element {
        "ui8" => ", which represents all 8-bit integers",
        "ui16" => ", which represents all 16-bit integers",
        "ui32" => ", which represents index and unsigned 32- and 64-bit integers",
        "si32" => ", which represents 32- and 64-bit integers",
        _ => "",
    }
}

/// Checks that an operation's tensors are such as kernels compute with: bf16, f32 or integers of 32
/// bits, in tiles in DRAM, if they have a layout; and, unless products read f32 with all its bits
/// (`exact_factors`), that none reads a mixture that would be cut.
pub fn require_tensors(op: Op, context: ContextRef, exact_factors: bool) -> Result<(), Reported> {
    let tensors: Vec<_> = op.operands().into_iter().chain(op.results()).collect();
    for value in &tensors {
        let r#type = value.r#type();
        if let Some(reason) = unsupported_shape(r#type) {
            return Err(op.error(format!("has no kernel for '{type}': {reason}")));
        }
        if r#type.encoding().is_some()
            && Layout::from_type(context, r#type) != Some(Layout::DEFAULT)
        {
            return Err(op.error(format!(
                "has no kernel for '{type}'; kernels read tiles from DRAM: convert it first"
            )));
        }
    }
    let name = |value: Value| {
        let element = value.r#type().element_type();
        element.map(|element| element.to_string())
    };
    let elements: Option<Vec<Element>> = tensors.iter().copied().map(Element::from_value).collect();
    let Some(elements) = elements else {
        let names: Vec<_> = tensors.iter().copied().filter_map(name).collect();
        return Err(match op.isa::<ttnn::TypecastOp>() {
            true => op.error(format!(
                "has no kernel from {}; those between bf16, f32 and si32 have one",
                names.join(" to ")
            )),
            false => {
                let other = tensors
                    .iter()
                    .find(|value| Element::from_value(**value).is_none());
                let other = other.copied().and_then(name).unwrap_or_default();
                op.error(format!(
                    "has no kernel for {other}{}; kernels compute with bf16, f32 and si32",
                    kept_as(&other)
                ))
            }
        });
    };
    let is_product = matches!(call::class(op), Some(Class::Contraction));
    if is_product && elements.contains(&Element::I32) {
        let floats = if exact_factors { "f32 or bf16" } else { "bf16" };
        return Err(op.error(format!(
            "has no kernel for si32{}: the matrix unit multiplies floats; cast them to {floats} with ttir.typecast",
            kept_as("si32")
        )));
    }
    if !is_product || exact_factors {
        return require_alike(op, &elements);
    }
    // A matrix unit that multiplies TF32 would truncate the bias as well.
    match elements[..] {
        [a, b, ..] if a != b => Err(op.error(format!(
            "has no kernel for {a} by {b}; cast one factor with ttir.typecast"
        ))),
        [_, _, Element::F32, _] => Err(op.error(
            "has no kernel for a bias of f32, which the matrix unit would cut to TF32; \
             run ttnn-decompose-linear=f32-bias first",
        )),
        [Element::F32, _, Element::Bf16, _] => Err(op.error(
            "has no kernel for factors of f32 with a bias of bf16; cast the bias with ttir.typecast",
        )),
        _ => require_alike(op, &elements),
    }
}

/// Checks that an operation's operands and result have the same element type, except for conditions
/// and predicates.
fn require_alike(op: Op, elements: &[Element]) -> Result<(), Reported> {
    let rule = call::info(op).map_or(ElementRule::Same, |info| info.elements);
    let alike = match (rule, elements) {
        (ElementRule::Any, _) => &[][..],
        (ElementRule::AllButFirst, [_, choices @ ..]) => choices,
        (ElementRule::Predicate, [operands @ .., _]) => operands,
        _ => elements,
    };
    match alike {
        [first, rest @ ..] => match rest.iter().find(|other| *other != first) {
            None => Ok(()),
            Some(other) => Err(op.error(format!(
                "has no kernel for tensors of {first} and of {other}; cast them to one type with ttir.typecast"
            ))),
        },
        [] => Ok(()),
    }
}
