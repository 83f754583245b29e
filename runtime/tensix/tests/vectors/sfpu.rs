//! One instruction of the vector unit, in all lanes.

use tessera_isa_tensix::{cfg, Instruction};
use tessera_tensix::arith::COLUMNS;
use tessera_tensix::state::row32::Row32;

use crate::bench::{chip, format, hex, options, Bench};

/// Rows of Dst that a load or a store accesses.
const ROWS: usize = 4;

/// Returns the state that a vector asks for after its instruction.
///
/// # Errors
/// What the model refuses.
pub fn answer(row: &[&str]) -> Result<String, String> {
    let &[arch, op, word, _class, before, after] = row else {
        panic!("{} fields", row.len());
    };
    let arch = chip(arch);
    let mut bench = Bench::new(arch);
    let word = hex(word);
    let instruction = Instruction::decode(arch, word).map_err(|e| e.to_string())?;
    assert_eq!(instruction.row().mnemonic, op, "the word is another");
    // Lane flags are used, and set.
    bench.run_text("sfpencc 3, 0, 10")?;
    // Stores write a part of what has been written.
    for (name, _) in options(after, ' ').filter(|(name, _)| name.starts_with("dst")) {
        prepare(&mut bench, name, "0")?;
    }
    for (name, value) in options(before, ' ') {
        prepare(&mut bench, name, value)?;
    }
    bench.run(word)?;
    let names = options(after, ' ').map(|(name, _)| name);
    let shown: Vec<_> = names
        .map(|name| format!("{name}={}", show(&bench, name)))
        .collect();
    Ok(shown.join(" "))
}

/// Sets a part of the state.
fn prepare(bench: &mut Bench, name: &str, value: &str) -> Result<(), String> {
    match name {
        "wide" => bench.set_dst_width(hex(value) != 0),
        "fmt" => bench.set(cfg::ALU_FORMAT_SPEC_REG1_SrcB, format(value).1),
        "seed" => bench.set(cfg::PRNG_SEED_Seed_Val, hex(value)),
        "flag" => bench.run_text(&format!("sfpencc {}, 0, 10", 1 | hex(value) << 1))?,
        "lanes" => bench.run_text(&format!("sfpconfig {}, 15, 1", hex(value)))?,
        "dst16" => {
            let row = [hex(value) as u16; COLUMNS];
            (0..ROWS).for_each(|k| bench.core.regs.dst.write_row16(k, row));
        }
        "dst32" => {
            let row = [hex(value); COLUMNS];
            (0..ROWS).for_each(|k| bench.core.regs.dst.write_row32(Row32::new(k), row));
        }
        _ => {
            let (lreg, value) = (register(name).0, hex(value));
            bench.run_text(&format!("sfploadi {lreg}, 2, {}", value & 0xFFFF))?;
            bench.run_text(&format!("sfploadi {lreg}, 8, {}", value >> 16))?;
        }
    }
    Ok(())
}

/// Returns the register and the lane of `L4`, which is lane 0, or `L4.17`.
fn register(name: &str) -> (usize, usize) {
    let place = name.strip_prefix('L').unwrap_or_else(|| panic!("{name}"));
    let (lreg, lane) = place.split_once('.').unwrap_or((place, "0"));
    let number = |text: &str| text.parse().unwrap_or_else(|e| panic!("{name}: {e}"));
    (number(lreg), number(lane))
}

/// Returns a part of the state.
fn show(bench: &Bench, name: &str) -> String {
    let regs = &bench.core.regs;
    match name {
        "flag" => (regs.vector.enabled() & 1).to_string(),
        "dst16" => {
            let row = regs.dst.row16(0).expect("it was written");
            format!("{:04x}", row[0])
        }
        "dst32" => {
            let row = regs.dst.row32(Row32::new(0)).expect("it was written");
            format!("{:08x}", row[0])
        }
        _ => {
            let (lreg, lane) = register(name);
            let lanes = regs.vector.lreg(lreg).expect("it was written");
            format!("{:08x}", lanes[lane])
        }
    }
}
