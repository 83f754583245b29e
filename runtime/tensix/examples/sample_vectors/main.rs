//! Prints fresh inputs in the notation of `tests/vectors`, with the answers of this model:
//! `cargo run -p tessera-tensix --example sample_vectors -- KIND SEED COUNT`.
//!
//! `KIND` is the name of a file of `tests/vectors` (without `sfpmad`), and `COUNT` the number of
//! lines of each kind of instruction and class of inputs. A line whose last field begins with `!`
//! is one that this model refuses. To compare another simulator, run its instruction on the inputs
//! of each line and compare the last field. The answers printed here are no evidence: the vectors
//! in `tests/vectors` have those of other simulators.

#[path = "../../tests/vectors/bench.rs"]
mod bench;
#[path = "../../tests/vectors/fpu.rs"]
mod fpu;
mod fpu_lines;
#[path = "../../tests/vectors/pacr.rs"]
mod pacr;
mod pacr_lines;
mod random;
#[path = "../../tests/vectors/sfpu.rs"]
mod sfpu;
mod sfpu_lines;
#[path = "../../tests/vectors/unpacr.rs"]
mod unpacr;
mod unpacr_lines;

use std::io::{self, BufWriter, Write};
use std::process::ExitCode;

use random::Random;

/// Runs the instruction of a line.
type Answer = fn(&[&str]) -> Result<String, String>;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let parsed = match arguments.as_slice() {
        [kind, seed, count] => seed.parse().ok().zip(count.parse().ok()).map(|n| (kind, n)),
        _ => None,
    };
    let known = parsed.filter(|(kind, _)| KINDS.contains(&kind.as_str()));
    let Some((kind, (seed, count))) = known else {
        eprintln!("usage: sample_vectors {{{}}} SEED COUNT", KINDS.join("|"));
        return ExitCode::from(2);
    };
    match print(kind, seed, count) {
        // A reader such as `head` has all that it wants.
        Err(e) if e.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(e) => {
            eprintln!("error: {e}");
            ExitCode::FAILURE
        }
        Ok(()) => ExitCode::SUCCESS,
    }
}

/// The files whose inputs can be printed.
const KINDS: [&str; 6] = [
    "unpacr",
    "pacr",
    "sfpu",
    "sfpu_further",
    "fpu",
    "fpu_blackhole",
];

fn print(kind: &str, seed: u64, count: u32) -> io::Result<()> {
    let mut out = BufWriter::new(io::stdout().lock());
    for (chip, other) in [("wh", 0), ("bh", 1 << 63)] {
        let mut random = Random::new(seed ^ other);
        let mut failed = Ok(());
        let mut write = |answer: Answer, line: String| {
            let fields: Vec<&str> = line.split('\t').collect();
            let answer = answer(&fields).unwrap_or_else(|fault| format!("!{fault}"));
            let inputs = fields[..fields.len() - 1].join("\t");
            let written = writeln!(out, "{inputs}\t{answer}");
            failed = std::mem::replace(&mut failed, Ok(())).and(written);
        };
        match kind {
            "unpacr" => {
                unpacr_lines::lines(chip, count, &mut random, |line| write(unpacr::answer, line))
            }
            "pacr" => pacr_lines::lines(chip, count, &mut random, |line| write(pacr::answer, line)),
            "sfpu" => sfpu_lines::lines(chip, count, &mut random, |line| write(sfpu::answer, line)),
            "sfpu_further" => sfpu_lines::further_lines(chip, count, &mut random, |line| {
                write(sfpu::answer, line)
            }),
            "fpu" if chip == "wh" => {
                fpu_lines::lines(count, &mut random, |line| write(fpu::on_wormhole, line))
            }
            "fpu_blackhole" if chip == "bh" => {
                fpu_lines::lines(count, &mut random, |line| write(fpu::on_blackhole, line))
            }
            // The other chip has no lines of these.
            "fpu" | "fpu_blackhole" => {}
            _ => return Err(io::Error::other(format!("no vectors of {kind}"))),
        }
        failed?;
    }
    out.flush()
}
