//! The math list (T1).
//!
//! The operation that most steps do is recorded once in the replay buffer and driven by one MOP per step
//! (template 1: as many replays as fidelity phases, then SETRWC hands the banks back); an operation that differs,
//! the bias of a linear layer, is written out. Output tiles alternate between the halves of Dst; the semaphore
//! [`semaphore::MATH_PACK`] counts the halves that wait for the packers.

use tessera_isa_tensix::cfg;
use tessera_isa_tensix::list::Entry;
use tessera_isa_tensix::table::{
    Instruction, Mop, Nop, Replay, Seminit, Sempost, Semwait, Setrwc, Sfpload, Sfpmov, Sfpstore,
    Stallwait, Zeroacc,
};

use super::address_mode::{AddressMode, AddressModes};
use super::plan::{MathOp, OutTile, Plan};
use super::thread::{format, semaphore, wait, Thread, DST_HALF_ROWS};
use super::tile_math::{tile_math, TileMath};

/// Where the replay buffer holds the recorded operation; the slots below are the vector unit's.
const REPLAY_START: u32 = 16;

/// Makes the list.
pub fn lower(plan: &Plan) -> Vec<Entry> {
    let mut lowering = Lowering {
        t: Thread::default(),
        modes: AddressModes::default(),
        recorded: most_frequent(plan),
        phases: plan.phases,
    };
    lowering.prologue(plan);
    for (number, tile) in plan.tiles.iter().enumerate() {
        lowering.tile(number, tile);
    }
    lowering.t.entries
}

/// The operation of most steps; the first of them if several are as frequent.
fn most_frequent(plan: &Plan) -> Option<MathOp> {
    let mut counts: Vec<(MathOp, usize)> = Vec::new();
    for step in plan.steps() {
        match counts.iter_mut().find(|(op, _)| *op == step.math) {
            Some((_, count)) => *count += 1,
            None => counts.push((step.math, 1)),
        }
    }
    counts
        .iter()
        .rev()
        .max_by_key(|(_, count)| *count)
        .map(|(op, _)| *op)
}

struct Lowering {
    t: Thread,
    modes: AddressModes,
    recorded: Option<MathOp>,
    phases: u32,
}

impl Lowering {
    fn prologue(&mut self, plan: &Plan) {
        let copies = plan.steps().any(|step| step.math == MathOp::Copy);
        self.formats(copies);
        self.t.push(Seminit {
            max_value: 2,
            init_value: 0,
            sem_sel: semaphore::mask(semaphore::MATH_PACK),
        });
        if let Some(op) = self.recorded {
            let math = tile_math(op);
            self.record(REPLAY_START, &math.body);
            self.program_mop(&math);
        }
        if plan.tiles.iter().any(|tile| tile.negate) {
            self.record(0, &NEGATE);
        }
    }

    /// Dst holds fp32, for all who access it (rulings 1.5). MOVA2D widens to fp32 only what it takes for tf32, and
    /// bf16 lies in SrcA as a tf32 whose low bits are zero.
    fn formats(&mut self, copies: bool) {
        let srca = if copies { format::TF32 } else { format::BF16 };
        self.t.configure(
            cfg::ALU_FORMAT_SPEC_REG0_SrcA,
            cfg::ALU_FORMAT_SPEC_REG0_SrcA.put(srca)
                | cfg::ALU_FORMAT_SPEC_REG1_SrcB.put(format::BF16)
                | cfg::ALU_FORMAT_SPEC_REG2_Dstacc.put(format::BF16)
                | cfg::ALU_ACC_CTRL_Fp32_enabled.put(1)
                | cfg::ALU_ACC_CTRL_SFPU_Fp32_enabled.put(1),
        );
        self.t.configure(
            cfg::PCK_DEST_RD_CTRL_Read_32b_data,
            cfg::PCK_DEST_RD_CTRL_Read_32b_data.put(1),
        );
        self.t.settle();
    }

    fn record(&mut self, start_idx: u32, body: &[Instruction]) {
        self.t.push(Replay {
            start_idx,
            len: body.len() as u32,
            execute_while_loading: 0,
            load_mode: 1,
        });
        for &instruction in body {
            self.t.push(instruction);
        }
    }

    /// MOP template 1: one outer iteration of as many inner ones as there are phases.
    fn program_mop(&mut self, math: &TileMath) {
        let encode = |instruction: Instruction| match Entry::from(instruction) {
            Entry::Push(word) => word,
            _ => unreachable!("an instruction becomes a push"),
        };
        let nop = encode(Nop {}.into());
        let replay = encode(replay(REPLAY_START, math.body.len()));
        let release = encode(release(math.banks));
        let inner = if math.multiplies { self.phases } else { 1 };
        for (index, value) in [1, inner, nop, release, nop, replay, nop, replay, replay]
            .into_iter()
            .enumerate()
        {
            self.t.entry(Entry::MopCfg {
                index: index as u8,
                value,
            });
        }
    }

    fn tile(&mut self, number: usize, tile: &OutTile) {
        self.begin(number, tile);
        for step in &tile.steps {
            self.step(step.math);
        }
        if tile.negate {
            self.negate();
        }
        self.t.push(Stallwait {
            stall_res: wait::BLOCK_SYNC,
            wait_res: wait::MATH | wait::SFPU,
        });
        self.t.push(Sempost {
            sem_sel: semaphore::mask(semaphore::MATH_PACK),
        });
    }

    /// Waits for a free half of Dst and makes it current.
    fn begin(&mut self, number: usize, tile: &OutTile) {
        let half = number as u32 % 2;
        if number >= 2 {
            self.t.push(Semwait {
                stall_res: wait::BLOCK_SYNC | wait::BLOCK_MATH | wait::BLOCK_SFPU,
                sem_sel: semaphore::mask(semaphore::MATH_PACK),
                wait_sem_cond: wait::WHILE_MAX,
            });
        }
        self.t
            .configure_thread(cfg::DEST_TARGET_REG_CFG_MATH_Offset, half * DST_HALF_ROWS);
        if tile_math(tile.steps[0].math).accumulates {
            const HALF_OF_DST: u32 = 2;
            self.t.push(Zeroacc {
                clear_mode: HALF_OF_DST,
                addr_mode: 0,
                dst: half,
            });
        }
    }

    fn step(&mut self, op: MathOp) {
        let math = tile_math(op);
        self.modes.install(&mut self.t, &math.modes);
        if self.recorded == Some(op) {
            self.t.push(Mop {
                mop_type: 1,
                ..Mop::default()
            });
            return;
        }
        for _ in 0..if math.multiplies { self.phases } else { 1 } {
            for &instruction in &math.body {
                self.t.push(instruction);
            }
        }
        self.t.push(release(math.banks));
    }

    /// Flips the signs of the tile: 32 vectors of 32 values.
    fn negate(&mut self) {
        self.modes.install(
            &mut self.t,
            &[
                AddressMode::default(),
                AddressMode {
                    dst: 2,
                    ..AddressMode::default()
                },
            ],
        );
        self.t.push(Stallwait {
            stall_res: wait::BLOCK_SFPU,
            wait_res: wait::MATH,
        });
        for _ in 0..32 {
            self.t.push(replay(0, NEGATE.len()));
        }
        const DST: u32 = 1 << 2;
        self.t.push(Setrwc {
            bit_mask: DST,
            ..Setrwc::default()
        });
    }
}

/// Load, flip the sign bit, store, two rows of addresses further (address mode 1).
const NEGATE: [Instruction; 3] = {
    const FP32: u32 = 3;
    const FLIP_SIGN: u32 = 1;
    [
        Instruction::Sfpload(Sfpload {
            lreg_ind: 0,
            instr_mod0: FP32,
            sfpu_addr_mode: 0,
            dest_reg_addr: 0,
        }),
        Instruction::Sfpmov(Sfpmov {
            lreg_c: 0,
            lreg_dest: 0,
            instr_mod1: FLIP_SIGN,
        }),
        Instruction::Sfpstore(Sfpstore {
            lreg_ind: 0,
            instr_mod0: FP32,
            sfpu_addr_mode: 1,
            dest_reg_addr: 0,
        }),
    ]
};

fn replay(start_idx: u32, len: usize) -> Instruction {
    Replay {
        start_idx,
        len: len as u32,
        execute_while_loading: 0,
        load_mode: 0,
    }
    .into()
}

/// Hands the Src banks back to the unpackers and starts all counters anew.
fn release(banks: u32) -> Instruction {
    const ALL_COUNTERS: u32 = 0b1111;
    Setrwc {
        clear_ab_vld: banks,
        bit_mask: ALL_COUNTERS,
        ..Setrwc::default()
    }
    .into()
}
