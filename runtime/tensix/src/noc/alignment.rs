//! The alignment of requests.
//!
//! Source: ISA documentation, `NoC/Alignment.md`.

use tessera_isa_tensix::noc::{layout, Layout};
use tessera_isa_tensix::Arch;

use super::location::Location;
use super::operation::Operation;
use crate::trap::Fault;

/// Checks the addresses of a request: the source of its bytes, the destination, and the location
/// for the response of an atomic operation.
pub(super) fn check(
    operation: Operation,
    (from, to, answer): (Location, Location, Option<Location>),
    length: u32,
    arch: Arch,
) -> Result<(), Fault> {
    let &Layout {
        dram_read_alignment: reads,
        dram_write_alignment: writes,
        ..
    } = layout(arch);
    match operation {
        Operation::Read => check_alignment(to, from, length, reads),
        Operation::Write { enabled: u64::MAX } => check_alignment(from, to, length, writes),
        Operation::Write { .. } => check_enabled(from, to, arch),
        Operation::Inline { .. } => check_inline(to, arch),
        Operation::Atomic(_) => check_atomic(to, answer),
    }
}

/// The modulus by which addresses must agree if both are in L1.
const BETWEEN_L1: u32 = 16;

fn check_alignment(
    near: Location,
    far: Location,
    length: u32,
    with_dram: u32,
) -> Result<(), Fault> {
    let to_device = |l: Location| matches!(l, Location::Device { .. });
    if to_device(near) || to_device(far) {
        let (a, b) = (near.low_bits(), far.low_bits());
        if length == 4 && a % 4 == 0 && b % 4 == 0 {
            return Ok(());
        }
        return Err(Fault::undefined(format!(
            "makes a NoC request of {length} bytes between {a:#x} and {b:#x}; registers are moved \
             as single words"
        )));
    }
    let modulus = match far {
        Location::Dram { .. } => with_dram,
        _ => BETWEEN_L1,
    };
    if far.low_bits() % modulus == near.low_bits() % modulus {
        return Ok(());
    }
    Err(Fault::undefined(format!(
        "{} and L1 address {:#x} differ modulo {modulus}; the NoC moves aligned pieces of \
         {modulus} bytes",
        far.name(),
        near.low_bits()
    )))
}

/// Checks writes with byte enables: to L1, with 32 aligned bytes on Wormhole, or 64 bytes at a
/// multiple of 16 on Blackhole.
fn check_enabled(from: Location, to: Location, arch: Arch) -> Result<(), Fault> {
    if matches!(to, Location::Device { .. }) || matches!(from, Location::Device { .. }) {
        return Err(Fault::unmodelled(
            "NoC writes with byte enables from or to registers",
        ));
    }
    let aligned = |l: Location| l.low_bits() % 32 == 0;
    if arch == Arch::Blackhole || aligned(from) && aligned(to) {
        return Ok(());
    }
    Err(Fault::undefined(format!(
        "makes a NoC write with byte enables from {:#x} to {:#x}; both must be multiples of 32",
        from.low_bits(),
        to.low_bits()
    )))
}

fn check_inline(to: Location, arch: Arch) -> Result<(), Fault> {
    match to {
        Location::Dram { .. } => Err(Fault::undefined(
            "makes an inline NoC write to DRAM; only Tensix and Ethernet tiles take those",
        )),
        Location::L1 { addr, .. } if arch == Arch::Blackhole => Err(Fault::undefined(format!(
            "makes an inline NoC write to L1 ({addr:#x}), which Blackhole's hardware does wrongly; \
             write from L1 instead"
        ))),
        Location::Device { addr, .. } if addr % 4 != 0 => Err(Fault::undefined(format!(
            "makes an inline NoC write to {addr:#x}; registers are at multiples of 4"
        ))),
        _ => Ok(()),
    }
}

/// Checks that an atomic operation and its response use aligned words in L1.
fn check_atomic(to: Location, answer: Option<Location>) -> Result<(), Fault> {
    let bad_answer = answer.filter(|a| !matches!(a, Location::L1 { addr, .. } if addr % 4 == 0));
    match (to, bad_answer) {
        (Location::Dram { .. }, _) => Err(Fault::undefined(
            "makes an atomic NoC request of DRAM; only L1 has atomic operations",
        )),
        (Location::L1 { addr, .. }, None) if addr % 4 == 0 => Ok(()),
        _ => {
            let answer = match answer {
                Some(answer) => format!(" with its answer to {:#x}", answer.low_bits()),
                None => String::new(),
            };
            Err(Fault::undefined(format!(
                "makes an atomic NoC request of {:#x}{answer}; both must be multiples of 4",
                to.low_bits()
            )))
        }
    }
}
