//! The code of T1: products and sums, tile by tile, into one half of Dst after the other, or into
//! all of it.
//!
//! The semaphore [`semaphore::MATH_PACK`] counts the halves that wait for the packers. Address
//! modes are set once where a loop does only one operation, else before each change of operation.

use tessera_isa_tensix::table::{Semget, Sempost, Semwait, Setrwc, Zeroacc};
use tessera_isa_tensix::{cfg, Arch};

use super::code::Code;
use super::expr::Arith;
use super::plan::{blocks_of, has_wide_products, steps_of, Block, Element, Item, Math, Node, Step};
use super::thread::{format, semaphore, wait, Until, DST_HALF_ROWS, TILE_ROWS};
use super::tile_math::tile_math;
use super::transpose::transpose;
use super::visits::visits;
use super::walk::Work;

/// Makes the code.
pub fn lower(code: &mut Code, work: &Work) {
    let mut modes = Modes::default();
    let factors = match has_wide_products(&work.blocks_of()) {
        true => Element::F32,
        false => Element::Bf16,
    };
    formats(code, factors, work.element());
    let only = one_of(&maths(work.nodes()));
    if let Some(math) = only {
        modes.install(code, math);
    }
    // The first row of the current half of Dst.
    code.state = vec![code.constant(0)];
    work.blocks(code, |code, block| {
        let mut modes = if only.is_some() {
            modes
        } else {
            Modes::default()
        };
        lower_block(code, work, block, &mut modes);
    });
}

/// What is set already: the operation whose address modes are, and the tile of the half that Dst's
/// rows count from.
#[derive(Clone, Copy, Default)]
struct Modes {
    math: Option<Math>,
    tile: Option<u32>,
}

impl Modes {
    fn install(&mut self, code: &Code, math: Math) {
        if self.math != Some(math) {
            for (entry, mode) in tile_math(code.arch, math).modes {
                mode.write(code, entry);
            }
            self.math = Some(math);
        }
    }

    fn go_to(&mut self, code: &Code, tile: u32) {
        if self.tile != Some(tile) {
            let first = code.arith_by(Arith::Add, code.state[0], (TILE_ROWS * tile).into());
            code.configure_thread_with(cfg::DEST_TARGET_REG_CFG_MATH_Offset, first);
            self.tile = Some(tile);
        }
    }

    /// Sets what all these steps need, and forgets what some of them change.
    fn prepare(&mut self, code: &Code, steps: &[&Step]) {
        let maths = steps.iter().map(|step| step.math);
        let maths: Vec<_> = maths.filter(|math| *math != Math::Unpack).collect();
        match one_of(&maths) {
            Some(math) => self.install(code, math),
            None => self.math = None,
        }
        let tiles: Vec<_> = steps
            .iter()
            .flat_map(|step| visits(step).into_iter().map(|visit| step.dst + visit.tile))
            .collect();
        match one_of(&tiles) {
            Some(tile) => self.go_to(code, tile),
            None => self.tile = None,
        }
    }
}

/// SrcA and SrcB hold factors. Dst holds fp32, for all who access it (rulings 1.5); packers take it
/// out as `element` (`Packers/FormatConversion.md`), unless they say otherwise.
fn formats(code: &Code, factors: Element, element: Element) {
    code.configure(
        cfg::ALU_FORMAT_SPEC_REG0_SrcA,
        code.put(cfg::ALU_FORMAT_SPEC_REG0_SrcA, format::in_src(factors))
            | code.put(cfg::ALU_FORMAT_SPEC_REG1_SrcB, format::in_src(factors))
            | code.put(cfg::ALU_FORMAT_SPEC_REG2_Dstacc, format::of(element))
            | code.put(cfg::ALU_ACC_CTRL_Fp32_enabled, 1)
            | code.put(cfg::ALU_ACC_CTRL_SFPU_Fp32_enabled, 1),
    );
    code.configure(
        cfg::PCK_DEST_RD_CTRL_Read_32b_data,
        code.put(cfg::PCK_DEST_RD_CTRL_Read_32b_data, 1),
    );
    // What unpackers bring would otherwise say itself what it is, and not what is configured.
    if code.arch == Arch::Blackhole {
        for implied in [
            cfg::DISABLE_IMPLIED_SRCA_FMT_Base,
            cfg::DISABLE_IMPLIED_SRCB_FMT_Base,
        ] {
            code.configure_thread(implied, code.put(implied, 1));
        }
    }
    code.settle();
}

/// The operations of all steps.
fn maths(nodes: &[Node]) -> Vec<Math> {
    let blocks = blocks_of(nodes).into_iter();
    blocks
        .flat_map(|block| block.steps())
        .map(|step| step.math)
        .filter(|math| *math != Math::Unpack)
        .collect()
}

/// What all are, if they are the same.
fn one_of<T: Copy + PartialEq>(all: &[T]) -> Option<T> {
    let (first, rest) = all.split_first()?;
    rest.iter().all(|one| one == first).then_some(*first)
}

fn lower_block(code: &mut Code, work: &Work, block: &Block, modes: &mut Modes) {
    code.place(block.place);
    let half = code.state[0];
    code.push(Semwait {
        stall_res: wait::BLOCK_SYNC | wait::BLOCK_MATH,
        sem_sel: semaphore::mask(semaphore::MATH_PACK),
        wait_sem_cond: wait::WHILE_MAX,
    });
    if block
        .steps()
        .iter()
        .any(|step| tile_math(code.arch, step.math).accumulates)
    {
        const HALF_OF_DST: u32 = 2;
        const ALL_OF_DST: u32 = 3;
        let zero = |clear_mode| Zeroacc {
            clear_mode,
            ..Zeroacc::default()
        };
        if block.takes_all() {
            code.push(zero(ALL_OF_DST));
        } else {
            let half = code.arith_by(Arith::Div, half, DST_HALF_ROWS.into());
            code.push_with(zero(HALF_OF_DST), "dst", half, 2);
        }
    }
    items(code, work, &block.items, modes);
    code.place(block.place);
    code.stall(wait::BLOCK_SYNC, &[Until::Math]);
    code.push(Sempost {
        sem_sel: semaphore::mask(semaphore::MATH_PACK),
    });
    let half = code.state[0];
    code.state = vec![work.next_half(code, half)];
}

fn items(code: &mut Code, work: &Work, of: &[Item], modes: &mut Modes) {
    for item in of {
        match item {
            Item::Step(step) => {
                code.place(step.place);
                if step.math == Math::Unpack {
                    let_unpack(code);
                    continue;
                }
                modes.install(code, step.math);
                lower_step(code, work, step, modes);
            }
            Item::Hold(_) => {}
            Item::Loop(inner) => {
                let steps = steps_of(&inner.body);
                modes.prepare(code, &steps);
                code.looped(inner, |code, body| items(code, work, body, modes));
                modes.prepare(code, &steps);
            }
        }
    }
}

/// Opens the half of Dst to unpacker 0, and goes on when that has brought its tiles.
fn let_unpack(code: &Code) {
    code.stall(wait::BLOCK_SYNC, &[Until::Math]);
    code.push(Sempost {
        sem_sel: semaphore::mask(semaphore::DST_OPEN),
    });
    code.push(Semwait {
        stall_res: wait::BLOCK_SYNC | wait::BLOCK_MATH,
        sem_sel: semaphore::mask(semaphore::DST_FILLED),
        wait_sem_cond: wait::WHILE_ZERO,
    });
    code.push(Semget {
        sem_sel: semaphore::mask(semaphore::DST_FILLED),
    });
}

fn lower_step(code: &mut Code, work: &Work, step: &Step, modes: &mut Modes) {
    let math = tile_math(code.arch, step.math);
    let phases = if math.multiplies { work.phases } else { 1 };
    for visit in visits(step) {
        modes.go_to(code, step.dst + visit.tile);
        if let Math::Transpose(elements) = step.math {
            transpose(code, elements);
        }
        code.times(phases, |code| {
            for &instruction in &math.body {
                code.push(instruction);
            }
        });
        const ALL_COUNTERS: u32 = 0b1111;
        code.push(Setrwc {
            clear_ab_vld: visit.release,
            bit_mask: ALL_COUNTERS,
            ..Setrwc::default()
        });
    }
}
