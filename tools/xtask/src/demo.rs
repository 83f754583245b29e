//! The digits: compiled, classified on the reference device and on the Tensix model, compared.
//!
//! The tools are run as a user runs them. Only what is the demo's own is computed here: which digit the scores mean,
//! and how many are right.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use anyhow::{ensure, Context, Result};
use tessera_program::DataType;
use tessera_reference::npy::{self, Bf16Form};
use tessera_reference::Tensor;

use crate::process::{cargo, run};
use crate::setup;

/// The inputs of `mlp.mlir`, in order, below `tests/data/digits`.
const INPUTS: [&str; 5] = ["images", "w1", "b1", "w2", "b2"];

/// The images before this one were trained on (see `train_digits.py`).
const HELD_OUT_FROM: usize = 1297;

/// The least share of right answers that is a success.
const LEAST_ACCURACY: f64 = 0.95;

/// On how many images the two devices may differ.
const MOST_DIFFERENCES: usize = 3;

/// Sets up, builds, compiles the network, runs it on both devices and prints how they did.
///
/// # Errors
/// A step fails, or the answers are worse than the limits above.
pub fn demo() -> Result<()> {
    setup::setup(setup::BUILD)?;
    run(&mut cargo([
        "build",
        "--release",
        "--package=ttmlir-opt",
        "--package=ttmlir-translate",
        "--package=ttrt",
    ]))?;
    let demo = Demo::new()?;
    demo.compile()?;
    let labels = demo.labels()?;
    let (reference, reference_seconds) = demo.classify("reference", &[])?;
    let (tensix, tensix_seconds) = demo.classify("tensix", &["--golden", "--stats"])?;

    let right = |digits: &[usize]| {
        digits
            .iter()
            .zip(&labels)
            .map(|(a, b)| a == b)
            .collect::<Vec<_>>()
    };
    let (reference_right, tensix_right) = (right(&reference), right(&tensix));
    println!();
    println!("reference: {}", accuracy(&reference_right));
    println!("tensix: {}", accuracy(&tensix_right));
    println!(
        "held-out images, reference: {}",
        accuracy(&reference_right[HELD_OUT_FROM..])
    );
    println!(
        "held-out images, tensix: {}",
        accuracy(&tensix_right[HELD_OUT_FROM..])
    );
    let differ = reference
        .iter()
        .zip(&tensix)
        .filter(|(a, b)| a != b)
        .count();
    println!("images on which the two differ: {differ}");
    println!(
        "seconds: reference {reference_seconds:.2}, tensix {tensix_seconds:.2} (with its golden)"
    );

    for (device, right) in [("reference", &reference_right), ("tensix", &tensix_right)] {
        ensure!(
            share(right) >= LEAST_ACCURACY,
            "the accuracy of {device} is below {LEAST_ACCURACY}"
        );
    }
    ensure!(
        differ <= MOST_DIFFERENCES,
        "the devices differ on more than {MOST_DIFFERENCES} images"
    );
    Ok(())
}

/// Where the demo's files are.
struct Demo {
    tools: PathBuf,
    data: PathBuf,
    out: PathBuf,
}

impl Demo {
    fn new() -> Result<Self> {
        // This program is target/debug/xtask.
        let exe = env::current_exe().context("cannot tell where this program lies")?;
        let target = exe
            .ancestors()
            .nth(2)
            .context("this program does not lie in a target directory")?;
        let out = target.join("demo");
        fs::create_dir_all(&out).with_context(|| format!("cannot make {}", out.display()))?;
        Ok(Self {
            tools: target.join("release"),
            data: crate::root().join("tests/data/digits"),
            out,
        })
    }

    fn tool(&self, name: &str) -> Command {
        let mut command = Command::new(self.tools.join(name));
        command.current_dir(&self.out);
        command
    }

    fn compile(&self) -> Result<()> {
        let source = self.data.join("mlp.mlir");
        run(self
            .tool("ttmlir-opt")
            .arg("--ttir-to-tensix-pipeline")
            .arg(source)
            .args(["-o", "mlp.tensix.mlir"]))?;
        run(self.tool("ttmlir-translate").args([
            "--ttnn-to-flatbuffer",
            "mlp.tensix.mlir",
            "-o",
            "mlp.ttnn",
        ]))
    }

    /// Runs the program on `device`; the digit with the highest score for each image, and the seconds it took.
    fn classify(&self, device: &str, flags: &[&str]) -> Result<(Vec<usize>, f64)> {
        let output = format!("scores-{device}.npy");
        let mut command = self.tool("ttrt");
        command
            .args(["run", "mlp.ttnn", "--device", device, "-o", &output])
            .args(flags);
        for input in INPUTS {
            command
                .arg("--input")
                .arg(self.data.join(input).with_extension("npy"));
        }
        let started = Instant::now();
        run(&mut command)?;
        let seconds = started.elapsed().as_secs_f64();
        let scores = read(&self.out.join(output), DataType::BF16)?;
        Ok((highest(&scores)?, seconds))
    }

    fn labels(&self) -> Result<Vec<usize>> {
        let labels = read(&self.data.join("labels.npy"), DataType::SI32)?;
        Ok(labels
            .to_f64s()
            .into_iter()
            .map(|label| label as usize)
            .collect())
    }
}

fn read(path: &Path, data_type: DataType) -> Result<Tensor> {
    let bytes = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    let loaded = npy::read(&bytes, data_type, Bf16Form::Values)
        .with_context(|| path.display().to_string())?;
    Ok(loaded.tensor)
}

/// The column of the highest element of each row, the first if there are several.
fn highest(scores: &Tensor) -> Result<Vec<usize>> {
    let &[_, columns] = scores.shape() else {
        anyhow::bail!("the scores have {} dimensions, not 2", scores.shape().len());
    };
    let best = |row: &[f64]| {
        (0..row.len()).fold(0, |best, column| {
            if row[column] > row[best] {
                column
            } else {
                best
            }
        })
    };
    Ok(scores
        .to_f64s()
        .chunks_exact(usize::try_from(columns)?.max(1))
        .map(best)
        .collect())
}

fn share(right: &[bool]) -> f64 {
    right.iter().filter(|right| **right).count() as f64 / right.len() as f64
}

fn accuracy(right: &[bool]) -> String {
    let count = right.iter().filter(|right| **right).count();
    format!("accuracy {:.4} ({count}/{})", share(right), right.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_highest_score_is_the_digit() {
        let check = |columns: u64, scores: &[f64], expect: &[usize]| {
            let shape = vec![scores.len() as u64 / columns, columns];
            let scores = Tensor::from_f64s(shape, DataType::BF16, scores).expect("a small tensor");
            assert_eq!(highest(&scores).expect("two dimensions"), expect);
        };
        check(3, &[0.0, 2.0, 1.0, -1.0, -2.0, -3.0], &[1, 0]);
        check(2, &[1.0, 1.0], &[0]);
        check(1, &[-7.0], &[0]);
    }

    #[test]
    fn the_accuracy_is_printed_as_promised() {
        let mut right = vec![true; 1734];
        right.resize(1797, false);
        assert_eq!(accuracy(&right), "accuracy 0.9649 (1734/1797)");
    }
}
