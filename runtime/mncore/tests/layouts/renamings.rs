//! Tests every renaming of the table on random tensors that the instruction can transfer.

use tessera_isa_mncore::layout::emit::Instruction;
use tessera_isa_mncore::layout::leg::{Leg, Stage};
use tessera_isa_mncore::layout::place::Slot;
use tessera_isa_mncore::layout::transfer::{Level, TransferOp};
use tessera_isa_mncore::layout::{Bit, Digit, ElementBits, Layout, Memory, Place, PlaceBits, Spec};
use tessera_isa_mncore::memory::{Bank, Precision, Side};
use tessera_isa_mncore::table::rrn::RrnKind;
use tessera_isa_mncore::table::{L1bmKind, Rrn};
use tessera_test_support::is_long_run;

use super::board::{check, fill, machine, run, Sum};
use tessera_test_support::random::xorshift64;

/// Returns the integer addition of a width, or bitwise or where only that is available.
fn reduction(op: TransferOp, element: ElementBits) -> Rrn {
    let wide = matches!(
        op,
        TransferOp::L1bm(L1bmKind::Reduce | L1bmKind::Reduce4, true)
    );
    Rrn {
        precision: match element {
            ElementBits::Sixteen => Precision::Short,
            ElementBits::ThirtyTwo => Precision::Int,
            ElementBits::SixtyFour => Precision::Long,
        },
        kind: if wide {
            RrnKind::BitOr
        } else {
            RrnKind::IntAdd
        },
    }
}

/// Returns a memory of a level, and a suitable base address.
fn memory(level: Level, unit: u32, state: &mut u64) -> (Memory, u32) {
    let pick = xorshift64(state) as usize;
    let memory = match level {
        Level::Dram => Memory::Dram,
        Level::Pdm => Memory::Pdm,
        Level::L2bm => Memory::L2bm,
        Level::L1bm => Memory::L1bm,
        Level::Pe => Memory::Pe(Bank::ALL[pick % 4]),
        Level::Matrix => return (Memory::Matrix([Side::X, Side::Y][pick % 2]), 0),
    };
    (memory, unit * (xorshift64(state) % 3) as u32)
}

/// The content of the place bits of both ends.
struct Pair {
    bits: [Vec<Option<Bit>>; 2],
    tokens: u8,
}

impl Pair {
    /// Adds a new index bit to both ends.
    fn index(&mut self, from: Slot, to: Slot) {
        let bit = Bit::Index {
            dim: 0,
            bit: self.tokens,
        };
        self.tokens += 1;
        self.bits[0][from.index()] = Some(bit);
        self.bits[1][to.index()] = Some(bit);
    }
}

/// Returns source and target layout of a random tensor that the instruction can transfer.
fn pair(op: TransferOp, element: ElementBits, state: &mut u64) -> (Layout, Layout) {
    let renaming = op.renaming();
    let mut pair = Pair {
        bits: [vec![None; 64], vec![None; 64]],
        tokens: 0,
    };
    let exists = |slot: Slot| {
        let (first, count) = element.parts();
        slot.place().0 != Place::Part
            || (usize::from(first)..usize::from(first + count)).contains(&slot.index())
    };
    for (from, to) in &renaming.moved {
        if !exists(*from) || !exists(*to) {
            continue;
        }
        let block = from == to && matches!(from.place().0, Place::Group | Place::L2b | Place::L1b);
        let roll = xorshift64(state) % 16;
        let held = match (block, roll) {
            (true, 0..=2) | (false, 0..=11) => {
                pair.index(*from, *to);
                continue;
            }
            (true, 3..=4) => Bit::Replicated,
            (true, _) => Bit::Fixed(xorshift64(state) % 2 == 1),
            _ => Bit::Fixed(false),
        };
        pair.bits[0][from.index()] = Some(held);
        pair.bits[1][to.index()] = Some(held);
    }
    for slot in Slot::all().filter(|slot| renaming.shared & slot.mask() != 0) {
        match xorshift64(state) % 3 {
            0 => pair.index(slot, slot),
            1 => {
                pair.bits[0][slot.index()] = Some(Bit::Replicated);
                let constant = xorshift64(state) % 2 == 0;
                pair.bits[1][slot.index()] = Some(if constant {
                    Bit::Fixed(true)
                } else {
                    Bit::Replicated
                });
            }
            _ => {
                let held = Some(Bit::Fixed(xorshift64(state) % 2 == 1));
                pair.bits[0][slot.index()] = held;
                pair.bits[1][slot.index()] = held;
            }
        }
    }
    let named = |mask: u64, state: &mut u64| {
        let mut slots: Vec<Slot> = Slot::all()
            .filter(|slot| mask & slot.mask() != 0 && exists(*slot))
            .collect();
        slots.retain(|slot| slot.place().0 != Place::Address || slot.place().1 < 9);
        let low = |slot: &Slot| slot.place().0 == Place::Address;
        let cut = slots.iter().filter(|slot| low(slot)).count().min(5);
        let mut addresses = 0;
        slots.retain(|slot| {
            addresses += usize::from(low(slot));
            !low(slot) || addresses <= cut
        });
        for last in (1..slots.len()).rev() {
            slots.swap(last, xorshift64(state) as usize % (last + 1));
        }
        slots
    };
    let sources = named(renaming.source_named & !renaming.shared, state);
    let targets = named(renaming.target_named & !renaming.shared, state);
    let count = xorshift64(state) as usize % 5;
    let is_walked = |slot: Slot| {
        renaming
            .cycle_bits
            .is_some_and(|(_, slots)| slots.contains(&slot))
    };
    for (from, to) in sources.iter().zip(&targets).take(count) {
        // All cycles of a step share the same owner.
        let owner = |slot: &Slot| slot.place().0 != Place::Address;
        if is_walked(*from) && owner(to) || is_walked(*to) && owner(from) {
            continue;
        }
        pair.index(*from, *to);
    }
    for slot in Slot::all() {
        if renaming.summed & slot.mask() != 0 {
            pair.bits[0][slot.index()] = Some(Bit::Summed);
        }
        if renaming.broadcast & slot.mask() != 0 {
            let held = if xorshift64(state) % 4 == 0 {
                Bit::Fixed(xorshift64(state) % 2 == 1)
            } else {
                Bit::Replicated
            };
            pair.bits[1][slot.index()] = Some(held);
        }
        // A named owner: any value at the source, copies at the target.
        for (end, named) in [renaming.source_named, renaming.target_named]
            .into_iter()
            .enumerate()
        {
            if named & slot.mask() != 0 && slot.place().0 != Place::Address && exists(slot) {
                let held = if xorshift64(state) % 2 == 0 {
                    Bit::Replicated
                } else {
                    Bit::Fixed(xorshift64(state) % 2 == 1)
                };
                pair.bits[end][slot.index()].get_or_insert(held);
            }
        }
    }
    let (from, to) = (
        memory(renaming.source, renaming.units.0, state),
        memory(renaming.target, renaming.units.1, state),
    );
    // In the same memory: avoid the source.
    let to = if to.0 == from.0 {
        (to.0, to.1 + 8192)
    } else {
        to
    };
    layouts(&pair, element, (from, to), state)
}

/// Distributes the index bits over dimensions, some with extents that are not powers of two.
fn layouts(
    pair: &Pair,
    element: ElementBits,
    ends: ((Memory, u32), (Memory, u32)),
    state: &mut u64,
) -> (Layout, Layout) {
    let mut dims: Vec<Vec<u8>> = vec![Vec::new(); 1 + xorshift64(state) as usize % 3];
    for token in 0..pair.tokens {
        let dim = xorshift64(state) as usize % dims.len();
        dims[dim].push(token);
    }
    for bits in &mut dims {
        for last in (1..bits.len()).rev() {
            bits.swap(last, xorshift64(state) as usize % (last + 1));
        }
    }
    let extents: Vec<u64> = dims
        .iter()
        .map(|bits| match xorshift64(state) % 3 {
            0 => 1 + xorshift64(state) % (1 << bits.len()),
            _ => 1 << bits.len(),
        })
        .collect();
    let build = |(memory, base): (Memory, u32), held: &[Option<Bit>]| {
        let mut spec = Spec::new(memory, element).with_base(base);
        let bit_of = |slot: Slot| match slot.place() {
            (Place::Part, _) => slot.index() as u8 - element.parts().0,
            (_, bit) => bit,
        };
        for (number, bits) in dims.iter().enumerate() {
            let digits: Vec<Digit> = bits
                .iter()
                .map(|token| {
                    let wanted = Some(Bit::Index {
                        dim: 0,
                        bit: *token,
                    });
                    let slot = Slot::all().find(|slot| held[slot.index()] == wanted);
                    let slot = slot.expect("every index bit is there");
                    Digit::new(slot.place().0, 2).from_bit(bit_of(slot))
                })
                .collect();
            spec = spec.with_dim(&format!("d{number}"), extents[number], &digits);
        }
        for slot in Slot::all().filter(|slot| memory.has(slot.place().0)) {
            let (first, count) = element.parts();
            let part = slot.place().0 == Place::Part;
            if part && !(first..first + count).contains(&(slot.index() as u8)) {
                continue;
            }
            let part = PlaceBits {
                place: slot.place().0,
                bits: Some((2, Some(1 << bit_of(slot)))),
            };
            match held[slot.index()] {
                Some(Bit::Index { .. }) => {}
                Some(Bit::Replicated) => spec.replicated.push(part),
                Some(Bit::Summed) => spec.summed.push(part),
                Some(Bit::Fixed(value)) => spec.fixed.push((part, value.into())),
                None if slot.place().0 == Place::Address => {}
                None => spec.fixed.push((part, 0)),
            }
        }
        spec.build().unwrap_or_else(|error| panic!("{error}"))
    };
    (build(ends.0, &pair.bits[0]), build(ends.1, &pair.bits[1]))
}

/// Returns the width that a matrix instruction moves whole.
fn narrowest(op: TransferOp) -> u32 {
    match op {
        TransferOp::Mwrite(precision) | TransferOp::Mread(precision) => precision.bits(),
        _ => 64,
    }
}

#[test]
fn every_instruction_moves_bits_as_the_table_specifies() {
    let rounds = if is_long_run() { 60 } else { 2 };
    let state = &mut 0x5eed_1234_u64;
    let mut machine = machine();
    let (mut elements, mut legs) = (0, 0);
    for op in TransferOp::all() {
        for round in 0..rounds {
            let element = ElementBits::ALL[round % 3];
            if element.bits() > narrowest(op) {
                continue;
            }
            let rrn = reduction(op, element);
            let (from, to) = pair(op, element, state);
            let what = || format!("{}: {from} -> {to}", op.name());
            let leg = Leg::new(
                op,
                Some(rrn),
                (&Stage::from_layout(&from), &Stage::from_layout(&to)),
                &from.extents(),
                &[],
            );
            let leg = leg.unwrap_or_else(|refusal| panic!("{refusal}: {}", what()));
            let sum = match rrn.kind {
                RrnKind::BitOr => Sum::Or,
                _ => Sum::Add,
            };
            fill(&mut machine, &from, sum, state);
            elements += from.elements();
            let instructions = leg.instructions(0);
            assert_eq!(cost(&instructions), leg.cycles(), "{}", what());
            run(&mut machine, &instructions);
            check(&machine, &to, &what);
            legs += 1;
        }
    }
    println!(
        "{legs} legs of {} instructions, {elements} elements",
        TransferOp::all().len()
    );
    assert!(
        elements > 200 * legs,
        "{elements} elements on {legs} legs test too little"
    );
}

/// The durations of the instructions, each alone.
fn cost(instructions: &[Instruction]) -> u64 {
    instructions
        .iter()
        .map(|instruction| match instruction {
            Instruction::Mv(transfer) => tessera_mncore::timeline::cycles(transfer),
            Instruction::Step(_) => 4,
        })
        .sum()
}
