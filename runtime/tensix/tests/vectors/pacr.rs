//! PACR of one row of sixteen datums, or of several rows, by packer 0.

use tessera_isa_tensix::cfg::{self, ConfigField};
use tessera_isa_tensix::Arch;
use tessera_tensix::arith::spec::bits;
use tessera_tensix::arith::spec::format::Format;
use tessera_tensix::arith::COLUMNS;
use tessera_tensix::state::adc::Axis;
use tessera_tensix::state::row32::Row32;

use crate::bench::{bytes, chip, format, hex, options, text, Bench, L1, THREAD};

/// Returns the bytes that a vector's PACR leaves in L1.
///
/// # Errors
/// What the model refuses.
pub fn answer(row: &[&str]) -> Result<String, String> {
    let &[arch, width, between, to, with, _class, datums, before, _] = row else {
        panic!("{} fields", row.len());
    };
    let arch = chip(arch);
    let mut bench = Bench::new(arch);
    let datums: Vec<u32> = datums.split(',').map(hex).collect();
    let ((between, _), (to, _)) = (format(between), format(to));
    configure(&mut bench, (between, to), with);
    let by_ten = options(with, ',').any(|(option, _)| option == "round10");
    fill(&mut bench, width == "32", (between, by_ten), &datums);
    if before != "-" {
        bench
            .core
            .l1
            .write(L1, &bytes(before))
            .expect("L1 is larger");
    }
    let count = datums.len() as u32;
    let last = match arch {
        Arch::WormholeB0 => count,
        Arch::Blackhole => COLUMNS as u32,
    };
    bench.core.adcs[THREAD].packers[1].set(Axis::X, last - 1);
    let interfaces = interfaces(with, datums.len() / COLUMNS);
    bench.run_text(&instruction(arch, interfaces))?;
    let packed_rows = match (arch, interfaces) {
        (Arch::WormholeB0, _) => datums.len() / COLUMNS,
        (Arch::Blackhole, 0) => 4,
        (Arch::Blackhole, _) => interfaces.count_ones() as usize,
    };
    packed(&mut bench, to, packed_rows * COLUMNS)
}

/// Returns a PACR that ends its output: on Wormhole by packer 0 alone, on Blackhole by the given
/// interfaces.
fn instruction(arch: Arch, interfaces: u32) -> String {
    match arch {
        Arch::WormholeB0 => "ttpacr 0, 0, 1, 0, 0, 0, 1".to_owned(),
        Arch::Blackhole => format!("ttpacr 0, 0, 0, 0, 0, 0, {interfaces}, 0, 0, 0, 0, 1"),
    }
}

/// Returns the interfaces of Blackhole's packer: by default one for each row, from the first.
fn interfaces(with: &str, rows: usize) -> u32 {
    let mut named = options(with, ',').filter(|(option, _)| *option == "interfaces");
    named
        .next()
        .map_or((1 << rows) - 1, |(_, value)| hex(value))
}

/// Returns a field of packer 0.
fn own(family: ConfigField) -> ConfigField {
    family.nth(0).nth(0)
}

/// Configures packer 0 for output to [`L1`] with these formats and options.
fn configure(bench: &mut Bench, (between, to): (Format, Format), with: &str) {
    let code = |format: Format| self::format(&format.to_string()).1;
    bench.set(cfg::ALU_FORMAT_SPEC_REG2_Dstacc, code(between));
    bench.set(own(cfg::THCON_PACK_In_data_format), code(between));
    bench.set(own(cfg::THCON_PACK_Out_data_format), code(to));
    bench.set(own(cfg::THCON_PACK_Disable_zero_compress), 1);
    bench.set(own(cfg::THCON_PACK_L1_Dest_addr), L1 / 16 - 1);
    let section = u32::from(to.is_block());
    bench.set(own(cfg::THCON_PACK_Exp_section_size), section);
    bench.set(cfg::PACK_COUNTERS_pack_reads_per_xy_plane.nth(0), 16);
    bench.set(cfg::PCK_EDGE_OFFSET_mask.nth(0), 0xFFFF);
    for (option, value) in options(with, ',') {
        match option {
            "mask" => bench.set(cfg::PCK_EDGE_OFFSET_mask.nth(0), hex(value)),
            "acc" => bench.set(own(cfg::THCON_PACK_Pack_L1_Acc), 1),
            "lf8" => bench.set(cfg::THCON_REG1_Pac_LF8_4b_exp.nth(0), 1),
            "round10" => bench.set(cfg::PCK_DEST_RD_CTRL_Round_10b_mant, 1),
            "unsigned" => bench.set(cfg::PCK_DEST_RD_CTRL_Read_unsigned, 1),
            "interfaces" => {}
            "relu" => {
                let (mode, threshold) = value.split_once(':').unwrap_or((value, "0"));
                bench.set(cfg::STACC_RELU_ApplyRelu, hex(mode));
                bench.set(cfg::STACC_RELU_ReluThreshold, hex(threshold));
            }
            _ => panic!("option {option}"),
        }
    }
}

/// Writes datums to the first rows of Dst. In a 16-bit Dst they are FP16 for an intermediate format
/// with a 5-bit exponent, unless the packer reads BF16 to convert it; INT16 has no other layout in
/// Dst than in L1.
fn fill(bench: &mut Bench, wide: bool, (between, by_ten): (Format, bool), datums: &[u32]) {
    bench.set_dst_width(wide);
    let narrow: fn(u16) -> u16 = match between {
        Format::INT16 => |datum| datum,
        Format::FP16 | Format::BFP8A if !by_ten => bits::dst_from_fp16,
        _ => bits::dst_from_bf16,
    };
    for (k, row) in datums.chunks(COLUMNS).enumerate() {
        let row: [u32; COLUMNS] = row.try_into().expect("rows are whole");
        let dst = &mut bench.core.regs.dst;
        match wide {
            true => dst.write_row32(Row32::new(k), row.map(bits::dst_from_fp32)),
            false => dst.write_row16(k, row.map(|datum| narrow(datum as u16))),
        }
    }
}

/// Returns the output; exponents come first, separated by a colon.
fn packed(bench: &mut Bench, to: Format, count: usize) -> Result<String, String> {
    let mut read = |addr: u32, len: usize| -> Result<String, String> {
        let read = bench.core.l1.read(addr, len);
        read.map(text).map_err(|fault| fault.to_string())
    };
    let len = count * to.bits().expect("it is a format") as usize / 8;
    if !to.is_block() {
        return read(L1, len);
    }
    Ok(format!(
        "{}:{}",
        read(L1, count / COLUMNS)?,
        read(L1 + 16, len)?
    ))
}
