//! Loads and checks tensors in the memories of a machine, by layout.

use tessera_isa_mncore::ast::Program;
use tessera_isa_mncore::layout::emit::Instruction;
use tessera_isa_mncore::layout::table::LocationTable;
use tessera_isa_mncore::layout::{Layout, Location, Memory};
use tessera_isa_mncore::memory::Side;
use tessera_mncore::geometry::{BlockId, PES};
use tessera_mncore::machine::{Machine, Options};
use tessera_mncore::place::Place;
use tessera_mncore::race::RacePolicy;
use tessera_test_support::random::xorshift64;

/// A board that completes transfers at once: plans are lists of transfers without waits.
pub fn machine() -> Machine {
    Machine::new(Options {
        zero_dram: true,
        races: RacePolicy::Off,
        ..Options::default()
    })
}

/// Executes instructions through their text, so that anything the assembler rejects fails.
#[track_caller]
pub fn run(machine: &mut Machine, instructions: &[Instruction]) {
    let statements = instructions.iter().map(Instruction::statement).collect();
    let text = Program { statements }.to_string();
    let program = tessera_isa_mncore::parse(&text).unwrap_or_else(|found| {
        let line = text.lines().nth(found[0].span.line as usize - 1);
        panic!("{}: {line:?}", found[0].message)
    });
    let ran = machine.run(&program, &mut |_| ());
    ran.unwrap_or_else(|trap| panic!("{trap}\n{text}"));
}

fn block(at: Location) -> BlockId {
    BlockId {
        group: at.group(),
        l2b: at.l2b(),
        l1b: at.l1b(),
    }
}

/// Returns the machine's place of a location.
fn place(memory: Memory, at: Location) -> Place {
    let (group, address) = (at.group(), at.address() as u64);
    match memory {
        Memory::Dram => Place::Dram { group, address },
        Memory::Pdm => Place::Pdm { group, address },
        Memory::L2bm => Place::L2bm {
            group,
            l2b: at.l2b(),
            address,
        },
        Memory::L1bm => Place::L1bm {
            block: block(at),
            address,
        },
        Memory::Pe(bank) => Place::Pe {
            block: block(at),
            mab: at.mab(),
            pe: at.pe(),
            bank,
            address,
        },
        Memory::Matrix(_) => panic!("matrix registers are not a memory of the machine"),
    }
}

/// Returns the number of a matrix register, and the lane of a location.
fn matrix(side: Side, at: Location) -> (usize, usize) {
    (usize::from(side == Side::Y), at.mab() * PES + at.pe())
}

pub fn read(machine: &Machine, memory: Memory, at: Location) -> u64 {
    if let Memory::Matrix(side) = memory {
        let block = block(at);
        let number = machine.geometry().l2_index(block.group, block.l2b) * 8 + block.l1b;
        let (side, lane) = matrix(side, at);
        return machine.blocks[number].matrix[side].row(at.address())[lane];
    }
    let mut words = [0];
    machine
        .get(place(memory, at), &mut words)
        .expect("it is on the board");
    words[0]
}

pub fn write(machine: &mut Machine, memory: Memory, at: Location, word: u64) {
    if let Memory::Matrix(side) = memory {
        let block = block(at);
        let number = machine.geometry().l2_index(block.group, block.l2b) * 8 + block.l1b;
        let (side, lane) = matrix(side, at);
        machine.blocks[number].matrix[side].row_mut(at.address())[lane] = word;
        return;
    }
    machine
        .set(place(memory, at), &[word])
        .expect("it is on the board");
}

/// Returns every combination of these place bits.
fn settings(bits: u64) -> Vec<u64> {
    let mut all = vec![0];
    for bit in (0..64).filter(|bit| bits >> bit & 1 == 1) {
        all.extend(all.clone().iter().map(|other| other | 1 << bit));
    }
    all
}

/// Iterates over the elements of a tensor with their row-major numbers and indices.
fn elements(layout: &Layout) -> impl Iterator<Item = Vec<u64>> {
    let extents = layout.extents();
    (0..layout.elements()).map(move |mut number| {
        let mut index = vec![0; extents.len()];
        for (value, extent) in index.iter_mut().zip(&extents).rev() {
            *value = number % extent;
            number /= extent;
        }
        index
    })
}

/// Returns the value of an element, which depends on all bits of its number.
fn value(index: &[u64], bits: u32) -> u64 {
    let mut mixed = 0x9e37_79b9_7f4a_7c15_u64;
    for part in index {
        mixed = (mixed ^ part).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed ^= mixed >> 29;
    }
    mixed >> (64 - bits)
}

/// Adds up summands to a value.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Sum {
    Add,
    Or,
}

/// Stores a tensor, or summands of its elements where the layout is summed.
pub fn fill(machine: &mut Machine, layout: &Layout, sum: Sum, state: &mut u64) {
    let (table, bits) = (LocationTable::new(layout), layout.element().bits());
    let ones = u64::MAX >> (64 - bits);
    let (replicas, summands) = (settings(layout.replicated()), settings(layout.summed()));
    for index in elements(layout) {
        let at = table.location(&index);
        let mut rest = value(&index, bits);
        for (number, summand) in summands.iter().enumerate() {
            let last = number + 1 == summands.len();
            let part = match sum {
                _ if last => rest,
                Sum::Add => xorshift64(state) & ones,
                Sum::Or => xorshift64(state) & rest,
            };
            if sum == Sum::Add {
                rest = rest.wrapping_sub(part) & ones;
            }
            for replica in &replicas {
                let at = Location(at.0 + (replica | summand));
                let shift = at.shift(layout.element());
                let word = read(machine, layout.memory(), at);
                let word = word & !(ones << shift) | part << shift;
                write(machine, layout.memory(), at, word);
            }
        }
    }
}

/// Checks that the tensor is there in all replicas; where the layout is summed, checks the sums.
#[track_caller]
pub fn check(machine: &Machine, layout: &Layout, what: &dyn Fn() -> String) {
    let (table, bits) = (LocationTable::new(layout), layout.element().bits());
    let ones = u64::MAX >> (64 - bits);
    let (replicas, summands) = (settings(layout.replicated()), settings(layout.summed()));
    for index in elements(layout) {
        let at = table.location(&index);
        for replica in &replicas {
            let sum = summands.iter().fold(0_u64, |sum, summand| {
                let at = Location(at.0 + (replica | summand));
                let word = read(machine, layout.memory(), at);
                sum.wrapping_add(word >> at.shift(layout.element()))
            });
            let found = sum & ones;
            let expect = value(&index, bits);
            assert_eq!(
                found,
                expect,
                "{index:?} at {at:?} + {replica:#x} of {layout}: {}",
                what()
            );
        }
    }
}
