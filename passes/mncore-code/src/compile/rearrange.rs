//! Data movement kernels: each copy of an index map streams a box of one tensor to a box of
//! another.
//!
//! The host lays out tensors for each kernel. What it lays out is a [`View`]: the elements of a box
//! in row-major order. A copy is therefore an element-wise identity on the box's elements, streamed
//! through the PEs. The chip has no instructions that address single words of DRAM, and needs none
//! where the host lays out anyway. Elements that no copy writes are filled by a loop in front.
//!
//! Invariants: arguments are read in the order of copies, and equal views share their place in
//! DRAM. The result is one argument for each loop that writes to it, in loop order; for an element
//! that several contain, the last one counts.

use tessera_isa_mncore::layout::Layout;
use tessera_ops::{IndexMap, View};
use tessera_pto::kernel::TensorType;
use tessera_pto::rearrange::Rearrangement;

use super::data::arguments::ALIGNMENT;
use super::elementwise::plan::{min_stream_steps, ElementwisePlan};
use super::error::CompileError;
use super::kernel::{Kernel, MovedExtent};
use super::padding::Fill;
use super::strategy::Strategy;
use crate::raise::{BroadcastView, Expr, ExprKind, Store, TensorProgram};
use tessera_mncore_ir::kernel::Tensor;

/// The only plan of a data movement kernel.
pub(super) struct DataMovement<'a> {
    whole: &'a TensorProgram,
    rearrangement: &'a Rearrangement,
    fill: Fill,
    /// The loops, in order.
    loops: Vec<Loop>,
}

/// A loop over the elements of a box.
struct Loop {
    /// The tensor that is read, with the elements of it; `None` if the box is filled.
    source: Option<(usize, Option<View>)>,
    /// The elements of the result.
    target: Option<View>,
    /// The loop as an element-wise kernel.
    whole: TensorProgram,
}

impl Loop {
    /// Returns the cheapest plan of the loop.
    fn plan(&self, fill: Fill) -> ElementwisePlan<'_> {
        ElementwisePlan::cheapest(&self.whole, &self.whole.stores[0], fill)
    }
}

impl<'a> DataMovement<'a> {
    /// Creates the plan of a kernel with this rearrangement.
    pub fn new(whole: &'a TensorProgram, rearrangement: &'a Rearrangement, fill: Fill) -> Self {
        let store = &whole.stores[0];
        let result = whole.tensors[store.tensor];
        let elements = |tensor: TensorType| tensor.elements().unwrap_or_default();
        let IndexMap { copies, .. } = &rearrangement.map;
        let mut loops = Vec::new();
        if !rearrangement.map.covers(elements(result)) {
            loops.push(Loop {
                source: None,
                target: None,
                whole: elementwise_kernel(store, result, elements(result), false),
            });
        }
        for copy in copies.iter().map(|copy| copy.simplified()) {
            let tensor = rearrangement.sources[copy.operand];
            let source = part(copy.source(), elements(whole.tensors[tensor]));
            let count = copy.elements().unwrap_or_default();
            loops.push(Loop {
                source: Some((tensor, source)),
                target: part(copy.target(), elements(result)),
                whole: elementwise_kernel(store, result, count, true),
            });
        }
        DataMovement {
            whole,
            rearrangement,
            fill,
            loops,
        }
    }
}

/// Returns a view, or `None` if it contains all elements of a tensor in order.
fn part(view: View, elements: u64) -> Option<View> {
    let view = view.simplified();
    let is_all = view.offset == 0 && view.elements() == Some(elements);
    let is_run = matches!(view.strides[..], [] | [1]);
    (!is_all || !is_run).then_some(view)
}

/// Returns an element-wise kernel over `count` elements, which copies or fills them.
fn elementwise_kernel(
    store: &Store,
    result: TensorType,
    count: u64,
    is_copy: bool,
) -> TensorProgram {
    let tensor = matrix(count, result);
    let value = match is_copy {
        false => store.value.clone(),
        true => Expr {
            kind: ExprKind::Tensor(0, BroadcastView::default()),
            ..store.value.clone()
        },
    };
    TensorProgram {
        tensors: vec![tensor; 1 + usize::from(is_copy)],
        locals: Vec::new(),
        stores: vec![Store {
            tensor: usize::from(is_copy),
            value,
            location: store.location,
        }],
        rearrangement: None,
    }
}

/// Returns the matrix shape for this many elements that takes the fewest steps to stream.
fn matrix(count: u64, like: TensorType) -> TensorType {
    /// Maximum number of rows to try: more than a vector has places for, up to a power of two.
    const MOST_ROWS: u64 = 1 << 10;
    let extent = |extent: u64| u32::try_from(extent).unwrap_or(u32::MAX);
    let rows = (1..=MOST_ROWS.min(count)).filter(|rows| count % rows == 0);
    let matrices = rows.map(|rows| TensorType {
        matrices: 1,
        rows: extent(rows),
        columns: extent(count / rows),
        ..like
    });
    let cheapest = matrices.min_by_key(|tensor| min_stream_steps(*tensor));
    cheapest.unwrap_or(like)
}

impl Strategy for DataMovement<'_> {
    fn cost(&self) -> u64 {
        let loops = self.loops.iter();
        loops.map(|one| one.plan(self.fill).cost()).sum()
    }

    fn emit(&self, bases: &[u32]) -> Result<Kernel, CompileError> {
        let mut places = TensorAllocator {
            given: bases.iter(),
            next: 0,
            inputs: Vec::new(),
        };
        let mut results = Vec::new();
        let mut stages = Vec::new();
        for one in &self.loops {
            let Kernel {
                tensors,
                vectors,
                stages: own,
                ..
            } = places.build(one, self)?;
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

impl DataMovement<'_> {
    fn tensor(&self, argument: usize, layout: Layout, view: Option<View>) -> Tensor {
        Tensor {
            argument,
            kind: self.whole.tensors[argument],
            layout,
            view,
        }
    }
}

/// Allocates the tensors of loops, one after the other or at given addresses.
struct TensorAllocator<'b> {
    given: std::slice::Iter<'b, u32>,
    next: u64,
    /// The inputs placed so far.
    inputs: Vec<(Tensor, Option<MovedExtent>)>,
}

impl TensorAllocator<'_> {
    /// Builds the kernel of a loop. Its source shares the place of an equal one.
    fn build(&mut self, one: &Loop, all: &DataMovement) -> Result<Kernel, CompileError> {
        let plan = one.plan(all.fill);
        let first = self.next_base();
        let alone = plan
            .emit(&[first])
            .map_err(|error| all.refuse(error, one))?;
        let Some((argument, view)) = &one.source else {
            self.advance_behind(&alone.tensors[0].layout);
            return Ok(alone);
        };
        let source = &alone.tensors[0].layout;
        let is_equal = |(known, _): &&(Tensor, Option<MovedExtent>)| {
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
                self.advance_behind(source);
                (first, self.next_base())
            }
        };
        let is_new = known.is_none();
        let built = plan
            .emit(&[from, to])
            .map_err(|error| all.refuse(error, one))?;
        if is_new {
            let tensor = all.tensor(*argument, built.tensors[0].layout.clone(), view.clone());
            self.inputs.push((tensor, built.vectors[0]));
        }
        self.advance_behind(&built.tensors[1].layout);
        Ok(built)
    }

    /// Returns the address of the next tensor.
    fn next_base(&mut self) -> u32 {
        let next = u32::try_from(self.next).unwrap_or(u32::MAX);
        self.given.next().copied().unwrap_or(next)
    }

    /// Advances after a tensor.
    fn advance_behind(&mut self, layout: &Layout) {
        let end = u64::from(layout.base()) + layout.padded_words();
        self.next = self.next.max(end.next_multiple_of(ALIGNMENT));
    }
}

impl DataMovement<'_> {
    /// Converts an error of a loop to one of the kernel.
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
