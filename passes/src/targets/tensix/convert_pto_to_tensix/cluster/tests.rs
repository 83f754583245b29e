use tessera_pto::kernel::Kernel;
use tessera_pto::target::{Buffer, Ring};

use super::*;

/// Returns a cube kernel and two vector kernels with a pipe in each direction, split between the
/// vector kernels.
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
        let ends = kernel_pipe_ends(&group, kernel, Arch::WormholeB0).expect("rings fit");
        let found: Vec<_> = ends
            .iter()
            .map(|(number, end)| (*number, end.number, end.pushes, end.address))
            .collect();
        let cube = kernel == 0;
        let expect = [(1, 1, cube, 106_496), (0, 0, !cube, 98_304)];
        assert_eq!(found, expect, "{kernel}");
        for (_, end) in ends {
            let found = (end.peers, end.part, end.axis, end.location);
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
    assert_eq!(ring_connections(&group()), expect);
}

#[test]
fn rings_must_be_described() {
    let mut group = group();
    group.pipes[0].ring.ends.pop();
    let text = "does not specify the location of the ring of pipe VectorToCube";
    let refusal = kernel_pipe_ends(&group, 2, Arch::WormholeB0).expect_err("no end");
    assert_eq!(refusal, Refusal::new(Subject::Kernel(2), text));
}
