//! Groups whose kernels have one Tensix tile each: the cube kernel tile 0, the vector kernels tiles
//! 1 and 2.
//!
//! The plans of the tiles are independent and joined by rings. The ring of a pipe lies in the
//! consumer's L1. The protocol uses two counters:
//!
//! 1. The producer's T2 waits until a slot is free, by the counter of freed slots in its own L1.
//! 2. It writes the packed tiles to the slot over the NoC and waits for the write acknowledgement.
//!    The NoC does not order a write before an atomic increment, so this wait is what orders data
//!    before the flag.
//! 3. It increments the counter of ready slots in the consumer's L1.
//! 4. The consumer's T0 waits for that counter, unpacks the tiles, and increments the producer's
//!    counter of freed slots.

use tessera_isa_tensix::Arch;
use tessera_pto::kernel::{self as pto, Direction, Group, Split};
use tessera_pto::target::RingEnd;

use super::plan::Pipe;
use super::refusal::{Refusal, Subject};
use super::resources::counter;

/// Returns for each ring, and each part of its tiles: the consumer's tile, its counter of ready
/// slots, the producer's tile, its counter of freed slots.
pub fn ring_connections(group: &Group) -> Vec<[u32; 4]> {
    let rings = (0..).zip(&group.pipes);
    let ends = rings.flat_map(|(number, pipe)| {
        let lanes = 0..pipe.split.lanes() as u32;
        lanes.map(move |lane| match pipe.direction {
            Direction::CubeToVector => [
                1 + lane,
                counter::ready(number, 0).into(),
                0,
                counter::freed(number, lane).into(),
            ],
            Direction::VectorToCube => [
                0,
                counter::ready(number, lane).into(),
                1 + lane,
                counter::freed(number, 0).into(),
            ],
        })
    });
    ends.collect()
}

/// Returns the pipe ends of a kernel in the order of their initialization, each with the number of
/// its pipe in the group.
///
/// # Errors
/// A ring is not in L1, has no address, or exceeds L1.
pub fn kernel_pipe_ends(
    group: &Group,
    kernel: usize,
    arch: Arch,
) -> Result<Vec<(usize, Pipe)>, Refusal> {
    let mut found = Vec::new();
    for (number, pipe) in group.pipes.iter().enumerate() {
        if pipe.cube != kernel && !pipe.vector.contains(&kernel) {
            continue;
        }
        let end = pipe.ring.end(kernel).ok_or_else(|| {
            let text = format!(
                "does not specify the location of the ring of pipe {}",
                pipe.name
            );
            Refusal::new(Subject::Kernel(kernel), text)
        })?;
        found.push((number, pipe, end));
    }
    // One operation may initialize both directions; cube to vector comes first.
    found.sort_by_key(|(_, pipe, end)| (end.location, pipe.direction == Direction::VectorToCube));
    let ends = found.into_iter().map(|(number, pipe, known)| {
        let address = ring_address(pipe, known, arch)?;
        Ok((number, pipe_end(number, pipe, known, address)))
    });
    ends.collect()
}

/// Returns the L1 address of a pipe's ring.
fn ring_address(pipe: &pto::Pipe, end: &RingEnd, arch: Arch) -> Result<u32, Refusal> {
    let buffer = end.buffer.as_ref().ok_or_else(|| {
        Refusal::for_op(
            end.location,
            "has its ring in global memory, which is not lowered to Tensix: DRAM cannot count ready and free slots; use \
             platform = #pto.platform<a5>",
        )
    })?;
    let address = buffer.address.ok_or_else(|| {
        Refusal::for_op(
            buffer.location,
            "has no address; run --pto-allocate-memory-addr before --convert-pto-to-tensix",
        )
    })?;
    let bytes = pipe.ring.slot_bytes.saturating_mul(pipe.slots.into());
    match describe_l1_overflow(address, bytes, arch) {
        Some(text) => Err(Refusal::for_op(end.location, text)),
        None => Ok(address as u32),
    }
}

/// Returns the diagnostic for a ring that does not fit into L1, or `None` if it fits.
pub fn describe_l1_overflow(address: u64, bytes: u64, arch: Arch) -> Option<String> {
    let end = address.saturating_add(bytes);
    (end > arch.l1_bytes().into()).then(|| {
        format!(
            "has its ring at {address} to {end}, but L1 of {arch} ends at {}; use fewer or smaller slots",
            arch.l1_bytes()
        )
    })
}

/// Returns a kernel's end of a pipe.
fn pipe_end(number: usize, pipe: &pto::Pipe, end: &RingEnd, address: u32) -> Pipe {
    let lanes = pipe.split.lanes() as u32;
    let is_cube = end.kernel == pipe.cube;
    let lane = pipe.vector.iter().position(|kernel| *kernel == end.kernel);
    Pipe {
        number: number as u16,
        pushes: pipe.producers().contains(&end.kernel),
        slots: pipe.slots,
        slot_bytes: pipe.ring.slot_bytes as u32,
        address,
        peers: if is_cube {
            (1..=lanes).collect()
        } else {
            vec![0]
        },
        part: lane.filter(|_| lanes > 1).map(|lane| lane as u32),
        axis: match pipe.split {
            Split::None => None,
            Split::UpDown => Some(0),
            Split::LeftRight => Some(1),
        },
        location: end.location,
    }
}

#[cfg(test)]
mod tests;
