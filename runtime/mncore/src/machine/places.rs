//! Access to long words of any memory.

use super::Machine;
use crate::block::Block;
use crate::board::{read_wrapping, write_wrapping, Group};
use crate::dram::NeverWritten;
use crate::geometry::{BlockId, PES};
use crate::place::Place;
use crate::trap::{check_exists, Reason};

impl Machine {
    /// Reads consecutive long words starting at `place`.
    ///
    /// # Errors
    /// A location that this machine does not have, or DRAM that was never written.
    pub fn get(&self, place: Place, words: &mut [u64]) -> Result<(), Reason> {
        match place {
            Place::Pdm { group, address } => {
                read_wrapping(&self.group(group)?.pdm, address as usize, words);
            }
            Place::Dram { group, address } => {
                let read = self.group(group)?.dram.read(address, words);
                read.map_err(|NeverWritten(address)| Reason::NeverWritten { group, address })?;
            }
            Place::L2bm {
                group,
                l2b,
                address,
            } => read_wrapping(
                &self.board.l2bm[self.l2(group, l2b)?],
                address as usize,
                words,
            ),
            Place::L1bm { block, address } => {
                let block = &self.blocks[self.block(block)?];
                read_wrapping(&block.l1bm, address as usize, words);
            }
            Place::Pe {
                block,
                mab,
                pe,
                bank,
                address,
            } => {
                let block = &self.blocks[self.block(block)?];
                let (planes, lane) = (&block.memory[bank as usize], lane(block, mab, pe)?);
                for (word, address) in words.iter_mut().zip(address..) {
                    *word = planes.plane(address as usize % planes.count())[lane];
                }
            }
        }
        Ok(())
    }

    /// Writes consecutive long words starting at `place`.
    ///
    /// # Errors
    /// A location that this machine does not have.
    pub fn set(&mut self, place: Place, words: &[u64]) -> Result<(), Reason> {
        match place {
            Place::Pdm { group, address } => {
                self.group(group)?;
                write_wrapping(&mut self.board.groups[group].pdm, address as usize, words);
            }
            Place::Dram { group, address } => {
                self.group(group)?;
                self.board.groups[group].dram.write(address, words);
            }
            Place::L2bm {
                group,
                l2b,
                address,
            } => {
                let number = self.l2(group, l2b)?;
                write_wrapping(&mut self.board.l2bm[number], address as usize, words);
            }
            Place::L1bm { block, address } => {
                let number = self.block(block)?;
                write_wrapping(&mut self.blocks[number].l1bm, address as usize, words);
            }
            Place::Pe {
                block,
                mab,
                pe,
                bank,
                address,
            } => {
                let number = self.block(block)?;
                let lane = lane(&self.blocks[number], mab, pe)?;
                let planes = &mut self.blocks[number].memory[bank as usize];
                for (word, address) in words.iter().zip(address..) {
                    let count = planes.count();
                    planes.plane_mut(address as usize % count)[lane] = *word;
                }
            }
        }
        Ok(())
    }

    fn group(&self, number: usize) -> Result<&Group, Reason> {
        check_exists("group", number, self.board.groups.len())?;
        Ok(&self.board.groups[number])
    }

    /// Returns the index of an L2B on the board.
    fn l2(&self, group: usize, l2b: usize) -> Result<usize, Reason> {
        let geometry = self.geometry();
        check_exists("group", group, geometry.groups)?;
        check_exists("L2B", l2b, geometry.l2bs)?;
        Ok(geometry.l2_index(group, l2b))
    }

    /// Returns the index of a block on the board.
    fn block(&self, id: BlockId) -> Result<usize, Reason> {
        let l2 = self.l2(id.group, id.l2b)?;
        let geometry = self.geometry();
        check_exists("L1B", id.l1b, geometry.l1bs)?;
        Ok(geometry.blocks_of(l2).start + id.l1b)
    }
}

fn lane(block: &Block, mab: usize, pe: usize) -> Result<usize, Reason> {
    check_exists("MAB", mab, block.lanes() / PES)?;
    check_exists("PE", pe, PES)?;
    Ok(mab * PES + pe)
}

#[cfg(test)]
mod tests;
