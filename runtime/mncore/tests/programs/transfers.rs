//! Every transfer instruction, compared word by word with the manual's pseudo-code.
//!
//! Before an instruction, each word encodes its location. Afterwards, a table gives the expected
//! source of every word. Reductions add integers, so that a sum identifies its summands.

use super::common::run_on;
use tessera_isa_mncore::unit;
use tessera_isa_mncore::word::Mode;
use tessera_mncore::block::Block;
use tessera_mncore::geometry::{BlockId, Geometry};
use tessera_mncore::machine::{Machine, Options};
use tessera_mncore::place::Place;
use tessera_mncore::race::RacePolicy;

const DAR: u32 = 40;

/// The initial content of a word: its memory, group (or block), L2B (or lane) and address.
fn word(memory: u64, one: usize, two: usize, address: usize) -> u64 {
    memory << 56 | (one as u64) << 40 | (two as u64) << 32 | address as u64
}

fn pdm(group: usize, address: usize) -> u64 {
    word(1, group, 0, address)
}

fn dram(group: usize, address: usize) -> u64 {
    word(2, group, 0, address)
}

fn l2bm(group: usize, l2b: usize, address: usize) -> u64 {
    word(3, group, l2b, address)
}

fn l1bm(block: usize, address: usize) -> u64 {
    word(4, block, 0, address)
}

/// The long word of GRF0 at a long word address in a lane.
fn grf(block: usize, lane: usize, address: usize) -> u64 {
    word(5, block, lane, address)
}

/// Returns a board whose words encode their locations.
fn numbered() -> Machine {
    let mut machine = Machine::new(Options {
        zero_dram: true,
        ..Options::default()
    });
    for (group, memories) in machine.board.groups.iter_mut().enumerate() {
        for (address, word) in memories.pdm.iter_mut().enumerate().take(4096) {
            *word = pdm(group, address);
        }
        let words: Vec<_> = (0..4096).map(|address| dram(group, address)).collect();
        memories.dram.write(0, &words);
        for (entry, register) in memories.dar.iter_mut().enumerate() {
            *register = DAR + 2 * entry as u32 + group as u32;
        }
    }
    for (index, memory) in machine.board.l2bm.all_mut().iter_mut().enumerate() {
        for (address, word) in memory.iter_mut().enumerate() {
            *word = l2bm(index / 2, index % 2, address);
        }
    }
    for (index, block) in machine.blocks.all_mut().iter_mut().enumerate() {
        for (address, word) in block.l1bm.iter_mut().enumerate() {
            *word = l1bm(index, address);
        }
        for address in 0..32 {
            for (lane, word) in block.memory[0].plane_mut(address).iter_mut().enumerate() {
                *word = grf(index, lane, address);
            }
        }
    }
    machine
}

fn after(program: &str) -> Machine {
    let mut machine = numbered();
    run_on(&mut machine, program).unwrap_or_else(|error| panic!("{program}: {error}"));
    machine
}

/// The writes of an MV instruction: the source location for a group, an L2B and an offset.
type Moved = fn(group: usize, l2b: usize, offset: usize) -> u64;

#[track_caller]
fn check_l2bm(program: &str, target: usize, groups: &[usize], l2bs: &[usize], moved: Moved) {
    let machine = after(program);
    for group in 0..4 {
        for l2b in 0..2 {
            let written = groups.contains(&group) && l2bs.contains(&l2b);
            for offset in 0..256 {
                let got = machine.board.l2bm[2 * group + l2b][target + offset];
                let expect = if written && offset < 128 {
                    moved(group, l2b, offset)
                } else {
                    l2bm(group, l2b, target + offset)
                };
                assert_eq!(got, expect, "{program}: group {group}, L2B {l2b}, {offset}");
            }
        }
    }
}

#[test]
fn transfers_to_l2bm() {
    const ALL: &[usize] = &[0, 1, 2, 3];
    const BOTH: &[usize] = &[0, 1];
    check_l2bm("mvp/n128 $p64@1 $lc256@2.1", 256, &[2], &[1], |_, _, i| {
        pdm(1, 64 + i)
    });
    check_l2bm("mvp/n128 $d64@3 $lc0@0.0", 0, &[0], &[0], |_, _, i| {
        dram(3, 64 + i)
    });
    check_l2bm("mvp/n128 $p64 $lc256@.1", 256, ALL, &[1], |g, _, i| {
        pdm(g, 64 + i)
    });
    check_l2bm("mvp/n128 $d64 $lc256@.0", 256, ALL, &[0], |g, _, i| {
        dram(g, 64 + i)
    });
    check_l2bm("mvb2/n128 $d128 $lc64", 64, ALL, BOTH, |g, _, i| {
        dram(g, 128 + i)
    });
    check_l2bm("mvb4/n128 $d32 $lc0", 0, ALL, BOTH, |_, c, i| {
        dram(i % 64 / 16, 32 + i / 64 * 32 + c * 16 + i % 16)
    });
    check_l2bm("mvb/n128 $p64@2 $lc0", 0, ALL, BOTH, |_, _, i| {
        pdm(2, 64 + i)
    });
    check_l2bm("mvb/n128 $d16 $lc0", 0, ALL, BOTH, |_, _, i| {
        dram(i % 64 / 16, 16 + i / 64 * 16 + i % 16)
    });
    check_l2bm("mvd/n128 $p512@1 $lc64", 64, ALL, BOTH, |g, c, i| {
        pdm(
            1,
            512 + i / 64 * 512 + (i % 64 / 16 * 8 + g * 2 + c) * 16 + i % 16,
        )
    });
}

#[track_caller]
fn check_pdm(
    program: &str,
    target: usize,
    count: usize,
    groups: &[usize],
    moved: fn(usize, usize) -> u64,
) {
    let machine = after(program);
    for group in 0..4 {
        for offset in 0..count + 64 {
            let got = machine.board.groups[group].pdm[target + offset];
            let expect = if groups.contains(&group) && offset < count {
                moved(group, offset)
            } else {
                pdm(group, target + offset)
            };
            assert_eq!(got, expect, "{program}: group {group}, {offset}");
        }
    }
}

/// Returns the sum of words at several locations.
fn sum(places: impl Iterator<Item = u64>) -> u64 {
    places.fold(0, u64::wrapping_add)
}

/// Returns the sum over all L2BM at an address.
fn all_l2bm(address: usize) -> u64 {
    sum((0..8).map(|index| l2bm(index / 2, index % 2, address)))
}

#[test]
fn a_group_may_copy_to_its_own_pdm() {
    check_pdm("mvp/n128 $p64@2 $p256@2", 256, 128, &[2], |_, i| {
        pdm(2, 64 + i)
    });
}

/// `mvp` before and after a step, as statements and as a unit. A race, which is not checked here,
/// reveals the order.
#[test]
fn a_transfer_precedes_the_steps_of_its_unit() {
    for (first, second, expect) in [
        ("mvp/n64i01 $p0@0 $lc0@0.0", "l2bmb $lc0 $lb0", 7),
        ("l2bmb $lc0 $lb0", "mvp/n64i01 $p0@0 $lc0@0.0", 0),
    ] {
        let source = format!("{first}\n{second}\n");
        let written = tessera_isa_mncore::parse(&source).expect("it is right");
        let units = unit::pack(&written, Mode::AutoStride).expect("it has words");
        let (unpacked, _) = unit::unpack(&units).expect("it was packed");
        for program in [written, unpacked] {
            let mut machine = Machine::new(Options {
                races: RacePolicy::Off,
                ..Options::default()
            });
            let block = BlockId {
                group: 0,
                l2b: 0,
                l1b: 0,
            };
            machine
                .set(
                    Place::Pdm {
                        group: 0,
                        address: 0,
                    },
                    &[7],
                )
                .unwrap();
            machine.run(&program, &mut |_| ()).unwrap();
            let mut word = [9];
            machine
                .get(Place::L1bm { block, address: 0 }, &mut word)
                .unwrap();
            assert_eq!(word, [expect], "{source}");
        }
    }
}

#[test]
fn tag_and_length_come_in_any_order() {
    let [one, other] = ["mvp/n64i02 $p0@0 $d0@0", "mvp/i02n64 $p0@0 $d0@0"].map(|line| {
        tessera_isa_mncore::parse(line)
            .expect("it is right")
            .to_string()
    });
    assert_eq!(one, other);
}

#[test]
fn transfers_to_pdm() {
    const ALL: &[usize] = &[0, 1, 2, 3];
    check_pdm("mvp/n128 $d64@3 $p256@1", 256, 128, &[1], |_, i| {
        dram(3, 64 + i)
    });
    check_pdm("mvp/n128 $lc64@3.1 $p256@1", 256, 128, &[1], |_, i| {
        l2bm(3, 1, 64 + i)
    });
    check_pdm("mvp/n128 $p64@3 $p256@1", 256, 128, &[1], |_, i| {
        pdm(3, 64 + i)
    });
    check_pdm("mvp/n128 $lc64@.1 $p256", 256, 128, ALL, |g, i| {
        l2bm(g, 1, 64 + i)
    });
    check_pdm("mvr2liadd/n128 $lc64@2 $p0@2", 0, 128, &[2], |_, i| {
        sum([0, 1].into_iter().map(|c| l2bm(2, c, 64 + i)))
    });
    check_pdm("mvrliadd/n128 $lc64 $p0@3", 0, 128, &[3], |_, i| {
        all_l2bm(64 + i)
    });
    check_pdm("mvd/n128 $lc64 $p512@0", 512, 1024, &[0], |_, i| {
        let (number, row) = (i % 128 / 16, i % 512 / 128);
        l2bm(
            number / 2,
            number % 2,
            64 + i / 512 * 64 + row * 16 + i % 16,
        )
    });
    check_pdm("mvd/n128 $d16 $p64@2", 64, 128, &[2], |_, i| {
        dram(i % 64 / 16, 16 + i / 64 * 16 + i % 16)
    });
}

#[track_caller]
fn check_dram(
    program: &str,
    target: u64,
    count: usize,
    groups: &[usize],
    moved: fn(usize, usize) -> u64,
) {
    let machine = after(program);
    for group in 0..4 {
        let mut words = vec![0; count + 64];
        machine.board.groups[group]
            .dram
            .read(target, &mut words)
            .unwrap();
        for (offset, got) in words.into_iter().enumerate() {
            let expect = if groups.contains(&group) && offset < count {
                moved(group, offset)
            } else {
                dram(group, target as usize + offset)
            };
            assert_eq!(got, expect, "{program}: group {group}, {offset}");
        }
    }
}

#[test]
fn transfers_to_dram() {
    const ALL: &[usize] = &[0, 1, 2, 3];
    check_dram("mvp/n128 $p64@3 $d256@1", 256, 128, &[1], |_, i| {
        pdm(3, 64 + i)
    });
    check_dram("mvp/n128 $lc64@3.1 $d256@1", 256, 128, &[1], |_, i| {
        l2bm(3, 1, 64 + i)
    });
    check_dram("mvp/n128 $lc64@.1 $d256", 256, 128, ALL, |g, i| {
        l2bm(g, 1, 64 + i)
    });
    check_dram("mvr2liadd/n128 $lc64 $d0", 0, 128, ALL, |g, i| {
        sum([0, 1].into_iter().map(|c| l2bm(g, c, 64 + i)))
    });
    check_dram("mvr4liadd/n128 $lc64 $d32", 32, 64, ALL, |g, i| {
        let (unit, l2b) = (i / 32, i % 32 / 16);
        sum((0..4).map(|from| l2bm(from, l2b, 64 + 64 * unit + 16 * g + i % 16)))
    });
    check_dram("mvrliadd/n128 $lc64 $d16", 16, 32, ALL, |g, i| {
        all_l2bm(64 + i / 16 * 64 + 16 * g + i % 16)
    });
    check_dram("mvd/n128 $p64@2 $d16", 16, 32, ALL, |g, i| {
        pdm(2, 64 + i / 16 * 64 + 16 * g + i % 16)
    });
}

#[test]
fn indirect_dram_addresses() {
    // 3.5.6: every 16 long words use an entry, n times each with the next address.
    let machine = after("mvp/n256nd4 $p64@1 $di3@2");
    for i in 0..16 {
        let entry = 3 + i / 4;
        let address = 16 * (DAR as usize + 2 * entry + 2 + i % 4);
        let mut words = [0; 16];
        machine.board.groups[2]
            .dram
            .read(address as u64, &mut words)
            .unwrap();
        // Later entries overlap earlier ones: their addresses are two apart, and each is used four
        // times.
        if i % 4 < 2 || i / 4 == 3 {
            assert_eq!(words[5], pdm(1, 64 + 16 * i + 5), "{i}");
        }
    }
    // Without nd the first entry serves for all.
    check_l2bm("mvp/n128 $di5@1 $lc0@0.0", 0, &[0], &[0], |_, _, i| {
        dram(1, 16 * (DAR as usize + 2 * 5 + 1) + i)
    });
}

#[test]
fn dram_address_registers_are_filled_through_their_buffer() {
    // 3.6.7.10: four entries a step, from the step of l2bmdars on; the last wrap around.
    let machine = after("l2bmdars $lc256@.1 $dar1022; l2bmdarw\nnop\nnoforward; l2bmdarw");
    for group in 0..4 {
        let registers = &machine.board.groups[group].dar;
        for number in 0..8 {
            let word = l2bm(group, 1, 256 + number / 2);
            let half = if number % 2 == 0 {
                word >> 32
            } else {
                word & 0xffff_ffff
            };
            assert_eq!(
                u64::from(registers[(1022 + number) % 1024]),
                half,
                "{group} {number}"
            );
        }
        assert_eq!(registers[6], DAR + 12 + group as u32);
    }
}

/// Checks that an L1BM or L2BM instruction leaves these words in the L1BM; `None` means not
/// written.
#[track_caller]
fn check_l1bm(program: &str, target: usize, count: usize, moved: fn(usize, usize) -> Option<u64>) {
    let machine = after(program);
    for (index, block) in machine.blocks.iter().enumerate() {
        for offset in 0..count + 64 {
            let expect = if offset < count {
                moved(index, offset)
            } else {
                None
            };
            let expect = expect.unwrap_or(l1bm(index, target + offset));
            assert_eq!(
                block.l1bm[target + offset],
                expect,
                "{program}: block {index}, {offset}"
            );
        }
    }
}

/// Returns a word of the L2BM above a block.
fn above(block: usize, address: usize) -> u64 {
    l2bm(block / 16, block / 8 % 2, address)
}

#[test]
fn l2bm_to_l1bm() {
    check_l1bm("l2bmb $lc64 $lb16", 16, 64, |b, i| Some(above(b, 64 + i)));
    check_l1bm("l2bmb@5/2 $lc64 $lb16", 16, 64, |b, i| {
        (b % 8 == 5 || b % 8 == 7).then(|| above(b, 64 + i))
    });
    check_l1bm("l2bmb2 $lc64 $lb16", 16, 64, |b, i| {
        Some(above(b, 64 + i / 16 * 64 + 16 * (b % 8 / 2) + i % 16))
    });
    check_l1bm("l2bmd@[0,1,2,3] $lc64 $lb8", 8, 32, |b, i| {
        (b % 8 < 4).then(|| above(b, 64 + i / 8 * 64 + 8 * (b % 8) + i % 8))
    });
    // From L1B with zeros in the don't-care bits of the mode to the others that differ only in
    // these bits.
    check_l1bm("l2bmi@0/4 $lb32 $lb128", 128, 64, |b, i| {
        (b % 4 != 0).then(|| l1bm(b & !3, 32 + i))
    });
    check_l1bm("l2bmi@3 $lb32 $lb128", 128, 64, |b, i| {
        (b % 8 != 3).then(|| l1bm(b & !7 | 3, 32 + i))
    });
}

#[track_caller]
fn check_up(program: &str, target: usize, count: usize, moved: fn(usize, usize) -> u64) {
    let machine = after(program);
    for (index, memory) in machine.board.l2bm.iter().enumerate() {
        for offset in 0..count {
            assert_eq!(
                memory[target + offset],
                moved(8 * index, offset),
                "{program}: {index}, {offset}"
            );
        }
        assert_eq!(memory[target + count], above(8 * index, target + count));
    }
}

#[test]
fn l1bm_to_l2bm() {
    check_up("l2bm@6 $lb16 $lc64", 64, 64, |first, i| {
        l1bm(first + 6, 16 + i)
    });
    check_up("l2bmrliadd $lb16 $lc64", 64, 64, |first, i| {
        sum((0..8).map(|b| l1bm(first + b, 16 + i)))
    });
    check_up("l2bmrliadd@[0,4] $lb16 $lc64", 64, 64, |first, i| {
        sum([0, 4].into_iter().map(|b| l1bm(first + b, 16 + i)))
    });
    check_up("l2bmr2liadd $lb16 $lc64", 64, 256, |first, i| {
        let pair = i % 64 / 16;
        sum((0..2).map(|b| l1bm(first + 2 * pair + b, 16 + i / 64 * 16 + i % 16)))
    });
    check_up("l2bmd $lb8 $lc64", 64, 256, |first, i| {
        l1bm(first + i % 64 / 8, 8 + i / 64 * 8 + i % 8)
    });
}

#[test]
fn pe_to_l1bm() {
    check_l1bm("l1bmm@3 $lr0v $lb16", 16, 16, |b, i| {
        Some(grf(b, 12 + i % 4, i / 4))
    });
    check_l1bm("l1bmm@3 $llr0v $llb16", 16, 32, |b, i| {
        Some(grf(b, 12 + i % 4, i / 8 * 2 + i % 8 / 4))
    });
    check_l1bm("l1bmrliadd $lr0v $lb16", 16, 16, |b, i| {
        Some(sum((0..16).map(|mab| grf(b, 4 * mab + i % 4, i / 4))))
    });
    check_l1bm("l1bmm4@2 $lr0v $lb16", 16, 64, |b, i| {
        Some(grf(b, 4 * (i % 16 / 4 * 4 + 2) + i % 4, i / 16))
    });
    check_l1bm("l1bmm4@2 $llr0v $llb32", 32, 128, |b, i| {
        Some(grf(
            b,
            4 * (i % 32 / 8 * 4 + 2) + i % 4,
            i / 32 * 2 + i % 8 / 4,
        ))
    });
    check_l1bm("l1bmr4liadd $lr0v $lb16", 16, 64, |b, i| {
        let group = i % 16 / 4;
        Some(sum(
            (0..4).map(|mab| grf(b, 4 * (4 * group + mab) + i % 4, i / 16))
        ))
    });
    check_l1bm("l1bmd $lr0v $lb64", 64, 256, |b, i| {
        Some(grf(b, i % 64, i / 64))
    });
    check_l1bm("l1bmd+3 $lr0v $lb64", 64, 256, |b, i| {
        Some(grf(b, (i % 64 + 64 - 12) % 64, i / 64))
    });
    // Bitwise or of both long words: wide reductions store the second ones after the first.
    check_l1bm("l1bmr4lbor $llr0v $llb32", 32, 128, |b, i| {
        let (group, half) = (i % 32 / 8, i % 8 / 4);
        let lane = |mab: usize| 4 * (4 * group + mab) + i % 4;
        Some((0..4).fold(0, |all, mab| all | grf(b, lane(mab), i / 32 * 2 + half)))
    });
}

/// Checks that an L1BM instruction leaves these long words at the start of GRF1, cycle by cycle.
#[track_caller]
fn check_pe(program: &str, per_cycle: usize, moved: fn(usize, usize, usize, usize) -> u64) {
    let machine = after(program);
    let lanes = Geometry::BOARD.lanes();
    for (index, block) in machine.blocks.iter().enumerate() {
        let planes = &Block::clone(block).memory[1];
        for lane in 0..lanes {
            for cycle in 0..4 {
                for half in 0..per_cycle {
                    let got = planes.plane(cycle * per_cycle + half)[lane];
                    let expect = moved(index, lane, cycle, half);
                    assert_eq!(
                        got, expect,
                        "{program}: block {index}, lane {lane}, cycle {cycle}, {half}"
                    );
                }
            }
        }
    }
}

#[test]
fn l1bm_to_pe() {
    check_pe("l1bmp $lb5 $ls0v", 1, |b, _, c, _| l1bm(b, 5 + c));
    check_pe("l1bmp $llb64 $lls0v", 2, |b, _, c, h| {
        l1bm(b, 64 + c + 4 * h)
    });
    check_pe("l1bmm $lb16 $ls0v", 1, |b, lane, c, _| {
        l1bm(b, 16 + 4 * c + lane % 4)
    });
    check_pe("l1bmm $llb16 $lls0v", 2, |b, lane, c, h| {
        l1bm(b, 16 + 8 * c + 4 * h + lane % 4)
    });
    check_pe("l1bmm4 $lb16 $ls0v", 1, |b, lane, c, _| {
        l1bm(b, 16 + 16 * c + lane / 16 * 4 + lane % 4)
    });
    check_pe("l1bmm4 $llb32 $lls0v", 2, |b, lane, c, h| {
        l1bm(b, 32 + 32 * c + lane / 16 * 8 + 4 * h + lane % 4)
    });
    check_pe("l1bmd $lb64 $ls0v", 1, |b, lane, c, _| {
        l1bm(b, 64 + 64 * c + lane)
    });
    check_pe("l1bmd-2 $lb64 $ls0v", 1, |b, lane, c, _| {
        l1bm(b, 64 + 64 * c + (lane + 8) % 64)
    });
    // One long word into two: the second is zero.
    check_pe("l1bmm $lb16 $lls0v", 2, |b, lane, c, h| {
        if h == 0 {
            l1bm(b, 16 + 4 * c + lane % 4)
        } else {
            0
        }
    });
    // Through the turn-around register, without the L1BM.
    check_pe(
        "l1bmm@2 $llr0v $llbi\nl1bmm $llbi $lls0v",
        2,
        |b, lane, c, h| grf(b, 8 + lane % 4, 2 * c + h),
    );
    check_pe(
        "l1bmd+1 $lr0v $lbi\nl1bmd+1 $lbi $ls0v",
        1,
        |b, lane, c, _| grf(b, (lane + 60) % 64, c),
    );
}

#[test]
fn rounded_reductions_keep_the_results_of_a_pe_together() {
    // 3.6.8.5: a half precision reduction is an alias of widening, single precision addition and
    // rounding.
    let set = (0..4).map(|pe| {
        let half = |element: usize| 0x3e00 + 0x20 * (4 * pe + element);
        let word = (0..4).fold(0, |all, element| all << 16 | half(element));
        format!("d set $lm0n0c0b0m5p{pe} 1 l{word:x}\n")
    });
    let set: String = set.collect();
    let get = "d geth $lb0n0c0b0 4\nd geth $lb64n0c0b0 4";
    let program = format!("{set}l1bmrhfadd $lm0 $lb0\nl1bmrffaddr $lm0e $lb64\n{get}");
    let lines = super::common::run(&program).unwrap();
    for (index, line) in lines.iter().enumerate() {
        let (pe, row) = (index % 4, index / 4 * 64);
        let words = (0..4).map(|element| format!("0x{:04x}", 0x3e00 + 0x20 * (4 * pe + element)));
        let words = words.collect::<Vec<_>>().join(", ");
        assert!(
            line.starts_with(&format!("DEBUG-L1BM(n0c0b0,{}):", row + pe)),
            "{line}"
        );
        assert!(line.contains(&format!("({words})")), "{line}");
    }
    assert_eq!(lines.len(), 8);
}
