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
use super::thread::counter;

/// For each ring, and each part of its tiles: the tile that pops, its counter of what is ready, the
/// tile that pushes, its counter of what was freed.
pub fn rings(group: &Group) -> Vec<[u32; 4]> {
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
pub fn ends(group: &Group, kernel: usize, arch: Arch) -> Result<Vec<(usize, Pipe)>, Refusal> {
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
        let address = address(pipe, known, arch)?;
        Ok((number, end(number, pipe, known, address)))
    });
    ends.collect()
}

/// Where the ring of a pipe begins in L1.
fn address(pipe: &pto::Pipe, end: &RingEnd, arch: Arch) -> Result<u32, Refusal> {
    let buffer = end.buffer.as_ref().ok_or_else(|| {
        Refusal::at(
            end.location,
            "has its ring in global memory, which is not lowered to Tensix: DRAM cannot count what is ready and what is free; use \
             platform = #pto.platform<a5>",
        )
    })?;
    let address = buffer.address.ok_or_else(|| {
        Refusal::at(
            buffer.location,
            "has no address; run --pto-allocate-memory-addr before --convert-pto-to-tensix",
        )
    })?;
    let bytes = pipe.ring.slot_bytes.saturating_mul(pipe.slots.into());
    match beyond_l1(address, bytes, arch) {
        Some(text) => Err(Refusal::at(end.location, text)),
        None => Ok(address as u32),
    }
}

/// What is said of a ring that does not fit into L1; nothing if it does.
pub fn beyond_l1(address: u64, bytes: u64, arch: Arch) -> Option<String> {
    let end = address.saturating_add(bytes);
    (end > arch.l1_bytes().into()).then(|| {
        format!(
            "has its ring at {address} to {end}, but L1 of {arch} ends at {}; use fewer or smaller slots",
            arch.l1_bytes()
        )
    })
}

/// The end that a kernel has of a pipe whose ring fits into L1.
fn end(number: usize, pipe: &pto::Pipe, end: &RingEnd, address: u32) -> Pipe {
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
        place: end.location,
    }
}

#[cfg(test)]
mod tests {
    use tessera_pto::kernel::Kernel;
    use tessera_pto::target::{Buffer, Ring};

    use super::*;

    /// A cube kernel and two vector kernels with a pipe in each direction, split between the vector
    /// kernels.
    fn group() -> Group {
        let pipe = |direction, address: u64| pto::Pipe {
            name: format!("{direction:?}"),
            direction,
            slots: 2,
            split: Split::UpDown,
            cube: 0,
            vector: vec![1, 2],
            ring: Ring {
                slot_bytes: 4096,
                ends: (0..3)
                    .map(|kernel| RingEnd {
                        kernel,
                        buffer: Some(Buffer {
                            address: Some(address),
                            location: 8,
                        }),
                        location: 9,
                    })
                    .collect(),
            },
        };
        Group {
            pipes: vec![
                pipe(Direction::VectorToCube, 98_304),
                pipe(Direction::CubeToVector, 106_496),
            ],
            kernels: vec![Kernel::default(); 3],
            ..Group::default()
        }
    }

    #[test]
    fn each_kernel_has_its_ends() {
        let group = group();
        for (kernel, peers, part) in [
            (0, vec![1, 2], None),
            (1, vec![0], Some(0)),
            (2, vec![0], Some(1)),
        ] {
            let ends = ends(&group, kernel, Arch::WormholeB0).expect("rings fit");
            let found: Vec<_> = ends
                .iter()
                .map(|(number, end)| (*number, end.number, end.pushes, end.address))
                .collect();
            let cube = kernel == 0;
            let expect = [(1, 1, cube, 106_496), (0, 0, !cube, 98_304)];
            assert_eq!(found, expect, "{kernel}");
            for (_, end) in ends {
                let found = (end.peers, end.part, end.axis, end.place);
                assert_eq!(found, (peers.clone(), part, Some(0), 9), "{kernel}");
            }
        }
    }

    #[test]
    fn rings_join_the_tiles_of_their_kernels() {
        let lines = |pipe, consumer, producer, [ready, freed]: [u32; 2]| {
            let ready = counter::ready(pipe, ready).into();
            let freed = counter::freed(pipe, freed).into();
            [consumer, ready, producer, freed]
        };
        let expect = [
            lines(0, 0, 1, [0, 0]),
            lines(0, 0, 2, [1, 0]),
            lines(1, 1, 0, [0, 0]),
            lines(1, 2, 0, [0, 1]),
        ];
        assert_eq!(rings(&group()), expect);
    }

    #[test]
    fn rings_must_be_described() {
        let mut group = group();
        group.pipes[0].ring.ends.pop();
        let text = "does not say where the ring of pipe VectorToCube lies";
        let refusal = ends(&group, 2, Arch::WormholeB0).expect_err("no end");
        assert_eq!(refusal, Refusal::new(Subject::Kernel(2), text));
    }
}
