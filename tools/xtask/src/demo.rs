//! The digits demo: compiles a network for both chips, classifies images on the reference device
//! and on the models, and compares.
//!
//! The tools are run as by a user. Only the evaluation is computed here: the digit of the highest
//! score, and the accuracy.

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

mod models;

pub use models::{show, Model};

/// Directory of the network and the images, relative to the repository.
const DATA: &str = "tests/data/digits";

/// The inputs of `mlp.mlir`, in order.
const INPUTS: [&str; 5] = ["images", "w1", "b1", "w2", "b2"];

/// Images before this one were used for training (see `train_digits.py`).
const HELD_OUT_FROM: usize = 1297;

/// The minimum accuracy.
const LEAST_ACCURACY: f64 = 0.95;

/// The chips.
const CHIPS: [&str; 2] = ["tensix", "mncore"];

/// The greatest number of images on which a chip may differ from the reference.
const MOST_DIFFERENCES: usize = 3;

/// Sets up, builds, compiles the network, runs it on all devices and prints the results.
///
/// # Errors
/// A step fails, or the answers are worse than the limits above.
pub fn demo() -> Result<()> {
    setup::setup(setup::BUILD)?;
    run(&mut cargo([
        "build",
        "--package=ttmlir-opt",
        "--package=ttmlir-translate",
        "--package=ttrt",
    ]))?;
    let demo = Demo::new()?;
    let labels = demo.labels()?;
    let mut answers = Vec::new();
    for chip in CHIPS {
        demo.compile(chip)?;
        if answers.is_empty() {
            answers.push(demo.classify("reference", chip, &labels)?);
        }
        answers.push(demo.classify(chip, chip, &labels)?);
        demo.judge(chip)?;
    }
    print!("\n{}", report(&answers));
    verdict(&answers)
}

/// The results of a device.
struct Answers {
    device: &'static str,
    /// The predicted digit of each image.
    digits: Vec<usize>,
    /// Whether each prediction is correct.
    right: Vec<bool>,
    seconds: f64,
}

impl Answers {
    /// Returns the share of right answers from image `first` on, as text.
    fn accuracy(&self, first: usize) -> String {
        let right = &self.right[first..];
        let count = right.iter().filter(|right| **right).count();
        format!("accuracy {:.4} ({count}/{})", share(right), right.len())
    }
}

/// Returns the number of images classified differently.
fn differences(one: &Answers, other: &Answers) -> usize {
    let pairs = one.digits.iter().zip(&other.digits);
    pairs.filter(|(one, other)| one != other).count()
}

/// Formats the results of devices, the reference first.
fn report(answers: &[Answers]) -> String {
    let accuracies = |first| {
        let line = |one: &Answers| format!("{}: {}\n", one.device, one.accuracy(first));
        answers.iter().map(line).collect::<String>()
    };
    let mut text = accuracies(0);
    text += "\nof these held out from training\n";
    text += &accuracies(HELD_OUT_FROM);
    text += "\n";
    for Answers {
        device, seconds, ..
    } in answers
    {
        text += &format!("{device}: {seconds:.2} s\n");
    }
    for chip in &answers[1..] {
        let differ = differences(&answers[0], chip);
        text += &format!("images on which {} differs: {differ}\n", chip.device);
    }
    text
}

/// Checks that the results are good enough.
///
/// # Errors They are not; the text says why.
fn verdict(answers: &[Answers]) -> Result<()> {
    for Answers { device, right, .. } in answers {
        let accuracy = share(right);
        ensure!(
            accuracy >= LEAST_ACCURACY,
            "{device}: accuracy {accuracy:.4}, less than {LEAST_ACCURACY}"
        );
    }
    for chip in &answers[1..] {
        let differ = differences(&answers[0], chip);
        ensure!(
            differ <= MOST_DIFFERENCES,
            "{} differs from the reference on {differ} images, more than {MOST_DIFFERENCES}",
            chip.device
        );
    }
    Ok(())
}

/// The locations of the demo's programs and files. Commands run at the top of the repository, so
/// that the printed commands can be repeated.
struct Demo {
    tools: PathBuf,
    out: PathBuf,
}

impl Demo {
    fn new() -> Result<Self> {
        let exe = env::current_exe().context("cannot tell where this program lies")?;
        // It is target/<profile>/xtask; the tools have just been built in the dev profile.
        let target = exe
            .ancestors()
            .nth(2)
            .context("this program does not lie in a target directory")?;
        let top = crate::root().canonicalize()?;
        let out = target.strip_prefix(top).unwrap_or(target).join("demo");
        let absolute = target.join("demo");
        fs::create_dir_all(&absolute)
            .with_context(|| format!("cannot make {}", absolute.display()))?;
        Ok(Self {
            tools: target.join("debug"),
            out,
        })
    }

    fn tool(&self, name: &str) -> Command {
        let mut command = Command::new(self.tools.join(name));
        command.current_dir(crate::root());
        command
    }

    /// Returns the network's program for a chip.
    fn program(&self, chip: &str) -> PathBuf {
        self.out.join(format!("mlp.{chip}.ttnn"))
    }

    fn compile(&self, chip: &str) -> Result<()> {
        let module = self.out.join(format!("mlp.{chip}.mlir"));
        run(self
            .tool("ttmlir-opt")
            .arg(format!("--ttir-to-{chip}-pipeline"))
            .arg(Path::new(DATA).join("mlp.mlir"))
            .arg("-o")
            .arg(&module))?;
        run(self
            .tool("ttmlir-translate")
            .arg("--ttnn-to-flatbuffer")
            .arg(&module)
            .arg("-o")
            .arg(self.program(chip)))
    }

    /// Returns the command that runs the program for a chip on `device`.
    fn ttrt(&self, device: &str, chip: &str) -> Command {
        let mut command = self.tool("ttrt");
        command.arg("run").arg(self.program(chip));
        command.args(["--device", device]);
        for input in INPUTS {
            let file = Path::new(DATA).join(input).with_extension("npy");
            command.arg("--input").arg(file);
        }
        command
    }

    /// Classifies the images on `device`; `labels` are the correct digits.
    fn classify(&self, device: &'static str, chip: &str, labels: &[usize]) -> Result<Answers> {
        let output = self.out.join(format!("scores-{device}.npy"));
        let started = Instant::now();
        run(self.ttrt(device, chip).arg("--output").arg(&output))?;
        let seconds = started.elapsed().as_secs_f64();
        let digits = highest(&read(&output, DataType::BF16)?)?;
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

    /// Compares every operation with the reference, and counts instructions.
    fn judge(&self, chip: &str) -> Result<()> {
        run(self.ttrt(chip, chip).args(["--golden", "--stats"]))
    }

    fn labels(&self) -> Result<Vec<usize>> {
        let labels = read(&Path::new(DATA).join("labels.npy"), DataType::SI32)?;
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

/// Returns the tensor in the .npy file at `path`, from the top of the repository.
fn read(path: &Path, data_type: DataType) -> Result<Tensor> {
    let bytes = fs::read(crate::root().join(path))
        .with_context(|| format!("cannot read {}", path.display()))?;
    let loaded = npy::read(&bytes, data_type, Bf16Form::Values)
        .with_context(|| path.display().to_string())?;
    Ok(loaded.tensor)
}

/// Returns the column of the highest element of each row, the first if there are several.
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

#[cfg(test)]
mod tests;
