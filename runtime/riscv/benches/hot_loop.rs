//! Millions of instructions a second on one core: `cargo bench -p tessera-riscv`.
//!
//! One loop mixes what kernels' loops are made of: address arithmetic, a load, a multiplication, a
//! store, a branch. The other one has arithmetic in place of the load and the store.

use std::convert::Infallible;

use tessera_riscv::{Bus, Core, Instruction, Isa, Op, Refusal, Step, Width};
use tessera_test_support::bench::{least_time, Figure, Goal, Suite};

/// The address of the code.
const CODE: u32 = 0x1000;

/// Words at address 0, and code.
struct Memory {
    words: Vec<u32>,
    code: Vec<u32>,
}

impl Bus for Memory {
    type Fault = Infallible;

    fn fetch(&mut self, pc: u32) -> Result<u32, Infallible> {
        Ok(self.code[(pc - CODE) as usize / 4])
    }

    fn code_version(&self, _: u32) -> u32 {
        0
    }

    fn load(&mut self, addr: u32, _: Width) -> Result<u32, Refusal<Infallible>> {
        Ok(self.words[addr as usize / 4])
    }

    fn store(
        &mut self,
        _: u32,
        addr: u32,
        _: Width,
        value: u32,
    ) -> Result<(), Refusal<Infallible>> {
        self.words[addr as usize / 4] = value;
        Ok(())
    }

    fn load_at_once(&mut self, addr: u32, _: Width) -> Option<u32> {
        self.words.get(addr as usize / 4).copied()
    }

    fn store_at_once(&mut self, addr: u32, _: Width, value: u32) -> bool {
        let word = self.words.get_mut(addr as usize / 4);
        word.map(|word| *word = value).is_some()
    }

    fn region(&self, _: u32) -> u8 {
        0
    }
}

/// Makes a loop, with a load and a store or without; x1 counts down from 2^30.
fn program(has_memory: bool) -> Vec<Instruction> {
    use Instruction as I;
    let (load, store) = match has_memory {
        true => (I::i(Op::Lw, 6, 5, 0), I::s(Op::Sw, 5, 8, 0)),
        false => (I::i(Op::Addi, 6, 5, 3), I::r(Op::Or, 5, 8, 6)),
    };
    vec![
        I::i(Op::Lui, 1, 0, 1 << 30),
        I::i(Op::Andi, 5, 1, 255),
        I::i(Op::Slli, 5, 5, 2),
        load,
        I::r(Op::Mul, 7, 6, 1),
        I::r(Op::Add, 8, 8, 7),
        store,
        I::i(Op::Srli, 9, 8, 3),
        I::r(Op::Xor, 10, 9, 8),
        I::i(Op::Addi, 1, 1, -1),
        I::s(Op::Bne, 1, 0, -36),
    ]
}

/// The number of runs, of which the fastest counts.
const RUNS: u32 = 5;

/// Instructions a second, in millions, of a run of `count`.
fn mips(count: u64, mut run: impl FnMut(u64)) -> f64 {
    count as f64 / least_time(RUNS, || run(count)).as_secs_f64() / 1e6
}

/// Adds a figure in millions of instructions a second.
fn add(suite: &mut Suite, name: String, value: f64, goal: Option<f64>) {
    suite.add(Figure {
        goal: goal.map(Goal::AtLeast),
        ..Figure::new(name, value, "MIPS")
    });
}

fn main() {
    let mut suite = Suite::new("riscv", env!("CARGO_TARGET_TMPDIR"));
    let core = |has_memory: bool| {
        let code = program(has_memory);
        let code: Vec<u32> = code.iter().map(|i| i.encode().unwrap()).collect();
        let words = vec![1; 256];
        (Core::new(Isa::WORMHOLE, CODE), Memory { words, code })
    };
    for (has_memory, name, goal) in [
        (false, "registers only", 600.0),
        (true, "a load and a store", 400.0),
    ] {
        let (mut decoded, mut memory) = core(has_memory);
        let fast = mips(100_000_000, |n| {
            assert_eq!(decoded.run(&mut memory, n), Ok(Step::Ran))
        });
        add(&mut suite, format!("{name}, in order"), fast, Some(goal));
        let (mut plain, mut memory) = core(has_memory);
        let slow = mips(10_000_000, |n| {
            assert_eq!(plain.run_undecoded(&mut memory, n), Ok(Step::Ran))
        });
        add(&mut suite, format!("{name}, decoded each time"), slow, None);
    }
    let (mut weak, mut memory) = core(true);
    weak.set_weak_order(1);
    let turns = 10_000_000;
    let weakly = mips(turns, |n| {
        assert_eq!(weak.run(&mut memory, n), Ok(Step::Ran))
    });
    let share = weak.retired() as f64 / (u64::from(RUNS) * turns) as f64;
    add(
        &mut suite,
        "a load and a store, weakly ordered".into(),
        weakly * share,
        None,
    );
    suite.finish();
}
