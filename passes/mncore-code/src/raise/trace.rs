//! Symbolic execution of kernels: each is executed once, with symbolic loop counters.

use std::collections::BTreeMap;
use std::rc::Rc;

use tessera_pto::kernel::{
    Axis, Binary, Broadcast, Compute, Element, Group, Kernel, Op, OpKind, Reduce, Region, ScalarOp,
    Type, Unary, Value,
};
use tessera_pto::target::Precision;

use super::{RaiseError, RaiseErrorReason};

/// A loop of a kernel: an index of [`Traced::loops`].
pub(super) type LoopId = usize;

/// The iterations of a loop, as a half-open range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Range {
    pub from: i64,
    pub to: i64,
}

/// An affine expression in loop counters.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Index {
    pub constant: i64,
    pub terms: BTreeMap<LoopId, i64>,
}

/// A tile, represented by its computation.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Tile {
    pub kind: TileKind,
    pub element: Element,
    /// The precision of an element-wise function.
    pub precision: Precision,
    pub location: usize,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum TileKind {
    Load {
        tensor: usize,
        shape: [u32; 2],
        at: [Index; 2],
    },
    Fill(f64),
    Unary(Unary, Rc<Tile>),
    Binary(Binary, Broadcast, Rc<Tile>, Rc<Tile>),
    Convert(Element, Rc<Tile>),
    /// The second operand where the first is not zero, otherwise the third.
    Select([Rc<Tile>; 3]),
    /// A reduction along an axis, with the number of valid elements of each tile.
    Reduce(Reduce, Axis, u32, Rc<Tile>),
    Transpose(Rc<Tile>),
    Matmul(Rc<Tile>, Rc<Tile>),
    /// An initial value plus the sum of products over a loop.
    Sum {
        first: Rc<Tile>,
        counter: LoopId,
        factors: [Rc<Tile>; 2],
    },
    /// An initial value combined with one tile per iteration of a loop.
    Fold {
        join: Binary,
        first: Rc<Tile>,
        counter: LoopId,
        part: Rc<Tile>,
    },
    /// The neutral initial value of an inner loop that continues an outer one's reduction.
    Nothing,
    /// A loop-carried value within its loop; internal to [`trace`].
    Carried(LoopId, usize),
    /// A loop-carried value plus a product; internal to [`trace`].
    Accumulate(Rc<Tile>, Rc<Tile>, Rc<Tile>),
    /// A tile from a pipe, by the number of the pop.
    Popped(usize),
}

/// The externally visible effects of a kernel, in order.
#[derive(Clone, Debug)]
pub(super) enum Event {
    Loop(LoopId, Vec<Event>),
    Push {
        pipe: usize,
        tile: Rc<Tile>,
    },
    Pop {
        pipe: usize,
        pop: usize,
    },
    Store {
        tensor: usize,
        shape: [u32; 2],
        at: [Index; 2],
        tile: Rc<Tile>,
        location: usize,
    },
}

/// The effects of all kernels of a group.
#[derive(Debug, Default)]
pub(super) struct Traced {
    pub loops: Vec<Range>,
    pub kernels: Vec<Vec<Event>>,
    pub pops: usize,
}

/// Executes all kernels symbolically.
pub(super) fn trace(group: &Group) -> Result<Traced, RaiseError> {
    let mut traced = Traced::default();
    for kernel in &group.kernels {
        let mut walk = SymbolicExecution {
            group,
            kernel,
            known: vec![None; kernel.values.len()],
            traced: &mut traced,
        };
        let events = walk.region(&kernel.body)?;
        traced.kernels.push(events);
    }
    Ok(traced)
}

/// The symbolic value of an SSA value.
#[derive(Clone, Debug)]
enum Symbolic {
    Index(Index),
    Tile(Rc<Tile>),
}

struct SymbolicExecution<'a> {
    group: &'a Group,
    kernel: &'a Kernel,
    known: Vec<Option<Symbolic>>,
    traced: &'a mut Traced,
}

impl SymbolicExecution<'_> {
    fn region(&mut self, region: &Region) -> Result<Vec<Event>, RaiseError> {
        let mut events = Vec::new();
        for op in &region.ops {
            self.op(op, &mut events)?;
        }
        Ok(events)
    }

    fn op(&mut self, op: &Op, events: &mut Vec<Event>) -> Result<(), RaiseError> {
        match &op.kind {
            OpKind::Constant(number) => {
                let constant = Index {
                    constant: *number,
                    ..Index::default()
                };
                self.known[op.results[0]] = Some(Symbolic::Index(constant));
            }
            OpKind::Scalar(scalar) => {
                let [left, right] = [0, 1].map(|which| self.number(op, which));
                let sum =
                    combine(*scalar, &left?, &right?).ok_or(refuse(op, RaiseErrorReason::Index))?;
                self.known[op.results[0]] = Some(Symbolic::Index(sum));
            }
            OpKind::For(body) => events.push(self.r#loop(op, body)?),
            OpKind::If(_) => return Err(refuse(op, RaiseErrorReason::Branch)),
            OpKind::Load { tensor } => {
                let kind = TileKind::Load {
                    tensor: self.accessed(op, *tensor)?,
                    shape: self.shape(op.results[0]),
                    at: [self.number(op, 0)?, self.number(op, 1)?],
                };
                self.define(op, kind);
            }
            OpKind::Store { tensor } => {
                events.push(Event::Store {
                    tensor: self.accessed(op, *tensor)?,
                    shape: self.shape(op.operands[0]),
                    at: [self.number(op, 1)?, self.number(op, 2)?],
                    tile: self.tile(op, 0)?,
                    location: op.location,
                });
            }
            OpKind::Compute(compute) => {
                let kind = self.compute(op, *compute)?;
                self.define(op, kind);
            }
            OpKind::Rearrange(_) => return Err(refuse(op, RaiseErrorReason::Rearranged)),
            OpKind::Push { pipe } => events.push(Event::Push {
                pipe: *pipe,
                tile: self.tile(op, 0)?,
            }),
            OpKind::Pop { pipe } => {
                let pop = self.traced.pops;
                self.traced.pops += 1;
                events.push(Event::Pop { pipe: *pipe, pop });
                self.define(op, TileKind::Popped(pop));
            }
            // Slot lifetimes are irrelevant here, as a tile is a value.
            OpKind::Free { .. } => {}
        }
        Ok(())
    }

    /// Returns the number of a tensor that an operation accesses. Local tensors of several kernels
    /// would have the same numbers.
    fn accessed(&self, op: &Op, tensor: usize) -> Result<usize, RaiseError> {
        let kernels = self.group.kernels.iter();
        let with_locals = kernels.filter(|kernel| !kernel.local.is_empty());
        match self.group.local_index(tensor).is_some() && with_locals.count() > 1 {
            false => Ok(tensor),
            true => Err(refuse(op, RaiseErrorReason::Local)),
        }
    }

    fn r#loop(&mut self, op: &Op, body: &Region) -> Result<Event, RaiseError> {
        let bound = |which| {
            let index = self.number(op, which)?;
            match index.terms.is_empty() {
                true => Ok(index.constant),
                false => Err(refuse(op, RaiseErrorReason::Bounds)),
            }
        };
        let (from, to, step) = (bound(0)?, bound(1)?, bound(2)?);
        if step != 1 || to < from {
            return Err(refuse(op, RaiseErrorReason::Bounds));
        }
        let id = self.traced.loops.len();
        self.traced.loops.push(Range { from, to });
        let counter = Index {
            constant: 0,
            terms: BTreeMap::from([(id, 1)]),
        };
        self.known[body.arguments[0]] = Some(Symbolic::Index(counter));
        for (position, &argument) in body.arguments[1..].iter().enumerate() {
            let tile = Tile {
                kind: TileKind::Carried(id, position),
                element: self.element(argument),
                precision: op.precision,
                location: op.location,
            };
            self.known[argument] = Some(Symbolic::Tile(Rc::new(tile)));
        }
        let events = self.region(body)?;
        for (position, (&result, &yielded)) in op.results.iter().zip(&body.yields).enumerate() {
            let Some(Symbolic::Tile(next)) = self.known[yielded].clone() else {
                return Err(refuse(op, RaiseErrorReason::Carried));
            };
            let carried = TileKind::Carried(id, position);
            let first = self.tile(op, 3 + position)?;
            let kind = loop_carried_result(&next, &carried, id, first);
            let kind = kind.ok_or(refuse(op, RaiseErrorReason::Carried))?;
            let tile = Tile {
                kind,
                element: next.element,
                precision: next.precision,
                location: next.location,
            };
            self.known[result] = Some(Symbolic::Tile(Rc::new(tile)));
        }
        Ok(Event::Loop(id, events))
    }

    fn compute(&self, op: &Op, compute: Compute) -> Result<TileKind, RaiseError> {
        let tile = |which| self.tile(op, which);
        let other = |what| Err(refuse(op, RaiseErrorReason::Operation(what)));
        Ok(match compute {
            Compute::Matmul => TileKind::Matmul(tile(0)?, tile(1)?),
            Compute::MatmulAcc => TileKind::Accumulate(tile(0)?, tile(1)?, tile(2)?),
            Compute::Unary(unary) => TileKind::Unary(unary, tile(0)?),
            Compute::Binary(binary, broadcast) => {
                TileKind::Binary(binary, broadcast, tile(0)?, tile(1)?)
            }
            Compute::Fill(value) => TileKind::Fill(value),
            Compute::Convert => match self.kernel.values[op.results[0]] {
                Type::Tile(result) => TileKind::Convert(result.element, tile(0)?),
                Type::Scalar => return other("internal error: a conversion of a number"),
            },
            Compute::Move => return Ok(tile(0)?.kind.clone()),
            Compute::Select => TileKind::Select([tile(0)?, tile(1)?, tile(2)?]),
            Compute::Reduce(reduce, axis) => match self.kernel.values[op.operands[0]] {
                Type::Tile(one) => {
                    let valid = one.valid[if axis == Axis::Rows { 0 } else { 1 }];
                    TileKind::Reduce(reduce, axis, valid, tile(0)?)
                }
                Type::Scalar => return other("internal error: a reduction of a number"),
            },
            Compute::Transpose => TileKind::Transpose(tile(0)?),
        })
    }

    fn define(&mut self, op: &Op, kind: TileKind) {
        let tile = Tile {
            kind,
            element: self.element(op.results[0]),
            precision: op.precision,
            location: op.location,
        };
        self.known[op.results[0]] = Some(Symbolic::Tile(Rc::new(tile)));
    }

    /// Returns the element type of a tile; arbitrary for a scalar, which is never asked.
    fn element(&self, value: Value) -> Element {
        match self.kernel.values[value] {
            Type::Tile(tile) => tile.element,
            Type::Scalar => Element::F32,
        }
    }

    fn shape(&self, value: Value) -> [u32; 2] {
        match self.kernel.values[value] {
            Type::Tile(tile) => tile.shape(),
            Type::Scalar => [0, 0],
        }
    }

    fn number(&self, op: &Op, which: usize) -> Result<Index, RaiseError> {
        match &self.known[op.operands[which]] {
            Some(Symbolic::Index(index)) => Ok(index.clone()),
            _ => Err(refuse(op, RaiseErrorReason::Index)),
        }
    }

    fn tile(&self, op: &Op, which: usize) -> Result<Rc<Tile>, RaiseError> {
        match &self.known[op.operands[which]] {
            Some(Symbolic::Tile(tile)) => Ok(tile.clone()),
            _ => Err(refuse(op, RaiseErrorReason::Carried)),
        }
    }
}

fn refuse(op: &Op, reason: RaiseErrorReason) -> RaiseError {
    RaiseError {
        location: op.location,
        reason,
    }
}

/// Returns the value of a loop-carried variable after the loop: a sum of products, or a combination
/// of tiles.
fn loop_carried_result(
    next: &Rc<Tile>,
    carried: &TileKind,
    counter: LoopId,
    first: Rc<Tile>,
) -> Option<TileKind> {
    match &next.kind {
        TileKind::Accumulate(before, left, right) if before.kind == *carried => {
            Some(TileKind::Sum {
                first,
                counter,
                factors: [left.clone(), right.clone()],
            })
        }
        TileKind::Binary(join, Broadcast::None, ..) | TileKind::Fold { join, .. } => {
            Some(TileKind::Fold {
                join: *join,
                first,
                counter,
                part: combined_tile(next, carried, *join)?,
            })
        }
        _ => None,
    }
}

/// Returns the tile that is combined with a loop-carried value: the chain without its beginning.
fn combined_tile(next: &Rc<Tile>, carried: &TileKind, join: Binary) -> Option<Rc<Tile>> {
    let tile = |kind| {
        Rc::new(Tile {
            kind,
            element: next.element,
            precision: next.precision,
            location: next.location,
        })
    };
    match &next.kind {
        TileKind::Binary(own, Broadcast::None, one, other) if *own == join => {
            if one.kind == *carried {
                return Some(other.clone());
            }
            let before = combined_tile(one, carried, join)?;
            let none = Broadcast::None;
            Some(tile(TileKind::Binary(join, none, before, other.clone())))
        }
        TileKind::Fold {
            join: own,
            first,
            counter,
            part,
        } if *own == join => {
            let first = if first.kind == *carried {
                tile(TileKind::Nothing)
            } else {
                combined_tile(first, carried, join)?
            };
            Some(tile(TileKind::Fold {
                join,
                first,
                counter: *counter,
                part: part.clone(),
            }))
        }
        _ => None,
    }
}

/// Returns an arithmetic operation on affine expressions, if the result is affine.
fn combine(op: ScalarOp, left: &Index, right: &Index) -> Option<Index> {
    let scaled = |index: &Index, factor: i64| -> Option<Index> {
        let mut out = Index {
            constant: index.constant.checked_mul(factor)?,
            ..Index::default()
        };
        for (&id, &count) in &index.terms {
            let count = count.checked_mul(factor)?;
            if count != 0 {
                out.terms.insert(id, count);
            }
        }
        Some(out)
    };
    let sum = |right: &Index| -> Option<Index> {
        let mut out = left.clone();
        out.constant = out.constant.checked_add(right.constant)?;
        for (&id, &count) in &right.terms {
            let entry = out.terms.entry(id).or_default();
            *entry = entry.checked_add(count)?;
        }
        out.terms.retain(|_, count| *count != 0);
        Some(out)
    };
    match op {
        ScalarOp::Add => sum(right),
        ScalarOp::Subtract => sum(&scaled(right, -1)?),
        ScalarOp::Multiply if right.terms.is_empty() => scaled(left, right.constant),
        ScalarOp::Multiply if left.terms.is_empty() => scaled(right, left.constant),
        _ => None,
    }
}
