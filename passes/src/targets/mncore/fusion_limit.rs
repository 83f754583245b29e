//! The fusion limit for MN-Core 2: the length of a kernel's loop for a fusion group. The limit
//! itself is defined in `tessera_mncore_code`.

use tessera_mncore_code::compile::{items, Elementwise, MAX_FUSED_ITEMS};
use tessera_pto::kernel;

use crate::ttnn::fusion::chains::Chains;
use crate::ttnn::fusion::steps::{steps, Choice, Factor, Step};
use crate::ttnn::fusion::tensor::{Element, Tensor};

/// The maximum number of items in the element-wise functions of a stage. Its loop writes a local
/// memory, which then holds no constants, and cannot use the registers of other stages: longer ones
/// may have no schedule.
const MAX_STAGE_ITEMS: usize = 48;

/// Returns whether the element-wise functions of a group fit into one kernel.
pub fn fits(steps: &[Step], tensors: &[Tensor]) -> bool {
    count(steps, tensors).is_some_and(|(items, _)| items <= MAX_FUSED_ITEMS)
}

/// Returns whether the element-wise functions of a group fit into a stage of a kernel.
pub fn fits_stage(chains: &Chains) -> bool {
    let steps = steps(chains, false);
    count(&steps, &chains.tensors).is_some_and(|(items, _)| items <= MAX_STAGE_ITEMS)
}

/// Returns the items of all functions, and the element type of the value; `None` if a function has
/// no code.
fn count(steps: &[Step], tensors: &[Tensor]) -> Option<(usize, Element)> {
    let between = |input: &usize| tensors[*input].element.between();
    let mut value = Element::F32;
    let mut sum = 0;
    for step in steps {
        let function = match step {
            Step::Product(a, b) => {
                for factor in [a, b] {
                    if let Factor::Computed(before, _) = factor {
                        sum += count(before, tensors)?.0;
                    }
                }
                continue;
            }
            Step::Reduce(_, before) | Step::Transpose(before) => {
                let (items, element) = count(before, tensors)?;
                sum += items;
                value = element;
                continue;
            }
            Step::WidenVector(input, _) | Step::Widen(input) => {
                value = between(input);
                continue;
            }
            Step::Cross | Step::PackRelu => continue,
            Step::Elementwise(function, ..)
            | Step::Accumulate(function, ..)
            | Step::Binary { function, .. } => Elementwise::Binary(*function),
            Step::Unary(function, _) => Elementwise::Unary(*function),
            Step::Number(function, number, _) => Elementwise::Number(*function, *number),
            Step::Select(choices) => {
                if let Choice::Input(input, _) = &choices[1] {
                    value = between(input);
                }
                Elementwise::Select
            }
            Step::Convert(to) => Elementwise::Convert(kind(*to)),
        };
        sum += items(function, kind(value))?;
        if let Step::Convert(to) = step {
            value = *to;
        }
    }
    Some((sum, value))
}

fn kind(element: Element) -> kernel::Element {
    match element {
        Element::I32 => kernel::Element::I32,
        Element::Bf16 | Element::F32 => kernel::Element::F32,
    }
}

#[cfg(test)]
mod tests;
