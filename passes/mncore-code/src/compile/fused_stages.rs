//! Kernels of several stages, such as an attention: results of stages stay in the memories of the
//! PEs.
//!
//! A stage is a product, a kernel with reductions, or element-wise operations. All of them have the
//! same rows, which are columns of the distribution, and every L2B has its own matrices
//! ([`Mapping::MatricesOverL2bs`]) or its own rows ([`Mapping::ColumnsOverL2bs`]). What a stage
//! computes for a row of its tensor is then in the words and PEs of one MAB, and so is what the
//! next stage reads:
//!
//! - a product with the right factor as row side has its columns along words, PEs and time;
//! - reductions along columns run within a MAB;
//! - the column side of the last product is converted where the weights are.
//!
//! Only the row sides, which are tensors, move: each L2B broadcasts its own to its MABs. This is
//! the attention of FlashAttention (Dao et al., 2022) without its running softmax, as the scores of
//! a row fit into local memory. The stages of a block of matrices and rows follow one another in
//! one loop over blocks.

use std::ptr;
use std::rc::Rc;

use tessera_isa_mncore::memory::{Bank, Precision};
use tessera_pto::kernel::{Axis, Binary};

use super::data::arguments::{Arguments, DeferredTensor, KeptArgument};
use super::data::distribution::{vector_extent, Distribution, Extents, Mapping};
use super::data::geometry::{CYCLES, L2BS, ROW, VECTOR_WORDS};
use super::data::local_tensors;
use super::data::local_tensors::{LocalShape, LocalTensor, MAX_TILES};
use super::data::outer_loops::OuterLoops;
use super::data::tensor_use::Role;
use super::elementwise::elements::Elements;
use super::error::{unsupported, CompileError};
use super::gemm::arithmetic::Arithmetic;
use super::gemm::product::ProductBuilder;
use super::gemm::sharing::Sharing;
use super::gemm::sides::{arithmetic_of, Sides};
use super::gemm::streamed::{ProductPosition, RowsOfStage};
use super::kernel::{Kernel, ResourceBound};
use super::loop_fusion::fuse_loops;
use super::options::Options;
use super::overlap::overlap_transfers;
use super::padding::Fill;
use super::reduce::loops::{collect_tensors, ReductionBuilder, ReductionStages};
use super::reduce::reduction::{reductions, Reduction};
use super::scratchpad::{STAGE_OPERANDS, STAGE_REDUCTION_RESULTS};
use super::stages::repeat;
use super::stores::find_product;
use super::strategy::Strategy;
use crate::raise::{BroadcastView, Expr, ExprKind, Store, TensorProgram};
use tessera_mncore_ir::kernel::Stage;

/// The roles of rows and columns in every stage.
const ROLES: [Role; 2] = [Role::J, Role::I];

/// Column vectors of a block.
const STEPS: u32 = 1;

/// Blocks of rows of a product whose result leaves the chip.
const RESULT_BLOCKS: u32 = 2;

/// The mappings of a kernel. With few matrices and many rows, L2Bs better have rows of the same
/// matrix.
const MAPPINGS: [Mapping; 2] = [Mapping::MatricesOverL2bs, Mapping::ColumnsOverL2bs];

/// A kernel of several stages.
struct FusedKernel<'a> {
    whole: &'a TensorProgram,
    fill: Fill,
    stages: Vec<FusedStage<'a>>,
}

/// The plan of a kernel of several stages.
#[derive(Clone)]
pub(super) struct FusedPlan<'a> {
    kernel: Rc<FusedKernel<'a>>,
    /// The mapping of all stages.
    mapping: Mapping,
    cost: u64,
}

/// A stage: what it stores, and how it is computed.
struct FusedStage<'a> {
    store: &'a Store,
    kind: FusedStageKind<'a>,
}

enum FusedStageKind<'a> {
    Product {
        product: &'a Expr,
        sides: Sides<'a>,
        arithmetic: Arithmetic,
    },
    Reductions(Vec<Reduction<'a>>),
    Elementwise,
}

impl<'a> FusedPlan<'a> {
    /// Returns the plans of a kernel of which `store` is the last stage, cheapest first.
    pub fn all(
        whole: &'a TensorProgram,
        store: &'a Store,
        options: &Options,
        fill: Fill,
    ) -> Result<Vec<Self>, CompileError> {
        let stores = whole.locals.iter().chain([store]);
        let stages = stores.map(|store| FusedStage::new(whole, store, options));
        let kernel = Rc::new(FusedKernel {
            whole,
            fill,
            stages: stages.collect::<Result<_, _>>()?,
        });
        let plan = |mapping| {
            let cost = kernel.kernel(mapping, &[])?.min_steps();
            Ok(FusedPlan {
                kernel: Rc::clone(&kernel),
                mapping,
                cost,
            })
        };
        let plans = MAPPINGS.into_iter().map(plan);
        let mut plans: Vec<FusedPlan> = plans.collect::<Result<_, CompileError>>()?;
        plans.sort_by_key(|plan| plan.cost);
        Ok(plans)
    }
}

impl Strategy for FusedPlan<'_> {
    fn cost(&self) -> u64 {
        self.cost
    }

    fn emit(&self, bases: &[u32]) -> Result<Kernel, CompileError> {
        self.kernel.kernel(self.mapping, bases)
    }
}

impl FusedKernel<'_> {
    /// Builds the kernel with a mapping.
    fn kernel(&self, mapping: Mapping, bases: &[u32]) -> Result<Kernel, CompileError> {
        let mut builder = FusedKernelBuilder::new(self, mapping, bases)?;
        for (number, stage) in self.stages.iter().enumerate() {
            builder = match self.deferred(number, mapping) {
                Some(deferred) => {
                    builder.arguments.defer(deferred);
                    builder
                }
                None => builder.add(stage)?,
            };
        }
        builder.finish()
    }

    /// Returns the tensor of an element-wise stage if the first loop of the next, a reduction of
    /// the same vectors, can compute it. Both must be short, since a loop with more values than
    /// registers takes longer than two.
    fn deferred(&self, number: usize, mapping: Mapping) -> Option<DeferredTensor<'_>> {
        let [stage, next, later @ ..] = &self.stages[number..] else {
            return None;
        };
        let (FusedStageKind::Elementwise, FusedStageKind::Reductions(reductions)) =
            (&stage.kind, &next.kind)
        else {
            return None;
        };
        let tensor = stage.store.tensor;
        let as_it_is = (tensor, BroadcastView::default());
        let reading: Vec<&Reduction> = reductions
            .iter()
            .filter(|one| reads(one.of, tensor))
            .collect();
        let own = stage.distribution(self.whole, mapping);
        let after = next.distribution(self.whole, mapping);
        let is_alike = |one: &&Reduction| {
            let reduced = after.for_reduced_rows(one.extent);
            (reduced.tiles, reduced.rows_over_cycles) == (own.tiles, own.rows_over_cycles)
                && collect_tensors(one.of).contains(&as_it_is)
                && is_short(one.of)
        };
        let is_first = reading.iter().any(|one| one.level == 0);
        let is_deferred = is_first
            && own.vectors() > 1
            && is_short(&stage.store.value)
            && reading.iter().all(is_alike);
        is_deferred.then(|| DeferredTensor {
            store: stage.store,
            is_stored: reading.len() > 1
                || later.iter().any(|stage| reads(&stage.store.value, tensor)),
        })
    }

    /// Returns the arguments that more than one loop reads as they are, with the stage that reads
    /// each first, and its shape.
    fn kept_arguments(&self) -> Vec<(usize, usize, LocalShape)> {
        let mut kept = Vec::new();
        let stored = self.whole.tensors[self.stages[0].store.tensor];
        for (tensor, kind) in self.whole.tensors.iter().enumerate() {
            let is_local = |stage: &FusedStage| stage.store.tensor == tensor;
            let reads = self.stages.iter().map(|stage| stage.reads(tensor));
            let first = reads.clone().position(|count| count > 0);
            // Loops of all kinds then have the same vectors.
            let is_whole = kind.rows == stored.rows && kind.columns % (4 * ROW) == 0;
            if let Some(first) = first {
                if reads.sum::<usize>() > 1 && is_whole && !self.stages.iter().any(is_local) {
                    let shape = LocalShape {
                        columns: kind.columns,
                        is_product: false,
                    };
                    kept.push((tensor, first, shape));
                }
            }
        }
        kept
    }

    /// Returns whether the column side of a product is fetched while the previous block is
    /// computed: if it is the only stream, and results have another buffer.
    fn fetches_ahead(&self, product: &FusedStage) -> bool {
        let is_local = |tensor: usize| self.stages.iter().any(|one| one.store.tensor == tensor);
        let streams = |stage: &FusedStage| {
            let mut count = 0;
            stage.store.value.visit(&mut |expr| {
                count += match expr.kind {
                    ExprKind::Tensor(tensor, _) => usize::from(!is_local(tensor)),
                    _ => 0,
                };
            });
            // Row sides have buffers of their own.
            count - usize::from(stage.is_product())
        };
        let all: usize = self.stages.iter().map(streams).sum();
        let last = self.stages.last();
        let stores_product = last.is_some_and(|last| last.is_product() && !ptr::eq(last, product));
        all == 1 && streams(product) == 1 && stores_product
    }

    /// Returns which local tensors a product reads as its column side.
    fn factors(&self) -> Vec<bool> {
        let is_factor = |tensor: usize| {
            self.stages.iter().any(|stage| match &stage.kind {
                FusedStageKind::Product { sides, .. } => reads(sides.columns, tensor),
                _ => false,
            })
        };
        let (_, local) = self.stages.split_last().expect("the result has a stage");
        let tensors = local.iter().map(|stage| stage.store.tensor);
        tensors.map(is_factor).collect()
    }

    /// Returns the shapes of the local tensors.
    fn local_shapes(&self) -> Vec<LocalShape> {
        let (_, local) = self.stages.split_last().expect("the result has a stage");
        local.iter().map(|stage| stage.shape(self.whole)).collect()
    }
}

impl<'a> FusedStage<'a> {
    fn new(
        whole: &'a TensorProgram,
        store: &'a Store,
        options: &Options,
    ) -> Result<Self, CompileError> {
        check_rows_stay(whole, store)?;
        let kind = match find_product(store)? {
            Some(product) => FusedStageKind::new_product(whole, store, product, options)?,
            None => {
                let (_, found) = reductions(store, &whole.tensors)?;
                match found.is_empty() {
                    true => FusedStageKind::Elementwise,
                    false => FusedStageKind::Reductions(found),
                }
            }
        };
        Ok(FusedStage { store, kind })
    }

    fn is_product(&self) -> bool {
        matches!(self.kind, FusedStageKind::Product { .. })
    }

    /// Returns in how many loops over the vectors of results it reads a tensor as it is.
    fn reads(&self, tensor: usize) -> usize {
        let as_it_is = (tensor, BroadcastView::default());
        let reads = |expr: &Expr| collect_tensors(expr).contains(&as_it_is);
        let sweeps = match &self.kind {
            FusedStageKind::Reductions(all) => {
                let reading = all.iter().filter(|one| reads(one.of));
                let mut sweeps: Vec<_> = reading.map(Reduction::sweep).collect();
                sweeps.dedup();
                sweeps.len()
            }
            _ => 0,
        };
        sweeps + usize::from(reads(&self.store.value))
    }

    /// Returns the shape of the local tensor that it stores.
    fn shape(&self, whole: &TensorProgram) -> LocalShape {
        LocalShape {
            columns: whole.tensors[self.store.tensor].columns,
            is_product: matches!(self.kind, FusedStageKind::Product { .. }),
        }
    }

    /// Returns whether its vectors have rows in cycles, as local tensors permit if all columns are
    /// in one cycle.
    fn is_tall(&self, whole: &TensorProgram, mapping: Mapping) -> bool {
        let is_local = |tensor: usize| whole.locals.iter().any(|one| one.tensor == tensor);
        let mut has_others = !is_local(self.store.tensor);
        self.store.value.visit(&mut |expr| {
            has_others |= matches!(expr.kind, ExprKind::Tensor(tensor, _) if !is_local(tensor));
        });
        let columns = whole.tensors[self.store.tensor].rows;
        let [_, of_vector] = vector_extent(mapping);
        !has_others && columns <= of_vector / CYCLES
    }

    /// Returns its distribution.
    fn distribution(&self, whole: &TensorProgram, mapping: Mapping) -> Distribution {
        let stored = whole.tensors[self.store.tensor];
        let needed = stored.columns.div_ceil(ROW);
        let at_once = match mapping {
            Mapping::MatricesOverL2bs => L2BS,
            _ => 1,
        };
        let extents = |k| Extents {
            matrices: stored.matrices.div_ceil(at_once),
            i: stored.columns,
            j: stored.rows,
            k,
        };
        let distribute =
            |tiles, k| Distribution::new(&extents(k), mapping, tiles, STEPS).unpacked();
        match &self.kind {
            FusedStageKind::Product {
                sides, arithmetic, ..
            } => {
                let pair = 2 * arithmetic.span();
                // Half of the registers is left to what follows the product.
                let most = MAX_TILES.min(arithmetic.max_sums() / STEPS / 2);
                let tiles = needed.next_power_of_two();
                let is_result = whole
                    .locals
                    .iter()
                    .all(|one| one.tensor != self.store.tensor);
                // The first results leave while the others are computed.
                let blocks = if is_result { RESULT_BLOCKS } else { 1 };
                let tiles = (tiles / blocks).max(pair).min(most);
                let k = sides.extents.k;
                Distribution {
                    span: arithmetic.span(),
                    k_blocks: k.div_ceil(ROW).next_multiple_of(pair),
                    ..distribute(tiles, k)
                }
            }
            FusedStageKind::Reductions(_) | FusedStageKind::Elementwise => {
                let vectors = self.shape(whole).vectors();
                let is_tall = self.is_tall(whole, mapping);
                Distribution {
                    rows_over_cycles: is_tall,
                    i_blocks: 1,
                    ..distribute(vectors.div_ceil(if is_tall { CYCLES } else { 1 }), 0)
                }
            }
        }
    }
}

/// Returns whether an expression reads a tensor.
fn reads(expr: &Expr, tensor: usize) -> bool {
    let mut found = false;
    expr.visit(&mut |expr| {
        found |= matches!(expr.kind, ExprKind::Tensor(read, _) if read == tensor);
    });
    found
}

/// Returns whether an expression takes few items on tensors: sums, differences and products.
fn is_short(expr: &Expr) -> bool {
    /// Functions of two operands.
    const FUNCTIONS: usize = 4;
    let (mut count, mut is_long) = (0, false);
    expr.visit(&mut |expr| match expr.kind {
        ExprKind::Tensor(..) | ExprKind::Fill(_) => {}
        ExprKind::Binary(Binary::Add | Binary::Subtract | Binary::Multiply, _) => count += 1,
        _ => is_long = true,
    });
    !is_long && count <= FUNCTIONS
}

/// Allocates local tensors, and arguments that are kept if there is room for all of them. As few
/// as possible of the local tensors that `is_factor` names are in LM0, where block floats of the
/// column side are written as they are read.
fn allocate_with(
    shapes: &[LocalShape],
    kept: &[(usize, usize, LocalShape)],
    is_factor: &[bool],
) -> Option<(Vec<LocalTensor>, Vec<KeptArgument>)> {
    // Each tensor with its number, if it is local, or the argument.
    let mut all: Vec<(Result<usize, usize>, LocalShape)> = Vec::new();
    for stage in 0..=shapes.len() {
        let first = kept.iter().filter(|(_, first, _)| *first == stage);
        all.extend(first.map(|(tensor, _, shape)| (Err(*tensor), *shape)));
        all.extend(shapes.get(stage).map(|shape| (Ok(stage), *shape)));
    }
    let local: Vec<_> = all.iter().copied().filter(|(is, _)| is.is_ok()).collect();
    let place = |all: &[(Result<usize, usize>, LocalShape)]| {
        let shapes: Vec<LocalShape> = all.iter().map(|(_, shape)| *shape).collect();
        let orders = [Bank::Lm1, Bank::Lm0];
        let places = orders.map(|first| local_tensors::allocate(&shapes, STEPS, first));
        let in_lm0 = |places: &Vec<LocalTensor>| {
            let of_factor = |is: &Result<usize, usize>| is.is_ok_and(|stage| is_factor[stage]);
            let factors = all.iter().zip(places).filter(|((is, _), _)| of_factor(is));
            factors
                .filter(|(_, place)| place.bank() == Bank::Lm0)
                .count()
        };
        let places = places.into_iter().flatten().min_by_key(in_lm0)?;
        Some((all.to_vec(), places))
    };
    let (all, places) = place(&all).or_else(|| place(&local))?;
    let (mut locals, mut arguments) = (Vec::new(), Vec::new());
    for ((is, shape), place) in all.into_iter().zip(places) {
        match is {
            Ok(_) => locals.push(place),
            Err(tensor) => arguments.push(KeptArgument::new(tensor, place, shape.vectors())),
        }
    }
    Some((locals, arguments))
}

/// Checks that a stage computes a row from the same row of local tensors.
fn check_rows_stay(whole: &TensorProgram, store: &Store) -> Result<(), CompileError> {
    let is_local = |tensor: usize| whole.locals.iter().any(|one| one.tensor == tensor);
    let mut moved = None;
    store.value.visit(&mut |expr| {
        let what = match expr.kind {
            ExprKind::Tensor(tensor, view) if view.transposed && is_local(tensor) => {
                "a transposition"
            }
            ExprKind::Reduce {
                axis: Axis::Rows, ..
            } => "a reduction of rows",
            _ => return,
        };
        moved = moved.or(Some((expr.location, what)));
    });
    let Some((location, what)) = moved else {
        return Ok(());
    };
    Err(unsupported(location, format!("{what} in a kernel that keeps tensors in local memory has no code for MN-Core 2; compile with fusion=none")))
}

impl<'a> FusedStageKind<'a> {
    fn new_product(
        whole: &'a TensorProgram,
        store: &'a Store,
        product: &'a Expr,
        options: &Options,
    ) -> Result<Self, CompileError> {
        let (factors, arithmetic) = arithmetic_of(whole, product, options)?;
        let is_local = |tensor: usize| whole.locals.iter().any(|one| one.tensor == tensor);
        if is_local(store.tensor) && whole.tensors[store.tensor].columns == 1 {
            // Elements of one column are the same in all words; those of a product are not.
            return Err(unsupported(product.location, "a product with one column in a kernel that keeps it in local memory has no code for MN-Core 2; compile with fusion=none"));
        }
        let sides = Sides::new(whole, store, factors, true).filter(|sides| !is_local(sides.rows));
        let sides = sides.ok_or_else(|| unsupported(product.location, "the right factor of a product in a kernel that keeps tensors in local memory must be an argument for MN-Core 2; compile with fusion=none"))?;
        let words = sides.extents.k.div_ceil(ROW) * arithmetic.columns_of_tile();
        if STEPS * words > STAGE_OPERANDS.words {
            return Err(unsupported(product.location, format!("a product over {} elements in a kernel that keeps tensors in local memory has no code for MN-Core 2; compile with fusion=none", sides.extents.k)));
        }
        Ok(FusedStageKind::Product {
            product,
            sides,
            arithmetic,
        })
    }
}

/// A kernel under construction.
struct FusedKernelBuilder<'a> {
    of: &'a FusedKernel<'a>,
    mapping: Mapping,
    arguments: Arguments<'a>,
    /// The loops before all blocks, those of each block, and those after all blocks.
    first: Vec<Stage>,
    block: Vec<Stage>,
    last: Vec<Stage>,
    /// The row side of the first product.
    first_rows: Option<RowsOfStage>,
    /// The loops of a block after which no product needs the buffers of tiles.
    tiles_are_free: usize,
    /// The precision of the products, and the sum of their bounds.
    product: Option<(Precision, ResourceBound)>,
}

impl<'a> FusedKernelBuilder<'a> {
    fn new(of: &'a FusedKernel, mapping: Mapping, bases: &'a [u32]) -> Result<Self, CompileError> {
        let shapes = of.local_shapes();
        let kept = of.kept_arguments();
        let (mut locals, kept) = allocate_with(&shapes, &kept, &of.factors()).ok_or_else(|| {
            let columns: Vec<String> = shapes.iter().map(|one| one.columns.to_string()).collect();
            unsupported(None, format!("the local memories of MN-Core 2 cannot hold tensors with {} columns at once; compile with fusion=none", columns.join(", ")))
        })?;
        for (local, stage) in locals.iter_mut().zip(&of.stages) {
            if stage.distribution(of.whole, mapping).rows_over_cycles {
                *local = local.with_one_cycle();
            }
        }
        let distribution = of.stages[0].distribution(of.whole, mapping);
        let mut arguments = Arguments::new(of.whole, of.fill, distribution, bases);
        arguments.set_locals(locals);
        arguments.set_kept(kept);
        Ok(FusedKernelBuilder {
            of,
            mapping,
            arguments,
            first: Vec::new(),
            block: Vec::new(),
            last: Vec::new(),
            first_rows: None,
            tiles_are_free: 0,
            product: None,
        })
    }

    /// Adds the loops of a stage.
    fn add(mut self, stage: &'a FusedStage) -> Result<Self, CompileError> {
        let distribution = stage.distribution(self.of.whole, self.mapping);
        self.arguments.set_distribution(distribution);
        let is_result = self.arguments.local(stage.store.tensor).is_none();
        match &stage.kind {
            FusedStageKind::Product {
                product,
                sides,
                arithmetic,
            } => {
                let mut builder = ProductBuilder::new(
                    (stage.store, product),
                    *sides,
                    (distribution, *arithmetic),
                    self.arguments,
                );
                let mut products = self.of.stages.iter().filter(|one| one.is_product());
                let is_last = products
                    .next_back()
                    .is_some_and(|last| ptr::eq(last, stage));
                let position = ProductPosition {
                    is_first: self.first_rows.is_none(),
                    is_last,
                    first: self.first_rows.as_ref(),
                    fetches_ahead: self.of.fetches_ahead(stage),
                };
                let of_product = builder.stage(&position)?;
                self.block
                    .splice(self.tiles_are_free..self.tiles_are_free, of_product.fetch);
                self.block.extend(of_product.stages);
                self.tiles_are_free = self.block.len();
                self.block.extend(of_product.next);
                self.first_rows.get_or_insert(of_product.rows);
                if is_result {
                    self.last.push(builder.wait()?);
                }
                let bound = builder.bound(&Sharing::new(distribution.mapping));
                self.arguments = builder.arguments;
                let before = self.product.map(|(_, bound)| bound).unwrap_or_default();
                self.product = Some((arithmetic.precision(), before.plus(bound)));
            }
            FusedStageKind::Reductions(reductions) => {
                if reductions.len() as u32 * STEPS * VECTOR_WORDS > STAGE_REDUCTION_RESULTS.words {
                    let location = reductions[0].expr.location;
                    let what = format!(
                        "{} reductions in one stage have no code for MN-Core 2; compile with \
                         fusion=none",
                        reductions.len()
                    );
                    return Err(unsupported(location, what));
                }
                let arguments = self.arguments;
                let mut builder =
                    ReductionBuilder::for_stage(arguments, stage.store, reductions, distribution);
                let ReductionStages { first, block } = builder.stages()?;
                self.first.extend(first);
                self.block.extend(block);
                self.arguments = builder.arguments;
            }
            FusedStageKind::Elementwise => {
                let around = OuterLoops::new(&distribution, true, false);
                let layout = distribution.results_layout();
                let mut elements = Elements::new(&mut self.arguments, around, layout, ROLES, 1);
                let mut body = elements.body(distribution.vectors());
                elements.store(&mut body, stage.store, None)?;
                self.block.extend(elements.stages("elements", body));
            }
        }
        Ok(self)
    }

    /// Assembles the kernel.
    fn finish(self) -> Result<Kernel, CompileError> {
        let distribution = self.arguments.distribution();
        let block = overlap_transfers(fuse_loops(self.block));
        let blocks = repeat(distribution.j_blocks, block);
        let blocks = repeat(distribution.matrices, blocks);
        let stages = self.first.into_iter().chain(blocks).chain(self.last);
        let result = self.of.stages.last().expect("the result has a stage");
        let (tensor, stages) = (result.store.tensor, stages.collect());
        self.arguments.kernel(tensor, stages, self.product)
    }
}
