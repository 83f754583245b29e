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

/// The program file, below `target/demo`.
const PROGRAM: &str = "mlp.ttnn";

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
    let answers = [
        demo.classify("reference", &labels)?,
        demo.classify("tensix", &labels)?,
    ];
    demo.judge()?;
    report(&answers)
}

/// How a device did.
struct Answers {
    device: &'static str,
    /// The digit it saw in each image.
    digits: Vec<usize>,
    /// Whether that is the digit shown.
    right: Vec<bool>,
    seconds: f64,
}

fn report(answers: &[Answers; 2]) -> Result<()> {
    println!();
    for Answers { device, right, .. } in answers {
        println!("{device}: {}", accuracy(right));
    }
    for Answers {
        device,
        right,
        seconds,
        ..
    } in answers
    {
        println!(
            "{device}, the {} held out: {}",
            right.len() - HELD_OUT_FROM,
            accuracy(&right[HELD_OUT_FROM..])
        );
        println!("{device}, seconds: {seconds:.2}");
    }
    let [reference, tensix] = answers;
    let differ = reference
        .digits
        .iter()
        .zip(&tensix.digits)
        .filter(|(a, b)| a != b)
        .count();
    println!("images on which they differ: {differ}");

    for Answers { device, right, .. } in answers {
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

    /// The command that runs the program on `device`.
    fn ttrt(&self, device: &str) -> Command {
        let mut command = self.tool("ttrt");
        command.args(["run", PROGRAM, "--device", device]);
        for input in INPUTS {
            command
                .arg("--input")
                .arg(self.data.join(input).with_extension("npy"));
        }
        command
    }

    /// What `device` sees in the images, whose digits are `labels`.
    fn classify(&self, device: &'static str, labels: &[usize]) -> Result<Answers> {
        let output = format!("scores-{device}.npy");
        let started = Instant::now();
        run(self.ttrt(device).args(["--output", &output]))?;
        let seconds = started.elapsed().as_secs_f64();
        let digits = highest(&read(&self.out.join(output), DataType::BF16)?)?;
        ensure!(
            digits.len() == labels.len(),
            "{device} has an answer for {} of {} images",
            digits.len(),
            labels.len()
        );
        let right = digits
            .iter()
            .zip(labels)
            .map(|(digit, label)| digit == label)
            .collect();
        Ok(Answers {
            device,
            digits,
            right,
            seconds,
        })
    }

    /// Has every operation compared with the reference, and the instructions counted.
    fn judge(&self) -> Result<()> {
        run(self.ttrt("tensix").args(["--golden", "--stats"]))
    }

    fn labels(&self) -> Result<Vec<usize>> {
        let labels = read(&self.data.join("labels.npy"), DataType::SI32)?;
        let labels: Vec<_> = labels
            .to_f64s()
            .into_iter()
            .map(|label| label as usize)
            .collect();
        ensure!(
            labels.len() > HELD_OUT_FROM,
            "labels.npy has {} labels, none of them held out",
            labels.len()
        );
        Ok(labels)
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
