//! A group of operations as chains: the main chain, which may begin with a product, and a chain
//! before each factor of that product.

use tessera_dialects::mlir::{Op, Value};
use tessera_dialects::pto::Broadcast;

use super::abilities::Abilities;
use super::compute::Compute;
use super::extent::{Extent, MatrixIndex};
use super::matrix_view::MatrixView;
use super::number::filling_number;
use super::tensor::{Element, Tensor};
use crate::ttnn::layout::TILE;

/// The source of an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// The input of the group with this number.
    Input(usize),
    /// The result of the previous operation of the chain; for a factor of the product, the result
    /// of the factor's chain.
    Chain,
}

/// An operation of a group.
#[derive(Clone, Debug)]
pub struct Member {
    /// The computation.
    pub compute: Compute,
    /// Sources of the operands, in order.
    pub operands: Vec<Source>,
    /// Its result.
    pub result: Extent,
    /// Element type of the result.
    pub element: Element,
    /// Element type of the computation, that of the last operand.
    pub computes: Element,
}

impl Member {
    /// Returns whether the chain's value is at a supported operand. A clamp applies its limits one
    /// after the other, so the upper limit cannot be the chain's value.
    fn accepts_chain_value(&self) -> bool {
        let upper = self.operands.get(2);
        !(matches!(self.compute, Compute::Clamp(_)) && upper == Some(&Source::Chain))
    }
}

/// A group as chains.
#[derive(Clone, Debug, Default)]
pub struct Chains<'a> {
    /// The chain before each factor of the product.
    pub factors: [Vec<Member>; 2],
    /// The main chain, which begins with the product if there is one.
    pub main: Vec<Member>,
    /// The group's inputs, by number.
    pub inputs: Vec<Value<'a>>,
    /// Descriptions of the inputs.
    pub tensors: Vec<Tensor>,
    /// The number that fills each input, if one does and kernels need not load it.
    pub numbers: Vec<Option<f64>>,
}

impl<'a> Chains<'a> {
    /// Arranges a group as chains. Returns `None` if it is not a set of chains, or if a tensor has
    /// different views in it. A single operation always succeeds.
    pub fn build(group: &[(Op<'a>, Compute)], abilities: Abilities) -> Option<Self> {
        let mut inner: Vec<(Value, Extent)> = Vec::new();
        let mut chains = Chains::default();
        let mut members = Vec::new();
        for (op, compute) in group {
            let view = MatrixView::find(*op, abilities.may_collapse_dims).ok()?;
            let mut operands = Vec::new();
            let operand_views = view.operands.into_iter().zip(view.indices);
            for (value, (extent, index)) in op.operands().into_iter().zip(operand_views) {
                let made = inner.iter().find(|(made, _)| *made == value);
                operands.push(match made {
                    Some((_, made)) if *made == extent && index.is_simple() => Source::Chain,
                    Some(_) => return None,
                    None => {
                        let tensor = Tensor::new(*op, value, extent, index).ok()?;
                        Source::Input(chains.input(value, tensor)?)
                    }
                });
            }
            inner.push((op.result(0)?, view.result));
            let element = Element::from_value(op.result(0)?)?;
            members.push(Member {
                compute: *compute,
                operands,
                result: view.result,
                element,
                computes: Element::from_value(*op.operands().last()?)?.between(),
            });
        }
        let product = group.iter().position(|(_, compute)| compute.is_head());
        chains.main = members.split_off(product.unwrap_or(0));
        if let Some(product) = product {
            let product = group[product].0;
            // The value that the next operation of each factor's chain must define, from its end.
            let mut next = [product.operand(0), product.operand(1)];
            for (member, (op, _)) in members.into_iter().zip(group).rev() {
                let factor = next.iter().position(|next| *next == op.result(0))?;
                let mut operands = op.operands().into_iter();
                let is_inner = |operand: &Value| inner.iter().any(|(made, _)| made == operand);
                next[factor] = operands.find(is_inner);
                chains.factors[factor].insert(0, member);
            }
        }
        if abilities.numbers {
            chains.find_numbers();
        } else {
            chains.numbers = vec![None; chains.inputs.len()];
        }
        chains.is_well_formed().then_some(chains)
    }

    /// Finds the inputs that a number fills and only element-wise operations read.
    fn find_numbers(&mut self) {
        let members = self.factors.iter().flatten().chain(&self.main);
        let heads = members.filter(|member| member.compute.is_head());
        let read: Vec<Source> = heads.flat_map(|head| head.operands.clone()).collect();
        let inputs = self.inputs.iter().enumerate();
        let number = |(input, value): (usize, &Value)| match read.contains(&Source::Input(input)) {
            true => None,
            false => filling_number(*value).filter(|number| number.is_finite()),
        };
        self.numbers = inputs.map(number).collect();
    }

    /// Returns the number of an input, or `None` if it was added with another view.
    fn input(&mut self, value: Value<'a>, tensor: Tensor) -> Option<usize> {
        if let Some(known) = self.inputs.iter().position(|input| *input == value) {
            return (self.tensors[known] == tensor).then_some(known);
        }
        self.inputs.push(value);
        self.tensors.push(tensor);
        Some(self.inputs.len() - 1)
    }

    /// Returns whether each operation reads exactly the previous one of the group.
    fn is_well_formed(&self) -> bool {
        let reads = |member: &Member| {
            let operands = member.operands.iter();
            operands.filter(|source| **source == Source::Chain).count()
        };
        let is_chain = |members: &Vec<Member>| {
            let mut members = members.iter().enumerate();
            members.all(|(number, member)| {
                reads(member) == number.min(1) && member.accepts_chain_value()
            })
        };
        let Some((first, rest)) = self.main.split_first() else {
            return false;
        };
        let mut operands = first.operands.iter().enumerate();
        let computed = |number: usize| number < 2 && !self.factors[number].is_empty();
        self.factors.iter().all(is_chain)
            && operands.all(|(number, source)| (*source == Source::Chain) == computed(number))
            && rest.iter().all(|member| reads(member) == 1)
            && rest.iter().all(Member::accepts_chain_value)
    }

    /// Returns the group's result.
    pub fn result(&self) -> Tensor {
        let Member {
            result, element, ..
        } = &self.main[self.main.len() - 1];
        Tensor {
            extent: *result,
            element: *element,
            index: MatrixIndex::identity(),
        }
    }

    /// Returns the extents of the product's factors, after transposition, if there is a product.
    pub fn product(&self) -> Option<[Extent; 2]> {
        let product = self.main.first()?;
        let Compute::Matmul { transposed, .. } = product.compute else {
            return None;
        };
        let factor = |number: usize| {
            let extent = match product.operands.get(number)? {
                Source::Input(input) => self.tensors.get(*input).map(|tensor| tensor.extent),
                Source::Chain => self.factors[number].last().map(|member| member.result),
            }?;
            Some(if transposed[number] {
                extent.transposed()
            } else {
                extent
            })
        };
        Some([factor(0)?, factor(1)?])
    }

    /// Returns whether both factors of the product are computed.
    pub fn compute_both_factors(&self) -> bool {
        self.factors.iter().all(|members| !members.is_empty())
    }

    /// Returns whether all results of each chain have the same extent.
    pub fn preserve_extents(&self) -> bool {
        let same = |members: &Vec<Member>| {
            let mut pairs = members.windows(2);
            pairs.all(|pair| pair[0].result == pair[1].result)
        };
        self.factors.iter().all(same) && same(&self.main)
    }

    /// Returns whether computed factors of a product have zero padding: no operation or broadcast
    /// makes it non-zero.
    pub fn have_zero_padding(&self) -> bool {
        if self.product().is_none() {
            return true;
        }
        let whole = |extent: u64| extent % TILE == 0;
        let mut members = self.factors.iter().flatten();
        members.all(|member| {
            let Extent { rows, columns, .. } = member.result;
            let stays = |broadcast| match broadcast {
                Broadcast::None => true,
                Broadcast::Row => whole(rows),
                Broadcast::Column => whole(columns),
                Broadcast::Scalar => whole(rows) && whole(columns),
            };
            let stay = match member.compute {
                Compute::Binary { broadcasts, .. } => broadcasts.into_iter().all(stays),
                _ => true,
            };
            stay && member.compute.keeps_zero()
        })
    }

    /// Returns whether rounding casts can be deferred to the end of their chains, where values are
    /// rounded.
    pub fn can_round_at_end(&self) -> bool {
        let rounds = |member: &Member| member.compute == Compute::Cast { narrows: true };
        // Only factors of products are rounded, when they cross sides.
        if self.product().is_none() && self.factors.iter().flatten().any(rounds) {
            return false;
        }
        let mut chains = self.factors.iter().chain([&self.main]);
        chains.all(|members| {
            let mut behind = members.iter().skip_while(|member| !rounds(member)).skip(1);
            behind.all(|member| member.compute.commutes_with_rounding())
        })
    }
}
