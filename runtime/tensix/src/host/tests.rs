//! Tests with random programs: arbitrary words, random operands, damaged kernels. Each run ends
//! with a result or with an error that names the place; none panics, and none runs forever.
//!
//! A program runs up to the first entry that is refused. That entry is removed and the rest runs
//! again, until nothing is refused. The same programs run as lists, and pushed by the cores of a
//! tile with the vendor's check policy, on both chips. The cores also execute random RISC-V code.
//! With `TESSERA_LONG_TESTS` there are ten million words for each chip.

use std::panic::{catch_unwind, AssertUnwindSafe};
use std::time::{Duration, Instant};

use tessera_isa_tensix::list::{Entry, Lists};
use tessera_isa_tensix::table::rows;
use tessera_isa_tensix::Arch;
use tessera_riscv::table::Format;
use tessera_riscv::{Extension, Instruction as I, Isa, Op};

use crate::chip::{Chip, Stop};
use crate::map;
use crate::noc::TileNaming;
use crate::tile::{Tile, TileKind, TileParams};
use tessera_test_support::is_long_run;

use crate::dram::Dram;
use crate::insn::unpack::testing::Random;
use crate::issue::scheduler::Schedule;
use crate::state::check_policy::CheckPolicy;
use crate::trap::{Reason, Source, Trap, TrapLocation};
use crate::{Machine, Model, TensorArg};

/// The origin of a program.
#[derive(Clone, Copy, Debug)]
enum Origin {
    /// Arbitrary words.
    Words,
    /// Instructions with any operands, among stores to `MopCfg`, waits and semaphores.
    Instructions,
    /// Kernels with entries that are changed, removed, duplicated or moved.
    Kernels,
}

const KERNELS: [&str; 3] = [
    include_str!("../../tests/programs/matmul_one_tile.tensix"),
    include_str!("../../tests/programs/matmul_three_tiles.tensix"),
    include_str!("../../tests/programs/subtract_row.tensix"),
];

/// Returns an instruction with random operands, among which small ones and the largest are
/// frequent.
fn instruction(arch: Arch, random: &mut Random) -> u32 {
    let rows = rows();
    let row = loop {
        let row = &rows[random.below(rows.len() as u32) as usize];
        if row.is_on(arch) {
            break row;
        }
    };
    let operands = row.fields(arch).iter().map(|field| {
        let value = match random.below(8) {
            0..=2 => 0,
            3 => 1,
            4 => field.max(),
            5 => random.below(16),
            _ => random.next(),
        };
        (value & field.max()) << field.low
    });
    operands.fold((row.opcode as u32) << 24, |word, bits| word | bits)
}

/// Returns an entry, in most cases an instruction.
fn entry(arch: Arch, random: &mut Random) -> Entry {
    let byte = |random: &mut Random, limit| random.below(limit) as u8;
    match random.below(32) {
        0 | 1 => Entry::MopCfg {
            index: byte(random, 10),
            value: match random.below(4) {
                0 => random.below(4),
                1 => random.next(),
                _ => instruction(arch, random),
            },
        },
        2 => Entry::WaitMop,
        3 => Entry::WaitIdle,
        4 => Entry::SemPost(byte(random, 9)),
        5 => Entry::SemGet(byte(random, 9)),
        _ => Entry::Push(instruction(arch, random)),
    }
}

fn lists(lists: &mut Lists) -> [&mut Vec<Entry>; 3] {
    [&mut lists.unpack, &mut lists.math, &mut lists.pack]
}

/// Changes, removes, duplicates or moves an entry.
fn damage(arch: Arch, kernel: &mut Lists, random: &mut Random) {
    let [from, to] = [random.below(3), random.below(3)].map(|list| list as usize);
    let threads = lists(kernel);
    let length = threads[from].len() as u32;
    if length == 0 {
        return;
    }
    let at = random.below(length) as usize;
    match (random.below(6), &mut threads[from][at]) {
        (0..=2, Entry::Push(word) | Entry::MopCfg { value: word, .. }) => {
            *word ^= 1 << random.below(32);
        }
        (0..=3, other) => *other = entry(arch, random),
        (4, _) => {
            threads[from].remove(at);
        }
        (_, &mut moved) => {
            let place = random.below(threads[to].len() as u32 + 1) as usize;
            threads[to].insert(place, moved);
        }
    }
}

/// Returns the program of a seed.
fn program((origin, arch): (Origin, Arch), kernels: &[Lists], seed: u64) -> Lists {
    let mut random = Random(seed);
    // Neighbouring seeds start with similar numbers.
    random.next();
    random.next();
    let mut program = Lists::default();
    match origin {
        Origin::Words => lists(&mut program)
            .into_iter()
            .for_each(|list| list.push(Entry::Push(random.next()))),
        Origin::Instructions => {
            for list in lists(&mut program) {
                let length = 1 + random.below(24);
                list.extend((0..length).map(|_| entry(arch, &mut random)));
            }
        }
        Origin::Kernels => {
            program = kernels[random.below(kernels.len() as u32) as usize].clone();
            for _ in 0..1 + random.below(8) {
                damage(arch, &mut program, &mut random);
            }
        }
    }
    program
}

/// The end of a run without an error of the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    /// Everything was executed, or waits.
    Done,
    /// This entry of this thread was refused.
    Refused(usize, usize),
    /// A refusal that concerns no entry: of data movement, or of the final state.
    Other,
}

/// Returns how a run ended.
///
/// # Panics
/// If a trap does not say where it comes from.
fn end(trap: &Trap, entry_of: impl Fn(usize, TrapLocation) -> Option<usize>) -> End {
    assert!(!trap.to_string().is_empty());
    if matches!(
        trap.reason,
        Reason::Deadlock(_) | Reason::Unclean(_) | Reason::Setup(_)
    ) {
        return End::Other;
    }
    let (Some(source), Some(place)) = (trap.source, trap.place) else {
        panic!("a trap without a place: {trap}");
    };
    let thread = (0..3).find(|&thread| Source::of_thread(thread) == source);
    let refused = thread.and_then(|thread| Some((thread, entry_of(thread, place)?)));
    refused.map_or(End::Other, |(thread, entry)| End::Refused(thread, entry))
}

/// Returns a machine with pages of tensors, and the tensors.
fn machine(arch: Arch) -> (Machine, Vec<TensorArg>) {
    let mut machine = Machine::new(arch);
    let mut random = Random(5);
    let args: Vec<TensorArg> = (0..4)
        .map(|k| TensorArg {
            base: 0x400 + 0x1_0000 * k,
            page_bytes: 2048,
            pages: 8,
        })
        .collect();
    for arg in &args {
        for page in 0..arg.pages {
            let bytes = random.bytes(2048);
            machine.dram().write(page, arg.base, &bytes).unwrap();
        }
    }
    (machine, args)
}

/// Returns the schedule of a program; most are random.
fn schedule(seed: u64) -> Schedule {
    Some(seed).filter(|seed| seed % 4 != 0).into()
}

/// Runs a program as lists.
fn by_lists(machine: &(Machine, Vec<TensorArg>), program: &Lists, seed: u64) -> End {
    let (machine, args) = machine;
    match machine.clone().run(program, args, schedule(seed)) {
        Ok(_) => End::Done,
        Err(trap) => end(&trap, |_, place| match place {
            TrapLocation::Entry(entry) => Some(entry),
            TrapLocation::Pc(_) => None,
        }),
    }
}

/// Returns the instructions by which a core stores a word.
fn store(addr: u32, value: u32) -> Vec<I> {
    let load = |register, value: u32| {
        let low = (value << 20) as i32 >> 20;
        let high = value.wrapping_sub(low as u32) as i32;
        [
            I::i(Op::Lui, register, 0, high),
            I::i(Op::Addi, register, register, low),
        ]
    };
    let stores = [load(5, value), load(7, addr)].concat();
    [stores, vec![I::s(Op::Sw, 7, 5, 0)]].concat()
}

/// Returns the instructions by which a core executes an entry. Waits for data movement are omitted,
/// because there is none.
fn code(entry: Entry) -> Vec<I> {
    match entry {
        Entry::Push(word) if word < 0xc000_0000 => vec![I::push(word)],
        Entry::Push(word) => store(map::PUSH, word),
        Entry::MopCfg { index, value } => store(map::MOP_CFG + 4 * u32::from(index), value),
        Entry::SemPost(sem) => store(map::PC_BUF + 0x20 + 4 * u32::from(sem), 0),
        Entry::SemGet(sem) => store(map::PC_BUF + 0x20 + 4 * u32::from(sem), 1),
        Entry::WaitMop => vec![
            I::i(Op::Lui, 7, 0, map::PC_BUF as i32),
            I::i(Op::Lw, 0, 7, 8),
        ],
        Entry::WaitIdle => vec![
            I::i(Op::Lui, 7, 0, map::PC_BUF as i32),
            I::i(Op::Lw, 0, 7, 4),
        ],
        Entry::SemPoll { .. } | Entry::Post { .. } | Entry::Wait { .. } => Vec::new(),
    }
}

/// Limit of the steps of a tile. A program of a few hundred instructions needs far fewer, unless it
/// expands to many.
const STEPS: u64 = 300_000;

/// A Tensix tile on both chips.
const AT: map::Coordinate = (1, 2);

/// Returns a tile in which some cores run.
fn tile(arch: Arch, running: u32, seed: u64) -> Box<Tile<'static>> {
    let params = TileParams {
        kind: TileKind::Tensix,
        at: AT,
        split: false,
        names: TileNaming::Noc0,
        check_policy: CheckPolicy::Vendor,
        model: Model::fast(),
        running,
        schedule: schedule(seed),
    };
    Tile::new(arch, params)
}

/// Pushes a program by the T cores of a tile.
fn by_cores(arch: Arch, program: &Lists, seed: u64) -> End {
    let mut tile = tile(arch, 0b01110, seed);
    // Offsets at which the code of each entry begins.
    let mut begins: [Vec<u32>; 3] = Default::default();
    for (thread, begins) in begins.iter_mut().enumerate() {
        let start = map::IMAGES[thread + 1].start;
        let mut image: Vec<I> = Vec::new();
        for &entry in program.thread(thread) {
            begins.push(start + 4 * image.len() as u32);
            image.extend(code(entry));
        }
        image.push(I::i(Op::Jal, 0, 0, 0));
        let words = image.iter().map(|i| i.encode().unwrap().to_le_bytes());
        tile.write(start, &words.collect::<Vec<_>>().concat())
            .unwrap();
    }
    let mut chip = Chip::new(schedule(seed));
    chip.add(AT, tile);
    match chip.run(&mut Dram::zeroed(arch), STEPS) {
        Ok(Stop::Quiescent | Stop::StepLimit) => End::Done,
        Ok(Stop::Break(_)) => unreachable!("there is no break"),
        Err(stopped) => end(&stopped.trap, |thread, place| match place {
            TrapLocation::Pc(pc) => begins[thread]
                .partition_point(|&at| at <= pc)
                .checked_sub(1),
            TrapLocation::Entry(_) => None,
        }),
    }
}

/// Statistics of some programs.
#[derive(Debug, Default)]
struct Tally {
    programs: u64,
    entries: usize,
    runs: u64,
    refused: u64,
    done: u64,
    slowest: (Duration, u64),
    panics: Vec<u64>,
}

/// Runs programs with the given total number of entries.
fn check((origin, arch): (Origin, Arch), entries: usize, run: impl Fn(&Lists, u64) -> End) {
    let kernels = KERNELS.map(|text| text.parse::<Lists>().unwrap());
    let mut tally = Tally::default();
    for seed in 0.. {
        if tally.entries >= entries || tally.panics.len() == 8 {
            break;
        }
        let mut program = program((origin, arch), &kernels, seed);
        tally.programs += 1;
        tally.entries += lists(&mut program)
            .map(|list| list.len())
            .iter()
            .sum::<usize>();
        loop {
            tally.runs += 1;
            let begun = Instant::now();
            let ended = catch_unwind(AssertUnwindSafe(|| run(&program, seed)));
            tally.slowest = tally.slowest.max((begun.elapsed(), seed));
            match ended {
                Ok(End::Refused(thread, entry)) => {
                    tally.refused += 1;
                    lists(&mut program)[thread].remove(entry);
                    continue;
                }
                Ok(End::Done) => tally.done += 1,
                Ok(End::Other) => {}
                Err(_) => {
                    println!("seed {seed}:\n{program}");
                    tally.panics.push(seed);
                }
            }
            break;
        }
    }
    println!("{origin:?} on {arch}: {tally:?}");
    assert_eq!(tally.panics, [0; 0], "{origin:?}");
    assert_ne!(tally.refused, 0, "{origin:?}");
}

/// Returns the number of entries: a thousandth of `count` by default.
fn entries(count: usize) -> usize {
    match is_long_run() {
        true => count,
        false => count / 1000,
    }
}

/// Returns the origins of a chip's programs, with the number of entries of each. The kernels are
/// Wormhole's; most of their words have another meaning on Blackhole.
fn origins(counts: [usize; 3]) -> impl Iterator<Item = ((Origin, Arch), usize)> {
    let origins = [Origin::Words, Origin::Instructions, Origin::Kernels];
    let each = origins.into_iter().zip(counts);
    Arch::ALL.into_iter().flat_map(move |arch| {
        each.clone()
            .map(move |(origin, count)| ((origin, arch), entries(count)))
    })
}

#[test]
fn lists_end() {
    for ((origin, arch), count) in origins([1_000_000, 3_000_000, 3_000_000]) {
        let machine = machine(arch);
        check((origin, arch), count, |program, seed| {
            by_lists(&machine, program, seed)
        });
    }
}

#[test]
fn arbitrary_pushed_instructions_terminate() {
    for ((origin, arch), count) in origins([500_000, 1_500_000, 1_000_000]) {
        check((origin, arch), count, |program, seed| {
            by_cores(arch, program, seed)
        });
    }
}

/// Values of address registers: in every region of a tile, and outside of all.
const PLACES: [u32; 23] = [
    0x2000,
    0x2_0000,
    0x16_e000,
    0x17_fff0,
    0x18_0000,
    map::LOCAL,
    map::LOCAL + 0xff0,
    map::TDMA,
    map::CONTROL,
    map::CONTROL + 0x1f0,
    map::CONTROL + 0x220,
    map::INTERRUPTS,
    0xffb1_3138,
    0xffb1_5ff0,
    map::NOC,
    map::NOC + 0x100,
    map::NOC_1 + 0x800,
    map::OVERLAY + 0x8000,
    map::GPRS,
    map::PC_BUF,
    map::MAILBOXES,
    map::CONFIG,
    map::DST.start,
];

/// Returns RISC-V code: instructions of any row with any operands, small offsets and few jumps,
/// mixed with requests of the NoC.
fn riscv(isa: Isa, random: &mut Random, length: u32) -> Vec<u32> {
    let rows = tessera_riscv::table::ROWS;
    let mut words = Vec::new();
    for k in 1..32u8 {
        let place = PLACES[random.below(PLACES.len() as u32) as usize];
        let value = if k < 24 { place } else { random.below(64) };
        words.push(
            I::i(Op::Lui, k, 0, (value & !0xfff) as i32)
                .encode()
                .unwrap(),
        );
        words.push(
            I::i(Op::Addi, k, k, (value & 0x7ff) as i32)
                .encode()
                .unwrap(),
        );
    }
    if isa.has(Extension::V) {
        // `vsetivli x0, 15, e8, m1`, so that not every vector instruction is refused at once.
        words.push(0xc000_7057 | 15 << 15);
    }
    while (words.len() as u32) < length {
        let row = &rows[random.below(rows.len() as u32) as usize];
        let free = random.next() & !row.mask;
        // In most cases offsets up to 255 in steps of 4, which devices accept.
        let tamed = match row.format {
            Format::Load | Format::I if random.below(8) != 0 => free & 0x0fcf_ffff,
            Format::Store if random.below(8) != 0 => free & 0x0fff_fe7f,
            // Many of these are refused, which ends the run.
            _ if row.extension == Extension::V && random.below(16) != 0 => continue,
            // Valid types.
            Format::Vsetvli | Format::Vsetivli if random.below(4) != 0 => free & 0x00bf_ffff,
            Format::Branch | Format::Jump if random.below(4) != 0 => continue,
            _ => free,
        };
        let word = tamed | row.bits;
        if I::decode_for(isa, word).is_ok() {
            words.push(word);
        }
    }
    words
}

/// Cores that execute random code end, wait, continue or trap with a place, and never panic.
#[test]
fn arbitrary_code_of_cores_terminates() {
    for arch in Arch::ALL {
        let (mut traps, mut runs, mut panics) = (0, 0, Vec::new());
        let mut seed = 0;
        while runs * 1000 < entries(2_000_000) {
            seed += 1;
            runs += 1;
            let run = || {
                let mut random = Random(seed);
                random.next();
                let mut tile = tile(arch, 0b11111, seed);
                for k in 0..5 {
                    let code = riscv(map::isa(arch, k), &mut random, 200);
                    let bytes: Vec<u8> = code.iter().flat_map(|word| word.to_le_bytes()).collect();
                    tile.write(map::IMAGES[k].start, &bytes).unwrap();
                }
                let mut chip = Chip::new(schedule(seed));
                chip.add(AT, tile);
                let ended = chip.run(&mut Dram::zeroed(arch), 20_000);
                ended.err().map(|stopped| end(&stopped.trap, |_, _| None))
            };
            match catch_unwind(AssertUnwindSafe(run)) {
                Ok(trap) => traps += usize::from(trap.is_some()),
                Err(_) => panics.push(seed),
            }
        }
        println!("RISC-V on {arch}: {runs} runs, {traps} traps");
        assert_eq!(panics, [0; 0], "{arch}");
        assert_ne!(traps, 0, "{arch}");
    }
}
