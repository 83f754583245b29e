//! Executes transfer plans.

use std::time::Instant;

use tessera_isa_mncore::layout::leg::{Leg, Stage};
use tessera_isa_mncore::layout::pack::{pack, unpack, Image, Raw};
use tessera_isa_mncore::layout::place::Slot;
use tessera_isa_mncore::layout::plan::{Plan, Planner, Region, ScratchRegions};
use tessera_isa_mncore::layout::transfer::{Level, TransferOp};
use tessera_isa_mncore::layout::{Bit, Digit, ElementBits, Layout, Memory, Place, PlaceBits, Spec};
use tessera_isa_mncore::memory::{Bank, Precision, Side};
use tessera_isa_mncore::table::rrn::RrnKind;
use tessera_isa_mncore::table::Rrn;
use tessera_test_support::is_long_run;

use super::board::{self, check, fill, machine, run, Sum};
use tessera_test_support::random::xorshift64;

fn layout(text: &str) -> Layout {
    text.parse()
        .unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// Checks that a plan, and each of its phases, takes random data from one layout to another.
#[track_caller]
fn carries(plan: &Plan, from: &Layout, to: &Layout, state: &mut u64) {
    let mut machine = machine();
    fill(&mut machine, from, Sum::Add, state);
    let what = |phase: usize| format!("{from} -> {to}\n{plan}, phase {phase}");
    for (number, phase) in plan.phases().iter().enumerate() {
        run(&mut machine, &phase.instructions().collect::<Vec<_>>());
        let last = phase.legs().last().expect("a phase has legs");
        let stage = last.to().layout(from.dims()).expect("the memory has room");
        check(&machine, &stage, &|| what(number));
    }
    check(&machine, to, &|| what(plan.phases().len()));
}

/// Scratch regions besides the intermediate memories: a part of DRAM, and the register files.
fn rooms() -> ScratchRegions {
    let dram = Region {
        memory: Memory::Dram,
        base: 1 << 24,
        words: 1 << 20,
    };
    ScratchRegions::intermediate()
        .with(dram)
        .with(Region::whole(Memory::Pe(Bank::Grf0)))
        .with(Region::whole(Memory::Pe(Bank::Grf1)))
}

/// Returns a random layout with this many index bits of two dimensions.
fn arbitrary(
    memory: Memory,
    element: ElementBits,
    tokens: usize,
    extents: [u64; 2],
    state: &mut u64,
) -> Layout {
    let mut places: Vec<(Place, u8)> = Vec::new();
    for place in Place::ALL.into_iter().filter(|place| memory.has(*place)) {
        let count = match place {
            Place::Address => 7,
            Place::Part => element.parts().1,
            _ => place.slots().1,
        };
        places.extend((0..count).map(|bit| (place, bit)));
    }
    for last in (1..places.len()).rev() {
        places.swap(last, xorshift64(state) as usize % (last + 1));
    }
    let (taken, left) = places.split_at(tokens);
    let half = tokens / 2;
    let digits = |places: &[(Place, u8)]| -> Vec<Digit> {
        places
            .iter()
            .map(|(place, bit)| Digit::new(*place, 2).from_bit(*bit))
            .collect()
    };
    let mut spec = Spec::new(memory, element)
        .with_dim("i", extents[0], &digits(&taken[..half]))
        .with_dim("j", extents[1], &digits(&taken[half..]));
    for (place, bit) in left.iter().filter(|left| left.0 != Place::Address) {
        let part = PlaceBits {
            place: *place,
            bits: Some((2, Some(1 << bit))),
        };
        if xorshift64(state) % 2 == 0 {
            spec.replicated.push(part);
        } else {
            spec.fixed.push((part, xorshift64(state) % 2));
        }
    }
    spec.build().unwrap_or_else(|error| panic!("{error}"))
}

/// Returns a stage that an instruction can reach; named bits go to random places.
fn pushed(op: TransferOp, from: &Stage, memory: Memory, base: u32, state: &mut u64) -> Stage {
    let renaming = op.renaming();
    let mut to = Stage::empty(memory, base, from.element);
    for (source, target) in &renaming.moved {
        to.bits[target.index()] = from.bit(*source);
    }
    let (first, count) = from.element.parts();
    let exists = |slot: &Slot| {
        slot.place().0 != Place::Part || (first..first + count).contains(&(slot.index() as u8))
    };
    let low = |slot: &Slot| slot.place().0 != Place::Address || slot.place().1 < 8;
    let mut free: Vec<Slot> = Slot::all()
        .filter(|slot| renaming.target_named & slot.mask() != 0 && exists(slot) && low(slot))
        .collect();
    for last in (1..free.len()).rev() {
        free.swap(last, xorshift64(state) as usize % (last + 1));
    }
    for slot in free.iter().filter(|slot| slot.place().0 != Place::Address) {
        let held = if xorshift64(state) % 2 == 0 {
            Bit::Replicated
        } else {
            Bit::Fixed(xorshift64(state) % 2 == 1)
        };
        to.bits[slot.index()] = held;
    }
    for slot in Slot::all() {
        if renaming.shared & slot.mask() != 0 {
            to.bits[slot.index()] = from.bit(slot);
            continue;
        }
        if renaming.broadcast & slot.mask() != 0 {
            to.bits[slot.index()] = Bit::Replicated;
        }
        if let (true, bit @ Bit::Index { .. }) =
            (renaming.source_named & slot.mask() != 0, from.bit(slot))
        {
            if let Some(target) = free.pop() {
                to.bits[target.index()] = bit;
            }
        }
    }
    to
}

/// Returns a memory of a level with a free region that does not overlap the tensor.
fn next_memory(level: Level, state: &mut u64) -> Memory {
    match level {
        Level::Dram => Memory::Dram,
        Level::Pdm => Memory::Pdm,
        Level::L2bm => Memory::L2bm,
        Level::L1bm => Memory::L1bm,
        Level::Pe => Memory::Pe([Bank::Grf0, Bank::Grf1][xorshift64(state) as usize % 2]),
        Level::Matrix => Memory::Matrix(Side::X),
    }
}

/// Returns a layout some instructions away from another one, with their total cost.
fn walk(from: &Layout, legs: usize, state: &mut u64) -> (Layout, u64) {
    let (mut here, mut cycles, mut done) = (Stage::from_layout(from), 0, 0);
    let ops: Vec<TransferOp> = TransferOp::all()
        .into_iter()
        .filter(|op| !op.reduces())
        .collect();
    for _ in 0..4000 {
        let stays = matches!(here.memory.level(), Level::Matrix);
        if done >= legs && !stays {
            break;
        }
        let op = ops[xorshift64(state) as usize % ops.len()];
        let renaming = op.renaming();
        let narrow = match op {
            TransferOp::Mwrite(precision) | TransferOp::Mread(precision) => {
                precision.bits() < here.element.bits()
            }
            _ => false,
        };
        if renaming.source != here.memory.level() || narrow {
            continue;
        }
        let memory = next_memory(renaming.target, state);
        let there = pushed(op, &here, memory, 0, state);
        if there.memory == here.memory {
            continue;
        }
        if let Ok(leg) = Leg::new(op, None, (&here, &there), &from.extents(), &[]) {
            cycles += leg.cycles();
            here = there;
            done += 1;
        }
    }
    (
        here.layout(from.dims()).expect("the machine has room"),
        cycles,
    )
}

#[test]
fn random_pairs_of_layouts() {
    let rounds = if is_long_run() { 1000 } else { 15 };
    let state = &mut 0x0bad_cafe_u64;
    let memories = [
        Memory::Dram,
        Memory::L2bm,
        Memory::L1bm,
        Memory::Pe(Bank::Lm0),
    ];
    let mut planner = Planner::default();
    let (mut found, mut cheaper, mut dearer, mut slowest, mut legs) = (0, 0, 0, 0, 0);
    for round in 0..rounds {
        let element = ElementBits::ALL[round % 3];
        let tokens = 4 + xorshift64(state) as usize % 6;
        let half = tokens / 2;
        let extents = [half, tokens - half].map(|bits| match xorshift64(state) % 3 {
            0 => 1 + xorshift64(state) % (1 << bits),
            _ => 1 << bits,
        });
        let from = memories[xorshift64(state) as usize % memories.len()];
        let from = arbitrary(from, element, tokens, extents, state);
        let (to, walked) = walk(&from, 1 + round / 3 % 4, state);
        // Outside the scratch regions.
        let to = to
            .with_base(1 << 12)
            .or_else(|_| to.with_base(1 << 8))
            .unwrap_or(to);
        let start = Instant::now();
        let plan = planner.plan(&from, &to, &rooms(), None);
        slowest = slowest.max(start.elapsed().as_millis());
        match plan {
            Ok(plan) => {
                carries(&plan.1, &from, &to, state);
                found += 1;
                legs += plan.1.legs().count();
                cheaper += usize::from(plan.1.cycles() < walked);
                if walked > 0 && plan.1.cycles() > walked {
                    println!("{} > {walked}: {from} -> {to}: {}", plan.1.cycles(), plan.1);
                    dearer += 1;
                }
            }
            Err(error) => println!("{error}"),
        }
    }
    println!(
        "{found} plans of {rounds}, {cheaper} cheaper and {dearer} dearer than the walk, {legs} \
         legs, the slowest search {slowest} ms"
    );
    // The search stops after a number of states, and costs are lower bounds until a chain is
    // routed.
    assert!(found * 100 >= rounds * 98, "{found} of {rounds}");
    assert!(dearer * 100 <= rounds, "{dearer} of {rounds}");
}

/// Feeds a layout from DRAM and drains it back, executing both plans.
#[track_caller]
fn feeds_and_drains(text: &str, feed: bool, state: &mut u64) {
    let known = layout(text);
    let mut planner = Planner::default();
    let (dram, rooms) = (Region::whole(Memory::Dram), ScratchRegions::intermediate());
    if feed {
        let found = planner.feed(&known, dram, &rooms);
        let found = found.unwrap_or_else(|error| panic!("{error}"));
        carries(&found.1, &found.0, &known, state);
    }
    let found = planner.drain(&known, dram, &rooms, None);
    let found = found.unwrap_or_else(|error| panic!("{error}"));
    carries(&found.1, &known, &found.0, state);
}

/// Executes the transfers of operands and result of a 1024×1024×1024 matmul in half precision; in a
/// short run, parts of them.
#[test]
fn operands_of_a_matmul() {
    let state = &mut 4_u64;
    if is_long_run() {
        feeds_and_drains(
            "k:(h:4,p:4,a:64) n:(T:4,a:2,m:16,b:8) @LM0+0, rep(g,c)",
            true,
            state,
        );
        feeds_and_drains(
            "i:(a:128*4,c:2,g:4) k:(h:4,a:4*1,a:16*512) @L1BM+0, rep(b)",
            true,
            state,
        );
        feeds_and_drains(
            "i:(h:4,p:4,a:8*8,c:2,g:4) n:(a:8,m:16,b:8) @GRF1+0",
            true,
            state,
        );
    }
    feeds_and_drains(
        "k:(h:4,p:4,a:4) n[500]:(T:4,m:16,b:8) @LM0+0, rep(g,c)",
        true,
        state,
    );
    feeds_and_drains(
        "i[150]:(a:16*4,c:2,g:4,a:2*64) k:(w:2,a:4*1) @L1BM+0, rep(b)",
        true,
        state,
    );
    feeds_and_drains(
        "i:(w:2,p:4,a:2*4,c:2,g:4) n:(a:4,m:16,b:8) @GRF1+0",
        true,
        state,
    );
    feeds_and_drains("i:(p:4,a:3) n:(a:4,m:16) @LM1+64, rep(g,c,b)", true, state);
}

/// Checks the block-by-block transfers: host data arrive in the kernel's layout, and the host can
/// unpack the kernel's result.
#[test]
fn from_the_host_and_back() {
    let kernel =
        layout("i[200]:(a:64*2,c:2,g:2) k:(h:4,a:2*1,a:2*128) @L1BM+0, rep(b), at(g:2*2=1)");
    let (mut planner, rooms) = (Planner::default(), ScratchRegions::intermediate());
    let feed = |planner: &mut Planner, base| {
        let room = Region {
            memory: Memory::Dram,
            base,
            words: 4096,
        };
        let found = planner.feed(&kernel, room, &rooms);
        found.unwrap_or_else(|error| panic!("{error}"))
    };
    let first = feed(&mut planner, 4096);
    let whole = first.0.tiled_layout(1, 40, 4096).expect("DRAM has room");
    let bytes: Vec<u8> = (0..200 * 40_u16).flat_map(u16::to_le_bytes).collect();
    let image = pack(&whole, &Raw::<2>, &bytes).expect("it is a layout in DRAM");
    let mut machine = machine();
    for (group, words) in image.groups.iter().enumerate() {
        machine.board.groups[group]
            .dram
            .write(image.base.into(), words);
    }
    for block in 0..3 {
        let (dram, plan) = &*feed(&mut planner, 4096 * (block + 1));
        run(&mut machine, &plan.instructions().collect::<Vec<_>>());
        for (i, k) in (0..200).flat_map(|i| (0..16).map(move |k| (i, k))) {
            let at = kernel.location(&[i, k]).expect("it is an element");
            let all = u64::from(block) * 16 + k;
            let expect = if all < 40 { i * 40 + all } else { 0 };
            let word = board::read(&machine, Memory::L1bm, at);
            assert_eq!(
                word >> at.shift(kernel.element()) & 0xffff,
                expect,
                "{i} {all} {dram}"
            );
        }
    }
    // The last block, back.
    let target = Region {
        memory: Memory::Dram,
        base: 1 << 20,
        words: 4096,
    };
    let found = planner.drain(&kernel, target, &rooms, None);
    let (dram, plan) = &*found.unwrap_or_else(|error| panic!("{error}"));
    run(&mut machine, &plan.instructions().collect::<Vec<_>>());
    let mut image = Image::new(dram).expect("it is in DRAM");
    for (group, words) in image.groups.iter_mut().enumerate() {
        let read = machine.board.groups[group]
            .dram
            .read(image.base.into(), words);
        read.expect("the plan wrote it");
    }
    let back = unpack(dram, &Raw::<2>, &image).expect("it is a whole tensor");
    let values = back
        .chunks_exact(2)
        .map(|two| u16::from_le_bytes([two[0], two[1]]));
    let expect = (0..200).flat_map(|i| (32..48).map(move |k| if k < 40 { i * 40 + k } else { 0 }));
    assert!(values.eq(expect));
}

/// The result of a matmul becomes the operand of the next one: rows move from groups and L2B to
/// addresses, columns from addresses to L1B.
#[test]
fn a_result_becomes_an_operand() {
    let dram = Region {
        memory: Memory::Dram,
        base: 0,
        words: 1 << 24,
    };
    let (from, to) = if is_long_run() {
        (
            "i:(h:4,p:4,a:8*8,c:2,g:4) n:(a:8,m:16,b:8) @GRF1+0",
            "i:(h:4,p:4,a:64*8) n:(a:8,m:16,b:8) @LM0+0, rep(g,c)",
        )
    } else {
        (
            "i:(h:4,p:4,c:2,g:4) n:(a:2,m:16,b:8) @GRF1+0",
            "i:(h:4,p:4,a:8*2) n:(a:2,m:16,b:8) @LM0+0, rep(g,c)",
        )
    };
    let (from, to) = (layout(from), layout(to));
    let start = Instant::now();
    let plan =
        Planner::default().plan(&from, &to, &ScratchRegions::intermediate().with(dram), None);
    let plan = plan.unwrap_or_else(|error| panic!("{error}"));
    println!("{} found in {:?}", plan.1, start.elapsed());
    carries(&plan.1, &from, &to, &mut 5);
}

/// Intermediate memories that hold only a part of the tensor: legs alternate.
#[test]
fn rooms_that_are_too_small() {
    let room = |memory, base, words| Region {
        memory,
        base,
        words,
    };
    let rooms = ScratchRegions::new(&[
        room(Memory::L2bm, 1024, 512),
        room(Memory::L1bm, 512, 256),
        room(Memory::Dram, 1 << 20, 1 << 20),
    ]);
    let state = &mut 6_u64;
    for (from, to, rounds) in [
        (
            "k:(h:4,a:4*1,a:8*512) n[500]:(a:4*128,a:2*4,a:8*16,a:2*8,g:4) @DRAM+0",
            "k:(h:4,p:4,a:8) n[500]:(T:4,m:16,b:8) @LM0+0, rep(g,c)",
            32,
        ),
        (
            "i:(h:4,p:4,c:2,g:4) n:(a:2,m:16,b:8) @GRF1+0",
            "i:(h:4,p:4,a:8*2) n:(a:2,m:16,b:8) @LM0+0, rep(g,c)",
            16,
        ),
    ] {
        let (from, to) = (layout(from), layout(to));
        let plan = Planner::default().plan(&from, &to, &rooms, None);
        let plan = plan.unwrap_or_else(|error| panic!("{error}"));
        carries(&plan.1, &from, &to, state);
        let most = plan.1.phases().iter().map(|phase| phase.rounds()).max();
        assert_eq!(most, Some(rounds), "{}", plan.1);
    }
}

#[test]
fn partial_sums() {
    let add = |precision| Rrn {
        precision,
        kind: RrnKind::IntAdd,
    };
    let state = &mut 77_u64;
    for (from, to, precision) in [
        (
            "i:(w:2,p:4,a:8) @GRF0+0, rep(g,c,b), sum(m)",
            "i:(w:2,p:4,a:8) @LM0+0, rep(g,c,b,m)",
            Precision::Int,
        ),
        (
            "i:(w:2,p:4,a:8) @GRF0+0, rep(g), sum(c,b,m)",
            "i:(w:2,a:32) @DRAM+0, rep(g)",
            Precision::Int,
        ),
        (
            "i:(p:4,a:8) j:(m:4*4) @LM1+0, rep(g,c,b), sum(m:4*1)",
            "i:(a:32) j:(a:4) @L1BM+0, rep(g,c,b)",
            Precision::Long,
        ),
        (
            "i:(h:4,a:64) @L2BM+0, sum(g,c)",
            "i:(h:4,a:64) @PDM+0, at(g=2)",
            Precision::Short,
        ),
        (
            "i:(h:4,a:128) @L1BM+0, rep(g,c), sum(b:2*1), at(b:4*2=2)",
            "i:(h:4,a:128) @L2BM+0, rep(g,c)",
            Precision::Short,
        ),
    ] {
        let (from, to) = (layout(from), layout(to));
        let plan = Planner::default().plan(&from, &to, &rooms(), Some(add(precision)));
        let plan = plan.unwrap_or_else(|error| panic!("{error}"));
        carries(&plan.1, &from, &to, state);
    }
}
