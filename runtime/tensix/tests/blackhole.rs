//! Tests of Blackhole tiles with RISC-V images for single cores: how firmware starts cores, moves
//! data and takes interrupts.

use tessera_isa_tensix::noc::{self, layout, Layout};
use tessera_isa_tensix::tile::{
    B, CONTROL, INTERRUPTS, LOCAL, LOCAL_FOR_OTHERS, NC, NOC, SNAPSHOTS, SOFT_RESET,
};
use tessera_isa_tensix::Arch;
use tessera_riscv::{Instruction as I, Op};
use tessera_tensix::chip::Stop;
use tessera_tensix::Device;

const HOME: (u32, u32) = (1, 2);
const PEER: (u32, u32) = (16, 11);
/// A DRAM 4 tile, by a translated name.
const DRAM: (u32, u32) = (17, 12);
/// Address at which results are stored.
const RESULT: u32 = 0x2_0000;

/// A program under construction.
#[derive(Default)]
struct Code(Vec<I>);

impl Code {
    fn i(mut self, instruction: I) -> Self {
        self.0.push(instruction);
        self
    }

    /// Sets x`register` to a value.
    fn set(self, register: u8, value: u32) -> Self {
        let low = (value << 20) as i32 >> 20;
        let high = value.wrapping_sub(low as u32) as i32;
        self.i(I::i(Op::Lui, register, 0, high))
            .i(I::i(Op::Addi, register, register, low))
    }

    fn store(self, addr: u32, value: u32) -> Self {
        self.set(5, value).set(6, addr).i(I::s(Op::Sw, 6, 5, 0))
    }

    /// Stores x`register` at an address.
    fn keep(self, addr: u32, register: u8) -> Self {
        self.set(6, addr).i(I::s(Op::Sw, 6, register, 0))
    }

    /// Polls an address until it holds a value.
    fn wait(self, addr: u32, value: u32) -> Self {
        self.set(5, value)
            .set(6, addr)
            .i(I::i(Op::Lw, 7, 6, 0))
            .i(I::s(Op::Bne, 7, 5, -4))
    }

    /// Issues a request from initiator 1 of NoC 0, after storing values to the given registers of
    /// it.
    fn request(self, fields: &[(usize, u32)]) -> Self {
        let command = [(noc::COMMAND, 1)];
        let made = fields
            .iter()
            .chain(&command)
            .fold(self, |code, &(field, value)| {
                code.store(register(field), value)
            });
        made.wait(register(noc::COMMAND), 0)
    }

    /// Polls a counter until it shows the given number of answered requests.
    fn answered(self, counter: u32, count: u32) -> Self {
        self.wait(NOC + noc::COUNTERS + 4 * counter, count)
    }

    fn image(self) -> Vec<u8> {
        let code = self.i(I::i(Op::Jal, 0, 0, 0));
        let words = code.0.iter().map(|i| i.encode().unwrap().to_le_bytes());
        words.collect::<Vec<_>>().concat()
    }
}

/// Returns the address of a register of initiator 1 of NoC 0.
fn register(number: usize) -> u32 {
    let Layout {
        stride, registers, ..
    } = layout(Arch::Blackhole);
    let word = registers.iter().position(|&r| r == Some(number)).unwrap();
    NOC + stride + 4 * word as u32
}

/// Returns the registers and values that describe one end of a request.
fn end(first: usize, (x, y): (u32, u32), addr: u32) -> [(usize, u32); 3] {
    [
        (first, addr),
        (first + 1, 0),
        (first + noc::HIGH, x | y << 6),
    ]
}

fn device() -> Device {
    Device::new(Arch::Blackhole, 3)
}

fn word(device: &mut Device, at: (u32, u32), addr: u32) -> u32 {
    let bytes = device.read(at, addr.into(), 4).unwrap();
    u32::from_le_bytes(bytes.try_into().unwrap())
}

/// Runs images on cores until all have ended.
fn run(device: &mut Device, images: &[(usize, Code)]) {
    run_until(device, images).unwrap();
}

fn run_until(device: &mut Device, images: &[(usize, Code)]) -> Result<(), String> {
    for (core, code) in images {
        let image = Code(code.0.clone()).image();
        device.load_image(HOME, *core, &image).unwrap();
    }
    let cores: Vec<usize> = images.iter().map(|(core, _)| *core).collect();
    device.release(HOME, &cores).unwrap();
    let ended = device.run(10_000_000).map_err(|trap| trap.to_string())?;
    assert_eq!((ended, device.waiting(HOME)), (Stop::Quiescent, vec![]));
    Ok(())
}

/// Runs an image on core B and returns the trap it ends with.
fn trap(code: Code) -> String {
    run_until(&mut device(), &[(B, code)]).unwrap_err()
}

/// B starts the other cores at the addresses in its registers; each adds a value to a word, with
/// instructions of its instruction set.
#[test]
fn cores_start_at_their_configured_address() {
    let mut device = device();
    let starts = [0x3_0000, 0x3_1000, 0x3_2000, 0x3_3000];
    for (k, start) in starts.into_iter().enumerate() {
        let code = Code::default()
            .set(1, RESULT)
            .set(2, 1 << (8 * k))
            .i(I::r(Op::Sh3add, 2, 0, 2))
            .i(I::r(Op::Amoadd, 0, 1, 2))
            .set(3, LOCAL + 0xffc)
            .i(I::i(Op::Lw, 4, 3, 0))
            .i(I::i(Op::Addi, 4, 4, 1))
            .i(I::s(Op::Sw, 3, 4, 0));
        device.write(HOME, start.into(), &code.image()).unwrap();
    }
    let [pcs, overrides] = [CONTROL + 0x228, CONTROL + 0x234];
    let boot = |code: Code| {
        code.store(pcs, starts[0])
            .store(pcs + 4, starts[1])
            .store(pcs + 8, starts[2])
            .store(CONTROL + 0x238, starts[3])
            .store(overrides, 7)
            .store(CONTROL + 0x23c, 1)
            .store(SOFT_RESET, 0)
    };
    run(&mut device, &[(B, boot(Code::default()))]);
    assert_eq!(word(&mut device, HOME, RESULT), 0x0101_0101);
    for core in [1, 2, 3, NC] {
        let others = LOCAL_FOR_OTHERS[core].start;
        assert_eq!(word(&mut device, HOME, others + 0xffc), 1, "core {core}");
    }
    // The local memory of a T core has 4096 bytes, at two addresses.
    assert_eq!(
        word(&mut device, HOME, LOCAL_FOR_OTHERS[2].start + 0x1ffc),
        1
    );
    // Program counters of B, NC, T0.
    let pcs = [0, 4, 8].map(|k| word(&mut device, HOME, SNAPSHOTS.start + k));
    assert_eq!((pcs[1] >> 12, pcs[2] >> 12), (0x33, 0x30));
    // A reset clears the local memories.
    device.release(HOME, &[]).unwrap();
    device.release(HOME, &[1]).unwrap();
    device.run(1_000_000).unwrap();
    assert_eq!(
        word(&mut device, HOME, LOCAL_FOR_OTHERS[1].start + 0xffc),
        1
    );
    assert_eq!(
        word(&mut device, HOME, LOCAL_FOR_OTHERS[2].start + 0xffc),
        1,
        "still held"
    );
}

#[test]
fn control_registers() {
    let code = Code::default()
        .i(I::csr(Op::Csrrs, 8, 0x301, 0))
        .keep(RESULT, 8)
        .i(I::csr(Op::Csrrs, 8, 0xc00, 0))
        .i(I::csr(Op::Csrrs, 9, 0xc00, 0))
        .i(I::r(Op::Sltu, 8, 8, 9))
        .keep(RESULT + 4, 8)
        .i(I::csr(Op::Csrrs, 8, 0xbc1, 0))
        .keep(RESULT + 8, 8);
    let mut device = device();
    run(&mut device, &[(B, code)]);
    let words = [0, 4, 8].map(|k| word(&mut device, HOME, RESULT + k));
    assert_eq!((words[0], words[2]), (0x4020_1123, 0));
}

/// Sums and products agree with the chip's vector unit: denormals are zero, and fused products keep
/// four bits more than a float holds.
#[test]
fn floats() {
    let float = |op, words: [u32; 3]| {
        let imm = if op == Op::FmaddS { 7 | 3 << 3 } else { 7 };
        let loaded = words
            .iter()
            .zip(1..)
            .fold(Code::default(), |code, (&word, k)| {
                code.set(8, word).i(I::i(Op::FmvWX, k, 8, 0))
            });
        let code = loaded
            .i(I {
                imm,
                ..I::r(op, 4, 1, 2)
            })
            .set(8, RESULT)
            .i(I::s(Op::Fsw, 8, 4, 0));
        let mut device = device();
        run(&mut device, &[(NC, code)]);
        word(&mut device, HOME, RESULT)
    };
    let (one, denormal, sign) = (0x3f80_0000, 0x0040_0000, 1 << 31);
    let cases = [
        (Op::FaddS, [one, one, 0], 0x4000_0000),
        (Op::FaddS, [denormal, denormal, 0], 0),
        (Op::FsubS, [one, one, 0], 0),
        (Op::FmulS, [0x0080_0000, 0xbf00_0000, 0], sign),
        (Op::FmulS, [0x3f80_0001, 0x3f80_0001, 0], 0x3f80_0002),
        // (1 + 2^-23)^2 - (1 + 2^-22) is 2^-46; here the bits beyond the additional four are
        // sticky.
        (
            Op::FmaddS,
            [0x3f80_0001, 0x3f80_0001, 0xbf80_0002],
            0x3280_0000,
        ),
        (Op::FmaddS, [0x7f80_0000, 0, one], 0x7fc0_0000),
    ];
    for (op, words, expect) in cases {
        assert_eq!(float(op, words), expect, "{op:?} {words:x?}");
    }
}

/// A NOP of each kind in a thread's queues is visible in the status registers until it passes the
/// gate.
#[test]
fn status_of_the_coprocessor() {
    // Nothing holds the queues back here, so everything pushed completes.
    let code = Code::default()
        .i(I::push(0x0200_0000))
        .set(1, 0xffe8_0000)
        .i(I::s(Op::Sw, 1, 0, 4))
        .i(I::i(Op::Lw, 2, 1, 4))
        .i(I::i(Op::Andi, 2, 2, 0))
        .i(I::csr(Op::Csrrs, 8, 0xbc0, 0))
        .keep(RESULT, 8);
    let mut device = device();
    run(&mut device, &[(1, code)]);
    assert_eq!(
        word(&mut device, HOME, RESULT),
        1 << 11 | 1 << 24,
        "lanes are enabled"
    );
}

/// Tests reads from DRAM, writes to another tile, and atomic operations there.
#[test]
fn requests() {
    let mut device = device();
    let data: Vec<u8> = (0..=255).collect();
    device
        .write(DRAM, 0x1_0000_0040 & 0xffff_ffff, &data)
        .unwrap();
    let [read, write] = [noc::READ, noc::WRITE];
    let get = [
        &end(noc::TARGET, DRAM, 0x40)[..],
        &end(noc::RETURN, HOME, RESULT + 0x40),
        &[(noc::TAG, 0), (noc::CONTROL, read), (noc::LENGTH, 256)],
    ]
    .concat();
    let put = [
        &end(noc::TARGET, HOME, RESULT + 0x40)[..],
        &end(noc::RETURN, PEER, RESULT + 0x80),
        &[
            (noc::TAG, 3 << noc::TRANSACTION_BIT),
            (noc::CONTROL, write),
            (noc::LENGTH, 256),
        ],
    ]
    .concat();
    // Bytes 1 and 40 of 64.
    let some = [
        &end(noc::TARGET, HOME, RESULT + 0x40)[..],
        &end(noc::RETURN, PEER, RESULT + 0x200),
        &[
            (noc::CONTROL, write | noc::BYTE_ENABLES),
            (noc::LENGTH, 2),
            (noc::LENGTH_HIGH, 1 << 8),
        ],
    ]
    .concat();
    let maximum = [
        &end(noc::TARGET, PEER, RESULT + 0x84)[..],
        &end(noc::RETURN, HOME, RESULT),
        &[
            (noc::CONTROL, noc::ATOMIC),
            (noc::LENGTH, 0xaf01),
            (noc::LENGTH_HIGH, 0),
            (noc::DATA, 0xaabb_ccdd),
        ],
    ]
    .concat();
    let code = Code::default()
        .request(&get)
        .answered(2, 1)
        .request(&put)
        .answered(1, 1)
        .request(&some)
        .answered(1, 2)
        .request(&maximum)
        .answered(0, 1);
    run(&mut device, &[(NC, code)]);
    let moved = device.read(PEER, u64::from(RESULT) + 0x80, 256).unwrap();
    assert_eq!(moved[..4], data[..4]);
    assert_eq!(
        moved[4..8],
        0xaabb_ccddu32.to_le_bytes(),
        "the larger of the two"
    );
    assert_eq!(moved[8..], data[8..]);
    assert_eq!(
        word(&mut device, HOME, RESULT),
        0x0706_0504,
        "what was there"
    );
    let some = device.read(PEER, u64::from(RESULT) + 0x200, 64).unwrap();
    let written: Vec<usize> = (0..64).filter(|&k| some[k] != 0).collect();
    assert_eq!((written, some[1], some[40]), (vec![1, 40], 1, 40));
    // Counts flits of 64 bytes: 4, or 5 if they are not aligned, and one for the answering tile.
    let counter = |device: &mut Device, at, k: u32| word(device, at, NOC + noc::COUNTERS + 4 * k);
    assert_eq!(
        (
            counter(&mut device, HOME, 3),
            counter(&mut device, PEER, 54)
        ),
        (4, 1)
    );
    // The tile's own identifiers, and its type.
    assert_eq!(word(&mut device, HOME, NOC + 0x148), 1 | 2 << 6);
    assert_eq!(
        word(&mut device, HOME, NOC + 0x844),
        1 | 2 << 6 | 17 << 12 | 12 << 19 | 1 << 28
    );
    assert_eq!(word(&mut device, PEER, NOC + 0x48), 139 | 1 << 16);
    // All three tiles of a DRAM have the same content.
    let copies = [(9, 0), (9, 1), (9, 11), (17, 14)].map(|at| word(&mut device, at, 0x40));
    assert_eq!(copies, [0x0302_0100; 4]);
}

#[test]
fn requests_that_are_refused() {
    let own = end(noc::RETURN, HOME, RESULT);
    let with = |fields: &[&[(usize, u32)]]| trap(Code::default().request(&fields.concat()));
    let cases = [
        (
            with(&[
                &end(noc::TARGET, PEER, RESULT),
                &[(noc::CONTROL, noc::WRITE | noc::INLINE), (noc::LENGTH, 15)],
            ]),
            "undefined behaviour: makes an inline NoC write to L1 (0x20000), which Blackhole's \
             hardware does wrongly; write from L1 instead",
        ),
        (
            with(&[&end(noc::TARGET, DRAM, 0x20), &own, &[(noc::LENGTH, 32)]]),
            "undefined behaviour: DRAM offset 0x20 and L1 address 0x20000 differ modulo 64; the \
             NoC moves aligned pieces of 64 bytes",
        ),
        (
            with(&[&end(noc::TARGET, PEER, 0), &own, &[(noc::LENGTH, 16385)]]),
            "undefined behaviour: makes a NoC request of 16385 bytes; it can be 1 to 16384",
        ),
        (
            with(&[
                &end(noc::TARGET, PEER, 0),
                &own,
                &[(noc::LENGTH, 4), (noc::LENGTH_HIGH, 1)],
            ]),
            "undefined behaviour: makes a NoC request of 4294967300 bytes; it can be 1 to 16384",
        ),
        (
            with(&[&end(noc::TARGET, (20, 25), 0), &own, &[(noc::LENGTH, 16)]]),
            "undefined behaviour: makes a NoC request of tile (1, 1), where this launch has no \
             kernel",
        ),
        (
            with(&[
                &end(noc::TARGET, HOME, RESULT),
                &end(noc::RETURN, (1 | 1 << 12, 2 | 3 << 12), 0),
                &[
                    (noc::CONTROL, noc::WRITE | noc::BROADCAST),
                    (noc::LENGTH, 16),
                    (noc::EXCLUDE, 1),
                ],
            ]),
            "not modelled: NOC_BRCST_EXCLUDE 0x1: NoC broadcasts that exclude tiles",
        ),
        (
            with(&[
                &end(noc::TARGET, PEER, 0xffb1_1000),
                &own,
                &[(noc::LENGTH, 4)],
            ]),
            "not modelled: NoC requests of 0xffb11000, which is not in L1",
        ),
    ];
    for (got, expect) in cases {
        assert!(got.ends_with(expect), "{got}");
    }
}

/// T0 raises interrupts of B, and B's NoC raises another.
#[test]
fn interrupts() {
    const HANDLER: u32 = 0x3_0000;
    let slot = |k: u32| INTERRUPTS + 0x18 + 4 * k;
    let handlers = INTERRUPTS + 0xa8;
    let mut device = device();
    // Stores the interrupt's number and its source.
    let handler = Code::default()
        .set(30, LOCAL)
        .i(I::s(Op::Sw, 30, 5, 0))
        .i(I::s(Op::Sw, 30, 6, 4))
        .set(1, INTERRUPTS)
        .i(I::i(Op::Lw, 2, 1, 8))
        .i(I::i(Op::Lw, 3, 1, 0x18 + 4 * 5))
        .i(I::i(Op::Lw, 4, 1, 0x98 + 4))
        .i(I::csr(Op::Csrrs, 9, 0xbca, 0))
        .keep(RESULT, 2)
        .keep(RESULT + 4, 3)
        .keep(RESULT + 8, 4)
        .keep(RESULT + 12, 9)
        // Clears the NoC's interrupt flags.
        .store(NOC + 0x17c, u32::MAX)
        .i(I::i(Op::Lw, 5, 30, 0))
        .i(I::i(Op::Lw, 6, 30, 4))
        .i(I::i(Op::Mret, 0, 0, 0));
    device
        .write(HOME, HANDLER.into(), &handler.image())
        .unwrap();
    let b = Code::default()
        .store(handlers + 4 * 5, HANDLER)
        .store(handlers + 4 * 33, HANDLER)
        .store(INTERRUPTS, 1 << 5)
        .store(RESULT + 16, 1);
    let t0 = Code::default().wait(RESULT + 16, 1).store(slot(5), 77);
    run(&mut device, &[(B, b), (1, t0)]);
    let words = |device: &mut Device| [0, 4, 8].map(|k| word(device, HOME, RESULT + k));
    assert_eq!(words(&mut device), [5, 77, 0]);
    assert_eq!(word(&mut device, HOME, slot(5)), 0);
    let get = [
        &end(noc::TARGET, DRAM, 0x40)[..],
        &end(noc::RETURN, HOME, RESULT + 0x40),
        &[(noc::CONTROL, noc::READ), (noc::LENGTH, 64)],
    ]
    .concat();
    let b = Code::default()
        .store(INTERRUPTS, 0)
        .store(INTERRUPTS + 4, 2)
        .store(NOC + 0x178, 1)
        .request(&get);
    device.release(HOME, &[]).unwrap();
    run(&mut device, &[(B, b)]);
    assert_eq!(words(&mut device), [33, 0, 1]);
}

#[test]
fn places_without_anything() {
    let cases = [
        (0x18_0000, "reads 0x180000, which is not mapped for core B"),
        (
            0xffb0_2000,
            "reads 0xffb02000, which is not mapped for core B",
        ),
        (
            0xffb1_e000,
            "reads 0xffb1e000, which is not mapped for core B",
        ),
        (
            0xffb1_3138 - 4 + 0x18,
            "reads 0xffb1314c, which is not mapped for core B",
        ),
        (
            0xffbd_8000,
            "reads 0xffbd8000, which is not mapped for core B",
        ),
        (
            0xffef_f000,
            "there is no word of Config at 0xffeff000 for core B",
        ),
        (
            0xffb2_014c + 0x1000,
            "not modelled: this register of NoC 0 (0xffb2114c)",
        ),
    ];
    for (addr, expect) in cases {
        let got = trap(Code::default().set(1, addr).i(I::i(Op::Lw, 2, 1, 0)));
        assert!(got.ends_with(expect), "{got}");
    }
    let atomic = trap(Code::default().set(1, LOCAL).i(I::r(Op::Amoadd, 2, 1, 0)));
    assert!(
        atomic.ends_with("changes 0xffb00000 with an atomic operation; only L1 has those"),
        "{atomic}"
    );
    let thread = trap(Code::default().store(0xffef_0000 + 4 * 3 * 224, 1));
    assert!(
        thread.ends_with("in ThreadConfig, which cores only read; push a SETC16"),
        "{thread}"
    );
    let mut device = device();
    for at in [(1, 1), (8, 3), (20, 25), (40, 40)] {
        let (x, y) = at;
        assert_eq!(
            device.read(at, 0, 4).unwrap_err().to_string(),
            format!(
                "tile ({x}, {y}): not modelled: the tile at ({x}, {y}), which is neither Tensix \
                 nor DRAM"
            )
        );
    }
}

/// A store to a GPR waits for an earlier instruction that reads it, if reads are tracked; a load
/// waits for an earlier instruction that writes it.
#[test]
fn automatic_synchronisation() {
    let gpr = 0xffe0_0000 + 4 * 8;
    let push = |code: Code, text: &str| {
        let instruction = tessera_isa_tensix::Instruction::parse(Arch::Blackhole, text).unwrap();
        code.i(I::push(instruction.encode(Arch::Blackhole).unwrap()))
    };
    // Semaphore 0 holds the instruction back until T1 posts.
    let program = |tracked: u32| {
        let mut code = push(Code::default(), &format!("ttsetc16 56, {tracked}"));
        code = code
            .set(1, 0xffe8_0000)
            .i(I::s(Op::Sw, 1, 0, 4))
            .i(I::i(Op::Lw, 2, 1, 4))
            .i(I::i(Op::Andi, 2, 2, 0));
        code = push(code, "ttseminit 15, 0, 1");
        code = push(code, "ttsemwait 511, 1, 1");
        code = push(code, "ttsetdmareg 0, 7, 0, 16");
        code.set(6, gpr)
            .i(I::i(Op::Fence, 0, 0, 0xff))
            .i(I::i(Op::Lw, 8, 6, 0))
            .keep(RESULT, 8)
            .store(RESULT + 4, 1)
    };
    let late = Code::default()
        .i(I::i(Op::Lui, 9, 0, 0x4000))
        .i(I::i(Op::Addi, 9, 9, -1))
        .i(I::s(Op::Bne, 9, 0, -4))
        .store(0xffe8_0020, 0);
    for (tracked, loaded) in [(0b10100, 7), (0, 0)] {
        let mut device = device();
        run(
            &mut device,
            &[(1, program(tracked)), (2, Code(late.0.clone()))],
        );
        assert_eq!(word(&mut device, HOME, RESULT), loaded, "{tracked:#b}");
    }
}

/// The configuration words after the two states: stores reach both states, and the threads' words
/// can be read.
#[test]
fn windows_of_configuration() {
    let config = 0xffef_0000;
    let code = Code::default()
        .store(config + 4 * (2 * 224 + 70), 0x1234)
        .set(1, config + 4 * (224 + 70))
        .i(I::i(Op::Lw, 2, 1, 0))
        .keep(RESULT, 2)
        .set(1, config + 4 * 3 * 224)
        .i(I::i(Op::Lw, 2, 1, 0))
        .keep(RESULT + 4, 2);
    let mut device = device();
    run(&mut device, &[(B, code)]);
    assert_eq!(word(&mut device, HOME, RESULT), 0x1234);
    assert_eq!(word(&mut device, HOME, RESULT + 4), 0);
    // A host reads the same through the debug registers.
    device
        .write(
            HOME,
            (CONTROL + 0x58).into(),
            &(2 * 224u32 + 70).to_le_bytes(),
        )
        .unwrap();
    assert_eq!(word(&mut device, HOME, CONTROL + 0x78), 0x1234);
}

/// Tests that time stamps reach L1, and that PCBufs can be overridden.
#[test]
fn time_stamps_and_overrides() {
    let t0 = Code::default()
        .set(1, 0xffe8_0000)
        .i(I::i(Op::Lw, 2, 1, 0))
        .keep(RESULT, 2);
    let b = Code::default()
        .store(CONTROL + 0x208, 0x2100)
        .store(CONTROL + 0x20c, 0x2100)
        .store(CONTROL + 0x1fc, 0x55a8)
        .store(CONTROL + 0x90, 1 | 0x42 << 2);
    let mut device = device();
    run(&mut device, &[(B, b), (1, t0)]);
    assert_eq!(word(&mut device, HOME, RESULT), 0x42);
    assert_eq!(word(&mut device, HOME, 0x2_1000), 0x55a8);
    assert_ne!(word(&mut device, HOME, 0x2_1004), 0);
    assert_eq!(
        word(&mut device, HOME, CONTROL + 0x204) & 1,
        1,
        "the buffer is full"
    );
    // The FIFOs before the replay expanders are empty.
    assert_eq!(word(&mut device, HOME, CONTROL + 0xa8), 0x77);
}

/// Encodes a vector instruction of unit stride: a load, or a store of `register`. Elements have 8,
/// 16 or 32 bits for funct3 0, 5, 6.
fn vector(store: bool, funct3: u32, register: u32, base: u32) -> I {
    let opcode = if store { 0x27 } else { 0x07 };
    let word = 1 << 25 | base << 15 | funct3 << 12 | register << 7 | opcode;
    I::decode_for(tessera_riscv::Isa::BLACKHOLE_VECTOR, word).unwrap()
}

/// Encodes `vsetivli x0, count, vtype`.
fn set_type(count: u32, vtype: u32) -> I {
    let word = 3 << 30 | vtype << 20 | count << 15 | 7 << 12 | 0x57;
    I::decode_for(tessera_riscv::Isa::BLACKHOLE_VECTOR, word).unwrap()
}

/// T2 moves vectors between L1 and its local memory, and to Dst and back; other devices refuse
/// vectors, and so do other cores.
#[test]
fn vectors() {
    let push = |code: Code, text: &str| {
        let instruction = tessera_isa_tensix::Instruction::parse(Arch::Blackhole, text).unwrap();
        code.i(I::push(instruction.encode(Arch::Blackhole).unwrap()))
    };
    let fill = |code: Code| {
        let code = push(code, "ttunpacr_nop 0, 0, 0, 1, 0, 0, 0, 0, 1");
        let code = push(code, "ttmova2d 0, 0, 0, 2, 0");
        code.set(1, 0xffe8_0000).i(I::i(Op::Lw, 2, 1, 4))
    };
    // RISC_DEST_ACCESS_CTRL_SEC2_fmt: BF16; eight elements of 16 bits.
    let (dst, format) = (0xffbd_8000, 3 << 26);
    let start = || {
        Code::default()
            .store(0xffef_0000 + 4 * 3, format)
            .i(set_type(8, 1 << 3))
    };
    let code = fill(start())
        .set(1, RESULT)
        .i(vector(false, 5, 8, 1))
        .set(2, LOCAL)
        .i(vector(true, 5, 8, 2))
        .i(vector(false, 5, 9, 2))
        .set(3, dst + 32)
        .i(vector(true, 5, 9, 3))
        .i(vector(false, 5, 10, 3))
        .set(4, RESULT + 0x40)
        .i(vector(true, 5, 10, 4));
    let mut device = device();
    let bytes: Vec<u8> = (0..16).map(|k| 3 * k).collect();
    device.write(HOME, RESULT.into(), &bytes).unwrap();
    run(&mut device, &[(3, code)]);
    assert_eq!(
        device.read(HOME, u64::from(RESULT) + 0x40, 16).unwrap(),
        bytes
    );
    let cases = [
        (
            3,
            fill(start()).set(3, dst + 8).i(vector(false, 5, 8, 3)),
            "accesses 16 bytes of Dst at 0xffbd8008, which is not a multiple of 16; align vectors \
             in Dst to their size",
        ),
        (
            3,
            start().set(3, 0xffe0_0000).i(vector(false, 5, 8, 3)),
            "not modelled: a vector instruction at 0xffe00000, which is a device; access it word \
             by word",
        ),
        (
            3,
            start().set(3, dst).i(vector(false, 0, 8, 3)),
            "T2 accesses 1 bytes of Dst (0xffbd8000), whose elements have 2; access whole \
             elements, only T2 several at a time",
        ),
        (
            2,
            Code::default().i(set_type(8, 1 << 3)),
            "is not an instruction of RV32IM with Zicsr, Zaamo, Zba, Zbb, F, Zfh",
        ),
    ];
    for (core, code, expect) in cases {
        let got = run_until(&mut self::device(), &[(core, code)]).unwrap_err();
        assert!(got.ends_with(expect), "{got}");
    }
}

/// T1 has the matrix unit fill eight rows of Dst, waits, and then loads and stores datums of Dst
/// itself. Rows of another width are refused.
#[test]
fn cores_access_dst() {
    let push = |code: Code, text: &str| {
        let instruction = tessera_isa_tensix::Instruction::parse(Arch::Blackhole, text).unwrap();
        code.i(I::push(instruction.encode(Arch::Blackhole).unwrap()))
    };
    let dst = 0xffbd_8000;
    // RISC_DEST_ACCESS_CTRL_SEC1_fmt: BF16.
    let code = Code::default().store(0xffef_0000 + 4 * 3, 3 << 21);
    let code = push(code, "ttunpacr_nop 0, 0, 0, 1, 0, 0, 0, 0, 1");
    let code = push(code, "ttmova2d 0, 0, 0, 2, 0");
    let code = code
        .set(1, 0xffe8_0000)
        .i(I::i(Op::Lw, 2, 1, 4))
        .set(1, dst)
        .i(I::i(Op::Lhu, 2, 1, 32))
        .set(3, 0x4049)
        .i(I::s(Op::Sh, 1, 3, 34))
        .i(I::i(Op::Lhu, 3, 1, 34))
        .keep(RESULT, 2)
        .keep(RESULT + 4, 3);
    let mut device = device();
    run(&mut device, &[(2, code)]);
    assert_eq!(word(&mut device, HOME, RESULT), 0);
    assert_eq!(word(&mut device, HOME, RESULT + 4), 0x4049);
    let t0 = Code::default().set(1, dst).i(I::i(Op::Lw, 2, 1, 0));
    let got = run_until(&mut self::device(), &[(1, t0)]).unwrap_err();
    assert!(
        got.ends_with(
            "T0 accesses Dst row 0 (of 1024), which is cleared, was never written or holds datums \
             of another width; move data there first"
        ),
        "{got}"
    );
}
