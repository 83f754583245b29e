//! Small products with the depth distributed over the MABs of an L1B.
//!
//! | rows over | columns over | depth over |
//! |---|---|---|
//! | L2Bs, word, PE, tiles | L1Bs, cycle, vectors, blocks in time | word, PE, MAB, tiles in time |
//!
//! If MABs had their own columns, each would need the whole depth. A small product has too few
//! results per MAB to amortise the loading of a tile: 64 in a product of 256x256. Here a MAB has
//! part of the depth and sixteen times as many results, and no two MABs of an L1B load the same
//! data. The price is the reduction of partial sums by `l1bmr`, which takes as many steps as a PE
//! has long words of them, two at once.
//!
//! The whole row side is loaded first ([`ResidentRows`]) and stays in LM1 as block floats. One loop
//! then runs over blocks of columns: it loads and converts the vectors of a block, multiplies them
//! by all tiles, reduces the sums and stores them. MV instructions are issued as far ahead as L2BM
//! has slots. Results are stored after all column loads that are already issued, while the last
//! blocks are multiplied. Only the processing of the very last block is exposed.
//!
//! bf16 results pass through the PEs once more for packing: those of the first half of the tiles
//! with those of the second.
//!
//! A `wait` stalls all that follows it in the instruction stream, including items of earlier
//! blocks. Iterations are therefore at least as long as the MV instructions of a block
//! ([`Body::min_ii`](tessera_mncore_ir::body::Body::min_ii)), so that results do not wait for
//! column loads issued later.
//!
//! Restrictions: a single matrix whose rows are one block, and a plain product of two tensors.
//!
//! | file | holds |
//! |---|---|
//! | `product.rs` | the column side, and the loop that multiplies it |
//! | `plan.rs` | the parameters, which are legal, and their cost |
//! | `resident_rows.rs` | the row side |
//! | `results.rs` | the results |
//! | `place.rs` | operands of MV instructions |
//!
//! A file imports only files below it in this table.

mod place;
mod plan;
mod product;
mod resident_rows;
mod results;

use super::arithmetic::Arithmetic;
use super::problem::Blocking;
use super::product::ProductBuilder;
use super::sharing::Sharing;
use super::strategy::ProductStrategy;
use super::streamed_rows::Side;
use crate::compile::data::tensor_use::Role;
use crate::compile::error::CompileError;
use crate::compile::kernel::Kernel;
use crate::raise::BroadcastView;
use product::Columns;
use resident_rows::ResidentRows;
use results::Results;
use tessera_mncore_ir::body::Body;
use tessera_mncore_ir::kernel::Stage;

pub(crate) use plan::KOverMabs;

impl KOverMabs {
    /// Returns what parts of the chip share.
    fn sharing(&self) -> Sharing {
        Sharing {
            row_rates: [256, 64],
            ..Sharing::new(self.blocking.distribution.mapping)
        }
    }
}

impl ProductStrategy for KOverMabs {
    fn blocking(&self) -> &Blocking {
        &self.blocking
    }

    fn converts_in_advance(&self) -> bool {
        true
    }

    fn cost(&self, arithmetic: Arithmetic) -> u64 {
        self.estimate(arithmetic)
    }

    fn emit(&self, mut product: ProductBuilder) -> Result<Kernel, CompileError> {
        let Blocking { distribution, bf16 } = self.blocking;
        let arithmetic = product.arithmetic;
        let (tensor, r#use) = product
            .column_tensor("internal error: only tensors have a depth over the MABs of an L1B")?;
        let side = product.row_side();
        let result = Side {
            tensor: product.store.tensor,
            broadcast: BroadcastView::default(),
            roles: product.sides.roles(Role::I, Role::J),
        };
        let arguments = &mut product.arguments;
        let rows = ResidentRows::place(arguments, &self.blocking, &side, arithmetic)?;
        let halves = self.column_parts() == 2;
        let vectors = arguments.place(tensor, &r#use, KOverMabs::COLUMNS, halves)?;
        let columns = Columns {
            plan: *self,
            distribution,
            arithmetic,
            vectors,
        };
        let results = Results::place(arguments, &self.blocking, &result)?;
        let mut fetch = Body::new(&[], &[]);
        rows.fetch(&mut fetch);
        columns.fetch_first(&mut fetch);
        let mut clear = Body::new(&[], &[]);
        if columns.vectors.has_empty_cycles() {
            Columns::BUFFER.clear(&mut clear);
        }
        let multiply = columns.multiply(&results);
        let wait = Results::wait(distribution.j_blocks);
        let mut stages = vec![
            product.product_loop("fetch", fetch),
            product.product_loop("clear", clear),
            product.product_loop("prepare", rows.make(arithmetic, bf16.rows)),
            product.product_loop("multiply", multiply),
            product.product_loop("wait", wait),
        ];
        stages.retain(|stage| !matches!(stage, Stage::Loop(_, body) if body.items.is_empty()));
        product.kernel(stages, &self.sharing())
    }
}
