//! Vector programs: dataflow graphs that the vector unit evaluates for every 32 elements of tiles
//! in Dst.
//!
//! A program is a list of values, each computed from earlier ones, and the tiles of Dst where some
//! of them are stored. [`compile`] compiles it for the eight LRegs. [`fits`] tells whether a
//! kernel can hold it; fusion queries it instead of estimating.
//!
//! Two evaluation orders are tried. The first evaluates a value at its first use and keeps it in
//! its LReg until its last use. If that needs too many LRegs, the second order evaluates operands
//! that need LRegs before those that are only loaded (Sethi and Ullman, "The generation of optimal
//! code for arithmetic expressions", 1970), and rematerializes tiles of Dst and constants for each
//! use.

use tessera_isa_tensix::table::Instruction;

use crate::builder::SfpuBuilder;
use crate::emit::LoopCode;
use crate::functions::FunctionImpl;
use crate::spill::Spill;
use crate::virtual_inst::Reg;

/// Rows of Dst in a tile of 32-bit elements.
pub const TILE_ROWS: u32 = 64;

/// Rows of Dst in a vector of 32 elements, as addresses count them.
pub const VECTOR_ROWS: u32 = 2;

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

    pub(crate) fn is_computed(&self) -> bool {
        matches!(self, VectorNode::Computed { .. })
    }
}

/// The code of a vector program: a loop over vectors of 32 elements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VectorCode {
    /// Instructions before the loop, and those of an iteration.
    pub code: LoopCode,
    /// Vectors of an iteration: 1 or 2.
    pub vectors: u32,
}

impl VectorCode {
    /// Returns the number of instructions of the loop for a vector.
    pub fn length_per_vector(&self) -> f64 {
        self.code.body.len() as f64 / f64::from(self.vectors)
    }

    /// Returns whether the code of two vectors is not too long.
    fn is_short_enough(&self) -> bool {
        self.code.setup.len() + self.code.body.len() <= MAX_PAIR
    }
}

/// Compiles a program, or returns `None` if it needs too many LRegs. The last access to Dst of an
/// iteration uses one of two address modes, which advance by one or by two vectors.
///
/// An iteration computes two vectors if that takes fewer instructions, because those of one fill
/// the delay slots of the other. For that, operands are loaded again for each use, and an
/// intermediate value is spilled to Dst.
pub fn compile(vector: &VectorProgram, last_modes: [u32; 2]) -> Option<VectorCode> {
    let orders = [Order::AsWritten, Order::FewestRegisters];
    orders.into_iter().find_map(|order| {
        let early = Program::new(vector, order).code();
        let spilled =
            Spill::find(vector, order).map(|spill| Program::spilling(vector, spill).code());
        let late = RELOAD_DISTANCES.into_iter().flat_map(|distance| {
            let codes = [Some(early.clone()), spilled.clone()];
            let late = move |code: SfpuBuilder| code.with_late_loads(distance);
            codes.into_iter().flatten().map(late)
        });
        let late: Vec<SfpuBuilder> = late.collect();
        let forms = [early].into_iter().chain(late).flat_map(|code| {
            let pair = code.clone().paired(VECTOR_ROWS).loop_code(last_modes[1]);
            let pair = pair.map(|code| VectorCode { code, vectors: 2 });
            let single = code.loop_code(last_modes[0]);
            let single = single.map(|code| VectorCode { code, vectors: 1 });
            [single, pair.filter(VectorCode::is_short_enough)]
        });
        forms
            .flatten()
            .min_by(|a, b| a.length_per_vector().total_cmp(&b.length_per_vector()))
    })
}

/// Compiles a program to the instructions for 32 elements, or `None` if it needs too many LRegs.
fn instructions(vector: &VectorProgram) -> Option<Vec<Instruction>> {
    instructions_in_order(vector, |code| code.instructions(0))
}

/// Compiles a program in the first evaluation order for which that is possible.
fn instructions_in_order<T>(
    vector: &VectorProgram,
    compile: impl Fn(SfpuBuilder) -> Option<T>,
) -> Option<T> {
    let orders = [Order::AsWritten, Order::FewestRegisters];
    let mut codes = orders
        .into_iter()
        .map(|order| Program::new(vector, order).code());
    codes.find_map(compile)
}

/// Returns whether a kernel can hold `copies` copies of a program.
pub fn fits(vector: &VectorProgram, copies: usize) -> bool {
    let most = MAX_INSTRUCTIONS.min(MAX_OF_ALL / copies.max(1));
    instructions(vector).is_some_and(|instructions| instructions.len() <= most)
}

/// Maximum instructions of all vector programs of a kernel: the core's code memory minus the code
/// that loads, packs and waits.
const MAX_OF_ALL: usize = 3072;

/// Maximum instructions for two vectors. A reduction makes up to nine copies of a program.
const MAX_PAIR: usize = MAX_OF_ALL / 9;

/// Distances of two uses of an operand up to which it stays in its LReg, in items.
const RELOAD_DISTANCES: [usize; 2] = [6, 1];

/// Evaluation order of operands.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Order {
    /// From left to right, each value once.
    AsWritten,
    /// Loaded operands come last and are loaded again for each use.
    FewestRegisters,
}

pub(crate) struct Program<'v> {
    vector: &'v VectorProgram,
    order: Order,
    pub(crate) code: SfpuBuilder,
    /// The register of each value.
    pub(crate) registers: Vec<Option<Reg>>,
    spill: Option<Spill>,
}

impl<'v> Program<'v> {
    pub(crate) fn new(vector: &'v VectorProgram, order: Order) -> Self {
        Program {
            vector,
            order,
            code: SfpuBuilder::default(),
            registers: vec![None; vector.nodes.len()],
            spill: None,
        }
    }

    /// Creates a program that keeps a value in Dst.
    fn spilling(vector: &'v VectorProgram, spill: Spill) -> Self {
        Program {
            spill: Some(spill),
            ..Program::new(vector, Order::AsWritten)
        }
    }

    fn code(mut self) -> SfpuBuilder {
        self.append_code();
        self.code
    }

    /// Appends the code of all values and stores the results.
    pub(crate) fn append_code(&mut self) {
        let results = self.vector.results.iter();
        let results: Vec<_> = results
            .map(|&(node, dst)| (self.evaluate(node), dst))
            .collect();
        // All loads are done before the first store, which may overwrite what was loaded.
        for (register, dst) in results {
            self.code.store(register, dst * TILE_ROWS);
        }
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
                let register = function.emit(&mut self.code, &operands);
                match self.spill {
                    Some(spill) if spill.node == node => {
                        self.code.store(register, spill.row);
                        self.code.load(spill.row)
                    }
                    _ => register,
                }
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
