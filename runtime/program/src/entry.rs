//! Conversion of list entries, arguments of cores and architectures between the instruction set's
//! types and the schema's.
//!
//! Fields without a meaning for the kind of an entry are stored as 0, so that equal entries have
//! equal bytes.

use tessera_isa_tensix::list::{DmEntry, Entry};
use tessera_isa_tensix::tile::Argument;
use tessera_isa_tensix::Arch;

use crate::generated as fb;
use crate::{Chip, ReadError};

pub(crate) fn store_arch(arch: Arch) -> fb::Arch {
    match arch {
        Arch::WormholeB0 => fb::Arch::WormholeB0,
        Arch::Blackhole => fb::Arch::Blackhole,
    }
}

pub(crate) fn load_arch(arch: fb::Arch, what: &'static str) -> Result<Arch, ReadError> {
    let unknown = ReadError::UnknownValue {
        what,
        value: arch.0.into(),
    };
    let mut known = Arch::ALL.into_iter();
    known.find(|k| store_arch(*k) == arch).ok_or(unknown)
}

pub(crate) fn store_chip(chip: Chip) -> fb::Chip {
    match chip {
        Chip::Tensix(Arch::WormholeB0) => fb::Chip::WormholeB0,
        Chip::Tensix(Arch::Blackhole) => fb::Chip::Blackhole,
        Chip::MnCore2 => fb::Chip::MnCore2,
    }
}

pub(crate) fn load_chip(chip: fb::Chip) -> Result<Chip, ReadError> {
    let unknown = ReadError::UnknownValue {
        what: "SystemDesc.chips",
        value: chip.0.into(),
    };
    let mut known = Chip::ALL.into_iter();
    known.find(|k| store_chip(*k) == chip).ok_or(unknown)
}

pub(crate) fn store_argument(argument: Argument) -> fb::Argument {
    use fb::ArgumentKind as Kind;
    let (kind, value) = match argument {
        Argument::Base(tensor) => (Kind::Base, tensor),
        Argument::Imm(value) => (Kind::Imm, value),
        Argument::First => (Kind::First, 0),
        Argument::Last => (Kind::Last, 0),
        Argument::Peer(tile) => (Kind::Peer, tile),
        Argument::Passes(axis) => (Kind::Passes, axis),
        Argument::Extent(axis) => (Kind::Extent, axis),
        Argument::Place(axis) => (Kind::Place, axis),
        Argument::Leads(group) => (Kind::Leads, group),
        Argument::Leader(group) => (Kind::Leader, group),
        Argument::Group(group) => (Kind::Group, group),
    };
    fb::Argument::new(kind, value)
}

pub(crate) fn load_argument(argument: &fb::Argument) -> Result<Argument, ReadError> {
    use fb::ArgumentKind as Kind;
    Ok(match (argument.kind(), argument.value()) {
        (Kind::Base, tensor) => Argument::Base(tensor),
        (Kind::Imm, value) => Argument::Imm(value),
        (Kind::First, _) => Argument::First,
        (Kind::Last, _) => Argument::Last,
        (Kind::Peer, tile) => Argument::Peer(tile),
        (Kind::Passes, axis) => Argument::Passes(axis),
        (Kind::Extent, axis) => Argument::Extent(axis),
        (Kind::Place, axis) => Argument::Place(axis),
        (Kind::Leads, group) => Argument::Leads(group),
        (Kind::Leader, group) => Argument::Leader(group),
        (Kind::Group, group) => Argument::Group(group),
        (kind, _) => {
            return Err(ReadError::UnknownValue {
                what: "Argument.kind",
                value: kind.0.into(),
            })
        }
    })
}

pub(crate) fn store(entry: Entry) -> fb::Entry {
    use fb::EntryKind as Kind;
    let (kind, index, value) = match entry {
        Entry::Push(word) => (Kind::Push, 0, word),
        Entry::MopCfg { index, value } => (Kind::MopCfg, index.into(), value),
        Entry::WaitMop => (Kind::WaitMop, 0, 0),
        Entry::WaitIdle => (Kind::WaitIdle, 0, 0),
        Entry::SemPost(sem) => (Kind::SemPost, sem.into(), 0),
        Entry::SemGet(sem) => (Kind::SemGet, sem.into(), 0),
        Entry::SemPoll { sem, at_least } => (Kind::SemPoll, sem.into(), at_least.into()),
        Entry::Post { counter } => (Kind::Post, counter, 0),
        Entry::Wait { counter, at_least } => (Kind::Wait, counter, at_least),
    };
    fb::Entry::new(kind, index, value)
}

pub(crate) fn load(entry: &fb::Entry) -> Result<Entry, ReadError> {
    use fb::EntryKind as Kind;
    let (kind, index, value) = (entry.kind(), entry.index(), entry.value());
    let narrow =
        |what, value: u32| u8::try_from(value).map_err(|_| ReadError::UnknownValue { what, value });
    let byte = narrow("Entry.index", index.into());
    Ok(match kind {
        Kind::Push => Entry::Push(value),
        Kind::MopCfg => Entry::MopCfg {
            index: byte?,
            value,
        },
        Kind::WaitMop => Entry::WaitMop,
        Kind::WaitIdle => Entry::WaitIdle,
        Kind::SemPost => Entry::SemPost(byte?),
        Kind::SemGet => Entry::SemGet(byte?),
        Kind::SemPoll => Entry::SemPoll {
            sem: byte?,
            at_least: narrow("Entry.value", value)?,
        },
        Kind::Post => Entry::Post { counter: index },
        Kind::Wait => Entry::Wait {
            counter: index,
            at_least: value,
        },
        _ => {
            return Err(ReadError::UnknownValue {
                what: "Entry.kind",
                value: kind.0.into(),
            })
        }
    })
}

pub(crate) fn store_dm(entry: DmEntry) -> fb::DmEntry {
    use fb::DmEntryKind as Kind;
    let (kind, index, value, l1) = match entry {
        DmEntry::Read { arg, page, l1 } => (Kind::Read, arg, page, l1),
        DmEntry::Write { arg, page, l1 } => (Kind::Write, arg, page, l1),
        DmEntry::Post { counter } => (Kind::Post, counter, 0, 0),
        DmEntry::Wait { counter, at_least } => (Kind::Wait, counter, at_least, 0),
    };
    fb::DmEntry::new(kind, index, value, l1)
}

pub(crate) fn load_dm(entry: &fb::DmEntry) -> Result<DmEntry, ReadError> {
    use fb::DmEntryKind as Kind;
    let (index, value, l1) = (entry.index(), entry.value(), entry.l1());
    Ok(match entry.kind() {
        Kind::Read => DmEntry::Read {
            arg: index,
            page: value,
            l1,
        },
        Kind::Write => DmEntry::Write {
            arg: index,
            page: value,
            l1,
        },
        Kind::Post => DmEntry::Post { counter: index },
        Kind::Wait => DmEntry::Wait {
            counter: index,
            at_least: value,
        },
        kind => {
            return Err(ReadError::UnknownValue {
                what: "DmEntry.kind",
                value: kind.0.into(),
            })
        }
    })
}
