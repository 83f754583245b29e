//! Tests of many tiles: rings of slots between tiles, with the protocol of real kernels, under
//! every order that the NoC permits.
//!
//! The producer (T2) fills one of two staging buffers, waits for a free slot, writes the slot,
//! *waits for the acknowledgement*, and only then increments the consumer's `ready` word; the
//! consumer (T0) waits for `ready`, reads the slot, increments the producer's `freed` word. Both
//! wait for their transactions before they say that they are done. What is sent here cores store
//! and load themselves; packers and unpackers have tests of their own.

mod images;

use images::{boot, start_with_noc, Code};
use tessera_isa_tensix::noc::{increment, upper_half, ATOMIC, READ, WRITE};
use tessera_isa_tensix::tile::{self, Coordinate, ERR, LINES};
use tessera_isa_tensix::Arch;
use tessera_riscv::{Instruction as I, Op};
use tessera_tensix::{ChipLaunch, ChipTrap, Launch, Machine, Ring, Schedule, TileLaunch};
use tessera_test_support::is_long_run;

const TILES: u32 = 6;
const SLOTS: u32 = 2;
/// Bytes of a message: four units.
const BYTES: u32 = 64;
const STAGING: u32 = 0x18000;
const RING: u32 = 0x19000;
/// Address at which answers of increments arrive.
const ANSWER: u32 = 0x1a000;
const READY: u32 = LINES.start + 4;

/// Returns the address of a consumer's counter in the producer's L1.
fn freed(peer: u32) -> u32 {
    LINES.start + 16 + 20 * peer
}

/// Returns a word of a message.
fn word(tile: u32, at: u32) -> u32 {
    tile * 1000 + at + 1
}

fn upper(at: Coordinate) -> u32 {
    upper_half(Arch::WormholeB0, at)
}

/// Returns the coordinates of worker `k`.
fn worker(k: u32) -> Coordinate {
    tile::worker(Arch::WormholeB0, k)
}

/// An error in a kernel's synchronisation.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Mistake {
    None,
    NoAcknowledgement,
    NoBackpressure,
    NoStagingWait,
    NoReadyWait,
    FreedBeforeRead,
    NothingFreed,
    ReadyTwice,
    DoneTooEarly,
}
use Mistake as M;

fn post(code: Code, (to, addr): (Coordinate, u32), own: Coordinate, transaction: u32) -> Code {
    let tag = transaction << 10;
    code.request([
        addr,
        upper(to),
        ANSWER,
        upper(own),
        tag,
        ATOMIC,
        increment(addr),
        1,
    ])
}

fn producer(own: Coordinate, peers: &[Coordinate], mistake: Mistake) -> Code {
    let mut code = start_with_noc(3, 2);
    for tile in 0..TILES {
        let staging = STAGING + tile % 2 * BYTES;
        let transaction = 1 + tile % 2;
        if mistake != M::NoStagingWait {
            code = code.transaction(transaction);
        }
        for at in 0..BYTES / 4 {
            code = code.store(staging + 4 * at, word(tile, at));
        }
        code = code.read_back();
        let slot = RING + tile % SLOTS * BYTES;
        for (k, &peer) in (0..).zip(peers) {
            if tile >= SLOTS && mistake != M::NoBackpressure {
                code = code.poll(freed(k), tile - SLOTS + 1);
            }
            let (from, to, tag) = (upper(own), upper(peer), transaction << 10);
            code = code.request([staging, from, slot, to, tag, WRITE, BYTES, 0]);
        }
        if mistake != M::NoAcknowledgement {
            code = code.transaction(transaction);
        }
        for &peer in peers {
            code = post(code, (peer, READY), own, transaction);
            if mistake == M::ReadyTwice && tile == 0 {
                code = post(code, (peer, READY), own, transaction);
            }
        }
    }
    if mistake == M::DoneTooEarly {
        return code.end(3);
    }
    (0..peers.len() as u32)
        .fold(code, |code, k| code.poll(freed(k), TILES))
        .transaction(1)
        .transaction(2)
        .end(3)
}

fn consumer(own: Coordinate, k: u32, from: Coordinate, mistake: Mistake) -> Code {
    const DIFFERENCE: u8 = 20;
    const EXPECTED: u8 = 21;
    const SLOT: u8 = 22;
    const WORD: u8 = 23;
    let free = |code: Code| post(code, (from, freed(k)), own, 3);
    let mut code = start_with_noc(1, 3);
    for tile in 0..TILES {
        if mistake != M::NoReadyWait {
            code = code.poll(READY, tile + 1);
        }
        if mistake == M::FreedBeforeRead {
            code = free(code);
        }
        code = code.li(SLOT, RING + tile % SLOTS * BYTES);
        for at in 0..BYTES / 4 {
            code = code.li(EXPECTED, word(tile, at)).add(&[
                I::i(Op::Lw, WORD, SLOT, 4 * at as i32),
                I::r(Op::Xor, WORD, WORD, EXPECTED),
                I::r(Op::Or, DIFFERENCE, DIFFERENCE, WORD),
            ]);
        }
        if !matches!(mistake, M::FreedBeforeRead | M::NothingFreed) {
            code = free(code);
        }
    }
    code.transaction(3)
        .li(7, ERR + 4)
        .add(&[I::s(Op::Sw, 7, DIFFERENCE, 0)])
        .end(1)
}

type Images = [Vec<u32>; 5];

/// Returns images in which B boots, one core runs `code`, and the others end immediately.
fn images(core: usize, code: Code) -> Images {
    let mut images = std::array::from_fn(|k| Code::default().end(k as u32).words());
    images[0] = boot(&[]).words();
    images[core] = code.words();
    images
}

struct Group {
    tiles: Vec<(Coordinate, Images)>,
    rings: Vec<Ring>,
}

fn group(cube: Coordinate, vectors: &[Coordinate], mistake: Mistake) -> Group {
    let mut tiles = vec![(cube, images(3, producer(cube, vectors, mistake)))];
    let mut rings = Vec::new();
    for (k, &vector) in (0..).zip(vectors) {
        tiles.push((vector, images(1, consumer(vector, k, cube, mistake))));
        rings.push(Ring {
            ready: (vector, READY),
            freed: (cube, freed(k)),
        });
    }
    Group { tiles, rings }
}

fn run(
    machine: &mut Machine,
    groups: &[Group],
    seed: u64,
    how: (bool, bool),
) -> Result<(), ChipTrap> {
    machine
        .run_chip(&launch(groups, seed, how), seed)
        .map(|_| ())
}

fn launch(groups: &[Group], seed: u64, (split, weak): (bool, bool)) -> ChipLaunch<'_> {
    let tiles = groups.iter().flat_map(|group| &group.tiles);
    ChipLaunch {
        tiles: tiles
            .map(|(coordinate, images)| TileLaunch {
                coordinate: *coordinate,
                launch: Launch {
                    images: images.each_ref().map(Vec::as_slice),
                    args: [&[]; 5],
                    dm: &[],
                    tensors: &[],
                    order: weak.then_some(seed),
                    limit: 100_000,
                },
            })
            .collect(),
        rings: groups.iter().flat_map(|g| g.rings.clone()).collect(),
        split,
    }
}

fn machine() -> Machine {
    Machine::new(Arch::WormholeB0)
}

fn first_cluster(peers: usize, mistake: Mistake) -> Group {
    let (cube, vectors) = tile::cluster(Arch::WormholeB0, 0);
    group(worker(cube), &vectors.map(worker)[..peers], mistake)
}

/// Returns the number of seeds of a test: 100, or 2000 in long tests.
fn seeds() -> u64 {
    if is_long_run() {
        2000
    } else {
        100
    }
}

#[test]
fn rings_under_every_order() {
    for peers in [1, 2] {
        let group = [first_cluster(peers, M::None)];
        for seed in 0..seeds() {
            let how = (seed % 2 == 0, seed % 4 < 2);
            let mut machine = machine();
            // Run twice on the same machine: a launch leaves no state behind.
            for _ in 0..2 {
                let end = run(&mut machine, &group, seed, how);
                assert_eq!(end, Ok(()), "{peers} peers, {seed}, {how:?}");
            }
        }
    }
}

/// Each mistake is detected under some seed. The wait for a free staging buffer is the exception:
/// the acknowledgement awaited before the increment already implies that the buffer is free, so
/// this wait only keeps the answers apart.
#[test]
fn mistakes_show() {
    let shows = [
        (M::NoAcknowledgement, "core T0 reports error"),
        (M::NoBackpressure, "core T0 reports error"),
        (
            M::NoReadyWait,
            "reads L1 0x19000, which nothing has written",
        ),
        (M::FreedBeforeRead, "core T0 reports error"),
        (
            M::NothingFreed,
            "deadlock: tile (1, 1): core B polls 0x17f0c in the loop at pc ",
        ),
        (
            M::NothingFreed,
            "tile (1, 1): core T2 polls 0x16810 (slots freed of ring 0) in the loop at pc 0x",
        ),
        (
            M::NothingFreed,
            " (tiles ready in ring 0) in the loop at pc 0x",
        ),
        (
            M::ReadyTwice,
            "ring 0 was given 7 tiles, of which 6 were freed",
        ),
        (
            M::DoneTooEarly,
            "core T2 signals completion while its NoC requests are in flight; wait for them first",
        ),
    ];
    for (mistake, text) in shows {
        let group = [first_cluster(1, mistake)];
        let mut errors =
            (0..seeds()).filter_map(|seed| run(&mut machine(), &group, seed, (true, true)).err());
        assert!(
            errors.any(|error| error.to_string().contains(text)),
            "{mistake:?} never ends with {text}"
        );
    }
    let group = [first_cluster(1, M::NoStagingWait)];
    for seed in 0..seeds() {
        assert_eq!(run(&mut machine(), &group, seed, (true, true)), Ok(()));
    }
}

#[test]
fn all_clusters_at_once() {
    let groups: Vec<Group> = (0..tile::clusters(Arch::WormholeB0))
        .map(|k| {
            let (cube, vectors) = tile::cluster(Arch::WormholeB0, k);
            group(worker(cube), &vectors.map(worker), M::None)
        })
        .collect();
    assert_eq!(run(&mut machine(), &groups, 7, (true, true)), Ok(()));
    // Several host threads give the same results in the same order.
    for (how, schedule) in [
        ((false, false), Schedule::Seed(8)),
        ((true, true), Schedule::Seed(8)),
        ((false, true), Schedule::Greedy),
    ] {
        let launches = [(launch(&groups, 8, how), schedule)];
        let on = |threads| machine().run_chips(&launches, threads);
        let expect = on(1);
        assert!(expect[0]
            .as_ref()
            .is_ok_and(|stats| stats.len() as u32 == 3 * tile::clusters(Arch::WormholeB0)));
        for threads in [2, 5] {
            assert_eq!(on(threads), expect, "{threads} threads, {how:?}");
        }
    }
}

#[test]
fn clusters_share_no_worker() {
    for (arch, workers, clusters, corners) in [
        (Arch::WormholeB0, 64, 16, [(1, 1), (9, 11)]),
        (Arch::Blackhole, 130, 40, [(1, 2), (15, 11)]),
    ] {
        assert_eq!(
            (tile::workers(arch), tile::clusters(arch)),
            (workers, clusters)
        );
        let place = |k| tile::worker(arch, k);
        let mut members: Vec<u32> = (0..clusters)
            .flat_map(|k| {
                let (cube, [a, b]) = tile::cluster(arch, k);
                let rows = [cube, a, b].map(|k| place(k).1);
                assert_eq!(rows, [rows[0]; 3], "{arch}, cluster {k}");
                [cube, a, b]
            })
            .collect();
        members.sort_unstable();
        members.dedup();
        assert_eq!(members.len() as u32, 3 * clusters, "{arch}");
        let mut places: Vec<Coordinate> = (0..workers).map(place).collect();
        assert_eq!([places[0], places[workers as usize - 1]], corners);
        places.sort_unstable();
        places.dedup();
        assert_eq!(places.len() as u32, workers, "{arch}");
    }
}

#[test]
fn launches_that_are_refused() {
    let here = worker(0);
    let at = |coordinate| Group {
        tiles: vec![(coordinate, images(4, Code::default().end(4)))],
        rings: Vec::new(),
    };
    let text = |groups: &[Group]| {
        run(&mut machine(), groups, 0, (false, false))
            .unwrap_err()
            .to_string()
    };
    assert_eq!(text(&[at((5, 5))]), "tile (5, 5): no worker is there");
    assert_eq!(
        text(&[at(here), at(here)]),
        "tile (1, 1): two kernels are launched there"
    );
}

#[test]
fn requests_that_are_refused() {
    let (own, peer) = (upper(worker(0)), upper(worker(1)));
    let dram = 5 << 4;
    let add = increment(READY);
    let cases = [
        (
            [READY, peer, ANSWER, own, 0, ATOMIC, 2 << 12 | 125, 1],
            "not modelled: NOC_AT_LEN_BE 0x207d of an atomic NoC request; increments, swaps and \
             compare-and-swaps are",
        ),
        (
            [READY, peer, ANSWER, own, 0, ATOMIC, add | 1 << 8, 1],
            "not modelled: NOC_AT_LEN_BE 0x117d of an atomic NoC request; increments, swaps and \
             compare-and-swaps are",
        ),
        (
            [READY, dram, ANSWER, own, 0, ATOMIC, add, 1],
            "undefined behaviour: makes an atomic NoC request of DRAM; only L1 has atomic \
             operations",
        ),
        (
            [READY, peer, ANSWER + 1, own, 0, ATOMIC, add, 1],
            "undefined behaviour: makes an atomic NoC request of 0x16804 with its answer to \
             0x1a001; both must be multiples of 4",
        ),
        (
            [READY, peer, ANSWER, own, 0, 3, add, 1],
            "undefined behaviour: makes a NoC request of kind 3, which is reserved",
        ),
        (
            [READY, peer, ANSWER, own, 0, 1 << 20, add, 1],
            "undefined behaviour: makes a NoC request with reserved bits 0x100000 of NOC_CTRL set",
        ),
        (
            [0x40, dram, 0, own, 0, 0xa, 15, 1],
            "undefined behaviour: makes an inline NoC write to DRAM; only Tensix and Ethernet \
             tiles take those",
        ),
        (
            [0xffb1_21b2, peer, 0, own, 0, 0xa, 15, 1],
            "undefined behaviour: makes an inline NoC write to 0xffb121b2; registers are at \
             multiples of 4",
        ),
        (
            [0, peer, RING, own, 0, 1 << 5, 32, 0],
            "undefined behaviour: broadcasts a NoC read",
        ),
        (
            [0, peer, RING, own, 0, READ, 32, 0],
            "undefined behaviour: makes a NoC request of tile (2, 1), where this launch has no \
             kernel",
        ),
    ];
    for (request, expect) in cases {
        let group = Group {
            tiles: vec![(
                worker(0),
                images(
                    4,
                    start_with_noc(4, 1).request(request).transaction(0).end(4),
                ),
            )],
            rings: Vec::new(),
        };
        let error = run(&mut machine(), &[group], 0, (false, false)).unwrap_err();
        assert!(error.to_string().ends_with(expect), "{error}");
    }
}

/// A read of another tile's L1 returns its content; an increment changes no bit above its width and
/// returns the old word.
#[test]
fn reads_and_increments_of_other_tiles() {
    const LOW_BYTE: u32 = 7 << 2;
    let (a, b) = (worker(0), worker(63));
    let line = LINES.start + 0x100;
    let narrow = increment(line) & !(31 << 2) | LOW_BYTE;
    let reader = start_with_noc(4, 1)
        .poll(READY, 1)
        .request([line, upper(b), ANSWER, upper(a), 0, ATOMIC, narrow, 3])
        .transaction(0)
        .request([line, upper(b), RING, upper(a), 0, READ, 16, 0])
        .transaction(0)
        .li(7, RING)
        .li(8, 0x1_0001)
        .li(9, ANSWER)
        .li(10, 0x1_00fe)
        .li(11, ERR + 16)
        .add(&[
            I::i(Op::Lw, 5, 7, 0),
            I::r(Op::Xor, 5, 5, 8),
            I::i(Op::Lw, 6, 9, 0),
            I::r(Op::Xor, 6, 6, 10),
            I::r(Op::Or, 5, 5, 6),
            I::s(Op::Sw, 11, 5, 0),
        ])
        .end(4);
    let owner = post(
        start_with_noc(4, 1).store(line, 0x1_00fe).read_back(),
        (a, READY),
        b,
        0,
    )
    .transaction(0)
    .end(4);
    both_end((a, reader), (b, owner));
}

/// Runs kernels on NC of two tiles and checks that both end, in every order.
fn both_end((a, first): (Coordinate, Code), (b, second): (Coordinate, Code)) {
    for seed in 0..seeds() {
        let group = Group {
            tiles: vec![
                (a, images(4, first.clone())),
                (b, images(4, second.clone())),
            ],
            rings: Vec::new(),
        };
        let end = run(&mut machine(), &[group], seed, (seed % 2 == 0, true));
        assert_eq!(end, Ok(()), "{seed}");
    }
}

/// Posted, inline and broadcast requests arrive; the sender learns of it from the receiver only.
#[test]
fn posted_requests() {
    const POSTED_WRITE: u32 = 2;
    const POSTED_INLINE: u32 = 2 | 1 << 3;
    const POSTED_BROADCAST_ATOMIC: u32 = 1 | 1 << 5;
    let (a, b) = (worker(0), worker(1));
    let line = |k: u32| LINES.start + 0x100 + 16 * k;
    let (x, y) = b;
    let rectangle = upper(b) | x << 16 | y << 22;
    let sender = start_with_noc(4, 1)
        .store(line(0), 0x1122_3344)
        .read_back()
        .request([line(0), upper(a), line(1), upper(b), 0, POSTED_WRITE, 4, 0])
        .started()
        .request([line(2), upper(b), 0, 0, 0, POSTED_INLINE, 0xf0, 0x5566_7788])
        .started()
        .request([
            line(3),
            rectangle,
            0,
            0,
            0,
            POSTED_BROADCAST_ATOMIC,
            increment(line(3)),
            5,
        ])
        .poll(READY, 1)
        .end(4);
    let check = |code: Code, addr: u32, expect: u32| {
        code.poll(addr, 1)
            .li(7, addr)
            .li(8, expect)
            .li(20, ERR + 16)
            .add(&[
                I::i(Op::Lw, 5, 7, 0),
                I::r(Op::Xor, 5, 5, 8),
                I::i(Op::Lw, 6, 20, 0),
                I::r(Op::Or, 5, 5, 6),
                I::s(Op::Sw, 20, 5, 0),
                I::i(Op::Lw, 5, 20, 0),
                I::i(Op::Andi, 5, 5, 0),
            ])
    };
    let received = [
        (line(1), 0x1122_3344),
        (line(2) + 4, 0x5566_7788),
        (line(3), 5),
    ];
    let checked = received
        .into_iter()
        .fold(start_with_noc(4, 1), |code, (addr, value)| {
            check(code, addr, value)
        });
    let receiver = post(checked, (a, READY), b, 0).transaction(0).end(4);
    both_end((a, sender), (b, receiver));
}

/// A broadcast leaves its sender once and arrives at every worker in its rectangle. Tiles without
/// workers take no part: row 6 has Ethernet tiles, row 7 is fused off.
#[test]
fn broadcasts_reach_all_workers() {
    const POSTED_BROADCAST: u32 = 2 | 1 << 5;
    let line = LINES.start + 0x100;
    let [a, b, c] = [24, 32, 40].map(worker);
    let rectangle = upper(c) | b.0 << 16 | b.1 << 22;
    let sender = start_with_noc(4, 1)
        .store(STAGING, 1)
        .read_back()
        .request([
            STAGING,
            upper(a),
            line,
            rectangle,
            0,
            POSTED_BROADCAST,
            4,
            0,
        ])
        .poll(READY, 2)
        .end(4);
    let receiver = |own| {
        let code = start_with_noc(4, 1).poll(line, 1);
        post(code, (a, READY), own, 0).transaction(0).end(4)
    };
    for seed in 0..10 {
        let group = Group {
            tiles: vec![
                (a, images(4, sender.clone())),
                (b, images(4, receiver(b))),
                (c, images(4, receiver(c))),
            ],
            rings: Vec::new(),
        };
        let groups = [group];
        let launch = launch(&groups, seed, (seed % 2 == 0, true));
        let stats = machine().run_chip(&launch, seed).unwrap();
        let bytes = 4;
        let moved: Vec<_> = stats.iter().map(|tile| tile.noc()[0]).collect();
        assert_eq!(moved, [[0, bytes], [bytes, 0], [bytes, 0]], "{seed}");
    }
}
