//! UNPACR of one row of sixteen datums, or of several rows.

use tessera_isa_tensix::cfg;
use tessera_tensix::arith::spec::bits;
use tessera_tensix::state::adc::Axis;
use tessera_tensix::state::banks::Src;
use tessera_tensix::state::row32::Row32;

use crate::bench::{bytes, chip, format, hex, options, Bench, L1, THREAD};

/// Returns the datums that a vector's UNPACR writes.
///
/// # Errors
/// What the model refuses.
pub fn answer(row: &[&str]) -> Result<String, String> {
    let &[arch, input, output, to, with, _class, l1, _] = row else {
        panic!("{} fields", row.len());
    };
    let mut bench = Bench::new(chip(arch));
    let unpacker = u32::from(to == "srcb");
    let rows = rows(with);
    configure(&mut bench, unpacker, (input, output), rows);
    let forced = set_options(&mut bench, unpacker, with);
    if to == "dst" {
        bench.set(cfg::THCON_REG2_Unpack_if_sel.nth(0).nth(0), 1);
    } else {
        bench.set_thread(cfg::SRCA_SET_SetOvrdWithAddr, 1);
    }
    let (exponents, datums) = l1.split_once(':').unwrap_or(("", l1));
    let exponents = bytes(exponents);
    let datums_at = if exponents.is_empty() || forced {
        L1
    } else {
        L1 + 16
    };
    bench.core.l1.write(L1, &[0; 2048]).expect("L1 is larger");
    bench.core.l1.write(L1, &exponents).expect("L1 is larger");
    let written = bench.core.l1.write(datums_at, &bytes(datums));
    written.expect("L1 is larger");
    let operands = "0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1";
    bench.run_text(&format!("ttunpacr {unpacker}, {operands}"))?;
    Ok(unpacked(&bench, to, rows as usize))
}

/// Returns the number of rows of a vector.
fn rows(with: &str) -> u32 {
    let mut named = options(with, ',').filter(|(option, _)| *option == "rows");
    named.next().map_or(1, |(_, value)| hex(value))
}

/// Configures an unpacker for uncompressed rows at [`L1`].
fn configure(bench: &mut Bench, unpacker: u32, (input, output): (&str, &str), rows: u32) {
    let [input, output] = [input, output].map(|name| format(name).1);
    let descriptor = cfg::THCON_REG0_TileDescriptor.nth(unpacker);
    bench.set(descriptor.nth(0), (16 * rows) << 16 | 1 << 4 | input);
    bench.set(descriptor.nth(1), 1 << 16 | 1);
    bench.set(cfg::THCON_REG2_Out_data_format.nth(unpacker), output);
    let uncompressed = cfg::THCON_REG2_Disable_zero_compress.nth(unpacker);
    bench.set(uncompressed.nth(0), 1);
    let base = cfg::THCON_REG3_Base_address.nth(unpacker).nth(0);
    bench.set(base, L1 / 16 - 1);
    bench.set(cfg::THCON_REG5_Dest_address.nth(0).nth(0), 64);
    bench.set(cfg::THCON_REG5_Tile_x_dim.nth(0).nth(0), 16 * rows);
    bench.core.adcs[THREAD].unpacker[unpacker as usize][1].set(Axis::X, 16 * rows - 1);
}

/// Sets the options of a vector; returns whether the exponent is configured.
fn set_options(bench: &mut Bench, unpacker: u32, with: &str) -> bool {
    let mut forced = false;
    for (option, value) in options(with, ',') {
        match option {
            "rows" => {}
            "haloize" => bench.set(cfg::THCON_REG2_Haloize_mode.nth(unpacker), 1),
            "tileize" => {
                bench.set(cfg::THCON_REG2_Tileize_mode.nth(unpacker), 1);
                let stride = cfg::THCON_REG2_Shift_amount.nth(unpacker).nth(0);
                bench.set(stride, hex(value) / 16);
            }
            "lf8" => bench.set(cfg::THCON_REG1_Unp_LF8_4b_exp.nth(unpacker), 1),
            "unsigned" if unpacker == 0 => bench.set(cfg::ALU_FORMAT_SPEC_REG0_SrcAUnsigned, 1),
            "unsigned" => bench.set(cfg::ALU_FORMAT_SPEC_REG0_SrcBUnsigned, 1),
            "exp" => {
                forced = true;
                bench.set(cfg::THCON_REG2_Force_shared_exp.nth(unpacker), 1);
                bench.set(cfg::UNP_FORCED_SHARED_EXP.nth(unpacker), hex(value));
            }
            _ => panic!("option {option}"),
        }
    }
    forced
}

/// Returns the datums of the first rows: 19 bits of Src, or 32 bits of Dst.
fn unpacked(bench: &Bench, to: &str, rows: usize) -> String {
    let regs = &bench.core.regs;
    let row = |k: usize| match to {
        "dst" => {
            let row = regs.dst.row32(Row32::new(k)).expect("it was written");
            row.map(|datum| format!("{:08x}", bits::fp32_from_dst(datum)))
        }
        _ => {
            let src = if to == "srcb" { Src::B } else { Src::A };
            let bank = bench.core.banks.unpacker_bank(src);
            let row = regs.src(src).row(bank, k).expect("it was written");
            row.map(|datum| format!("{:05x}", bits::tf32_from_src(datum)))
        }
    };
    (0..rows).flat_map(row).collect::<Vec<_>>().join(",")
}
