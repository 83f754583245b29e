//! Finds what is missing on this machine and installs it with apt-get.
//!
//! Every requirement besides Rust is one row of [`BUILD`]: a file that proves its presence, and the
//! Debian package that contains it. Files are checked instead of the package database, so that an
//! LLVM from elsewhere serves as well. `.cargo/config.toml` says where LLVM is looked for; a
//! variable exported by the user wins over it.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{bail, Context, Result};

use crate::process::{run, succeeds};

/// The directories in which a required file is searched.
#[derive(Clone, Copy)]
pub enum SearchPath {
    /// Below the MLIR or LLVM prefix that this variable names.
    Prefix(&'static str),
    /// Below `/usr/include`, or below its subdirectory for this machine.
    Include,
    /// On `PATH`.
    Path,
}

const MLIR: SearchPath = SearchPath::Prefix("MLIR_SYS_190_PREFIX");
const LLVM: SearchPath = SearchPath::Prefix("LLVM_SYS_191_PREFIX");

/// Debian's place for LLVM 19, which is what `.cargo/config.toml` gives the two variables.
const DEBIAN_PREFIX: &str = "/usr/lib/llvm-19";

/// A requirement: the place, a file that proves it is installed, and its Debian package.
pub type Need = (SearchPath, &'static str, &'static str);

/// The requirements of building and testing.
pub const BUILD: &[Need] = &[
    (MLIR, "include/mlir-c/IR.h", "libmlir-19-dev"),
    (MLIR, "lib/libMLIRIR.a", "libmlir-19-dev"),
    (MLIR, "bin/mlir-tblgen", "mlir-19-tools"),
    (MLIR, "bin/llvm-tblgen", "llvm-19"),
    (LLVM, "include/llvm-c/Core.h", "llvm-19-dev"),
    (LLVM, "bin/FileCheck", "llvm-19-tools"),
    (LLVM, "lib/libclang.so", "libclang-19-dev"),
    (LLVM, "bin/clang", "clang-19"),
    (LLVM, "lib/libPolly.a", "libpolly-19-dev"),
    (SearchPath::Include, "zlib.h", "zlib1g-dev"),
    (SearchPath::Include, "zstd.h", "libzstd-dev"),
    (SearchPath::Path, "c++", "g++"),
];

/// The additional requirements of code generation for the program file, after a change of its
/// schema.
pub const CODEGEN: &[Need] = &[
    (SearchPath::Path, "c++", "g++"),
    (SearchPath::Path, "cmake", "cmake"),
];

/// Installs all of `needs` that are missing.
///
/// # Errors
/// Something is missing and cannot be installed; the message says what and what to do.
pub fn setup(needs: &[Need]) -> Result<()> {
    let missing = missing(needs, from_environment)?;
    if missing.is_empty() {
        return Ok(());
    }
    eprintln!("missing on this machine: {}", missing.join(" "));
    install(&missing)?;
    let still = self::missing(needs, from_environment)?;
    if !still.is_empty() {
        bail!(
            "installed, but the files of these packages are still not found: {}",
            still.join(" ")
        );
    }
    Ok(())
}

/// Returns the packages of `needs` to install, each once. `prefix` gives the directory a variable
/// of [`SearchPath::Prefix`] names.
fn missing(needs: &[Need], prefix: impl Fn(&str) -> PathBuf) -> Result<Vec<&'static str>> {
    let mut packages = Vec::new();
    for &(place, file, package) in needs {
        let present = directories(place, &prefix)
            .iter()
            .any(|dir| dir.join(file).exists());
        if present || packages.contains(&package) {
            continue;
        }
        if let SearchPath::Prefix(variable) = place {
            let prefix = prefix(variable);
            if prefix != Path::new(DEBIAN_PREFIX) {
                bail!(
                    "{variable} is {}, and there is no {file} below it; install it there (Debian \
                     calls the package {package}), or unset {variable} to use apt's LLVM 19",
                    prefix.display()
                );
            }
        }
        packages.push(package);
    }
    Ok(packages)
}

/// Returns the directory the environment gives for `variable`.
fn from_environment(variable: &str) -> PathBuf {
    env::var_os(variable).map_or_else(|| DEBIAN_PREFIX.into(), PathBuf::from)
}

/// Returns the directories to search for a file of `place`.
fn directories(place: SearchPath, prefix: impl Fn(&str) -> PathBuf) -> Vec<PathBuf> {
    let include = Path::new("/usr/include");
    match place {
        SearchPath::Prefix(variable) => vec![prefix(variable)],
        SearchPath::Include => vec![
            include.to_owned(),
            include.join(format!("{}-linux-gnu", env::consts::ARCH)),
        ],
        SearchPath::Path => env::split_paths(&env::var_os("PATH").unwrap_or_default()).collect(),
    }
}

fn install(packages: &[&str]) -> Result<()> {
    let list = packages.join(" ");
    if !succeeds(Command::new("apt-get").arg("--version")) {
        bail!(
            "there is no apt-get here; install what Debian calls {list} (LLVM/MLIR 19), set \
             MLIR_SYS_190_PREFIX, TABLEGEN_190_PREFIX and LLVM_SYS_191_PREFIX to where it is, and \
             start again"
        );
    }
    // A source that does not answer is no reason to stop while the packages can be had from the
    // others.
    if run(apt_get()?.arg("update")).is_err() {
        eprintln!("apt-get update failed; going on with the package lists there are");
    }
    let absent = not_offered(packages);
    if !absent.is_empty() {
        bail!(
            "apt offers no {}; LLVM/MLIR 19 comes with Debian 12 and 13 and Ubuntu 24.04, for \
             others see https://apt.llvm.org, install {list} and start again",
            absent.join(" ")
        );
    }
    run(apt_get()?
        .args(["install", "--yes", "--no-install-recommends"])
        .args(packages))
    .with_context(|| format!("could not install {list}"))
}

/// Returns the packages of which apt has no installable version.
fn not_offered<'a>(packages: &[&'a str]) -> Vec<&'a str> {
    let offered = |package: &&str| {
        succeeds(Command::new("apt-cache").args(["show", "--no-all-versions", package]))
    };
    packages
        .iter()
        .copied()
        .filter(|package| !offered(package))
        .collect()
}

/// Returns the command `apt-get`, run by `sudo` unless this is root.
fn apt_get() -> Result<Command> {
    let id = Command::new("id")
        .arg("--user")
        .output()
        .context("cannot start `id`")?;
    let mut command = if id.stdout.trim_ascii() == b"0" {
        Command::new("env")
    } else if succeeds(Command::new("sudo").arg("--version")) {
        let mut sudo = Command::new("sudo");
        sudo.arg("env");
        sudo
    } else {
        bail!(
            "installing packages needs root, and there is no sudo; start this once as root: cargo \
             xtask setup"
        );
    };
    command.args(["DEBIAN_FRONTEND=noninteractive", "apt-get"]);
    Ok(command)
}

#[cfg(test)]
mod tests;
