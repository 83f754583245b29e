//! One matrix register (x or y) of all MABs of an L1 block, with a cache of decoded rows.
//!
//! Manual, section 3.6.1.14. A plane is a physical row; its lane `4 * mab + pe` is long word `pe`
//! of the row. Rows are decoded lazily, when a matrix-vector operation first uses them after a
//! write, for the precision of that operation. If all MABs hold the same rows, as after a
//! broadcast, the rows are decoded once.

use tessera_isa_mncore::memory::Precision;

use crate::geometry::PES;
use crate::numerics::batch::mabs::common_value;
use crate::numerics::batch::matrix::{Half, Kernel, PseudoSingle, Single};
use crate::planes::Planes;

/// Number of rows of one matrix register.
pub const MATRIX_ROWS: usize = 16;

/// Returns the distance between two rows of a precision in physical rows (section 3.6.1.14).
pub const fn row_stride(precision: Precision) -> usize {
    match precision {
        Precision::Half => 1,
        Precision::Double => 4,
        _ => 2,
    }
}

/// One matrix register of all MABs of a block.
#[derive(Clone, Debug, Default)]
pub struct MatrixRegister {
    rows: Planes,
    /// The set of physical rows that are known to be the same in all MABs, one bit each.
    same: u16,
    half: Decoded<Half>,
    pseudo_single: Decoded<PseudoSingle>,
    single: Decoded<Single>,
}

/// The decoded rows for one precision.
#[derive(Clone, Debug)]
pub struct Decoded<K: Kernel> {
    /// One matrix per MAB, or one that all share; empty until first used.
    matrices: Vec<K::Matrix>,
    /// The set of physical rows written since they were decoded, one bit each.
    stale: u16,
}

impl<K: Kernel> Default for Decoded<K> {
    fn default() -> Self {
        Decoded {
            matrices: Vec::new(),
            stale: u16::MAX,
        }
    }
}

/// A precision whose matrices are cached in decoded form.
pub trait Cached: Kernel {
    /// The precision.
    const PRECISION: Precision;
    /// Returns the cache of a register.
    fn decoded(register: &MatrixRegister) -> &Decoded<Self>
    where
        Self: Sized;
    /// Returns the cache of a register, mutably, with the rows it is decoded from, and those that
    /// are known to be the same in all MABs.
    fn decoded_mut(register: &mut MatrixRegister) -> (&Planes, u16, &mut Decoded<Self>)
    where
        Self: Sized;
}

impl Cached for Half {
    const PRECISION: Precision = Precision::Half;
    fn decoded(register: &MatrixRegister) -> &Decoded<Self> {
        &register.half
    }
    fn decoded_mut(register: &mut MatrixRegister) -> (&Planes, u16, &mut Decoded<Self>) {
        (&register.rows, register.same, &mut register.half)
    }
}

impl Cached for PseudoSingle {
    const PRECISION: Precision = Precision::Pseudo;
    fn decoded(register: &MatrixRegister) -> &Decoded<Self> {
        &register.pseudo_single
    }
    fn decoded_mut(register: &mut MatrixRegister) -> (&Planes, u16, &mut Decoded<Self>) {
        (&register.rows, register.same, &mut register.pseudo_single)
    }
}

impl Cached for Single {
    const PRECISION: Precision = Precision::Single;
    fn decoded(register: &MatrixRegister) -> &Decoded<Self> {
        &register.single
    }
    fn decoded_mut(register: &mut MatrixRegister) -> (&Planes, u16, &mut Decoded<Self>) {
        (&register.rows, register.same, &mut register.single)
    }
}

impl MatrixRegister {
    /// Creates a zeroed register for this many lanes.
    pub fn new(lanes: usize) -> Self {
        MatrixRegister {
            rows: Planes::new(MATRIX_ROWS, lanes),
            same: u16::MAX,
            half: Decoded::default(),
            pseudo_single: Decoded::default(),
            single: Decoded::default(),
        }
    }

    /// Fills the register with a long word.
    pub fn fill(&mut self, word: u64) {
        self.rows.fill(word);
        self.same = u16::MAX;
        self.mark_stale(u16::MAX);
    }

    /// Copies the rows of a register of the same size.
    pub fn copy_from(&mut self, other: &MatrixRegister) {
        self.rows.copy_from(&other.rows);
        self.same = other.same;
        self.mark_stale(u16::MAX);
    }

    /// Returns a physical row of all MABs.
    pub fn row(&self, physical: usize) -> &[u64] {
        self.rows.plane(physical)
    }

    /// Returns a physical row of all MABs, mutably, and invalidates its decoded form.
    pub fn row_mut(&mut self, physical: usize) -> &mut [u64] {
        self.same &= !(1 << physical);
        self.mark_stale(1 << physical);
        self.rows.plane_mut(physical)
    }

    /// Takes the physical rows out, to write to them while the rest of the block is borrowed.
    pub fn take_rows(&mut self) -> Planes {
        std::mem::take(&mut self.rows)
    }

    /// Returns the rows to the register, and invalidates the decoded form of those that were
    /// written, one bit each. `is_same` tells whether these are known to be the same in all MABs.
    pub fn restore_rows(&mut self, rows: Planes, written: u16, is_same: bool) {
        self.rows = rows;
        self.same = self.same & !written | if is_same { written } else { 0 };
        self.mark_stale(written);
    }

    /// Invalidates the decoded form of physical rows, one bit each.
    fn mark_stale(&mut self, rows: u16) {
        self.half.stale |= rows;
        self.pseudo_single.stale |= rows;
        self.single.stale |= rows;
    }

    /// Decodes the rows that were written since they were last decoded for this precision.
    pub fn decode<K: Cached>(&mut self) {
        let (rows, same, decoded) = K::decoded_mut(self);
        if decoded.stale != 0 {
            decoded.refresh((rows, same), row_stride(K::PRECISION));
        }
    }

    /// Returns the decoded matrices, one per MAB or one that all share. [`MatrixRegister::decode`]
    /// must have been called after the last write.
    pub fn matrices<K: Cached>(&self) -> &[K::Matrix] {
        &K::decoded(self).matrices
    }
}

impl<K: Kernel> Decoded<K> {
    /// Decodes the rows that were written. `same` is the set of physical rows that are known to be
    /// the same in all MABs.
    #[inline(never)]
    fn refresh(&mut self, (planes, same): (&Planes, u16), stride: usize) {
        let stale = std::mem::take(&mut self.stale);
        let rows = (0..K::ROWS).filter(|row| stale >> (row * stride) & 1 == 1);
        let plane = |row: usize| planes.plane(row * stride);
        let same = rows.clone().all(|row| {
            let is_known = same >> (row * stride) & 1 == 1;
            is_known || common_value(bytemuck::cast_slice(plane(row))).is_some()
        });
        if self.matrices.is_empty() || same && rows.clone().count() == K::ROWS {
            self.matrices.resize(1, K::Matrix::default());
        }
        if self.matrices.len() == 1 && !same {
            let one = self.matrices[0].clone();
            self.matrices.resize(planes.lanes() / PES, one);
        }
        for row in rows {
            K::set_row(&mut self.matrices, row, bytemuck::cast_slice(plane(row)));
        }
    }
}
