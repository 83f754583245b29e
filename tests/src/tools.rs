//! Finds the tools under test and LLVM's test utilities.
//!
//! Invariants: the tools are those of the target directory and profile this very test binary was
//! built in, and they are brought up to date first, so that no test passes on a stale tool. LLVM's
//! `FileCheck` and `not` must exist: their absence is an error, never a reason to skip a test.
//!
//! `TESSERA_TOOLS` names a directory whose tools are tested as they are. Long runs use it to drive
//! tools of the release profile from tests of the debug profile.

use std::env;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The packages whose binaries the tests run; each builds one binary of its own name.
const TOOLS: [&str; 8] = [
    "ttmlir-opt",
    "ttmlir-translate",
    "ttrt",
    "mncore-as",
    "mncore-emu",
    "tensix-as",
    "tensix-emu",
    "xtask",
];

/// LLVM's utilities a lit file may name.
const UTILITIES: [&str; 2] = ["FileCheck", "not"];

/// The variable that names a directory of tools to test as they are.
const TOOLS_DIRECTORY: &str = "TESSERA_TOOLS";

/// The variable that says where LLVM 19 is installed (`.cargo/config.toml` gives Debian's place).
const LLVM_PREFIX: &str = "LLVM_SYS_191_PREFIX";

/// Why the tools could not be made ready.
#[derive(Debug, thiserror::Error)]
pub enum ToolsError {
    /// The test binary is not in a cargo target directory.
    #[error("{0}: not in a cargo target directory; run the tests with `cargo test`")]
    NotInTarget(PathBuf),
    /// `cargo build` could not be started.
    #[error("cannot start {cargo:?} to build the tools: {source}")]
    Cargo {
        /// The program that was to be started.
        cargo: OsString,
        /// The reason.
        source: io::Error,
    },
    /// `cargo build` failed; its own messages have been printed.
    #[error("the tools do not build; see cargo's messages above")]
    Build,
    /// The named directory does not contain all tools.
    #[error("there is no {name} in {}, which {TOOLS_DIRECTORY} names; build the \
             tools there, or unset it", directory.display())]
    Absent {
        /// The missing program.
        name: &'static str,
        /// The directory.
        directory: PathBuf,
    },
    /// An LLVM utility is absent.
    #[error(
        "{name} is neither in {prefix}/bin nor on PATH; `cargo xtask test` installs it (Debian: \
         llvm-19-tools), or set {LLVM_PREFIX}"
    )]
    Utility {
        /// The missing program.
        name: &'static str,
        /// The LLVM prefix that was searched.
        prefix: String,
    },
}

/// The locations of the programs that a test uses.
#[derive(Debug, Clone)]
pub struct Tools {
    bin: PathBuf,
    search: OsString,
}

impl Tools {
    /// Builds the tools in the profile of the running test binary and finds LLVM's utilities.
    ///
    /// # Errors
    /// A tool does not build, or `FileCheck` or `not` is missing.
    pub fn build() -> Result<Self, ToolsError> {
        let bin = match env::var_os(TOOLS_DIRECTORY) {
            Some(directory) => given(directory.into())?,
            None => {
                let bin = bin_dir()?;
                run_cargo_build(&bin)?;
                bin
            }
        };
        let search = search_path(&bin)?;
        Ok(Self { bin, search })
    }

    /// Returns the path of the tool called `name`.
    pub fn path(&self, name: &str) -> PathBuf {
        self.bin.join(name)
    }

    /// Returns the target directory the tools lie in, one directory for each profile.
    pub fn target(&self) -> &Path {
        self.bin.parent().unwrap_or(&self.bin)
    }

    /// Returns the `PATH` of a test's commands: the tools first, then LLVM's utilities, then the
    /// caller's.
    pub fn search_path(&self) -> &OsString {
        &self.search
    }
}

/// Returns the directory that `TESSERA_TOOLS` names, if all tools are there.
fn given(directory: PathBuf) -> Result<PathBuf, ToolsError> {
    let directory = directory.canonicalize().unwrap_or(directory);
    let missing = TOOLS
        .into_iter()
        .find(|name| !directory.join(name).is_file());
    match missing {
        None => Ok(directory),
        Some(name) => Err(ToolsError::Absent { name, directory }),
    }
}

/// `target/<profile>`, from the place of the running test binary,
/// `target/<profile>/deps/<name>-<hash>`.
fn bin_dir() -> Result<PathBuf, ToolsError> {
    let exe = env::current_exe().unwrap_or_default();
    match exe
        .parent()
        .filter(|deps| deps.ends_with("deps"))
        .and_then(Path::parent)
    {
        Some(bin) => Ok(bin.to_path_buf()),
        None => Err(ToolsError::NotInTarget(exe)),
    }
}

fn run_cargo_build(bin: &Path) -> Result<(), ToolsError> {
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(&cargo);
    command.args(["build", "--quiet", "--bins"]);
    for tool in TOOLS {
        command.args(["--package", tool]);
    }
    if let (Some(profile), Some(target)) = (bin.file_name(), bin.parent()) {
        let profile = if profile == "debug" {
            "dev".into()
        } else {
            profile.to_os_string()
        };
        command
            .arg("--profile")
            .arg(profile)
            .arg("--target-dir")
            .arg(target);
    }
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(_) => Err(ToolsError::Build),
        Err(source) => Err(ToolsError::Cargo { cargo, source }),
    }
}

fn search_path(bin: &Path) -> Result<OsString, ToolsError> {
    let prefix = env::var(LLVM_PREFIX).unwrap_or_else(|_| "/usr/lib/llvm-19".to_owned());
    let mut dirs = vec![bin.to_path_buf(), Path::new(&prefix).join("bin")];
    dirs.extend(env::split_paths(&env::var_os("PATH").unwrap_or_default()));
    for name in UTILITIES {
        if !dirs.iter().any(|dir| dir.join(name).is_file()) {
            return Err(ToolsError::Utility { name, prefix });
        }
    }
    // A directory whose name holds a `:` cannot stand in PATH; none of ours does, and the caller's
    // were split at it.
    Ok(env::join_paths(dirs).unwrap_or_default())
}
