//! Whole rows of Dst at once, for the frequent pairs of formats: 32 bits as they are, BF16 rounded,
//! BFP8 through BF16.

use super::addresses::Source;
use super::datums::{fetch, Task};
use super::output::Output;
use super::Packer;
use crate::core_state::CoreState;
use crate::formats::Format;
use crate::numerics::packer::early::{Early, Type};
use crate::numerics::packer::late::Late;
use crate::numerics::packer::relu::Relu;
use crate::regs::{Row, COLUMNS};
use crate::trap::Fault;

/// The pairs.
#[derive(Clone, Copy)]
enum Pair {
    /// FP32 or INT32.
    Words,
    Bf16,
    Bfp8,
}

/// Moves the datums of a packer, if whole rows can be moved; says whether it has.
pub(super) fn run(
    task: &Task,
    packer: &mut Packer,
    output: &mut Output,
    core: &mut CoreState,
) -> Result<bool, Fault> {
    let (Some(pair), Source::Dst { first }) = (pair(task), task.source) else {
        return Ok(false);
    };
    let whole = |n: u32| n as usize % COLUMNS == 0;
    if !(whole(first) && whole(task.datums) && task.masks.keep_all() && output.is_between_blocks())
    {
        return Ok(false);
    }
    let mut lines = Lines::default();
    for row in (first..first + task.datums).step_by(COLUMNS) {
        let datums = middle(task, fetch(row, &task.path, core)?);
        packer
            .histogram
            .update(task.path.kind, &datums, task.path.counts);
        match pair {
            Pair::Words => lines.push(&bytes::<4, 64>(&datums, |x| x.to_le_bytes())),
            Pair::Bf16 => lines.push(&bytes::<2, 32>(&datums, |x| {
                ((x >> 16) as u16).to_le_bytes()
            })),
            Pair::Bfp8 => {
                let of_block = |x| Late::Block8From8.apply(x) as u16;
                output.push_block(datums.map(of_block), &mut core.l1)?;
            }
        }
        if lines.is_full() {
            lines.flush(output, core)?;
        }
        task.masks.advance(&mut packer.position, COLUMNS as u32);
    }
    lines.flush(output, core)?;
    Ok(true)
}

/// Rows on their way to an output, at most a face.
struct Lines {
    bytes: [u8; 16 * 64],
    filled: usize,
}

impl Default for Lines {
    fn default() -> Self {
        Lines {
            bytes: [0; 16 * 64],
            filled: 0,
        }
    }
}

impl Lines {
    fn push(&mut self, row: &[u8]) {
        self.bytes[self.filled..][..row.len()].copy_from_slice(row);
        self.filled += row.len();
    }

    /// Whether another row may have no room.
    fn is_full(&self) -> bool {
        self.filled + 64 > self.bytes.len()
    }

    fn flush(&mut self, output: &mut Output, core: &mut CoreState) -> Result<(), Fault> {
        output.push_bytes(&self.bytes[..self.filled], &mut core.l1)?;
        self.filled = 0;
        Ok(())
    }
}

fn pair(task: &Task) -> Option<Pair> {
    let path = &task.path;
    if !path.is_plain() {
        return None;
    }
    match (path.early, path.typ, path.late) {
        // FP32 through ReLU is looked at datum by datum.
        (Early::Identity, Type::Bits32, Late::Identity) if path.relu == Relu::Off => {
            Some(Pair::Words)
        }
        (Early::Round8 | Early::RoundNarrow8, Type::Bf16, Late::Bf16 { .. }) => Some(Pair::Bf16),
        (Early::Round8 | Early::RoundNarrow8, Type::Bf16, Late::Block8From8)
            if path.out == Format::BFP8 =>
        {
            Some(Pair::Bfp8)
        }
        _ => None,
    }
}

/// Early conversion and ReLU of a row.
fn middle(task: &Task, row: Row) -> Row {
    let path = &task.path;
    let early = |x| match path.early {
        Early::Identity => x,
        // Rounding to BF16 makes no difference between widths of Dst.
        _ => Early::Round8.apply(Type::Bf16, x),
    };
    match path.relu {
        Relu::Zero => row.map(|x| Relu::Zero.apply(path.kind, early(x))),
        _ => row.map(early),
    }
}

/// The bytes of sixteen datums, `N` of each.
fn bytes<const N: usize, const ALL: usize>(row: &Row, of: impl Fn(u32) -> [u8; N]) -> [u8; ALL] {
    let mut bytes = [0; ALL];
    for (place, &datum) in bytes.chunks_exact_mut(N).zip(row) {
        place.copy_from_slice(&of(datum));
    }
    bytes
}

#[cfg(test)]
mod tests {
    use tessera_isa_tensix::cfg;

    use super::*;
    use crate::pack::datapath::Datapath;
    use crate::pack::edge::EdgeMasks;
    use crate::pack::{datums, of_packer};
    use crate::scheduler::SplitMix64;
    use crate::testing::{Bench, THREAD};

    /// Datums of all sorts: denormals, infinities, what is not a number, and numbers near each
    /// other.
    fn datum(random: &mut SplitMix64) -> u32 {
        let x = random.next() as u32;
        match random.next() % 6 {
            0 => x & 0x807F_FFFF,
            1 => x | 0x7F80_0000,
            2 => x & 0x8000_00FF,
            3 => x & 0x80FF_8000 | 0x3F00_0000,
            _ => x & 0x87FF_FFFF | 0x3C00_0000,
        }
    }

    /// A core with a random setting of one of the pairs, and random rows 0 to 63 of Dst.
    fn bench(random: &mut SplitMix64) -> Bench {
        let wide = (random.next() % 2) as u32;
        let mut bench = Bench::new().dst_width(wide);
        for row in 0..64 {
            let datums = std::array::from_fn(|_| datum(random));
            if wide == 1 {
                bench.put_dst32(row, datums);
            } else {
                bench.put_dst16(row, datums.map(|x| (x >> 16) as u16));
            }
        }
        let pairs: &[(u32, u32)] = match wide {
            1 => &[(0, 0), (8, 8), (5, 5), (5, 6)],
            _ => &[(5, 5), (5, 6)],
        };
        let (between, to) = pairs[random.next() as usize % pairs.len()];
        bench.set(cfg::ALU_FORMAT_SPEC_REG2_Dstacc, between);
        bench.set(of_packer(cfg::THCON_PACK_In_data_format, 0), between);
        bench.set(of_packer(cfg::THCON_PACK_Out_data_format, 0), to);
        bench.set(of_packer(cfg::THCON_PACK_Disable_zero_compress, 0), 1);
        bench.set(of_packer(cfg::THCON_PACK_Exp_section_size, 0), 4);
        bench.set(
            cfg::PACK_COUNTERS_pack_reads_per_xy_plane.at(0),
            1 + (random.next() % 16) as u32,
        );
        bench.set(
            cfg::STACC_RELU_ApplyRelu,
            u32::from(between == 5 && random.next() % 2 == 0),
        );
        (0..4).for_each(|k| bench.set(cfg::PCK_EDGE_OFFSET_mask.at(k), 0xFFFF));
        bench.set_thread(cfg::ENABLE_ACC_STATS_Enable, (random.next() % 2) as u32);
        bench
    }

    /// Bytes of L1 that the outputs lie in: 32 rows of FP32 at most, and exponents in front.
    const WINDOW: usize = 0xA00;

    /// What packer, output and L1 are after two PACRs of whole rows, by `run`.
    fn after(
        mut bench: Bench,
        places: [(u32, u32); 2],
        run: impl Fn(&Task, &mut Packer, &mut Output, &mut CoreState),
    ) -> (Packer, Output, Vec<u8>) {
        let core = &mut bench.core;
        core.l1.write(0x1_0000, &[0xAA; WINDOW]).unwrap();
        let path = Datapath::read(core, THREAD, 0, false).unwrap();
        let mut packer = Packer::default();
        let mut output = Output::begin(0x1000, (path.out, false), (0, THREAD), core);
        for (row, count) in places {
            let task = Task {
                source: Source::Dst { first: 16 * row },
                datums: 16 * count,
                path: path.clone(),
                masks: EdgeMasks::read(core, THREAD, 0).unwrap(),
            };
            run(&task, &mut packer, &mut output, core);
        }
        output.end(&mut core.l1).unwrap();
        (
            packer,
            output,
            core.l1.read(0x1_0000, WINDOW).unwrap().to_vec(),
        )
    }

    /// Rows at once are what datums one by one are: 500 pairs of PACRs, 10,000 in the long run.
    #[test]
    fn rows_are_datums() {
        let long = std::env::var_os("TESSERA_LONG_TESTS").is_some();
        let mut random = SplitMix64::new(6);
        for case in 0..if long { 10_000 } else { 500 } {
            let bench = bench(&mut random);
            let places = [(); 2].map(|()| {
                let first = random.next() as u32 % 48;
                (first, 1 + random.next() as u32 % 16)
            });
            let fast = after(
                Bench {
                    core: bench.core.clone(),
                },
                places,
                |task, packer, output, core| {
                    assert!(run(task, packer, output, core).unwrap());
                },
            );
            let slow = after(bench, places, |task, packer, output, core| {
                datums::run(task, packer, output, core).unwrap();
            });
            assert!(fast == slow, "case {case}");
        }
    }
}
