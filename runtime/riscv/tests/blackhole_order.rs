//! Tests of the memory order that Blackhole guarantees, and of reorderings it permits.

mod common;

use common::{core_of, finish, halt, Memory};
use tessera_riscv::{Instruction as I, Isa, Op};

/// Returns the number of seeds, of 200, after which x3 holds `old`.
fn old(isa: Isa, code: &[I], old: u32) -> usize {
    let ends = |seed: &u64| {
        let mut core = core_of(isa, code);
        core.set_weak_order(*seed);
        core.set_register(2, 0x0102_0304);
        finish(&mut core, &mut Memory::default(), 10_000).unwrap();
        core.register(3) == old
    };
    (0..200).filter(ends).count()
}

/// On Wormhole a byte load can miss the word store before it, on Blackhole it cannot.
#[test]
fn loads_wait_for_all_bytes() {
    let code = [I::s(Op::Sw, 0, 2, 0x40), I::i(Op::Lbu, 3, 0, 0x41), halt()];
    let wormhole = old(Isa::WORMHOLE, &code, 0);
    assert!((1..200).contains(&wormhole), "{wormhole}");
    assert_eq!(old(Isa::BLACKHOLE, &code, 3), 200);
}

/// Returns the number of seeds, of 200, with which `last` obtains x3 although an earlier store to
/// its region is never accepted.
fn overtakes(before: &[I], between: &[I], last: I) -> usize {
    let store = I::s(Op::Sw, 0, 2, 0x10);
    let end = [last, I::i(Op::Addi, 5, 3, 1), halt()];
    let code = [before, &[I::i(Op::Addi, 1, 0, 0x40), store], between, &end].concat();
    let passes = |seed: &u64| {
        let mut core = core_of(Isa::BLACKHOLE, &code);
        core.set_weak_order(*seed);
        let mut memory = Memory {
            busy: Some(0x10),
            ..Memory::default()
        };
        core.run(&mut memory, 1000).unwrap();
        core.register(5) == 1
    };
    (0..200).filter(passes).count()
}

/// A load overtakes a store in the queue, except over a fence or where all accesses are ordered; an
/// atomic operation never does. A fence lets the core continue when the store has been sent, even
/// if it has not completed.
#[test]
fn fences_and_atomic_operations() {
    let fence = I::i(Op::Fence, 0, 0, 0xff);
    let (load, far) = (I::i(Op::Lw, 3, 0, 0x50), I::i(Op::Lw, 3, 0, 0x250));
    let atomic = I::r(Op::Amoor, 3, 1, 0);
    let strongly = I::csr_immediate(Op::Csrrwi, 0, 0x7c1, 1);
    let plain = overtakes(&[], &[], load);
    assert!((1..200).contains(&plain), "{plain}");
    assert_eq!(overtakes(&[], &[fence], load), 0);
    assert_eq!(overtakes(&[], &[fence], far), 200);
    assert_eq!(overtakes(&[], &[], atomic), 0);
    assert_eq!(overtakes(&[strongly], &[], load), 0);
    assert_eq!(overtakes(&[strongly], &[], far), 200);
}

/// Accesses after an outstanding atomic operation overtake it, unless they access the same region,
/// are atomic themselves, or need its result.
#[test]
fn accesses_behind_an_atomic_operation() {
    let atomic = I::r(Op::Amoor, 3, 1, 2);
    let behind = |next: &[I]| {
        let code = [&[atomic], next, &[I::i(Op::Addi, 5, 4, 1), halt()]].concat();
        let passes = |seed: &u64| {
            let mut core = core_of(Isa::BLACKHOLE, &code);
            core.set_weak_order(*seed);
            core.set_register(1, 0x40);
            core.set_register(2, 1);
            core.set_register(6, 0x140);
            let mut memory = Memory {
                busy: Some(0x40),
                ..Memory::default()
            };
            core.run(&mut memory, 1000).unwrap();
            core.register(5) == 1
        };
        (0..200).filter(passes).count()
    };
    assert_eq!(behind(&[I::i(Op::Lw, 4, 0, 0x140)]), 200);
    assert_eq!(behind(&[I::i(Op::Lw, 4, 0, 0x44)]), 0);
    assert_eq!(behind(&[I::r(Op::Amoadd, 4, 6, 0)]), 0);
    assert_eq!(behind(&[I::i(Op::Fence, 0, 0, 0xff)]), 0);
    assert_eq!(behind(&[I::r(Op::And, 4, 3, 0)]), 0);
    // When it has completed, its result is available and memory has changed.
    for seed in 0..50 {
        let mut core = core_of(
            Isa::BLACKHOLE,
            &[atomic, atomic, I::i(Op::Lw, 4, 0, 0x40), halt()],
        );
        core.set_weak_order(seed);
        core.set_register(1, 0x40);
        core.set_register(2, 6);
        let mut memory = Memory::default();
        finish(&mut core, &mut memory, 1000).unwrap();
        assert_eq!((core.register(3), core.register(4)), (6, 6));
    }
}
