//! What T2 has the vector unit do with a block before it is packed: the vector program, over every 32 elements.
//!
//! A value is computed where it is first needed and stays in its LReg until its last reader; values of Dst are loaded at
//! their first use. The row counter goes over all tiles of the block's values at once, two rows of addresses at a time.

use tessera_dialects::mlir::Value;
use tessera_isa_tensix::cfg;
use tessera_isa_tensix::table::{
    Instruction, Setrwc, Sfpadd, Sfpencc, Sfpload, Sfploadi, Sfpmov, Sfpmul, Sfpnop, Sfpsetcc,
    Sfpstore, Stallwait,
};

use super::address_mode::AddressMode;
use super::code::Code;
use super::plan::{Block, Lanes, Vector};
use super::thread::{wait, TILE_ROWS};
use super::walk::Work;

/// LRegs that programs compute in.
const LREGS: usize = 8;
/// LRegs that hold constants: 0 and 1.
const ZERO: u32 = 9;
const ONE: u32 = 10;
/// SFPLOAD and SFPSTORE of 32-bit floats.
const FP32: u32 = 3;
/// Rows of addresses of 32 elements.
const ROWS: u32 = 2;

/// Prepares what programs rely on: two address modes, the second one on to the next elements; lane flags that count.
pub fn prologue(code: &Code, work: &Work) {
    if !work
        .blocks_of()
        .iter()
        .any(|block| !block.vector.results.is_empty())
    {
        return;
    }
    AddressMode::default().write(code, 0);
    let next = AddressMode {
        dst: ROWS as i32,
        ..AddressMode::default()
    };
    next.write(code, 1);
    code.push(Sfpencc {
        imm12_math: 3,
        lreg_dest: 0,
        instr_mod1: 10,
    });
}

/// The vector program of a block, over half of Dst from row `half` on.
pub fn lower<'a>(code: &mut Code<'_, 'a>, block: &Block, half: Value<'a>) {
    if block.vector.results.is_empty() {
        return;
    }
    code.configure_thread_with(cfg::DEST_TARGET_REG_CFG_MATH_Offset, half);
    let body = program(&block.vector).expect("programs that do not fit are refused before");
    let turns = block.tiles() * TILE_ROWS / ROWS;
    code.times(turns, |code| {
        for &instruction in &body {
            code.push(instruction);
        }
    });
    const DST: u32 = 1 << 2;
    code.push(Setrwc {
        bit_mask: DST,
        ..Setrwc::default()
    });
    code.push(Stallwait {
        stall_res: wait::BLOCK_PACK,
        wait_res: wait::SFPU,
    });
}

/// Instructions for 32 elements; nothing if they do not fit into the LRegs.
pub fn program(vector: &Vector) -> Option<Vec<Instruction>> {
    let mut assembler = Assembler {
        vector,
        uses: uses(vector),
        place: vec![None; vector.nodes.len()],
        free: (0..LREGS as u32).rev().collect(),
        out: Vec::new(),
        late: None,
    };
    for &(node, _) in &vector.results {
        assembler.evaluate(node)?;
    }
    // All loads are done before the first store, which may overwrite what was loaded.
    for (number, &(node, dst)) in vector.results.iter().enumerate() {
        let register = assembler.place[node]?;
        assembler.emit(
            Sfpstore {
                lreg_ind: register,
                instr_mod0: FP32,
                sfpu_addr_mode: u32::from(number + 1 == vector.results.len()),
                dest_reg_addr: dst * TILE_ROWS,
            },
            &[register],
            None,
        );
    }
    Some(assembler.out)
}

/// How many values, and results, read each value that a result depends on.
fn uses(vector: &Vector) -> Vec<usize> {
    let mut uses = vec![0; vector.nodes.len()];
    for (node, _) in &vector.results {
        uses[*node] += 1;
    }
    for node in (0..vector.nodes.len()).rev() {
        if uses[node] > 0 {
            for operand in vector.nodes[node].operands() {
                uses[operand] += 1;
            }
        }
    }
    uses
}

struct Assembler<'v> {
    vector: &'v Vector,
    /// Readers of each value that are still to come.
    uses: Vec<usize>,
    /// The LReg of each value.
    place: Vec<Option<u32>>,
    free: Vec<u32>,
    out: Vec<Instruction>,
    /// The LReg that the instruction before writes too late for the next one.
    late: Option<u32>,
}

impl Assembler<'_> {
    /// Appends an instruction, after a NOP if it reads what is not there yet.
    fn emit(&mut self, instruction: impl Into<Instruction>, reads: &[u32], late: Option<u32>) {
        if self.late.is_some_and(|late| reads.contains(&late)) {
            self.out.push(Sfpnop {}.into());
        }
        self.out.push(instruction.into());
        self.late = late;
    }

    /// Computes a value, if it is not there; nothing if there is no LReg for it.
    fn evaluate(&mut self, node: usize) -> Option<u32> {
        if let Some(register) = self.place[node] {
            return Some(register);
        }
        let lanes = self.vector.nodes[node];
        let operands = lanes
            .operands()
            .into_iter()
            .map(|operand| self.evaluate(operand))
            .collect::<Option<Vec<_>>>()?;
        let register = match lanes {
            Lanes::Dst(dst) => self.load(dst)?,
            Lanes::Neg(_) => self.negate(operands[0])?,
            Lanes::Relu(_) => self.relu(operands[0])?,
            Lanes::Add(..) => self.sum(operands[0], operands[1])?,
            Lanes::Sub(..) => {
                let negative = self.negate(operands[1])?;
                let difference = self.sum(operands[0], negative)?;
                self.free.push(negative);
                difference
            }
            Lanes::Mul(..) => self.product(operands[0], operands[1])?,
        };
        for operand in lanes.operands() {
            self.release(operand);
        }
        self.place[node] = Some(register);
        Some(register)
    }

    /// Notes that a value was read.
    fn release(&mut self, node: usize) {
        self.uses[node] -= 1;
        if self.uses[node] == 0 {
            self.free.extend(self.place[node].take());
        }
    }

    fn load(&mut self, dst: u32) -> Option<u32> {
        let register = self.free.pop()?;
        let load = Sfpload {
            lreg_ind: register,
            instr_mod0: FP32,
            sfpu_addr_mode: 0,
            dest_reg_addr: dst * TILE_ROWS,
        };
        self.emit(load, &[], None);
        Some(register)
    }

    fn moved(&mut self, from: u32, instr_mod1: u32) -> Option<u32> {
        let register = self.free.pop()?;
        let mov = Sfpmov {
            lreg_c: from,
            lreg_dest: register,
            instr_mod1,
        };
        self.emit(mov, &[from], None);
        Some(register)
    }

    fn negate(&mut self, from: u32) -> Option<u32> {
        const FLIP_SIGN: u32 = 1;
        self.moved(from, FLIP_SIGN)
    }

    /// A copy, with zero in the lanes that are negative.
    fn relu(&mut self, from: u32) -> Option<u32> {
        const COPY: u32 = 0;
        let register = self.moved(from, COPY)?;
        const IF_NEGATIVE: u32 = 0;
        let condition = Sfpsetcc {
            imm12_math: 0,
            lreg_c: register,
            lreg_dest: 0,
            instr_mod1: IF_NEGATIVE,
        };
        self.emit(condition, &[register], None);
        let zero = Sfploadi {
            lreg_ind: register,
            instr_mod0: 0,
            imm16: 0,
        };
        self.emit(zero, &[], None);
        // Flags of all lanes again.
        let all = Sfpencc {
            imm12_math: 0,
            lreg_dest: 0,
            instr_mod1: 0,
        };
        self.emit(all, &[], None);
        Some(register)
    }

    /// 1 · a + b.
    fn sum(&mut self, a: u32, b: u32) -> Option<u32> {
        let register = self.free.pop()?;
        let add = Sfpadd {
            lreg_src_a: ONE,
            lreg_src_b: a,
            lreg_src_c: b,
            lreg_dest: register,
            instr_mod1: 0,
        };
        self.emit(add, &[a, b], Some(register));
        Some(register)
    }

    /// a · b + 0.
    fn product(&mut self, a: u32, b: u32) -> Option<u32> {
        let register = self.free.pop()?;
        let mul = Sfpmul {
            lreg_src_a: a,
            lreg_src_b: b,
            lreg_src_c: ZERO,
            lreg_dest: register,
            instr_mod1: 0,
        };
        self.emit(mul, &[a, b], Some(register));
        Some(register)
    }
}
