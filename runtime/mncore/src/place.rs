//! Access to long words of any memory, for programs that embed the machine.
//!
//! Addresses count long words and wrap around at the end of each memory, as those of instructions
//! do (manual, section 1.5). Groups, blocks and processing elements must exist on the machine.
//! Registers (T, masks, matrix and forwarding registers) are fields of
//! [`Block`](crate::block::Block).
//!
//! ```
//! use tessera_isa_mncore::memory::Bank;
//! use tessera_mncore::geometry::BlockId;
//! use tessera_mncore::machine::{Machine, Options};
//! use tessera_mncore::place::Place;
//!
//! let mut machine = Machine::new(Options::default());
//! let block = BlockId { group: 3, l2b: 1, l1b: 7 };
//! let place = |address| Place::Pe { block, mab: 15, pe: 2, bank: Bank::Lm0, address };
//! machine.set(place(0), &[40]).unwrap();
//! let program = tessera_isa_mncore::parse("linc $lm0 $lr0\nnop\nlinc $lr0 $lm2").unwrap();
//! machine.run(&program, &mut |_| ()).unwrap();
//! let mut words = [0; 2];
//! machine.get(place(0), &mut words).unwrap();
//! assert_eq!(words, [40, 42]);
//! ```

use tessera_isa_mncore::memory::Bank;

use crate::geometry::BlockId;

/// The location of a long word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Place {
    /// In the PDM of a group.
    Pdm {
        /// The group.
        group: usize,
        /// The address.
        address: u64,
    },
    /// In the DRAM of a group.
    Dram {
        /// The group.
        group: usize,
        /// The address.
        address: u64,
    },
    /// In an L2BM.
    L2bm {
        /// The group.
        group: usize,
        /// The L2B of the group.
        l2b: usize,
        /// The address.
        address: u64,
    },
    /// In an L1BM.
    L1bm {
        /// The block it belongs to.
        block: BlockId,
        /// The address.
        address: u64,
    },
    /// In a memory of a PE.
    Pe {
        /// The block.
        block: BlockId,
        /// The MAB of the block.
        mab: usize,
        /// The PE of the MAB.
        pe: usize,
        /// The memory.
        bank: Bank,
        /// The address in long words: half of the address in an operand.
        address: u64,
    },
}
