//! The code of T1: the matrix unit's products and sums, tile by tile, into alternating halves of
//! Dst or into all of it.
//!
//! The semaphore [`semaphore::MATH_PACK`] counts the halves that wait for the packers. Address
//! modes are configured once per stage or loop with a single kind of operation, and otherwise
//! before each change of operation.
//!
//! If any step of a block accumulates, the block clears its part of Dst first: the instructions of
//! a first step are those of later steps.

use tessera_isa_tensix::table::{Semget, Sempost, Semwait, Setrwc, Zeroacc};
use tessera_isa_tensix::{cfg, Arch};
use tessera_tensix_code::TilePart;

use super::code_builder::CodeBuilder;
use super::expr::Arith;
use super::plan::{
    collect_blocks, collect_steps, has_wide_products, Block, BlockItem, Element, Math, Node, Step,
};
use super::resources::{format, semaphore, wait, StallCondition, DST_HALF_ROWS, TILE_ROWS};
use super::tile_math::tile_math;
use super::transpose::transpose;
use super::visits::visits;
use super::walk::{wait_for_stage, Stage, WalkEvent, Work};

/// Builds the code of T1.
pub fn lower(code: &mut CodeBuilder, work: &Work) {
    let mut modes = MathConfig::new(work.part());
    if let Some(only) = work.only_stage() {
        modes = enter_stage(code, only, work.part());
    }
    // State: the first row of the current half of Dst, then the starts of stages.
    code.state = vec![code.constant(0); STARTS + work.start_counts()];
    work.for_each_event(code, |code, event| match event {
        WalkEvent::Block(block) => {
            let mut modes = modes;
            lower_block(code, work, block, &mut modes);
        }
        WalkEvent::SlotEvent(_) => {}
        WalkEvent::StageStart(number) => {
            wait_for_stage(code, STARTS);
            modes = enter_stage(code, &work.stages[number], work.part());
        }
    });
}

/// Index in the state of the number of starts of stages.
const STARTS: usize = 1;

/// Configures the formats of a stage, and its operation if it has only one. Returns what blocks can
/// rely on.
fn enter_stage(code: &mut CodeBuilder, stage: &Stage, part: TilePart) -> MathConfig {
    let factors = match has_wide_products(&stage.blocks()) {
        true => Element::F32,
        false => Element::Bf16,
    };
    configure_formats(code, factors, stage.element());
    let mut modes = MathConfig::new(part);
    if let Some(math) = common_value(&operations(stage.nodes())) {
        modes.install(code, math);
    }
    modes
}

/// The current configuration, tracked to avoid redundant writes: the operation whose address modes
/// are set, and the tile of the half that Dst rows are relative to.
#[derive(Clone, Copy)]
struct MathConfig {
    /// The part of each tile that is computed.
    part: TilePart,
    math: Option<Math>,
    tile: Option<u32>,
}

impl MathConfig {
    fn new(part: TilePart) -> Self {
        MathConfig {
            part,
            math: None,
            tile: None,
        }
    }

    fn install(&mut self, code: &CodeBuilder, math: Math) {
        if self.math != Some(math) {
            for (entry, mode) in tile_math(code.arch, math, self.part).modes {
                mode.write(code, entry);
            }
            self.math = Some(math);
        }
    }

    fn set_dst_tile(&mut self, code: &CodeBuilder, tile: u32) {
        if self.tile != Some(tile) {
            let first = code.arith_const(Arith::Add, code.state[0], (TILE_ROWS * tile).into());
            code.configure_thread_with(cfg::DEST_TARGET_REG_CFG_MATH_Offset, first);
            self.tile = Some(tile);
        }
    }

    /// Prepares for a loop over `steps`: hoists the configuration that all of them share, and
    /// invalidates what any of them changes.
    fn prepare(&mut self, code: &CodeBuilder, steps: &[&Step]) {
        let maths = steps.iter().map(|step| step.math);
        let maths: Vec<_> = maths.filter(|math| *math != Math::Unpack).collect();
        match common_value(&maths) {
            Some(math) => self.install(code, math),
            None => self.math = None,
        }
        let tiles: Vec<_> = steps
            .iter()
            .flat_map(|step| visits(step).into_iter().map(|visit| step.dst + visit.tile))
            .collect();
        match common_value(&tiles) {
            Some(tile) => self.set_dst_tile(code, tile),
            None => self.tile = None,
        }
    }
}

/// Configures the formats: SrcA and SrcB hold `factors`; Dst holds 32-bit elements. The matrix
/// unit, the vector unit and the packers each have a setting for the width of Dst, and all three
/// must agree. Packers convert to `element` unless a store changes that
/// (`Packers/FormatConversion.md`).
fn configure_formats(code: &CodeBuilder, factors: Element, element: Element) {
    code.configure(
        cfg::ALU_FORMAT_SPEC_REG0_SrcA,
        code.field_bits(cfg::ALU_FORMAT_SPEC_REG0_SrcA, format::in_src(factors))
            | code.field_bits(cfg::ALU_FORMAT_SPEC_REG1_SrcB, format::in_src(factors))
            | code.field_bits(cfg::ALU_FORMAT_SPEC_REG2_Dstacc, format::stored(element))
            | code.field_bits(cfg::ALU_ACC_CTRL_Fp32_enabled, 1)
            | code.field_bits(cfg::ALU_ACC_CTRL_SFPU_Fp32_enabled, 1),
    );
    code.configure(
        cfg::PCK_DEST_RD_CTRL_Read_32b_data,
        code.field_bits(cfg::PCK_DEST_RD_CTRL_Read_32b_data, 1),
    );
    // Otherwise the format that the unpackers tag the data with takes precedence.
    if code.arch == Arch::Blackhole {
        for implied in [
            cfg::DISABLE_IMPLIED_SRCA_FMT_Base,
            cfg::DISABLE_IMPLIED_SRCB_FMT_Base,
        ] {
            code.configure_thread(implied, code.field_bits(implied, 1));
        }
    }
    code.settle_config();
}

/// Returns the operations of all steps in which the matrix unit takes part.
fn operations(nodes: &[Node]) -> Vec<Math> {
    let blocks = collect_blocks(nodes).into_iter();
    blocks
        .flat_map(|block| block.steps())
        .map(|step| step.math)
        .filter(|math| *math != Math::Unpack)
        .collect()
}

/// Returns the common value of a slice, if all elements are equal.
fn common_value<T: Copy + PartialEq>(all: &[T]) -> Option<T> {
    let (first, rest) = all.split_first()?;
    rest.iter().all(|one| one == first).then_some(*first)
}

fn lower_block(code: &mut CodeBuilder, work: &Work, block: &Block, modes: &mut MathConfig) {
    code.set_location(block.location);
    let half = code.state[0];
    code.push(Semwait {
        stall_res: wait::BLOCK_SYNC | wait::BLOCK_MATH,
        sem_sel: semaphore::mask(semaphore::MATH_PACK),
        wait_sem_cond: wait::WHILE_MAX,
    });
    if block
        .steps()
        .iter()
        .any(|step| tile_math(code.arch, step.math, work.part()).accumulates)
    {
        const HALF_OF_DST: u32 = 2;
        const ALL_OF_DST: u32 = 3;
        let zero = |clear_mode| Zeroacc {
            clear_mode,
            ..Zeroacc::default()
        };
        if block.uses_all_of_dst() {
            code.push(zero(ALL_OF_DST));
        } else {
            let half = code.arith_const(Arith::Div, half, DST_HALF_ROWS.into());
            code.push_computed(zero(HALF_OF_DST), "dst", half, 2);
        }
    }
    lower_items(code, work, &block.items, modes);
    code.set_location(block.location);
    code.stall(wait::BLOCK_SYNC, &[StallCondition::Math]);
    code.push(Sempost {
        sem_sel: semaphore::mask(semaphore::MATH_PACK),
    });
    let half = code.state[0];
    code.state[0] = work.next_half(code, half);
}

fn lower_items(code: &mut CodeBuilder, work: &Work, of: &[BlockItem], modes: &mut MathConfig) {
    for item in of {
        match item {
            BlockItem::Step(step) => {
                code.set_location(step.location);
                if step.math == Math::Unpack {
                    wait_for_unpack_to_dst(code);
                    continue;
                }
                modes.install(code, step.math);
                lower_step(code, work, step, modes);
            }
            BlockItem::SlotEvent(_) => {}
            BlockItem::Loop(inner) => {
                let steps = collect_steps(&inner.body);
                modes.prepare(code, &steps);
                code.emit_loop(inner, |code, body| lower_items(code, work, body, modes));
                modes.prepare(code, &steps);
            }
        }
    }
}

/// Hands the half of Dst to unpacker 0 and waits until it has written its tiles.
fn wait_for_unpack_to_dst(code: &CodeBuilder) {
    code.stall(wait::BLOCK_SYNC, &[StallCondition::Math]);
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

fn lower_step(code: &mut CodeBuilder, work: &Work, step: &Step, modes: &mut MathConfig) {
    let math = tile_math(code.arch, step.math, work.part());
    let phases = if math.multiplies { work.phases } else { 1 };
    for visit in visits(step) {
        modes.set_dst_tile(code, step.dst + visit.tile);
        if let Math::Transpose(elements) = step.math {
            transpose(code, elements);
        }
        code.repeat(phases, |code| {
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
