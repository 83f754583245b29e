//! Vector arithmetic, compared with a transcription of the specification by instruction names, in
//! exact numbers.
//!
//! Executes random words of every row with random types, lengths and registers. `tests/vector.rs`
//! tests what the core refuses.

#[path = "../common/mod.rs"]
mod common;
mod oracle;

use common::{Memory, Program};
use oracle::State;
use proptest::prelude::*;
use tessera_riscv::table::{Row, ROWS};
use tessera_riscv::{Extension, Instruction as I, Isa, Op, Reason};
use tessera_test_support::is_long_run;

/// A generator of random numbers (splitmix64).
struct Random(u64);

impl Random {
    fn word(&mut self) -> u32 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z >> 32) as u32
    }

    fn below(&mut self, n: u32) -> u32 {
        self.word() % n
    }

    /// Returns mostly random bits, often values at the ends of ranges, sometimes a float that is a
    /// small integer.
    fn bits(&mut self, floats: bool) -> u32 {
        if floats {
            return ((self.below(201) as f32 - 100.0) * 0.5).to_bits();
        }
        match self.below(4) {
            0 => [
                0,
                1,
                0x7f,
                0x80,
                0xff,
                0x7fff,
                0x8000,
                0x7fff_ffff,
                0x8000_0000,
                u32::MAX,
            ][self.below(10) as usize],
            1 => self.word() & 0x0f0f_0f0f,
            _ => self.word(),
        }
    }
}

fn arithmetic() -> Vec<&'static Row> {
    let is_one = |row: &&Row| row.extension == Extension::V && row.bits & 0x707f != 0x7057;
    ROWS.iter()
        .filter(is_one)
        .filter(|row| row.bits & 0x7f == 0x57)
        .collect()
}

/// Executes a random word of a row and compares it with the oracle. Returns whether it was
/// executed.
fn check(row: &Row, seed: u64) -> bool {
    let mut random = Random(seed);
    let floats = row.bits & 0x307f == 0x1057;
    // Registers are often multiples of many, so that groups begin there.
    let mut word = row.bits | random.word() & !row.mask;
    if random.below(2) == 0 {
        let aligned = !(7 << 7 | 7 << 15 | 7 << 20);
        word = row.bits | word & !row.mask & aligned;
    }
    let lmul = random.below(8);
    let sew = if floats {
        [1, 2, 2, 2][random.below(4) as usize]
    } else {
        random.below(3)
    };
    let vtype = random.below(4) << 6 | sew << 3 | lmul;
    let length = [0, 1, random.below(20), random.below(129), 128][random.below(5) as usize];
    let csr = |op, rd, number, rs1| I::csr(op, rd, number, rs1).encode().unwrap();
    let code = vec![
        I::r(Op::Vsetvl, 10, 11, 12).encode().unwrap(),
        csr(Op::Csrrw, 0, 0x00a, 13),
        word,
        csr(Op::Csrrs, 14, 0x009, 0),
    ];
    let mut core = Program::of_words(Isa::BLACKHOLE_VECTOR, code);
    let mut memory = Memory {
        floats: true,
        ..Memory::default()
    };
    let rounding = random.below(4);
    for (k, value) in [(11, length.max(1)), (12, vtype), (13, rounding)] {
        core.set_register(k, value);
    }
    if core.step(&mut memory).is_err() {
        return false;
    }
    core.step(&mut memory).unwrap();
    let mut state = State {
        vl: core.register(10),
        sew: 8 << sew,
        lmul: if lmul > 3 {
            lmul as i32 - 8
        } else {
            lmul as i32
        },
        rounding,
        ..State::default()
    };
    for k in 0..32 {
        let v = std::array::from_fn(|_| random.bits(floats));
        let v: [u32; 4] = v;
        let v: [u8; 16] = v.map(u32::to_le_bytes).concat().try_into().unwrap();
        core.set_vector_register(k, v);
        state.v[usize::from(k)] = v;
        let x = if random.below(2) == 0 {
            random.below(24)
        } else {
            random.bits(false)
        };
        core.set_register(k, x);
        state.x[usize::from(k)] = core.register(k);
        state.f[usize::from(k)] = random.bits(true);
        core.set_float_register(k, state.f[usize::from(k)]);
    }
    let instruction = I::decode_for(Isa::BLACKHOLE_VECTOR, word).unwrap();
    let text = format!("{instruction} {state:?}");
    match core.step(&mut memory) {
        Ok(_) => {}
        Err(trap) => {
            assert!(matches!(trap.reason, Reason::Vector(_)), "{trap}: {text}");
            return false;
        }
    }
    oracle::execute(&mut state, &instruction);
    for k in 0..32u8 {
        let at = usize::from(k);
        assert_eq!(core.vector_register(k), state.v[at], "v{k} {text}");
        assert_eq!(core.register(k), state.x[at], "x{k} {text}");
        assert_eq!(core.float_register(k), state.f[at], "f{k} {text}");
    }
    core.step(&mut memory).unwrap();
    assert_eq!(core.register(14), u32::from(state.saturated), "{text}");
    true
}

#[test]
fn every_row() {
    let tries = if is_long_run() { 200_000 } else { 600 };
    for row in arithmetic() {
        let executed = (0..tries).filter(|&seed| check(row, seed)).count();
        let most_are_refused = [Op::Vfredusum].contains(&row.op);
        assert_eq!(
            executed as u64 * 100 < tries,
            most_are_refused,
            "{}: {executed}",
            row.mnemonic
        );
    }
}

proptest! {
    #[test]
    fn any_row(k in 0..arithmetic().len(), seed: u64) {
        check(arithmetic()[k], seed);
    }
}
