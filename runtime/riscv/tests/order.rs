//! Tests of weak order, parking and halting.

mod common;

use common::{core, finish, halt, Memory, Program, CODE};
use proptest::prelude::*;
use tessera_riscv::{Instruction, Op, Step, STORE_QUEUE};

const STEPS: u64 = 100_000;

/// Stores `x[value]` at `addr` and waits until the store has completed: `sw; lw` of the same
/// address, and a use of the loaded value.
fn store_sync(value: u8, addr: i32) -> [Instruction; 3] {
    [
        Instruction::s(Op::Sw, 0, value, addr),
        Instruction::i(Op::Lw, 31, 0, addr),
        Instruction::i(Op::Andi, 31, 31, 0),
    ]
}

fn weak(code: &[Instruction], seed: u64) -> Program {
    let mut core = core(code);
    core.set_weak_order(seed);
    for k in 1..31 {
        core.set_register(k, u32::from(k) * 0x0101_0101);
    }
    core
}

/// Returns the logs of stores under 200 seeds.
fn logs(code: &[Instruction]) -> Vec<Vec<(u32, u32)>> {
    (0..200)
        .map(|seed| {
            let mut memory = Memory::default();
            finish(&mut weak(code, seed), &mut memory, STEPS).unwrap();
            memory.log
        })
        .collect()
}

fn in_program_order(code: &[Instruction]) -> usize {
    let expect: Vec<u32> = code
        .iter()
        .filter(|i| i.op == Op::Sw)
        .map(|i| i.imm as u32)
        .collect();
    let ordered = |log: &&Vec<(u32, u32)>| log.iter().map(|&(addr, _)| addr).eq(expect.clone());
    logs(code).iter().filter(ordered).count()
}

#[test]
fn stores_overtake_each_other_between_regions_only() {
    let sw = |addr| Instruction::s(Op::Sw, 0, 1, addr);
    assert_eq!(
        in_program_order(&[sw(0x10), sw(0x20), sw(0x14), halt()]),
        200
    );
    let ordered = in_program_order(&[sw(0x100), sw(0x200), halt()]);
    assert!((1..200).contains(&ordered), "{ordered}");
}

/// Each instruction of the sequence is necessary.
#[test]
fn store_sync_orders() {
    let [sw, lw, andi] = store_sync(1, 0x100);
    let flag = Instruction::s(Op::Sw, 0, 2, 0x200);
    let nop = Instruction::i(Op::Addi, 0, 0, 0);
    assert_eq!(in_program_order(&[sw, lw, andi, flag, halt()]), 200);
    for code in [
        vec![sw, lw, flag, halt()],
        vec![sw, lw, nop, flag, halt()],
        vec![sw, andi, flag, halt()],
        // A load of another address of the region may overtake the store.
        vec![sw, Instruction::i(Op::Lw, 31, 0, 0x104), andi, flag, halt()],
    ] {
        let ordered = in_program_order(&code);
        assert!((1..200).contains(&ordered), "{ordered}: {code:?}");
    }
    // More instructions than fit after an incomplete load.
    let mut code = vec![sw, lw];
    code.extend([nop; 7]);
    code.extend([flag, halt()]);
    assert_eq!(in_program_order(&code), 200);
}

/// Returns the possible final values of x5.
fn outcomes(code: &[Instruction]) -> Vec<u32> {
    let mut values: Vec<u32> = (0..200)
        .map(|seed| {
            let mut core = weak(code, seed);
            finish(&mut core, &mut Memory::default(), STEPS).unwrap();
            core.register(5)
        })
        .collect();
    values.sort_unstable();
    values.dedup();
    values
}

#[test]
fn loads_and_the_store_queue() {
    let sw = Instruction::s(Op::Sw, 0, 1, 0x10);
    let load = |op, addr| [sw, Instruction::i(op, 5, 0, addr), halt()];
    assert_eq!(outcomes(&load(Op::Lw, 0x10)), [0x0101_0101]);
    assert_eq!(outcomes(&load(Op::Lbu, 0x10)), [1]);
    // The load does not see that the store before it covers the byte.
    assert_eq!(outcomes(&load(Op::Lbu, 0x11)), [0, 1]);
    // A later result in the register is kept, whenever the load completes.
    let late = [
        Instruction::i(Op::Lw, 5, 0, 0x10),
        Instruction::i(Op::Addi, 5, 0, 9),
        halt(),
    ];
    assert_eq!(outcomes(&late), [9]);
}

#[test]
fn the_store_queue_is_bounded() {
    let stores = STORE_QUEUE as i32 + 20;
    let mut code: Vec<_> = (0..stores)
        .map(|k| Instruction::s(Op::Sw, 0, 1, 4 * k))
        .collect();
    code.push(halt());
    let mut memory = Memory {
        busy: Some(0),
        ..Memory::default()
    };
    let mut core = weak(&code, 3);
    assert_eq!(core.run(&mut memory, STEPS), Ok(Step::Busy));
    assert!(memory.log.is_empty());
    // Four in the queue, eight in transit.
    assert_eq!(core.pc(), CODE + 4 * (STORE_QUEUE as u32 + 8));
    memory.busy = None;
    finish(&mut core, &mut memory, STEPS).unwrap();
    assert_eq!(memory.log.len(), stores as usize);
}

/// A fault names the instruction that made the access, not the one that executes when the bus
/// refuses it.
#[test]
fn late_faults_name_their_instruction() {
    let nop = Instruction::i(Op::Addi, 0, 0, 0);
    let code = [
        Instruction::i(Op::Lui, 1, 0, 0x0010_0000),
        Instruction::s(Op::Sw, 1, 0, 4),
        nop,
        nop,
        halt(),
    ];
    for seed in 0..20 {
        let trap = weak(&code, seed)
            .run(&mut Memory::default(), STEPS)
            .unwrap_err();
        assert_eq!(
            trap.to_string(),
            "pc 0x1004, `sw x0, 4(x1)`: nothing is at 0x100004"
        );
    }
}

#[test]
fn polling_parks_until_the_value_changes() {
    let code = [
        Instruction::i(Op::Lw, 5, 0, 0x40),
        Instruction::r(Op::Sub, 5, 5, 6),
        Instruction::s(Op::Bge, 0, 5, -8),
        halt(),
    ];
    for seed in [None, Some(1), Some(2)] {
        let mut core = core(&code);
        if let Some(seed) = seed {
            core.set_weak_order(seed);
        }
        core.set_register(6, 2);
        let mut memory = Memory::default();
        let parked = Ok(Step::Parked { addr: 0x40 });
        assert_eq!(core.run(&mut memory, STEPS), parked);
        let retired_outside_polling = core.retired_outside_polling();
        assert_eq!(
            retired_outside_polling, 3,
            "one iteration, however long it waits"
        );
        assert_eq!(core.run(&mut memory, STEPS), parked);
        assert_eq!(core.retired_outside_polling(), retired_outside_polling);
        memory.bytes[0x40] = 2;
        assert_eq!(core.run(&mut memory, STEPS), parked);
        assert_eq!(
            core.retired_outside_polling(),
            2 * retired_outside_polling,
            "2 is not enough"
        );
        memory.bytes[0x40] = 3;
        assert_eq!(core.run(&mut memory, STEPS), Ok(Step::Halted));
    }
}

/// Loops of any shape park if nothing changes in them: with several loads, through a call, without
/// a load.
#[test]
fn loops_that_repeat_park() {
    use Instruction as I;
    let lw = |rd, addr| I::i(Op::Lw, rd, 0, addr);
    let at = |addr| Step::Parked { addr };
    let through_a_call = [
        I::i(Op::Jal, 1, 0, 12),
        I::s(Op::Beq, 5, 0, -4),
        halt(),
        lw(5, 0x40),
        I::i(Op::Jalr, 0, 1, 0),
    ];
    let counts = [
        lw(5, 0x40),
        I::i(Op::Addi, 6, 6, 1),
        I::s(Op::Beq, 5, 0, -8),
    ];
    let stores = [
        lw(5, 0x40),
        I::s(Op::Sw, 0, 0, 0x80),
        I::s(Op::Beq, 5, 0, -8),
    ];
    let looks_at_nothing = [I::i(Op::Addi, 5, 0, 1), I::i(Op::Jal, 0, 0, -4)];
    let two = [
        lw(5, 0x40),
        lw(6, 0x44),
        I::r(Op::Or, 7, 5, 6),
        I::s(Op::Beq, 7, 0, -12),
        halt(),
    ];
    let cases: [(&[I], Step); 5] = [
        (&two, at(0x40)),
        (&through_a_call, at(0x40)),
        (&counts, Step::Ran),
        (&stores, Step::Ran),
        (&looks_at_nothing, Step::Halted),
    ];
    for (code, expect) in cases {
        let mut core = core(code);
        assert_eq!(
            core.run(&mut Memory::default(), 1000),
            Ok(expect),
            "{code:?}"
        );
    }
    let mut core = core(&two);
    let mut memory = Memory::default();
    core.run(&mut memory, 1000).unwrap();
    memory.bytes[0x44] = 1;
    assert_eq!(
        core.run(&mut memory, 1000),
        Ok(Step::Halted),
        "the second load counts, too"
    );
}

/// A load before the loop may complete after the loop's own load; it is not what the core polls.
#[test]
fn a_late_load_is_not_polled() {
    let code = [
        Instruction::i(Op::Lw, 7, 0, 0x80),
        Instruction::i(Op::Lw, 5, 0, 0x40),
        Instruction::s(Op::Beq, 5, 0, -4),
        halt(),
    ];
    for seed in 0..200 {
        let mut core = core(&code);
        core.set_weak_order(seed);
        let mut memory = Memory::default();
        let parked = Ok(Step::Parked { addr: 0x40 });
        assert_eq!(core.run(&mut memory, STEPS), parked, "seed {seed}");
        memory.bytes[0x40] = 1;
        assert_eq!(
            core.run(&mut memory, STEPS),
            Ok(Step::Halted),
            "seed {seed}"
        );
    }
}

#[test]
fn a_busy_bus_holds_the_core() {
    let mut memory = Memory {
        busy: Some(8),
        ..Memory::default()
    };
    let mut core = core(&[Instruction::s(Op::Sw, 0, 0, 8), halt()]);
    assert_eq!(core.run(&mut memory, 9), Ok(Step::Busy));
    assert_eq!((core.pc(), core.retired()), (CODE, 0));
    memory.busy = None;
    assert_eq!(core.run(&mut memory, 9), Ok(Step::Halted));
}

/// Returns a piece of a program that synchronises all its stores: arithmetic, a load, a store_sync.
fn piece() -> impl Strategy<Value = Vec<Instruction>> {
    let register = || 1u8..8;
    prop_oneof![
        (register(), register(), register(), 0usize..4).prop_map(|(rd, a, b, op)| {
            vec![Instruction::r(
                [Op::Add, Op::Xor, Op::Mulhu, Op::Div][op],
                rd,
                a,
                b,
            )]
        }),
        (register(), 0i32..128).prop_map(|(rd, k)| vec![Instruction::i(Op::Lw, rd, 0, 16 * k)]),
        (register(), 0i32..128).prop_map(|(r, k)| store_sync(r, 16 * k).to_vec()),
    ]
}

proptest! {
    #[test]
    fn synchronised_programs_do_not_notice(
        pieces in prop::collection::vec(piece(), 1..40),
        seed: u64,
    ) {
        let mut code = pieces.concat();
        code.push(halt());
        let (mut strict, mut weak) = (core(&code), weak(&code, seed));
        let (mut memory, mut weak_memory) = (Memory::default(), Memory::default());
        for k in 1..31 {
            strict.set_register(k, u32::from(k) * 0x0101_0101);
        }
        finish(&mut strict, &mut memory, STEPS).unwrap();
        finish(&mut weak, &mut weak_memory, STEPS).unwrap();
        prop_assert_eq!(memory.log, weak_memory.log);
        prop_assert_eq!(memory.bytes, weak_memory.bytes);
        prop_assert_eq!(strict.retired(), weak.retired());
        for k in 0..32 {
            prop_assert_eq!(strict.register(k), weak.register(k));
        }
    }
}
