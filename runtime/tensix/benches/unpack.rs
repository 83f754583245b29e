//! Benchmark of the unpackers on one core:
//! `cargo bench -p tessera-tensix --bench unpack [-- NAME]`.
//!
//! Each line is a whole tile of 1,024 datums by one UNPACR, through
//! [`tessera_tensix::insn::unpack::execute`], including the machine's processing of recorded accesses.
//! Besides the usual modes there are some that process datum by datum, which shows the speed
//! without the loops over rows.

mod common;

use std::hint::black_box;

use common::{rate, set, THREAD};
use tessera_isa_tensix::cfg;
use tessera_isa_tensix::{Arch, Instruction};
use tessera_tensix::insn::unpack;
use tessera_tensix::state::adc::Axis;
use tessera_tensix::state::core_state::CoreState;

/// Address of the input tile.
const L1: u32 = 0x18000;
/// Returns a core with unpacker 0 configured for a tile of four faces in SrcA.
fn core(input: u32, output: u32) -> CoreState {
    let mut core = CoreState::new(Arch::WormholeB0);
    let bytes: Vec<u8> = (0..0x2000u32)
        .map(|k| (k.wrapping_mul(0x9E37_79B9) >> 24) as u8 & 0x8F)
        .collect();
    core.l1.write(L1, &bytes).expect("L1 is larger");
    let descriptor = cfg::THCON_REG0_TileDescriptor.nth(0);
    set(&mut core, descriptor.nth(0), 256 << 16 | 1 << 4 | input);
    set(&mut core, descriptor.nth(1), 4 << 16 | 1);
    set(&mut core, cfg::THCON_REG2_Out_data_format.nth(0), output);
    set(&mut core, cfg::THCON_REG2_Throttle_mode.nth(0), 2);
    set(
        &mut core,
        cfg::THCON_REG2_Disable_zero_compress.nth(0).nth(0),
        1,
    );
    set(
        &mut core,
        cfg::THCON_REG3_Base_address.nth(0).nth(0),
        L1 / 16 - 1,
    );
    set(&mut core, cfg::THCON_REG5_Dest_address.nth(0).nth(0), 64);
    set(&mut core, cfg::THCON_REG5_Tile_x_dim.nth(0).nth(0), 256);
    core.adcs[THREAD].unpacker[0][1].set(Axis::X, 1023);
    override_rows(&mut core, true);
    core
}

fn override_rows(core: &mut CoreState, set: bool) {
    let field = cfg::SRCA_SET_SetOvrdWithAddr.place_on(core.arch);
    let field = field.expect("both chips have it");
    let value = field.encode(set.into()) as u16;
    core.config
        .write_thread(THREAD, field.addr32(), value)
        .expect("the word exists");
}

fn main() {
    let text = "ttunpacr 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1";
    let instruction = Instruction::parse(Arch::WormholeB0, text).expect("it is one");
    let cases: &[(&str, u32, u32, fn(&mut CoreState))] = &[
        ("BF16 to SrcA", 5, 5, |_| {}),
        ("BFP8 to SrcA", 6, 6, |_| {}),
        ("BFP4 to SrcA", 7, 7, |_| {}),
        ("BFP2 to SrcA", 15, 15, |_| {}),
        ("FP16 to SrcA", 1, 1, |_| {}),
        ("INT8 to SrcA", 14, 14, |_| {}),
        ("FP32 to TF32 in SrcA", 0, 4, |_| {}),
        ("FP32 to FP16 in SrcA", 0, 1, |_| {}),
        ("FP32 to Dst", 0, 0, |core| {
            set(core, cfg::THCON_REG2_Unpack_if_sel.nth(0).nth(0), 1);
            override_rows(core, false);
        }),
        ("BF16 to SrcA, transposed", 5, 5, |core| {
            set(core, cfg::THCON_REG2_Haloize_mode.nth(0), 1);
        }),
        ("BF16 to SrcA, tilizing", 5, 5, |core| {
            set(core, cfg::THCON_REG2_Tileize_mode.nth(0), 1);
            set(core, cfg::THCON_REG2_Shift_amount.nth(0).nth(0), 4);
        }),
        ("BF16 to SrcA, datum by datum", 5, 5, |core| {
            set(core, cfg::THCON_REG2_Shift_amount.nth(0).nth(0), 1);
        }),
        ("BFP8 to SrcA, datum by datum", 6, 6, |core| {
            set(core, cfg::THCON_REG2_Shift_amount.nth(0).nth(0), 1);
        }),
    ];
    let only = std::env::args()
        .skip(1)
        .find(|argument| !argument.starts_with('-'));
    let wanted = |name: &str| only.as_ref().is_none_or(|only| name == only);
    for &(name, input, output, change) in cases.iter().filter(|case| wanted(case.0)) {
        let mut core = core(input, output);
        change(&mut core);
        let rate = rate(&mut core, |core| {
            unpack::execute(black_box(&instruction), THREAD, core).expect("it is set up");
        });
        println!("{name:32} {rate:10.1} k/s");
    }
}
