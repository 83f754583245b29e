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

use std::rc::Rc;

use tessera_isa_mncore::memory::Precision;
use tessera_pto::kernel::Axis;

use super::data::arguments::Arguments;
use super::data::distribution::{vector_extent, Distribution, Extents, Mapping};
use super::data::geometry::{CYCLES, L2BS, ROW};
use super::data::local_tensors;
use super::data::local_tensors::{LocalShape, MAX_TILES};
use super::data::outer_loops::OuterLoops;
use super::data::tensor_use::Role;
use super::elementwise::elements::Elements;
use super::error::{unsupported, CompileError};
use super::gemm::arithmetic::Arithmetic;
use super::gemm::product::ProductBuilder;
use super::gemm::sharing::Sharing;
use super::gemm::sides::{arithmetic_of, Sides};
use super::kernel::{Kernel, ResourceBound};
use super::options::Options;
use super::padding::Fill;
use super::reduce::loops::{ReductionBuilder, ReductionStages};
use super::reduce::reduction::{reductions, Reduction};
use super::scratchpad::STAGE_OPERANDS;
use super::stages::repeat;
use super::stores::find_product;
use super::strategy::Strategy;
use crate::raise::{Expr, ExprKind, Store, TensorProgram};
use tessera_mncore_ir::kernel::Stage;

/// The roles of rows and columns in every stage.
const ROLES: [Role; 2] = [Role::J, Role::I];

/// Column vectors of a block.
const STEPS: u32 = 1;

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
        for stage in &self.stages {
            builder = builder.add(stage)?;
        }
        builder.finish()
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
                let tiles = needed.next_power_of_two().max(pair).min(most);
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
    /// The precision of the products, and the sum of their bounds.
    product: Option<(Precision, ResourceBound)>,
}

impl<'a> FusedKernelBuilder<'a> {
    fn new(of: &'a FusedKernel, mapping: Mapping, bases: &'a [u32]) -> Result<Self, CompileError> {
        let shapes = of.local_shapes();
        let mut locals = local_tensors::allocate(&shapes, STEPS).ok_or_else(|| {
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
        Ok(FusedKernelBuilder {
            of,
            mapping,
            arguments,
            first: Vec::new(),
            block: Vec::new(),
            last: Vec::new(),
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
                self.block.extend(builder.stage()?);
                if is_result {
                    self.last.push(builder.wait()?);
                }
                let bound = builder.bound(&Sharing::new(distribution.mapping));
                self.arguments = builder.arguments;
                let before = self.product.map(|(_, bound)| bound).unwrap_or_default();
                self.product = Some((arithmetic.precision(), before.plus(bound)));
            }
            FusedStageKind::Reductions(reductions) => {
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
        let blocks = repeat(distribution.j_blocks, self.block);
        let blocks = repeat(distribution.matrices, blocks);
        let stages = self.first.into_iter().chain(blocks).chain(self.last);
        let result = self.of.stages.last().expect("the result has a stage");
        let (tensor, stages) = (result.store.tensor, stages.collect());
        self.arguments.kernel(tensor, stages, self.product)
    }
}
