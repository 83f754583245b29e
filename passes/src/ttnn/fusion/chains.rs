//! The operations of a group as chains: the main one, which a product may begin, and one before
//! each factor of that product.

use tessera_dialects::mlir::{Op, Value};
use tessera_dialects::pto::Broadcast;

use super::abilities::Abilities;
use super::compute::Compute;
use super::extent::{Extent, MatrixIndex};
use super::matrix_view::MatrixView;
use super::tensor::{Element, Tensor};
use crate::ttnn::layout::TILE;

/// Where an operand comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// The input of the group with this number.
    Input(usize),
    /// The result of the operation before; for a factor of the product, of the last one before that
    /// factor.
    Chain,
}

/// An operation of a group.
#[derive(Clone, Debug)]
pub struct Member {
    /// What it computes.
    pub compute: Compute,
    /// From what, in the operation's order.
    pub operands: Vec<Source>,
    /// Its result.
    pub result: Extent,
    /// The element type of that.
    pub element: Element,
    /// What it computes with: the values of its last operand.
    pub computes: Element,
}

impl Member {
    /// Whether it can take the value of the chain where it does: a clamp is made one limit after
    /// the other, so the upper limit cannot be the value.
    fn accepts_chain_value(&self) -> bool {
        let upper = self.operands.get(2);
        !(matches!(self.compute, Compute::Clamp(_)) && upper == Some(&Source::Chain))
    }
}

/// A group as chains.
#[derive(Clone, Debug, Default)]
pub struct Chains<'a> {
    /// What is done before each factor of the product.
    pub factors: [Vec<Member>; 2],
    /// The product, if there is one, and what is done then.
    pub main: Vec<Member>,
    /// The inputs, in the order of their numbers.
    pub inputs: Vec<Value<'a>>,
    /// What they are.
    pub tensors: Vec<Tensor>,
}

impl<'a> Chains<'a> {
    /// The chains of a group; nothing if it is something else, or what it has is seen in two ways.
    /// One operation always is a chain.
    pub fn build(group: &[(Op<'a>, Compute)], abilities: Abilities) -> Option<Self> {
        let mut inner: Vec<(Value, Extent)> = Vec::new();
        let mut chains = Chains::default();
        let mut members = Vec::new();
        for (op, compute) in group {
            let view = MatrixView::infer(*op, abilities.may_collapse_dims).ok()?;
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
            // What the operation is that comes next in each factor's chain, from its end.
            let mut next = [product.operand(0), product.operand(1)];
            for (member, (op, _)) in members.into_iter().zip(group).rev() {
                let factor = next.iter().position(|next| *next == op.result(0))?;
                let mut operands = op.operands().into_iter();
                let is_inner = |operand: &Value| inner.iter().any(|(made, _)| made == operand);
                next[factor] = operands.find(is_inner);
                chains.factors[factor].insert(0, member);
            }
        }
        chains.is_well_formed().then_some(chains)
    }

    /// The number of an input; nothing if it is known as another sequence of matrices.
    fn input(&mut self, value: Value<'a>, tensor: Tensor) -> Option<usize> {
        if let Some(known) = self.inputs.iter().position(|input| *input == value) {
            return (self.tensors[known] == tensor).then_some(known);
        }
        self.inputs.push(value);
        self.tensors.push(tensor);
        Some(self.inputs.len() - 1)
    }

    /// Whether each operation reads the one before it, and nothing else of the group.
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

    /// The group's result.
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

    /// The extents of the factors of its product, as they are multiplied, if it has one.
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

    /// Whether something is done before either factor of a product.
    pub fn compute_both_factors(&self) -> bool {
        self.factors.iter().all(|members| !members.is_empty())
    }

    /// Whether the results along each chain are of one extent.
    pub fn preserve_extents(&self) -> bool {
        let same = |members: &Vec<Member>| {
            let mut pairs = members.windows(2);
            pairs.all(|pair| pair[0].result == pair[1].result)
        };
        self.factors.iter().all(same) && same(&self.main)
    }

    /// Whether factors of a product have padding of +0: nothing is computed or spread into it.
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

    /// Whether a cast that rounds may as well do so at the end of its chain, where values are
    /// rounded.
    pub fn can_round_at_end(&self) -> bool {
        let rounds = |member: &Member| member.compute == Compute::Cast { narrows: true };
        // Only factors of products are rounded, when they cross.
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
