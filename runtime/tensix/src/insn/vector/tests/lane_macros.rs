//! Macros that differ between lanes: each lane executes its own.

use proptest::prelude::*;
use tessera_isa_tensix::{Arch, Instruction};

use super::macros::{bench_like, bench_on, scheduled, step, word, Step, STORE};
use crate::insn::vector::{self, VectorUnit};
use crate::testing::Bench;

/// The macro configuration of some columns.
#[derive(Clone, Debug)]
struct Macro {
    arch: Arch,
    templates: Vec<String>,
    sequence: [u32; 4],
    misc: u32,
}

/// A macro that schedules nothing.
const NOTHING: Macro = Macro {
    arch: Arch::WormholeB0,
    templates: Vec::new(),
    sequence: [0; 4],
    misc: 0,
};

/// Configures macro 0 of the columns of a mask.
fn configure(bench: &mut Bench, columns: u32, of_columns: &Macro) {
    let lanes = (0..8).fold(0, |lanes, k| lanes | (columns >> k & 1) << (2 * k));
    let mut set = |value: u32, dest: usize| {
        bench.run(&format!("{}sfpconfig {lanes}, {dest}, 8", word(0, value)));
    };
    for (slot, template) in of_columns.templates.iter().enumerate() {
        let instruction = Instruction::parse(of_columns.arch, template).unwrap();
        set(instruction.encode(of_columns.arch).unwrap(), slot);
    }
    let bytes = of_columns.sequence.iter().rev();
    set(bytes.fold(0, |bits, byte| bits << 8 | byte), 4);
    set(of_columns.misc, 8);
}

/// Returns a macro of some steps in sequence, and a store.
fn in_turn(steps: &[Step], units: &[usize], misc: u32) -> Macro {
    let mut made = Macro { misc, ..NOTHING };
    let mut delay = 0;
    for (slot, (step, &unit)) in steps.iter().zip(units).enumerate() {
        made.templates.push(step.template.clone());
        made.sequence[unit] = step.byte | scheduled(slot as u32, delay);
        delay += if unit == 1 { 2 } else { 1 };
    }
    made.sequence[3] = delay << 3 | STORE;
    made
}

/// Returns macros that use the simple and the MAD sub-unit in either order, one of them, or none.
fn any_macro() -> impl Strategy<Value = (Vec<Step>, Vec<usize>)> {
    let units = prop::sample::subsequence(vec![0_usize, 1], 0..=2).prop_shuffle();
    (units, any::<[usize; 2]>()).prop_map(|(units, choices)| {
        let steps = units.iter().map(|&unit| step(unit, choices[unit]));
        (steps.collect(), units)
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Each column has the result it would have if all columns had its macro.
    #[test]
    fn lanes_do_what_theirs_say(
        macros in prop::collection::vec(any_macro(), 2..4),
        column_of: [usize; 8],
        kinds in 0_u32..16,
        count in 1_u32..=6,
        arch in prop::sample::select(Arch::ALL.to_vec()),
    ) {
        let macros = macros.iter().map(|(steps, units)| in_turn(steps, units, kinds << 8 | 4));
        let macros: Vec<Macro> = macros.collect();
        let mut set_up = bench_on(arch);
        let values = [0x3F9D_70A4, 0xC2C8_0001, 0x4049_0FDB, 0xC52A_AAAB];
        for (lreg, value) in (11..).zip(values) {
            set_up.run(&format!("{}sfpconfig 0, {lreg}, 0", word(0, value)));
        }
        let run = |mut bench: Bench| {
            for k in 0..count {
                let address = (8 * k + 4 * (k & 1)) | k >> 2;
                bench.run(&format!("sfploadmacro {}, 3, 0, {address}", k % 4));
            }
            (0..9).for_each(|_| bench.run("sfpnop"));
            assert!(bench.core.regs.vector.schedule.is_idle());
            bench
        };
        let alike: Vec<Bench> = macros.iter().map(|of_all| {
            let mut bench = bench_like(&set_up);
            configure(&mut bench, 0xFF, of_all);
            run(bench)
        }).collect();
        let mut mixed = bench_like(&set_up);
        for (column, choice) in column_of.iter().enumerate() {
            configure(&mut mixed, 1 << column, &macros[choice % macros.len()]);
        }
        let mixed = run(mixed);
        for row in 0..64 {
            let datums = mixed.dst32(row);
            for (column, datum) in datums.iter().enumerate() {
                let of_all = &alike[column_of[column / 2] % macros.len()];
                let expected = of_all.dst32(row)[column];
                prop_assert_eq!(*datum, expected, "row {}, column {}: {:?}", row, column, &macros);
            }
        }
    }
}

/// Runs one macro in the first column and another in the other columns, followed by instructions,
/// and checks the outcome.
fn check(first: Macro, others: Macro, program: &[&str], expect: Option<&str>) {
    let mut bench = bench_on(first.arch);
    configure(&mut bench, 0xFE, &others);
    configure(&mut bench, 1, &first);
    let outcome = program.iter().try_for_each(|text| bench.try_run(text));
    let settled = |()| {
        vector::settle(&mut VectorUnit::of(&mut bench.core)).map_err(|fault| fault.to_string())
    };
    let outcome = outcome.and_then(settled);
    assert_eq!(outcome.err().as_deref(), expect, "{first:?}, {others:?}");
}

/// Returns a macro of one instruction of a sub-unit.
fn one(template: &str, unit: usize) -> Macro {
    let mut made = Macro {
        templates: vec![template.into()],
        ..NOTHING
    };
    made.sequence[unit] = scheduled(0, 0);
    made
}

#[test]
fn stores_are_of_all_lanes() {
    let stores = |delay: u32| Macro {
        sequence: [0, 0, 0, delay << 3 | STORE],
        ..NOTHING
    };
    let program = ["sfploadmacro 0, 0, 0, 0", "sfpnop", "sfpnop"];
    check(stores(0), stores(1), &program, None);
    check(
        stores(0),
        NOTHING,
        &program,
        Some(
            "undefined behaviour: SFPLOADMACRO of a macro that schedules a store in some lanes and \
             none in others; give all lanes one",
        ),
    );
}

#[test]
fn operations_across_lanes_are_refused() {
    let program = ["sfploadmacro 0, 0, 0, 0", "sfpnop"];
    for (template, unit) in [
        ("sfpconfig 0, 11, 1", 0),
        ("sfpencc 3, 0, 10", 0),
        ("sfppushc 0, 0", 0),
        ("sfppopc 0, 0", 0),
        ("sfpcompc 0", 0),
        ("sfpswap 0, 1, 0", 0),
        ("sfpmov 0, 1, 8", 0),
        ("sfpcast 0, 1, 1", 0),
        ("sfpstochrnd 0, 0, 0, 0, 1, 1", 2),
        ("sfpshft2 0, 0, 1, 3", 2),
        ("sfple 0, 1, 2", 0),
        ("sfpgt 0, 1, 2", 0),
    ] {
        let mnemonic = template.split(' ').next().unwrap().to_uppercase();
        let text = format!(
            "not modelled: {mnemonic} that SFPLOADMACRO has scheduled in some lanes alone; \
             configure the macro alike in all lanes"
        );
        let arch = match template {
            _ if template.starts_with("sfple") || template.starts_with("sfpgt") => Arch::Blackhole,
            _ => Arch::WormholeB0,
        };
        let first = Macro {
            arch,
            ..one(template, unit)
        };
        check(first, NOTHING, &program, Some(&text));
    }
    check(one("sfptransp 0", 0), NOTHING, &program, None);
    check(one("sfpshft2 0, 0, 1, 0", 2), NOTHING, &program, None);
}

/// Delays in instructions and delays in cycles are equal while one instruction is issued per cycle.
#[test]
fn lanes_that_count_otherwise() {
    let by = |misc: u32| Macro {
        templates: vec!["sfpabs 0, 1, 1".into()],
        sequence: [scheduled(0, 1), 0, 0, 0],
        misc,
        ..NOTHING
    };
    let load = "sfploadmacro 0, 0, 0, 0";
    check(by(0), by(0x100), &[load, "sfpnop", "sfpnop"], None);
    let text = "not modelled: a cycle in which no vector instruction comes, while what \
                SFPLOADMACRO has scheduled in some lanes counts instructions and in others cycles; \
                give all lanes the same UnitDelayKind";
    check(by(0), by(0x100), &[load], Some(text));
    check(by(0), by(0), &[load], None);
}
