//! The row side of a product: what its forms have in common.

use super::arithmetic::Arithmetic;
use super::loop_levels::LoopLevels;
use super::tile::TileForm;
use crate::compile::data::distribution::Distribution;
use tessera_mncore_ir::address::Address;
use tessera_mncore_ir::body::Body;
use tessera_mncore_ir::kernel::Stage;

/// A row side that is loaded by the loop that multiplies.
pub(crate) trait RowSide {
    /// Returns the form of its tiles in L1BM.
    fn form(&self) -> TileForm;

    /// Emits the items that load a pair of tiles to L1BM; returns their address there.
    fn load_pair(&self, body: &mut Body, levels: &LoopLevels) -> Address;
}

/// The row side of a product in chunks of the depth.
pub(crate) trait ChunkedRows: RowSide {
    /// Returns the stages that load it, apart from the items within the loop that multiplies.
    /// `location` is that of the product.
    fn stages(
        &self,
        levels: &LoopLevels,
        distribution: &Distribution,
        product: (Arithmetic, usize),
    ) -> RowStages;
}

/// The stages that load a row side, apart from the items within the loop that multiplies.
pub(crate) struct RowStages {
    /// Before all loops.
    pub first: Option<Stage>,
    /// Before the chunks of a block.
    pub before_block: Option<Stage>,
    /// Before the multiplication of each chunk.
    pub of_chunk: Vec<Stage>,
    /// After the last chunk of a block.
    pub of_block: Option<Stage>,
}
