//! An element of the matrix unit's arithmetic.

use tessera_isa_tensix::Arch;
use tessera_tensix::arith::spec::bits::src_from_tf32;
use tessera_tensix::arith::spec::fpu::{Accumulator, Mode, Phase, SrcStyle};

use crate::bench::hex;

/// Returns the datum of Dst after a vector's operation on Wormhole.
///
/// # Errors
/// None; the type is that of the other vectors.
pub fn on_wormhole(row: &[&str]) -> Result<String, String> {
    Ok(answer(Arch::WormholeB0, row))
}

/// Does the same on Blackhole.
///
/// # Errors
/// None.
pub fn on_blackhole(row: &[&str]) -> Result<String, String> {
    Ok(answer(Arch::Blackhole, row))
}

fn answer(arch: Arch, row: &[&str]) -> String {
    let &[op, style, accumulator, phase, _class, a, b, dst, _] = row else {
        panic!("{} fields", row.len());
    };
    let (mode, phase) = (mode(arch, style, accumulator), Phase::new(hex(phase)));
    let (a, b) = (sources(a), sources(b));
    let held = if dst == "-" { 0 } else { hex(dst) };
    let found = match op {
        "MVMUL" => {
            let a = std::array::from_fn(|k| mode.decode_a(&[a[k]; 16], phase));
            let b = mode.decode_b(&std::array::from_fn(|k| b[k]), phase);
            let sums = mode.dot(phase, &a, &b, &[held; 16]);
            assert_eq!(sums, [sums[0]; 16], "columns differ");
            sums[0]
        }
        "ELWMUL" => mode.multiply(phase, a[0], b[0], held),
        "ELWADD" => mode.add(a[0], b[0], held),
        "ELWSUB" => mode.subtract(a[0], b[0], held),
        _ => panic!("operation {op}"),
    };
    let digits = if accumulator == "f32" { 8 } else { 4 };
    format!("{found:0digits$x}")
}

fn sources(field: &str) -> Vec<u32> {
    field.split(',').map(|x| src_from_tf32(hex(x))).collect()
}

fn mode(arch: Arch, style: &str, accumulator: &str) -> Mode {
    let style = match style {
        "bf16" => SrcStyle::Bf16,
        "tf32" => SrcStyle::Tf32,
        "fp16" => SrcStyle::Fp16,
        _ => panic!("style {style}"),
    };
    let mode = Mode {
        style,
        dst32: accumulator == "f32",
        minus_one_bug: arch == Arch::WormholeB0,
    };
    let name = match mode.accumulator() {
        Accumulator::F32 => "f32",
        Accumulator::Bf16 => "bf16",
        Accumulator::Fp16 => "fp16",
    };
    assert_eq!(name, accumulator);
    mode
}
