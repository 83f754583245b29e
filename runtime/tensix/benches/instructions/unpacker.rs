//! A core whose unpacker 0 unpacks a tile.

use tessera_isa_tensix::{cfg, Arch};
use tessera_tensix::state::adc::Axis;
use tessera_tensix::state::core_state::CoreState;
use tessera_tensix::Model;

use crate::common::{set, set_thread, set_width, THREAD};
use crate::L1;

/// What the unpacker does.
#[derive(Clone, Copy)]
pub struct Unpacking {
    pub name: &'static str,
    /// The codes of the formats in L1 and of the target.
    pub formats: [u32; 2],
    /// Whether the target is Dst, not SrcA.
    pub to_dst: bool,
    /// Settings that change the order of datums, or that need a slower way.
    pub order: Order,
}

/// The order in which an unpacker takes datums.
#[derive(Clone, Copy, PartialEq)]
pub enum Order {
    /// That of L1.
    Plain,
    Transposed,
    Tilizing,
    /// That of L1, with a setting without effect for which there is no fast way.
    DatumByDatum,
}

/// The instruction that unpacks a tile.
pub const UNPACR: &str = "ttunpacr 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1";

/// Returns a core for a task.
pub fn core(arch: Arch, model: Model, unpacking: Unpacking) -> CoreState {
    let mut core = CoreState::with_model(arch, model);
    let bytes: Vec<u8> = (0..0x2000u32)
        .map(|k| (k.wrapping_mul(0x9E37_79B9) >> 24) as u8 & 0x8F)
        .collect();
    core.l1.write(L1, &bytes).expect("L1 is larger");
    let [input, output] = unpacking.formats;
    let descriptor = cfg::THCON_REG0_TileDescriptor.nth(0);
    for (field, value) in [
        (descriptor.nth(0), 256 << 16 | 1 << 4 | input),
        (descriptor.nth(1), 4 << 16 | 1),
        (cfg::THCON_REG2_Out_data_format.nth(0), output),
        (cfg::THCON_REG2_Throttle_mode.nth(0), 2),
        (cfg::THCON_REG2_Disable_zero_compress.nth(0).nth(0), 1),
        (cfg::THCON_REG3_Base_address.nth(0).nth(0), L1 / 16 - 1),
        (cfg::THCON_REG5_Dest_address.nth(0).nth(0), 64),
        (cfg::THCON_REG5_Tile_x_dim.nth(0).nth(0), 256),
        (
            cfg::THCON_REG2_Unpack_if_sel.nth(0).nth(0),
            unpacking.to_dst.into(),
        ),
        (
            cfg::THCON_REG2_Haloize_mode.nth(0),
            (unpacking.order == Order::Transposed).into(),
        ),
        (
            cfg::THCON_REG2_Tileize_mode.nth(0),
            (unpacking.order == Order::Tilizing).into(),
        ),
        (
            cfg::THCON_REG2_Shift_amount.nth(0).nth(0),
            shift(unpacking.order),
        ),
    ] {
        set(&mut core, field, value);
    }
    set_width(&mut core, true);
    core.adcs[THREAD].unpacker[0][1].set(Axis::X, 1023);
    set_thread(
        &mut core,
        cfg::SRCA_SET_SetOvrdWithAddr,
        (!unpacking.to_dst).into(),
    );
    core
}

fn shift(order: Order) -> u32 {
    match order {
        Order::Tilizing => 4,
        Order::DatumByDatum => 1,
        Order::Plain | Order::Transposed => 0,
    }
}
