//! The text of three matrix products C = A·B that issue a matrix operation in every step after the
//! prologue.
//!
//! | loop | precision | A | B | C |
//! |---|---|---|---|---|
//! | [`Kernel::Resident`] | half | block float in LM1 | block float in LM0 | GRF0 |
//! | [`Kernel::StreamedHalf`] | half | plain in the L1BM, converted on the way | block float in LM0 | GRF0 |
//! | [`Kernel::StreamedPseudo`] | pseudo-single | plain in the L1BM, through a ring in GRF1 | block float in LM0 | GRF0 |
//!
//! A is a sequence of square tiles: the row tiles of one block of K, then those of the next. Each
//! tile is loaded into one matrix register while the other one is multiplied by columns of B, four
//! in each step (double buffering). Meanwhile, the last loop also loads LM1 from the upper half of
//! the L1BM with the B of a following product.
//!
//! Addresses wrap at the end of each memory, so loops may be longer than the memories. Results then
//! are those of matrices that repeat. This file needs no crate, so that tests of the assembler and
//! of the machine, and benches, can include it.

// Each including test uses only a part.
#![allow(dead_code)]

/// The kind of loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kernel {
    Resident,
    StreamedHalf,
    StreamedPseudo,
}

/// A product: each MAB multiplies `row_tiles` row tiles of A by its own columns of B.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Loop {
    pub kernel: Kernel,
    /// Row tiles per MAB.
    pub row_tiles: usize,
    /// Blocks of K.
    pub k_blocks: usize,
}

/// Sizes in single words of LM0 and LM1, and in long words of the part of L1BM that holds A.
const LM_WORDS: usize = 4096;
const L1BM_OF_A: usize = 8192;
/// The position of the next B in the L1BM, and the number of steps that load it.
const NEXT_B: usize = 4096;
const NEXT_B_LOADS: usize = 16;

impl Kernel {
    /// Rows and columns of a tile: the block size.
    pub fn tile(self) -> usize {
        match self {
            Kernel::Resident | Kernel::StreamedHalf => 16,
            Kernel::StreamedPseudo => 8,
        }
    }

    /// Columns of B in each MAB.
    pub fn columns(self) -> usize {
        match self {
            Kernel::Resident => 32,
            Kernel::StreamedHalf | Kernel::StreamedPseudo => 8,
        }
    }

    /// Steps in which a tile is used.
    pub fn steps(self) -> usize {
        self.columns() / 4
    }

    /// The maximum number of row tiles whose sums fit into GRF0.
    pub fn most_row_tiles(self) -> usize {
        match self {
            Kernel::Resident => 4,
            Kernel::StreamedHalf => 16,
            Kernel::StreamedPseudo => 32,
        }
    }

    /// Steps before the first matrix operation: the prologue.
    pub fn prologue(self) -> usize {
        match self {
            Kernel::Resident => 2,
            Kernel::StreamedHalf => 4,
            Kernel::StreamedPseudo => 5,
        }
    }

    /// Long words of A in the L1BM, and of one tile.
    pub fn streamed(self) -> (usize, usize) {
        match self {
            Kernel::Resident => (0, 0),
            Kernel::StreamedHalf => (L1BM_OF_A, 64),
            Kernel::StreamedPseudo => (NEXT_B, 32),
        }
    }
}

/// The expressions that load a tile or multiply by it, with the step of each.
type Expressions = Vec<(usize, String)>;

impl Loop {
    /// Tiles of A per MAB.
    pub fn tiles(&self) -> usize {
        self.row_tiles * self.k_blocks
    }

    /// Steps of the whole product.
    pub fn steps(&self) -> usize {
        self.kernel.prologue() + self.tiles() * self.kernel.steps()
    }

    /// Multiplications and additions of the whole product in one MAB.
    pub fn operations(&self) -> usize {
        let tile = self.kernel.tile();
        self.tiles() * tile * tile * self.kernel.columns()
    }

    /// The maximum number of blocks of K whose A and B fit into the memories.
    pub fn most_k_blocks(&self) -> usize {
        let of_b = LM_WORDS / (2 * self.kernel.columns());
        let of_a = match self.kernel {
            Kernel::Resident => LM_WORDS / 32 / self.row_tiles,
            _ => self.kernel.streamed().0 / self.kernel.streamed().1 / self.row_tiles,
        };
        of_a.min(of_b)
    }

    /// Returns the software-pipelined loop: a line is a step, and the units work on different
    /// tiles.
    pub fn pipelined(&self) -> String {
        let mut lines = vec![Vec::new(); self.steps()];
        for tile in 0..self.tiles() {
            let (loads, products) = (self.loads(tile), self.products(tile));
            for (line, expression) in products.into_iter().chain(loads) {
                lines[line].push(expression);
            }
        }
        let line = |expressions: &Vec<String>| match expressions[..] {
            [] => "nop\n".to_owned(),
            _ => expressions.join("; ") + "\n",
        };
        lines.iter().map(line).collect()
    }

    /// Returns the sequential form: the same expressions one by one, far enough apart that none
    /// depends on a result in flight.
    pub fn sequential(&self) -> String {
        let tiles = 0..self.tiles();
        let expressions = tiles.flat_map(|tile| [self.loads(tile), self.products(tile)].concat());
        expressions
            .map(|(_, expression)| expression + "\nnop/3\n")
            .collect()
    }

    /// Returns the first step that multiplies by a tile.
    fn first_step(&self, tile: usize) -> usize {
        self.kernel.prologue() + tile * self.kernel.steps()
    }

    fn side(tile: usize) -> char {
        ['x', 'y'][tile % 2]
    }

    /// Returns the multiplications by a tile.
    fn products(&self, tile: usize) -> Expressions {
        let (k_block, row) = (tile / self.row_tiles, tile % self.row_tiles);
        let (letter, wide, words) = match self.kernel {
            Kernel::StreamedPseudo => ('g', "", 2),
            _ => ('h', "l", 4),
        };
        let (side, columns) = (Self::side(tile), self.kernel.columns());
        let product = |step: usize| {
            let vector = 2 * (k_block * columns + 4 * step) % LM_WORDS;
            let sum = words * (row * columns + 4 * step);
            let sum = format!("${wide}lr{sum}v");
            let text = match k_block {
                0 => format!("{letter}mmul $l{side} $lm{vector}v {sum}"),
                _ => format!("{letter}mfma $l{side} $lm{vector}v {sum} {sum}"),
            };
            (self.first_step(tile) + step, text)
        };
        (0..self.kernel.steps()).map(product).collect()
    }

    /// Returns the expressions that load a tile into its matrix register, one half after the other.
    fn loads(&self, tile: usize) -> Expressions {
        let (first, side) = (self.first_step(tile), Self::side(tile));
        let (capacity, size) = self.kernel.streamed();
        let mut loads = Vec::new();
        let mut load = |step: usize, text: String| loads.push((step, text));
        match self.kernel {
            Kernel::Resident => {
                // As soon as the register is free; the first tile just in time.
                let start = if tile == 0 {
                    0
                } else {
                    first - self.kernel.steps()
                };
                for half in 0..2 {
                    let (from, row) = ((tile * 32 + half * 16) % LM_WORDS, 8 * half);
                    load(start + half, format!("hmwrite $lln{from}v $ll{side}{row}"));
                }
            }
            Kernel::StreamedHalf => {
                for half in 0..2 {
                    let (from, row) = ((tile * size + half * 32) % capacity, 8 * half);
                    load(first + half - 4, format!("l1bmm $llb{from} $nowrite"));
                    load(first + half - 3, "hbfn/9 $lbf $nowrite".into());
                    load(first + half - 2, format!("hmwrite $aluf $ll{side}{row}"));
                }
            }
            Kernel::StreamedPseudo => {
                let (from, slot) = (tile * size % capacity, tile % 4 * 16);
                load(first - 5, format!("l1bmm $llb{from} $lls{slot}v"));
                for half in 0..2 {
                    let (from, row) = (slot + 2 * half, 4 * half);
                    load(first + half - 3, format!("gbfn $ls{from}v4 $nowrite"));
                    load(first + half - 2, format!("gmwrite $aluf $l{side}{row}"));
                }
                let (from, to) = (NEXT_B + tile % NEXT_B_LOADS * 256, tile * 8 % LM_WORDS);
                load(first, format!("l1bmd $lb{from} $ln{to}v"));
            }
        }
        loads
    }
}
