//! Runs vector programs on the model, 32 elements at a time.

use tessera_isa_tensix::cfg;
use tessera_isa_tensix::{Arch, Instruction, Opcode};
use tessera_tensix::arith::spec::bits;
use tessera_tensix::insn::vector::{self, VectorUnit};
use tessera_tensix::state::core_state::CoreState;
use tessera_tensix::state::row32::Row32;
use tessera_tensix_code::builder::SfpuBuilder;
use tessera_tensix_code::functions::FunctionImpl;

/// The thread that executes.
const THREAD: usize = 2;
/// Elements of a vector.
pub const LANES: usize = 32;
/// Rows of Dst from one operand to the next.
const ROWS: usize = 4;

/// A function, compiled, and a core to run it on.
pub struct Kernel {
    core: CoreState,
    instructions: Vec<Instruction>,
    arity: usize,
}

impl Kernel {
    /// The instructions of a row, on a chip, with its constants in LRegs.
    pub fn on(arch: Arch, row: &FunctionImpl) -> Self {
        let mut code = SfpuBuilder::default();
        let loads = 0..row.arity;
        let operands: Vec<_> = loads.map(|k| code.load((ROWS * k) as u32)).collect();
        let result = row.emit(&mut code, &operands);
        code.store(result, 0);
        let code = code.loop_code(0);
        let code = code.unwrap_or_else(|| panic!("{} needs more LRegs", row.name()));
        let mut core = core(arch);
        execute(&mut core, &code.setup);
        Kernel {
            core,
            instructions: code.body,
            arity: row.arity,
        }
    }

    /// The results of operands of the same length.
    pub fn run(&mut self, operands: &[&[u32]]) -> Vec<u32> {
        assert_eq!(operands.len(), self.arity);
        let count = operands[0].len();
        let mut results = Vec::with_capacity(count);
        for first in (0..count).step_by(LANES) {
            for (k, operand) in operands.iter().enumerate() {
                let lanes = std::array::from_fn(|lane| *operand.get(first + lane).unwrap_or(&0));
                self.put(ROWS * k, lanes);
            }
            self.execute();
            results.extend(self.get());
        }
        results.truncate(count);
        results
    }

    /// Lane `l` goes with row `l / 8` and column `2·(l mod 8)`.
    fn put(&mut self, first: usize, lanes: [u32; LANES]) {
        for row in 0..ROWS {
            let datums =
                std::array::from_fn(|column| bits::dst_from_fp32(lanes[8 * row + column / 2]));
            let dst = &mut self.core.regs.dst;
            dst.write_row32(Row32::new(first + row), datums);
        }
    }

    fn get(&self) -> [u32; LANES] {
        std::array::from_fn(|lane| {
            let row = self.core.regs.dst.row32(Row32::new(lane / 8));
            bits::fp32_from_dst(row.expect("it has been written")[2 * (lane % 8)])
        })
    }

    fn execute(&mut self) {
        execute(&mut self.core, &self.instructions);
    }
}

/// Executes a program. No instruction reads what the one before is still computing.
fn execute(core: &mut CoreState, instructions: &[Instruction]) {
    let mut late = 0;
    for instruction in instructions {
        core.access.clear();
        let done = vector::execute(instruction, THREAD, VectorUnit::of(core));
        done.unwrap_or_else(|fault| panic!("{instruction:?}: {fault}"));
        let [read, written] = core.regs.vector.accessed_lregs();
        assert_eq!(read & late, 0, "{instruction:?}");
        late = match instruction.opcode() {
            Opcode::Sfpmad | Opcode::Sfpadd | Opcode::Sfpmul | Opcode::Sfpshft2 => written,
            _ => 0,
        };
    }
}

/// A tile.
pub type Tile = [[u32; 32]; 32];

/// Where an element lies in Dst: faces follow one another.
fn place(first: usize, row: usize, column: usize) -> (Row32, usize) {
    let face = 2 * (row / 16) + column / 16;
    (Row32::new(first + 16 * face + row % 16), column % 16)
}

/// Runs a program on the tile of Dst that begins at a row, and returns the tile.
pub fn run_on_tile(arch: Arch, tile: &Tile, instructions: &[Instruction], first: usize) -> Tile {
    let mut core = core(arch);
    for (row, elements) in tile.iter().enumerate() {
        for (half, elements) in elements.chunks(16).enumerate() {
            let (at, _) = place(first, row, 16 * half);
            let datums = std::array::from_fn(|k| bits::dst_from_fp32(elements[k]));
            core.regs.dst.write_row32(at, datums);
        }
    }
    execute(&mut core, instructions);
    std::array::from_fn(|row| {
        std::array::from_fn(|column| {
            let (at, datum) = place(first, row, column);
            let datums = core.regs.dst.row32(at).expect("it has been written");
            bits::fp32_from_dst(datums[datum])
        })
    })
}

/// A core with a 32-bit Dst whose lane flags count.
fn core(arch: Arch) -> CoreState {
    let mut core = CoreState::new(arch);
    for field in [
        cfg::ALU_ACC_CTRL_Fp32_enabled,
        cfg::ALU_ACC_CTRL_SFPU_Fp32_enabled,
        cfg::PCK_DEST_RD_CTRL_Read_32b_data,
    ] {
        let written = core.config.set(THREAD, field, 1);
        written.expect("the field can be written");
    }
    let flags = Instruction::parse(arch, "sfpencc 3, 0, 10");
    let flags = flags.expect("it is an instruction");
    let unit = VectorUnit::of(&mut core);
    vector::execute(&flags, THREAD, unit).expect("it is modelled");
    core
}
