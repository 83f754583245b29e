//! Millions of instructions a second on one core: `cargo bench -p tessera-riscv`.
//!
//! The loop mixes what kernels' loops are made of: address arithmetic, a load, a multiplication, a
//! store, a branch.

use std::convert::Infallible;
use std::time::{Duration, Instant};

use tessera_riscv::{Bus, Core, Instruction, Isa, Op, Refusal, Step, Width};

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

    fn region(&self, _: u32) -> u8 {
        0
    }
}

/// x1 counts down from 2^30.
fn program() -> Vec<Instruction> {
    use Instruction as I;
    vec![
        I::i(Op::Lui, 1, 0, 1 << 30),
        I::i(Op::Andi, 5, 1, 255),
        I::i(Op::Slli, 5, 5, 2),
        I::i(Op::Lw, 6, 5, 0),
        I::r(Op::Mul, 7, 6, 1),
        I::r(Op::Add, 8, 8, 7),
        I::s(Op::Sw, 5, 8, 0),
        I::i(Op::Srli, 9, 8, 3),
        I::r(Op::Xor, 10, 9, 8),
        I::i(Op::Addi, 1, 1, -1),
        I::s(Op::Bne, 1, 0, -36),
    ]
}

/// Returns the processor time of this thread where the system reports it, as other processes may be
/// running.
fn time_on_cpu() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanoseconds = text.split_whitespace().next()?.parse().ok()?;
    Some(Duration::from_nanos(nanoseconds))
}

/// Instructions a second, in millions: the best of five runs of `count`.
fn mips(count: u64, mut run: impl FnMut(u64)) -> f64 {
    let best = (0..5)
        .map(|_| {
            let (wall, start) = (Instant::now(), time_on_cpu());
            run(count);
            match (start, time_on_cpu()) {
                (Some(start), Some(end)) if end > start => end - start,
                _ => wall.elapsed(),
            }
        })
        .min();
    count as f64 / best.map_or(f64::NAN, |t| t.as_secs_f64()) / 1e6
}

fn main() {
    let code: Vec<u32> = program().iter().map(|i| i.encode().unwrap()).collect();
    let memory = || Memory {
        words: vec![1; 256],
        code: code.clone(),
    };
    let core = || (Core::new(Isa::WORMHOLE, CODE), memory());
    let (mut decoded, mut memory) = core();
    let fast = mips(50_000_000, |n| {
        assert_eq!(decoded.run(&mut memory, n), Ok(Step::Ran))
    });
    let (mut plain, mut memory) = core();
    let slow = mips(10_000_000, |n| {
        assert_eq!(plain.run_undecoded(&mut memory, n), Ok(Step::Ran))
    });
    let (mut weak, mut memory) = core();
    weak.set_weak_order(1);
    let turns = 10_000_000;
    let weakly = mips(turns, |n| {
        assert_eq!(weak.run(&mut memory, n), Ok(Step::Ran))
    });
    let share = weak.retired() as f64 / (5 * turns) as f64;
    println!("in order, decoded once      {fast:8.1} MIPS");
    println!(
        "in order, decoded each time {slow:8.1} MIPS   ratio {:.1}",
        fast / slow
    );
    println!("weakly ordered              {:8.1} MIPS", weakly * share);
}
