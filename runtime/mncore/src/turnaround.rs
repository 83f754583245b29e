//! The turn-around register of an L1B.
//!
//! Manual, section 3.6.8.

use crate::geometry::CYCLES;

/// The maximum row length: one long word per PE of an L1B.
pub const ROW: usize = 64;

/// The rows of a step, one per cycle.
pub type Rows = [[u64; ROW]; CYCLES];

/// The turn-around register: the data last sent towards the L1BM.
#[derive(Debug)]
pub struct Turnaround {
    /// One row per cycle, before the shift of `l1bmd`.
    pub rows: Box<Rows>,
    /// The row length in long words; 0 if nothing was sent yet.
    pub rate: u16,
}

impl Clone for Turnaround {
    fn clone(&self) -> Self {
        Turnaround {
            rows: self.rows.clone(),
            rate: self.rate,
        }
    }

    fn clone_from(&mut self, other: &Self) {
        self.rows.clone_from(&other.rows);
        self.rate = other.rate;
    }
}

impl Default for Turnaround {
    fn default() -> Self {
        Turnaround {
            rows: Box::new([[0; ROW]; CYCLES]),
            rate: 0,
        }
    }
}

impl Turnaround {
    /// Returns the register to its initial state.
    pub fn clear(&mut self) {
        *self.rows = [[0; ROW]; CYCLES];
        self.rate = 0;
    }
}
