//! Compares the arithmetic with results of an external oracle in `tests/vectors` (provenance in the
//! files' headers).

use tessera_tensix::arith::spec::bits::src_from_tf32;
use tessera_tensix::arith::spec::fpu::{Accumulator, Mode, Phase, SrcStyle};
use tessera_tensix::arith::spec::sfpu::mad_wormhole;

/// Returns the fields of every line that is not a comment, with the line number.
fn rows(text: &str) -> impl Iterator<Item = (usize, Vec<&str>)> {
    text.lines()
        .enumerate()
        .filter(|(_, line)| !line.starts_with('#'))
        .map(|(i, line)| (i + 1, line.split('\t').collect()))
}

fn hex(field: &str) -> u32 {
    u32::from_str_radix(field, 16).unwrap_or_else(|e| panic!("{field}: {e}"))
}

fn sources(field: &str) -> Vec<u32> {
    field.split(',').map(|x| src_from_tf32(hex(x))).collect()
}

fn mode(style: &str, accumulator: &str) -> Mode {
    let style = match style {
        "bf16" => SrcStyle::Bf16,
        "tf32" => SrcStyle::Tf32,
        "fp16" => SrcStyle::Fp16,
        _ => panic!("style {style}"),
    };
    let mode = Mode {
        style,
        dst32: accumulator == "f32",
        minus_one_bug: true,
    };
    let name = match mode.accumulator() {
        Accumulator::F32 => "f32",
        Accumulator::Bf16 => "bf16",
        Accumulator::Fp16 => "fp16",
    };
    assert_eq!(name, accumulator);
    mode
}

#[test]
fn matrix_unit() {
    let mut count = 0;
    for (line, row) in rows(include_str!("fpu.tsv")) {
        let &[op, style, accumulator, phase, class, a, b, dst, expected] = &row[..] else {
            panic!("line {line}: {} fields", row.len());
        };
        let (mode, phase) = (mode(style, accumulator), Phase::new(hex(phase)));
        let (a, b) = (sources(a), sources(b));
        let held = if dst == "-" { 0 } else { hex(dst) };
        let found = match op {
            "MVMUL" => {
                let a = std::array::from_fn(|k| mode.decode_a(&[a[k]; 16], phase));
                let b = mode.decode_b(&std::array::from_fn(|k| b[k]), phase);
                let sums = mode.dot(phase, &a, &b, &[held; 16]);
                assert_eq!(sums, [sums[0]; 16], "line {line}");
                sums[0]
            }
            "ELWMUL" => mode.multiply(phase, a[0], b[0], held),
            "ELWADD" => mode.add(a[0], b[0], held),
            "ELWSUB" => mode.subtract(a[0], b[0], held),
            _ => panic!("line {line}: op {op}"),
        };
        assert_eq!(
            found,
            hex(expected),
            "line {line}: {op} {class}: {found:x} instead of {expected}"
        );
        count += 1;
    }
    assert_eq!(count, 262);
}

#[test]
fn vector_unit() {
    let mut count = 0;
    for (line, row) in rows(include_str!("sfpmad.tsv")) {
        let &[class, a, b, c, expected] = &row[..] else {
            panic!("line {line}: {} fields", row.len());
        };
        let found = mad_wormhole(hex(a), hex(b), hex(c));
        assert_eq!(
            found,
            hex(expected),
            "line {line}: {class}: {found:08x} instead of {expected}"
        );
        count += 1;
    }
    assert_eq!(count, 96);
}
