//! Register and code-size check of the vector unit: builds the vector program of a group and asks
//! `tessera_tensix_code` whether it fits.
//!
//! The program is the same that `convert-pto-to-tensix` derives from the kernel. Tiles of Dst stand
//! for loaded tiles and for results of the matrix unit.

use tessera_dialects::pto::Broadcast;
use tessera_pto::kernel;
use tessera_pto::target::Precision;
use tessera_tensix_code::functions::{Function, FunctionImpl};
use tessera_tensix_code::vector::{self, VectorNode, VectorProgram};

use crate::ttnn::fusion::reduction::Reduction;
use crate::ttnn::fusion::steps::{Choice, Factor, Step};
use crate::ttnn::fusion::tensor::{Element, Tensor};
use crate::ttnn::layout::TILE;

/// Returns whether the vector unit's registers and its core's code memory suffice for the steps of
/// a kernel.
pub fn fits(steps: &[Step], tensors: &[Tensor]) -> bool {
    value(steps, tensors, 1).is_some()
}

/// Returns the element type of the result of steps, or `None` if a program does not fit.
fn value(steps: &[Step], tensors: &[Tensor], copies: usize) -> Option<Element> {
    let mut program = Program {
        tensors,
        nodes: Vec::new(),
        loaded: Vec::new(),
        value: None,
    };
    for step in steps {
        program.step(step, copies)?;
    }
    let (node, element) = program.value?;
    let vector = VectorProgram {
        nodes: program.nodes,
        results: vec![(node, 0)],
    };
    vector::fits(&vector, copies).then_some(element)
}

/// A node of the program and its element type.
type Value = (usize, Element);

struct Program<'s> {
    tensors: &'s [Tensor],
    nodes: Vec<VectorNode>,
    loaded: Vec<((usize, Broadcast), Value)>,
    /// Result of the last step.
    value: Option<Value>,
}

impl Program<'_> {
    fn node(&mut self, lanes: VectorNode, element: Element) -> Value {
        self.nodes.push(lanes);
        (self.nodes.len() - 1, element)
    }

    /// Adds a load of a tile of Dst. The tile number does not affect registers or program length.
    fn tile(&mut self, element: Element) -> Value {
        self.node(VectorNode::Dst(0), element)
    }

    fn load(&mut self, input: usize, broadcast: Broadcast) -> Value {
        let known = self.loaded.iter().find(|(of, _)| *of == (input, broadcast));
        if let Some((_, value)) = known {
            return *value;
        }
        let value = self.tile(self.tensors[input].element.between());
        self.loaded.push(((input, broadcast), value));
        value
    }

    /// Adds a function. Its operands are integers if the first one is. Returns `None` if the
    /// function does not support the element type.
    fn compute(&mut self, function: Function, of: &[Value], element: Element) -> Option<Value> {
        self.compute_in(function, Precision::F32, of, element)
    }

    /// Adds a function of a precision.
    fn compute_in(
        &mut self,
        function: Function,
        precision: Precision,
        of: &[Value],
        element: Element,
    ) -> Option<Value> {
        let is_integer = of.first()?.1 == Element::I32;
        let function = FunctionImpl::find(function, operand_element(is_integer, precision))?;
        let operands = of.iter().map(|(node, _)| *node).collect();
        Some(self.node(VectorNode::Computed { function, operands }, element))
    }

    fn step(&mut self, step: &Step, copies: usize) -> Option<()> {
        let value = match step {
            Step::Product(a, b) => {
                for factor in [a, b] {
                    if let Factor::Computed(steps, _) = factor {
                        value(steps, self.tensors, copies)?;
                    }
                }
                self.tile(Element::F32)
            }
            Step::Elementwise(..) | Step::Widen(_) | Step::Accumulate(..) => {
                self.tile(Element::F32)
            }
            Step::WidenVector(input, broadcast) => self.load(*input, *broadcast),
            Step::Cross | Step::PackRelu => return Some(()),
            Step::Unary(function, precision) => {
                let value = self.value?;
                self.compute_in(Function::Unary(*function), *precision, &[value], value.1)?
            }
            Step::Binary {
                function,
                input,
                broadcast,
                left,
                precision,
            } => {
                let (value, other) = (self.value?, self.load(*input, *broadcast));
                let operands = if *left {
                    [other, value]
                } else {
                    [value, other]
                };
                self.compute_in(Function::Binary(*function), *precision, &operands, value.1)?
            }
            Step::Number(function, number, precision) => {
                let value = self.value?;
                let bits = match value.1 {
                    Element::I32 => *number as i32 as u32,
                    Element::Bf16 | Element::F32 => (*number as f32).to_bits(),
                };
                let number = self.node(VectorNode::Constant(bits), value.1);
                let operands = [value, number];
                self.compute_in(Function::Binary(*function), *precision, &operands, value.1)?
            }
            Step::Select(choices) => {
                let mut of = Vec::new();
                for choice in choices {
                    of.push(match choice {
                        Choice::Value => self.value?,
                        Choice::Input(input, broadcast) => self.load(*input, *broadcast),
                    });
                }
                self.compute(Function::Select, &of, of[1].1)?
            }
            Step::Convert(to) => {
                let value = self.value?;
                self.compute(Function::Convert, &[value], *to)?
            }
            Step::Reduce(reduction, before) => {
                let element = value(before, self.tensors, copies * pieces(reduction))?;
                self.tile(element)
            }
            Step::Transpose(before) => {
                let element = value(before, self.tensors, copies)?;
                self.tile(element)
            }
        };
        self.value = Some(value);
        Some(())
    }
}

/// Returns the element type of a function's tensors.
pub fn operand_element(is_integer: bool, precision: Precision) -> kernel::Element {
    match (is_integer, precision) {
        (true, _) => kernel::Element::I32,
        (false, Precision::F32) => kernel::Element::F32,
        (false, Precision::Bf16) => kernel::Element::Bf16,
    }
}

/// Returns how many copies of a reduction's operand the code has: per reduced axis, the peeled
/// first tile, the loop over full tiles, and a partial last tile.
fn pieces(reduction: &Reduction) -> usize {
    let extents = [reduction.source.rows, reduction.source.columns];
    let along = |(extent, reduced): (u64, bool)| match reduced {
        true => [extent >= TILE, extent >= 2 * TILE, extent % TILE != 0]
            .into_iter()
            .filter(|has| *has)
            .count(),
        false => 1,
    };
    extents.into_iter().zip(reduction.axes).map(along).product()
}

#[cfg(test)]
mod tests;
