//! Kernels that move elements: each copy of an index map streams a box of one tensor to a box of
//! another.
//!
//! The host lays tensors out for each kernel, and what it lays out is a [`View`]: the elements of a
//! box, in row-major order. So a copy is element-wise work on two tensors of the box's elements,
//! which the chip streams through its processors as they are: it has neither instructions that
//! address single words of DRAM, nor a use for them where the host lays out anyway. What no copy
//! writes, a loop in front fills with a number.
//!
//! Invariants: arguments are read in the order of copies, those of equal views lie in DRAM once;
//! the result is one argument for each loop that writes to it, in the order of the loops, and the
//! last one that has an element counts.

use tessera_isa_mncore::layout::Layout;
use tessera_mncore_ir::kernel::Tensor;
use tessera_ops::{IndexMap, View};
use tessera_pto::kernel::TensorType;
use tessera_pto::rearrange::Rearrangement;

use super::arguments::ALIGNMENT;
use super::elements;
use super::padding::Fill;
use super::ways::Ways;
use super::{CompileError, Kernel, Reach};
use crate::whole::{Expr, ExprKind, Spread, Store, Whole};

/// The only way of a kernel that moves elements.
pub(super) struct Only<'a> {
    whole: &'a Whole,
    rearrangement: &'a Rearrangement,
    fill: Fill,
    /// What is done, one after the other.
    loops: Vec<Loop>,
}

/// A loop over the elements of a box.
struct Loop {
    /// The tensor that is read, and which elements of it; nothing if the box is filled.
    source: Option<(usize, Option<View>)>,
    /// The elements of the result.
    target: Option<View>,
    /// The loop as element-wise work.
    whole: Whole,
}

impl<'a> Only<'a> {
    /// That of a kernel that moves elements so.
    pub fn of(whole: &'a Whole, rearrangement: &'a Rearrangement, fill: Fill) -> Self {
        let store = &whole.stores[0];
        let result = whole.tensors[store.tensor];
        let elements = |tensor: TensorType| tensor.elements().unwrap_or_default();
        let IndexMap { copies, .. } = &rearrangement.map;
        let mut loops = Vec::new();
        if !rearrangement.map.covers(elements(result)) {
            loops.push(Loop {
                source: None,
                target: None,
                whole: streamed(store, result, elements(result), false),
            });
        }
        for copy in copies.iter().map(|copy| copy.simplified()) {
            let tensor = rearrangement.sources[copy.operand];
            let source = part(copy.source(), elements(whole.tensors[tensor]));
            let count = copy.elements().unwrap_or_default();
            loops.push(Loop {
                source: Some((tensor, source)),
                target: part(copy.target(), elements(result)),
                whole: streamed(store, result, count, true),
            });
        }
        Only {
            whole,
            rearrangement,
            fill,
            loops,
        }
    }
}

/// A view; nothing if it has all elements of a tensor of so many, in order.
fn part(view: View, elements: u64) -> Option<View> {
    let view = view.simplified();
    let is_all = view.offset == 0 && view.elements() == Some(elements);
    let is_run = matches!(view.strides[..], [] | [1]);
    (!is_all || !is_run).then_some(view)
}

/// A loop over so many elements as element-wise work: they are copied, or filled as the store says.
fn streamed(store: &Store, result: TensorType, count: u64, is_copy: bool) -> Whole {
    let tensor = matrix(count, result);
    let value = match is_copy {
        false => store.value.clone(),
        true => Expr {
            kind: ExprKind::Tensor(0, Spread::default()),
            ..store.value.clone()
        },
    };
    Whole {
        tensors: vec![tensor; 1 + usize::from(is_copy)],
        stores: vec![Store {
            tensor: usize::from(is_copy),
            value,
            location: store.location,
        }],
        rearrangement: None,
    }
}

/// The matrix of so many elements that the chip streams in the fewest steps.
fn matrix(count: u64, like: TensorType) -> TensorType {
    /// Rows of which the chip has a place for each in a vector, and a power of two more.
    const MOST_ROWS: u64 = 1 << 10;
    let extent = |extent: u64| u32::try_from(extent).unwrap_or(u32::MAX);
    let rows = (1..=MOST_ROWS.min(count)).filter(|rows| count % rows == 0);
    let matrices = rows.map(|rows| TensorType {
        matrices: 1,
        rows: extent(rows),
        columns: extent(count / rows),
        ..like
    });
    let cheapest = matrices.min_by_key(|tensor| elements::least_steps(*tensor));
    cheapest.unwrap_or(like)
}

impl Ways for Only<'_> {
    fn costs(&self) -> Vec<u64> {
        let loops = self.loops.iter();
        let costs = loops.map(|one| {
            let ways = elements::Choices::of(&one.whole, &one.whole.stores[0], self.fill);
            ways.costs().into_iter().min().unwrap_or_default()
        });
        vec![costs.sum()]
    }

    fn build(&self, _: usize, bases: &[u32]) -> Result<Kernel, CompileError> {
        let mut places = Places {
            given: bases.iter(),
            next: 0,
            inputs: Vec::new(),
        };
        let mut results = Vec::new();
        let mut stages = Vec::new();
        for one in &self.loops {
            let ways = elements::Choices::of(&one.whole, &one.whole.stores[0], self.fill);
            let Kernel {
                tensors,
                vectors,
                stages: own,
                ..
            } = places.build(&ways, one, self)?;
            let laid = tensors.into_iter().zip(vectors).next_back();
            let (tensor, reach) = laid.expect("there is a result");
            let target = self.rearrangement.target;
            let view = one.target.clone();
            results.push((self.tensor(target, tensor.layout, view), reach));
            stages.extend(own);
        }
        let inputs = places.inputs.len();
        let all = places.inputs.into_iter().chain(results);
        let (tensors, vectors) = all.unzip();
        Ok(Kernel {
            tensors,
            vectors,
            inputs,
            stages,
            precision: None,
            bound: None,
            estimate: None,
        })
    }
}

impl Only<'_> {
    fn tensor(&self, argument: usize, layout: Layout, view: Option<View>) -> Tensor {
        Tensor {
            argument,
            kind: self.whole.tensors[argument],
            layout,
            view,
        }
    }
}

/// Where the tensors of loops lie, one behind the other unless it is given.
struct Places<'b> {
    given: std::slice::Iter<'b, u32>,
    next: u64,
    /// What is read so far.
    inputs: Vec<(Tensor, Option<Reach>)>,
}

impl Places<'_> {
    /// The kernel of a loop, whose source lies where an equal one does, if there is one.
    fn build(
        &mut self,
        ways: &elements::Choices,
        one: &Loop,
        all: &Only,
    ) -> Result<Kernel, CompileError> {
        let first = self.take();
        let alone = ways
            .build(0, &[first])
            .map_err(|error| all.refuse(error, one))?;
        let Some((argument, view)) = &one.source else {
            self.pass(&alone.tensors[0].layout);
            return Ok(alone);
        };
        let source = &alone.tensors[0].layout;
        let is_equal = |(known, _): &&(Tensor, Option<Reach>)| {
            let there = known.layout.base();
            let moved = source.with_base(there);
            (known.argument, &known.view) == (*argument, view)
                && moved.is_ok_and(|moved| moved == known.layout)
        };
        let known = self.inputs.iter().find(is_equal);
        let known = known.map(|(known, _)| known.layout.base());
        let (from, to) = match known {
            Some(there) => (there, first),
            None => {
                self.pass(source);
                (first, self.take())
            }
        };
        let is_new = known.is_none();
        let built = ways
            .build(0, &[from, to])
            .map_err(|error| all.refuse(error, one))?;
        if is_new {
            let tensor = all.tensor(*argument, built.tensors[0].layout.clone(), view.clone());
            self.inputs.push((tensor, built.vectors[0]));
        }
        self.pass(&built.tensors[1].layout);
        Ok(built)
    }

    /// The place of the next tensor.
    fn take(&mut self) -> u32 {
        let next = u32::try_from(self.next).unwrap_or(u32::MAX);
        self.given.next().copied().unwrap_or(next)
    }

    /// Goes on behind a tensor.
    fn pass(&mut self, layout: &Layout) {
        let end = u64::from(layout.base()) + layout.padded_words();
        self.next = self.next.max(end.next_multiple_of(ALIGNMENT));
    }
}

impl Only<'_> {
    /// An error of a loop as one of the kernel.
    fn refuse(&self, error: CompileError, one: &Loop) -> CompileError {
        let CompileError::Layout { tensor, error, .. } = error else {
            return error;
        };
        let argument = match &one.source {
            Some((source, _)) if tensor == 0 => *source,
            _ => self.rearrangement.target,
        };
        CompileError::Layout {
            tensor: argument,
            kind: self.whole.tensors[argument],
            error,
        }
    }
}
