//! Vector programs: dataflow graphs that the vector unit evaluates for every 32 elements of tiles
//! in Dst.
//!
//! A program is a list of values, each computed from earlier ones, and the tiles of Dst where some
//! of them are stored. [`instructions`] compiles it for the eight LRegs. [`fits`] tells whether a
//! kernel can hold it; fusion queries it instead of estimating.
//!
//! Two evaluation orders are tried. The first evaluates a value at its first use and keeps it in
//! its LReg until its last use. If that needs too many LRegs, the second order evaluates operands
//! that need LRegs before those that are only loaded (Sethi and Ullman, "The generation of optimal
//! code for arithmetic expressions", 1970), and rematerializes tiles of Dst and constants for each
//! use.

use tessera_isa_tensix::table::Instruction;

use crate::builder::SfpuBuilder;
use crate::functions::FunctionImpl;
use crate::virtual_inst::Reg;

/// Rows of Dst in a tile of 32-bit elements.
pub const TILE_ROWS: u32 = 64;

/// Maximum length of a vector program. A program of this length takes the vector unit 16 thousand
/// cycles per tile, against 64 cycles to load one, so fusing further operations saves nothing. The
/// bound also leaves room in the 4096 words of the core's code for the copies that a reduction
/// makes.
pub const MAX_INSTRUCTIONS: usize = 512;

/// A program of the vector unit.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct VectorProgram {
    /// Values, each computed from earlier ones.
    pub nodes: Vec<VectorNode>,
    /// Values that are written to Dst, with the first tile of each.
    pub results: Vec<(usize, u32)>,
}

/// A value of a vector program.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum VectorNode {
    /// The content of Dst from this tile on.
    Dst(u32),
    /// The same 32 bits in every element.
    Constant(u32),
    /// The result of a function.
    Computed {
        /// The function.
        function: &'static FunctionImpl,
        /// Operands, as numbers of values.
        operands: Vec<usize>,
    },
}

impl VectorNode {
    /// Returns the operands, as numbers of values.
    pub fn operands(&self) -> &[usize] {
        match self {
            VectorNode::Dst(_) | VectorNode::Constant(_) => &[],
            VectorNode::Computed { operands, .. } => operands,
        }
    }

    fn is_computed(&self) -> bool {
        matches!(self, VectorNode::Computed { .. })
    }
}

/// Compiles a program to the instructions for 32 elements, or `None` if it needs too many LRegs.
/// The last access to Dst uses address mode `last_mode`.
pub fn instructions(vector: &VectorProgram, last_mode: u32) -> Option<Vec<Instruction>> {
    let compile = |order| Program::new(vector, order).compile(last_mode);
    compile(Order::AsWritten).or_else(|| compile(Order::FewestRegisters))
}

/// Returns whether a kernel can hold `copies` copies of a program.
pub fn fits(vector: &VectorProgram, copies: usize) -> bool {
    let most = MAX_INSTRUCTIONS.min(MAX_OF_ALL / copies.max(1));
    instructions(vector, 0).is_some_and(|instructions| instructions.len() <= most)
}

/// Maximum instructions of all vector programs of a kernel: the core's code memory minus the code
/// that loads, packs and waits.
const MAX_OF_ALL: usize = 3072;

/// Evaluation order of operands.
#[derive(Clone, Copy, PartialEq)]
enum Order {
    /// From left to right, each value once.
    AsWritten,
    /// Loaded operands come last and are loaded again for each use.
    FewestRegisters,
}

struct Program<'v> {
    vector: &'v VectorProgram,
    order: Order,
    code: SfpuBuilder,
    /// The register of each value.
    registers: Vec<Option<Reg>>,
}

impl<'v> Program<'v> {
    fn new(vector: &'v VectorProgram, order: Order) -> Self {
        Program {
            vector,
            order,
            code: SfpuBuilder::default(),
            registers: vec![None; vector.nodes.len()],
        }
    }

    fn compile(mut self, last_mode: u32) -> Option<Vec<Instruction>> {
        let results = self.vector.results.iter();
        let results: Vec<_> = results
            .map(|&(node, dst)| (self.evaluate(node), dst))
            .collect();
        // All loads are done before the first store, which may overwrite what was loaded.
        for (register, dst) in results {
            self.code.store(register, dst * TILE_ROWS);
        }
        self.code.instructions(last_mode)
    }

    /// Evaluates a value, unless it is in a register.
    fn evaluate(&mut self, node: usize) -> Reg {
        if let Some(register) = self.registers[node] {
            return register;
        }
        let vector = self.vector;
        let register = match &vector.nodes[node] {
            VectorNode::Dst(dst) => self.code.load(dst * TILE_ROWS),
            VectorNode::Constant(number) => self.code.constant(*number),
            VectorNode::Computed { function, operands } => {
                if self.order == Order::FewestRegisters {
                    let computed = operands
                        .iter()
                        .filter(|node| vector.nodes[**node].is_computed());
                    computed.for_each(|node| {
                        self.evaluate(*node);
                    });
                }
                let operands: Vec<Reg> = operands.iter().map(|node| self.evaluate(*node)).collect();
                function.emit(&mut self.code, &operands)
            }
        };
        if self.order == Order::AsWritten || vector.nodes[node].is_computed() {
            self.registers[node] = Some(register);
        }
        register
    }
}

#[cfg(test)]
mod tests;
