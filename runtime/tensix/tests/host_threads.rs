//! A device that runs on several host threads gives the same results as on one.

mod images;

use std::num::NonZero;

use images::start_with_noc;
use tessera_isa_tensix::noc::{increment, upper_half, ATOMIC};
use tessera_isa_tensix::tile::{self, Coordinate};
use tessera_isa_tensix::{Arch, Opcode};
use tessera_riscv::{Instruction as I, Op};
use tessera_tensix::chip::Stop;
use tessera_tensix::map::B;
use tessera_tensix::{Break, Device};

const TILES: u32 = 12;
const ROUNDS: u32 = 6;
/// Iterations of the loop that each tile executes between two messages, so that there is much work
/// that other tiles cannot observe.
const WORK: u32 = 300;
/// Words of each tile: messages received, iterations done, an answer.
const ARRIVED: u32 = 0x2_0000;
const DONE: u32 = 0x2_0010;
const ANSWER: u32 = 0x2_0020;

/// Returns the coordinates of tile `k`.
fn worker(k: u32) -> Coordinate {
    tile::worker(Arch::WormholeB0, k)
}

/// Returns the image of core B of a tile in the ring: it computes, pushes instructions, sends a
/// message to the next tile, and waits for one.
fn image(k: u32) -> Vec<u8> {
    const BUFFER: u8 = 20;
    let upper = |at| upper_half(Arch::WormholeB0, at);
    let (own, next) = (upper(worker(k)), upper(worker((k + 1) % TILES)));
    let code = (1..=ROUNDS).fold(start_with_noc(0, 1), |code, round| {
        code.li(BUFFER, WORK + 10 * k)
            .li(7, DONE)
            .add(&[
                I::i(Op::Lw, 5, 7, 0),
                I::r(Op::Add, 5, 5, BUFFER),
                I::s(Op::Sw, 7, 5, 0),
                I::push(0x0200_0000),
                I::i(Op::Addi, BUFFER, BUFFER, -1),
                I::s(Op::Bne, BUFFER, 0, -20),
            ])
            .request([ARRIVED, next, ANSWER, own, 0, ATOMIC, increment(ARRIVED), 1])
            .transaction(0)
            .poll(ARRIVED, round)
    });
    let words = code.halt().words();
    words.into_iter().flat_map(u32::to_le_bytes).collect()
}

/// Returns the complete observable state of a device after each run of `steps` steps.
fn shown(threads: usize, steps: u64, seed: u64) -> Vec<String> {
    let mut device = Device::new(Arch::WormholeB0, seed);
    device.set_threads(NonZero::new(threads).unwrap());
    let places = (0..TILES).map(worker);
    for (k, at) in (0..).zip(places.clone()) {
        device.write(at, 0, &image(k)).unwrap();
        device.release(at, &[B]).unwrap();
    }
    device.record(worker(3)).unwrap();
    for at in [worker(2), worker(7)] {
        device
            .stop_at(at, Break::Instruction(Opcode::Nop, 100))
            .unwrap();
    }
    let mut shown = Vec::new();
    loop {
        let stop = device.run(steps).unwrap();
        shown.push(format!("{stop:?} {:?}", device.live()));
        for at in places.clone() {
            let words = device.read(at, ARRIVED.into(), 0x30).unwrap();
            shown.push(format!("{at:?} {words:?} {:?}", device.waiting(at)));
        }
        if stop == Stop::Quiescent {
            break;
        }
    }
    let slices = device.timeline(worker(3)).unwrap().slices();
    shown.push(format!("{slices:?}"));
    shown.push(format!("{:?}", device.stats()));
    shown
}

#[test]
fn threads_do_not_matter() {
    for (steps, seed) in [(u64::MAX, 1), (997, 2), (29_989, 3)] {
        let expect = shown(1, steps, seed);
        let arrived = expect
            .iter()
            .filter(|line| line.contains(&format!("[{ROUNDS}, 0, 0, 0,")));
        assert!(arrived.count() >= TILES as usize, "not all messages arrive");
        for threads in [2, 3, 7] {
            let on = shown(threads, steps, seed);
            let differs = expect.iter().zip(&on).find(|(one, other)| one != other);
            assert_eq!(
                differs, None,
                "{threads} threads, {steps} steps, seed {seed}"
            );
            assert_eq!(on.len(), expect.len());
        }
    }
}
