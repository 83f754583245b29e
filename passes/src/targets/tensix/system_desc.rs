//! The description of a system with Tensix chips, and the device attribute that follows from it.
//!
//! The built-in figures are those of tt-mlir's mock descriptions (`TTCoreOpsTypes.cpp`): an n150
//! and a p150 card. L1 size and DRAM banks are those of [`Arch`].

use tessera_dialects::builtin;
use tessera_dialects::mlir::{Op, WalkOrder};
use tessera_dialects::ttcore;
use tessera_isa_tensix::arch::Arch;

/// The module attribute with the description.
pub const SYSTEM_DESC: &str = "ttcore.system_desc";

/// The chips that have a built-in description, the default first.
pub const CHIPS: &[&str] = &["wormhole_b0", "blackhole"];

/// Properties of a card with one chip that are not in [`Arch`].
struct Card {
    grid: &'static str,
    dram_channel_bytes: u64,
    /// Alignment of addresses in L1, on the host's bus and in DRAM.
    aligned: [u32; 3],
    /// First bytes free for programs in the L1 of Tensix and Ethernet cores and in DRAM.
    unreserved: [u32; 3],
    dram_unreserved_end: u64,
    /// The worker core nearest to each DRAM bank, row before column.
    nearest: &'static [(u32, u32)],
}

const N150: Card = Card {
    grid: "8x8",
    dram_channel_bytes: 1 << 30,
    aligned: [16, 32, 32],
    unreserved: [1024, 1024, 1024],
    dram_unreserved_end: 1 << 30,
    nearest: &[
        (7, 3),
        (0, 0),
        (3, 0),
        (4, 0),
        (0, 4),
        (7, 7),
        (1, 4),
        (6, 4),
        (5, 4),
        (2, 6),
        (3, 4),
        (4, 4),
    ],
};

const P150: Card = Card {
    grid: "10x13",
    dram_channel_bytes: 4_278_190_080,
    aligned: [16, 64, 64],
    unreserved: [98_304, 100_032, 64],
    dram_unreserved_end: 4_276_383_744,
    nearest: &[
        (9, 0),
        (0, 0),
        (7, 0),
        (3, 0),
        (9, 7),
        (1, 7),
        (6, 7),
        (4, 7),
    ],
};

/// Returns the description of a host with one card of a chip of [`CHIPS`], as attribute text.
pub fn built_in(chip: &str) -> String {
    let arch = chip.parse().unwrap_or(Arch::WormholeB0);
    let card = match arch {
        Arch::WormholeB0 => N150,
        Arch::Blackhole => P150,
    };
    let [l1_aligned, pcie_aligned, dram_aligned] = card.aligned;
    let [l1_base, ethernet_base, dram_base] = card.unreserved;
    let nearest: Vec<_> = card
        .nearest
        .iter()
        .map(|(y, x)| format!("({y}, {x})"))
        .collect();
    let nearest = nearest.join(", ");
    format!(
        "#ttcore.system_desc<[{{role = host, target_triple = \"x86_64-pc-linux-gnu\"}}], [{{arch = <{arch}>, \
         grid = {grid}, coord_translation_offsets = 18x18, l1_size = {l1_size}, num_dram_channels = {banks}, \
         dram_channel_size = {dram_size}, noc_l1_address_align_bytes = {l1_aligned}, \
         pcie_address_align_bytes = {pcie_aligned}, noc_dram_address_align_bytes = {dram_aligned}, \
         l1_unreserved_base = {l1_base}, erisc_l1_unreserved_base = {ethernet_base}, \
         dram_unreserved_base = {dram_base}, dram_unreserved_end = {dram_end}, \
         supported_data_types = [<f32>, <f16>, <bf16>, <bfp_f8>, <bfp_bf8>, <bfp_f4>, <bfp_bf4>, <bfp_f2>, <bfp_bf2>, \
         <u32>, <u16>, <u8>, <si32>], supported_tile_sizes = [4x16, 16x16, 32x16, 4x32, 16x32, 32x32], \
         dst_physical_size_tiles = 16, num_cbs = 32, num_compute_threads = 1, num_datamovement_threads = 2, \
         dram_grid = 1x{banks}, dram_bank_to_logical_worker_noc0 = [{nearest}], \
         dram_bank_to_logical_worker_noc1 = [{nearest}]}}], [0], [1 : i32], [0x0x0x0]>",
        grid = card.grid,
        l1_size = arch.l1_bytes(),
        banks = arch.dram_banks(),
        dram_size = card.dram_channel_bytes,
        dram_end = card.dram_unreserved_end,
    )
}

/// Returns the generation of the first chip of the system that an operation, or an enclosing
/// module, describes.
pub fn arch(op: Op) -> Option<Arch> {
    std::iter::successors(Some(op), |op| op.parent()).find_map(own_arch)
}

/// Returns the generation of the first chip that an operation's own attribute describes.
pub fn own_arch(op: Op) -> Option<Arch> {
    let description = op.attribute(SYSTEM_DESC)?;
    let description = ttcore::SystemDesc::from_attribute(description)?;
    description.chips().first()?.arch()?.word().parse().ok()
}

/// Returns the generation of the first chip that a module, or one inside it, describes.
pub fn arch_within(module: Op) -> Option<Arch> {
    let ops = module.walk(WalkOrder::Pre).into_iter();
    let mut modules = ops.filter(|op| op.isa::<builtin::ModuleOp>());
    modules.find_map(own_arch)
}

/// Returns the generation as [`arch`] does, or the default of `ttcore-register-device`.
pub fn assumed_arch(op: Op) -> Arch {
    arch(op).unwrap_or(Arch::WormholeB0)
}

/// Returns the `ttcore.device` attribute for the only chip of a description. Both are attribute
/// text.
///
/// Maps, as upstream builds them: worker cores are numbered as they are on the chip; an address in
/// L1 is the core's own; pages of a tensor go round the DRAM banks.
///
/// # Errors
/// If the description does not have exactly one chip, or is not one as MLIR prints it.
pub fn device(description: &str) -> Result<String, String> {
    let chips = description.matches("arch = <").count();
    if chips != 1 {
        return Err(format!(
            "the system description has {chips} chips; programs run on one, describe that"
        ));
    }
    let field = |name: &str| {
        let key = format!(" {name} = ");
        let value = description.split_once(&key).map(|(_, behind)| behind);
        value
            .and_then(|value| value.split([',', '}']).next())
            .ok_or_else(|| format!("internal error: the system description has no {name}"))
    };
    let (grid, dram_grid, banks) = (
        field("grid")?,
        field("dram_grid")?,
        field("num_dram_channels")?,
    );
    let address = "(d0 * s1 * s2 * s3 * s6 + d1 * s2 * s3 * s6 + d2)";
    let page = format!("{address} floordiv s4");
    Ok(format!(
        "#ttcore.device<workerGrid = #ttcore.grid<{grid}, virt_to_physical_map = (d0, d1) -> (0, d0, d1), \
         physical_to_virt_map = (d0, d1, d2) -> (d1, d2)>, dramGrid = #ttcore.grid<{dram_grid}>, \
         l1Map = (d0, d1, d2)[s0] -> (0, d0, d1, d2 + s0), \
         dramMap = (d0, d1, d2)[s0, s1, s2, s3, s4, s5, s6] -> (0, 0, ({page}) mod {banks}, \
         (({page}) floordiv {banks}) * s4 + {address} mod s4 + s5), meshShape = , chipIds = [0]>"
    ))
}
