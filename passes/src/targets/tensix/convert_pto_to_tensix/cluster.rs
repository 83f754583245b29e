//! Groups that have a tile of the chip for each kernel: the cube kernel tile 0, the vector kernels
//! tiles 1 and 2.
//!
//! Each tile's kernel has a plan of its own. What joins them are rings: who pops has the ring in
//! its L1, where unpacker T0 waits until a slot is ready and says when it is free again; who pushes
//! has T2 bring packed tiles there, wait until they have arrived, and say so (rulings 2.2).

use tessera_isa_tensix::Arch;
use tessera_pto::kernel::{self as pto, Direction, Group, Split};
use tessera_pto::target::RingEnd;

use super::plan::Pipe;
use super::refusal::{Refusal, Subject};
use super::resources::counter;

/// For each ring, and each part of its tiles: the tile that pops, its counter of what is ready, the
/// tile that pushes, its counter of what was freed.
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

/// The ends of rings that a kernel has, in the order in which it initializes them, each with the
/// number of its pipe in the group.
///
/// # Errors
/// A ring is not in L1, or nobody has said where, or it is too large.
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
            let text = format!("does not say where the ring of pipe {} lies", pipe.name);
            Refusal::new(Subject::Kernel(kernel), text)
        })?;
        found.push((number, pipe, end));
    }
    // One operation initializes both directions, cube to vector first.
    found.sort_by_key(|(_, pipe, end)| (end.location, pipe.direction == Direction::VectorToCube));
    let ends = found.into_iter().map(|(number, pipe, known)| {
        let address = ring_address(pipe, known, arch)?;
        Ok((number, pipe_end(number, pipe, known, address)))
    });
    ends.collect()
}

/// Where the ring of a pipe begins in L1.
fn ring_address(pipe: &pto::Pipe, end: &RingEnd, arch: Arch) -> Result<u32, Refusal> {
    let buffer = end.buffer.as_ref().ok_or_else(|| {
        Refusal::for_op(
            end.location,
            "has its ring in global memory, which is not lowered to Tensix: DRAM cannot count what is ready and what is free; use \
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

/// What is said of a ring that does not fit into L1; nothing if it does.
pub fn describe_l1_overflow(address: u64, bytes: u64, arch: Arch) -> Option<String> {
    let end = address.saturating_add(bytes);
    (end > arch.l1_bytes().into()).then(|| {
        format!(
            "has its ring at {address} to {end}, but L1 of {arch} ends at {}; use fewer or smaller slots",
            arch.l1_bytes()
        )
    })
}

/// The end that a kernel has of a pipe whose ring fits into L1.
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
