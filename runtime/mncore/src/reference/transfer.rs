//! MV instructions (manual, section 3.5), mode by mode as in sections 3.5.8.2 to 3.5.8.25.

use tessera_isa_mncore::ast::{MvMemory, MvOperand, Transfer};
use tessera_isa_mncore::table::MvMode;

use super::reduction::Network;
use crate::board::{Board, L2BM_WORDS, PDM_WORDS};
use crate::footprint::{add_region, Footprint, Memory};
use crate::geometry::Geometry;
use crate::transfer::check;
use crate::trap::Reason;
use crate::undetermined::UndeterminedSet;

/// Executes a transfer and returns its memory accesses.
pub fn run(
    transfer: &Transfer,
    board: &mut Board,
    geometry: &Geometry,
    undetermined: &mut UndeterminedSet,
) -> Result<Footprint, Reason> {
    check(transfer, geometry)?;
    let mut machine = Mem {
        transfer,
        board,
        geometry,
        undetermined,
        touched: Footprint::default(),
    };
    for i in 0..u64::from(transfer.words) / 64 {
        machine.unit(i)?;
    }
    Ok(machine.touched)
}

/// `MEM` of the pseudo-code.
struct Mem<'a> {
    transfer: &'a Transfer,
    board: &'a mut Board,
    geometry: &'a Geometry,
    undetermined: &'a mut UndeterminedSet,
    touched: Footprint,
}

fn group_of(place: MvOperand) -> usize {
    place.group.map_or(0, usize::from)
}

fn l2b_of(place: MvOperand) -> usize {
    place.l2b.map_or(0, usize::from)
}

impl Mem<'_> {
    /// Executes unit `i`, counted from 0: the loop body of every mode.
    fn unit(&mut self, i: u64) -> Result<(), Reason> {
        use MvMode::*;
        let (source, target) = (self.transfer.source, self.transfer.target);
        match self.transfer.mode {
            PdmToDram | DramToPdm | PdmToL2bm | L2bmToPdm | DramToL2bm | L2bmToDram | PdmToPdm => {
                let data = self.read(group_of(source), l2b_of(source), 64 * i, 64)?;
                self.write(group_of(target), l2b_of(target), 64 * i, &data);
                Ok(())
            }
            PdmToL2bmEach | DramToL2bmEach | L2bmToPdmEach | L2bmToDramEach => self.each(i),
            DramBroadcast2 | DramBroadcast4 | DramBroadcast | PdmBroadcast => self.broadcast(i),
            DramReduce2 | PdmReduce2 | DramReduce4 | PdmReduce | DramReduce => self.reduce(i),
            PdmDistribute | PdmCollect => self.deal(i),
            PdmDramDistribute => {
                let buf = self.read(group_of(source), 0, 64 * i, 64)?;
                self.scatter(16 * i, &buf);
                Ok(())
            }
            DramPdmCollect => {
                let buf = self.joined(16 * i)?;
                self.write(group_of(target), 0, 64 * i, &buf);
                Ok(())
            }
        }
    }

    /// Returns every group and L2B in numerical order.
    fn every(&self) -> Vec<(usize, usize)> {
        let Geometry { groups, l2bs, .. } = *self.geometry;
        (0..groups)
            .flat_map(|group| (0..l2bs).map(move |l2b| (group, l2b)))
            .collect()
    }

    /// Executes modes that work within each group (sections 3.5.8.9 to 3.5.8.12).
    fn each(&mut self, i: u64) -> Result<(), Reason> {
        let (source, target) = (self.transfer.source, self.transfer.target);
        for group in 0..self.geometry.groups {
            let data = self.read(group, l2b_of(source), 64 * i, 64)?;
            // If no L2B is named, both must hold the same data ("mvp-l2b-omitted").
            if matches!(source.memory, MvMemory::L2bm(_)) && source.l2b.is_none() {
                for l2b in 1..self.geometry.l2bs {
                    if self.read(group, l2b, 64 * i, 64)? != data {
                        let address = self.locate(source, group, l2b, 64 * i).1;
                        return Err(Reason::WhichL2b { group, address });
                    }
                }
            }
            self.write(group, l2b_of(target), 64 * i, &data);
        }
        Ok(())
    }

    /// Executes modes with several target L2BM (sections 3.5.8.13, 3.5.8.16, 3.5.8.18 and
    /// 3.5.8.20).
    fn broadcast(&mut self, i: u64) -> Result<(), Reason> {
        match self.transfer.mode {
            MvMode::DramBroadcast2 => {
                for group in 0..self.geometry.groups {
                    let data = self.read(group, 0, 64 * i, 64)?;
                    for l2b in 0..self.geometry.l2bs {
                        self.write(group, l2b, 64 * i, &data);
                    }
                }
            }
            MvMode::DramBroadcast4 => {
                for l2b in 0..2 {
                    let buf = self.joined(32 * i + l2b as u64 * 16)?;
                    for group in 0..4 {
                        self.write(group, l2b, 64 * i, &buf);
                    }
                }
            }
            mode => {
                let data = if mode == MvMode::PdmBroadcast {
                    self.read(group_of(self.transfer.source), 0, 64 * i, 64)?
                } else {
                    self.joined(16 * i)?
                };
                for (group, l2b) in self.every() {
                    self.write(group, l2b, 64 * i, &data);
                }
            }
        }
        Ok(())
    }

    /// Executes modes with several source L2BM (sections 3.5.8.14, 3.5.8.15, 3.5.8.17, 3.5.8.19 and
    /// 3.5.8.21).
    fn reduce(&mut self, i: u64) -> Result<(), Reason> {
        let both = |group: usize| {
            (0..self.geometry.l2bs)
                .map(move |l2b| (group, l2b))
                .collect()
        };
        let target = group_of(self.transfer.target);
        match self.transfer.mode {
            MvMode::DramReduce2 => {
                for group in 0..self.geometry.groups {
                    let both: Vec<_> = both(group);
                    let buf = self.reduced(&both, 64 * i)?;
                    self.write(group, 0, 64 * i, &buf);
                }
            }
            MvMode::PdmReduce2 => {
                let both: Vec<_> = both(group_of(self.transfer.source));
                let buf = self.reduced(&both, 64 * i)?;
                self.write(target, 0, 64 * i, &buf);
            }
            MvMode::DramReduce4 => {
                for l2b in 0..2 {
                    let groups = [0, 1, 2, 3].map(|group| (group, l2b));
                    let buf = self.reduced(&groups, 64 * i)?;
                    self.scatter(32 * i + 16 * l2b as u64, &buf);
                }
            }
            mode => {
                let buf = self.reduced(&self.every(), 64 * i)?;
                if mode == MvMode::PdmReduce {
                    self.write(target, 0, 64 * i, &buf);
                } else {
                    self.scatter(16 * i, &buf);
                }
            }
        }
        Ok(())
    }

    /// Executes round robin modes over all L2BM, 16 long words each (sections 3.5.8.22 and
    /// 3.5.8.23).
    fn deal(&mut self, i: u64) -> Result<(), Reason> {
        let (source, target) = (self.transfer.source, self.transfer.target);
        let distributes = self.transfer.mode == MvMode::PdmDistribute;
        let mut buf = if distributes {
            self.read(group_of(source), 0, 512 * i, 512)?
        } else {
            vec![0; 512]
        };
        for j in 0..4 {
            for (group, l2b) in self.every() {
                let buf_addr = (j * 8 + group * 2 + l2b) * 16;
                let part = &mut buf[buf_addr..buf_addr + 16];
                let in_l2bm = 64 * i + j as u64 * 16;
                if distributes {
                    self.write(group, l2b, in_l2bm, part);
                } else {
                    part.copy_from_slice(&self.read(group, l2b, in_l2bm, 16)?);
                }
            }
        }
        if !distributes {
            self.write(group_of(target), 0, 512 * i, &buf);
        }
        Ok(())
    }

    /// Reads 16 long words of every group's DRAM, one group after the other.
    fn joined(&mut self, offset: u64) -> Result<Vec<u64>, Reason> {
        let mut buf = Vec::new();
        for group in 0..4 {
            buf.extend(self.read(group, 0, offset, 16)?);
        }
        Ok(buf)
    }

    /// The inverse of [`Mem::joined`].
    fn scatter(&mut self, offset: u64, buf: &[u64]) {
        for (group, part) in buf.chunks(16).enumerate() {
            self.write(group, 0, offset, part);
        }
    }

    /// Computes `op(…)` over some L2BM: 64 long words.
    fn reduced(&mut self, places: &[(usize, usize)], offset: u64) -> Result<Vec<u64>, Reason> {
        let network = Network::new(self.transfer.rrn.ok_or(Reason::NoReduction)?);
        let mut sent = Vec::new();
        for (group, l2b) in places {
            sent.push(self.read(*group, *l2b, offset, 64)?);
        }
        let column = |index: usize| -> Vec<u64> { sent.iter().map(|longs| longs[index]).collect() };
        Ok((0..64)
            .map(|index| match sent.len() {
                8 => network.eight(&column(index), self.undetermined),
                _ => network.stage(&column(index), self.undetermined),
            })
            .collect())
    }

    /// Returns memory and address of the long word at `offset` in an operand.
    fn locate(&self, place: MvOperand, group: usize, l2b: usize, offset: u64) -> (Memory, u64) {
        match place.memory {
            MvMemory::Pdm(address) => (Memory::Pdm(group), u64::from(address) + offset),
            MvMemory::L2bm(address) => (Memory::L2bm(group, l2b), u64::from(address) + offset),
            MvMemory::Dram(address) => (Memory::Dram(group), u64::from(address) + offset),
            MvMemory::DramIndirect(m) => {
                // Section 3.5.6: DAR[(M + i / N) % 1024] + i % N, in units of 16 long words.
                let i = offset / 16;
                let (entry, rest) = match self.transfer.per_entry {
                    Some(n) => (i / u64::from(n), i % u64::from(n)),
                    None => (0, i),
                };
                let dar = &self.board.groups[group].dar;
                let start = u64::from(dar[((u64::from(m) + entry) % 1024) as usize]);
                (Memory::Dram(group), 16 * (start + rest) + offset % 16)
            }
        }
    }

    /// Reads `count` long words of the source at `offset`.
    fn read(
        &mut self,
        group: usize,
        l2b: usize,
        offset: u64,
        count: u64,
    ) -> Result<Vec<u64>, Reason> {
        let mut data = Vec::new();
        for index in 0..count {
            let (memory, address) = self.locate(self.transfer.source, group, l2b, offset + index);
            let mut long = [0];
            match memory {
                Memory::Pdm(group) => {
                    long[0] = self.board.groups[group].pdm[address as usize % PDM_WORDS];
                }
                Memory::L2bm(group, l2b) => {
                    let l2 = group * self.geometry.l2bs + l2b;
                    long[0] = self.board.l2bm[l2][address as usize % L2BM_WORDS];
                }
                Memory::Dram(group) => {
                    let read = self.board.groups[group].dram.read(address, &mut long);
                    read.map_err(|never| Reason::NeverWritten {
                        group,
                        address: never.0,
                    })?;
                }
            }
            add_region(&mut self.touched.reads, memory, address, 1);
            data.extend(long);
        }
        Ok(data)
    }

    /// Writes long words of the target at `offset`.
    fn write(&mut self, group: usize, l2b: usize, offset: u64, data: &[u64]) {
        for (index, long) in data.iter().enumerate() {
            let at = offset + index as u64;
            let (memory, address) = self.locate(self.transfer.target, group, l2b, at);
            match memory {
                Memory::Pdm(group) => {
                    self.board.groups[group].pdm[address as usize % PDM_WORDS] = *long;
                }
                Memory::L2bm(group, l2b) => {
                    let l2 = group * self.geometry.l2bs + l2b;
                    self.board.l2bm[l2][address as usize % L2BM_WORDS] = *long;
                }
                Memory::Dram(group) => self.board.groups[group].dram.write(address, &[*long]),
            }
            add_region(&mut self.touched.writes, memory, address, 1);
        }
    }
}
