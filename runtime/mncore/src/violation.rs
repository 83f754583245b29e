//! Latency violations: reads of data before they have arrived.

use std::fmt;

use crate::geometry::{BlockId, CYCLES};

/// A read of a word that has not arrived, or of a memory whose port is busy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LatencyViolation {
    /// The resource that is read.
    pub resource: Resource,
    /// The first address of the write in it; not significant for a port or a base address register.
    pub address: u32,
    /// The location of the write.
    pub place: WriteLocation,
    /// The line of the write.
    pub line: u32,
    /// The number of missing cycles.
    pub cycles: u64,
    /// The section of the manual that requires the distance.
    pub section: &'static str,
}

/// A resource that a write makes unreadable for some time: words of a memory, or a port.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Resource {
    /// Single words of GRF0 or GRF1.
    Grf(u8),
    /// Long words of the T register, two for each cycle.
    T,
    /// The base address register of LM0 or LM1.
    Base(u8),
    /// Long words of L1BM, read by transfers to PEs.
    L1bmForPe,
    /// Long words of L1BM, read by transfers to L2BM and multicasts.
    L1bmForL2,
    /// Long words of L2BM, read by MV instructions.
    L2bmForMv,
    /// The port of LM0 or LM1.
    LocalPort(u8),
    /// The port through which L2BM is read for L1BM.
    L2bmPort,
    /// The port through which L1BM is read for L2BM and multicasts.
    L1bmPort,
    /// The port through which L1BM is read for PEs.
    L1bmPePort,
}

/// The location of a write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WriteLocation {
    /// Every PE.
    EveryPe,
    /// The first PE whose mask lets the write through.
    Pe {
        /// Its L1B.
        block: BlockId,
        /// Its MAB.
        mab: usize,
        /// Its number in the MAB.
        pe: usize,
    },
    /// These L1B of every L2B, bit i for L1B i.
    L1bs(u8),
    /// Every L2BM.
    EveryL2b,
}

impl LatencyViolation {
    /// Returns the number of additional steps that suffice.
    pub fn nops(&self) -> u64 {
        self.cycles.div_ceil(CYCLES as u64)
    }
}

impl fmt::Display for LatencyViolation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let LatencyViolation { place, line, .. } = self;
        let cycles = match self.cycles {
            1 => "1 cycle".to_owned(),
            many => format!("{many} cycles"),
        };
        let address = self.address;
        let words = match self.resource {
            Resource::Grf(number) => Some(format!("word {address} of GRF{number}")),
            Resource::T => {
                let which = ["upper", "lower"][address as usize % 2];
                let cycle = address / 2;
                Some(format!(
                    "the {which} long word of cycle {cycle} of the T register"
                ))
            }
            Resource::Base(number) => Some(format!("the base address register of LM{number}")),
            Resource::L1bmForPe | Resource::L1bmForL2 => {
                Some(format!("long word {address:#x} of L1BM"))
            }
            Resource::L2bmForMv => Some(format!("long word {address:#x} of L2BM")),
            _ => None,
        };
        let port = match self.resource {
            Resource::LocalPort(0) => "LM0",
            Resource::LocalPort(_) => "LM1",
            Resource::L2bmPort => "L2BM",
            _ => "L1BM",
        };
        match words {
            Some(words) => write!(
                f,
                "{words} of {place} is read {cycles} before the write of line {line} arrives"
            )?,
            None => write!(
                f,
                "{port} of {place} is read, but the write of line {line} occupies its port for \
                 {cycles} more"
            )?,
        }
        let (nops, plural) = (self.nops(), if self.nops() == 1 { "" } else { "s" });
        write!(
            f,
            " ({}); put {nops} more nop{plural} before this statement",
            self.section
        )
    }
}

impl fmt::Display for WriteLocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WriteLocation::EveryPe => f.write_str("every PE"),
            WriteLocation::Pe { block, mab, pe } => write!(f, "PE {block}m{mab}p{pe}"),
            WriteLocation::L1bs(0xff) => f.write_str("every L1B"),
            WriteLocation::L1bs(set) => {
                f.write_str("L1B ")?;
                let mut before = "";
                for number in (0..8).filter(|number| set >> number & 1 == 1) {
                    write!(f, "{before}{number}")?;
                    before = ", ";
                }
                Ok(())
            }
            WriteLocation::EveryL2b => f.write_str("every L2B"),
        }
    }
}
