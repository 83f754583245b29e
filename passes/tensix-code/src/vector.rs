//! Vector programs: what the vector unit computes from tiles of Dst, for every 32 elements.
//!
//! A program is a list of values, each computed from earlier ones, and the places of Dst where some
//! of them are stored. [`instructions`] compiles it for the eight LRegs; [`fits`] tells whether a
//! kernel can hold it, so that whoever forms kernels asks here instead of guessing.
//!
//! Two evaluation orders are tried. The first computes a value where it is first needed and keeps
//! it in its LReg until its last reader. If that takes too many LRegs, the second one computes the
//! operands that need LRegs before those that are only loaded (Sethi and Ullman, "The generation of
//! optimal code for arithmetic expressions", 1970), and loads tiles of Dst and constants again for
//! each reader.

use tessera_isa_tensix::table::Instruction;

use crate::builder::SfpuBuilder;
use crate::functions::FunctionImpl;
use crate::virtual_inst::Reg;

/// Rows of Dst in a tile of 32-bit elements.
pub const TILE_ROWS: u32 = 64;

/// The most instructions of a vector program that shares a kernel with others. Such a program takes
/// the vector unit 16 thousand cycles a tile, against 64 cycles to load one, so that a longer
/// program saves nothing; and the 4096 words of the core that issues it have room for the copies
/// that a reduction makes.
pub const MAX_INSTRUCTIONS: usize = 512;

/// A program of the vector unit, run over every 32 elements of a block's values.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct VectorProgram {
    /// Values, each computed from earlier ones.
    pub nodes: Vec<VectorNode>,
    /// Values that are written to Dst, and the first tile of each there.
    pub results: Vec<(usize, u32)>,
}

/// A value of a vector program.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum VectorNode {
    /// What Dst holds from this tile on.
    Dst(u32),
    /// The same 32 bits everywhere.
    Constant(u32),
    /// What the vector unit computes.
    Computed {
        /// The function.
        function: &'static FunctionImpl,
        /// The values that it is computed from.
        operands: Vec<usize>,
    },
}

impl VectorNode {
    /// The values that it is computed from.
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

/// Returns the instructions for 32 elements, or nothing if they do not fit into the LRegs. The last
/// access to Dst uses address mode `last_mode`.
pub fn instructions(vector: &VectorProgram, last_mode: u32) -> Option<Vec<Instruction>> {
    let compile = |order| Program::new(vector, order).compile(last_mode);
    compile(Order::AsWritten).or_else(|| compile(Order::FewestRegisters))
}

/// Tells whether a kernel that shares its code with `copies - 1` programs of the same length can
/// hold the program.
pub fn fits(vector: &VectorProgram, copies: usize) -> bool {
    let most = MAX_INSTRUCTIONS.min(MAX_OF_ALL / copies.max(1));
    instructions(vector, 0).is_some_and(|instructions| instructions.len() <= most)
}

/// The most instructions of all vector programs of a kernel: what a core has room for, less what
/// loads, packs and waits.
const MAX_OF_ALL: usize = 3072;

/// The order in which operands are computed.
#[derive(Clone, Copy, PartialEq)]
enum Order {
    /// From left to right, each value once.
    AsWritten,
    /// Operands that are only loaded come last, and are loaded again for each reader.
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

    /// Computes a value, if it is not there.
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
