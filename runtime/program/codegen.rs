//! Writes `src/generated.rs` from `program.fbs`; with `--check`, fails if that would change it
//! instead.
//!
//! Run by `cargo xtask codegen`. The compiler comes from the crate `flatc-fork`, whose version
//! names the version of FlatBuffers, the same as that of the `flatbuffers` crate the generated code
//! is compiled against.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use sha2::Digest as _;

fn main() -> ExitCode {
    let check = match std::env::args().skip(1).collect::<Vec<_>>().as_slice() {
        [] => false,
        [flag] if flag == "--check" => true,
        _ => {
            eprintln!("usage: program-codegen [--check]");
            return ExitCode::from(2);
        }
    };
    match run(check) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}

fn run(check: bool) -> Result<(), String> {
    let crate_dir = Path::new(env!("CARGO_MANIFEST_DIR"));
    let target = crate_dir.join("src/generated.rs");
    let generated = generate(&crate_dir.join("program.fbs"))?;
    if !check {
        return std::fs::write(&target, generated)
            .map_err(|error| format!("{}: {error}", target.display()));
    }
    let committed = read(&target)?;
    if committed == generated {
        Ok(())
    } else {
        Err(format!(
            "{} is stale: run `cargo xtask codegen` and commit the result",
            target.display()
        ))
    }
}

/// Returns the expected content of `src/generated.rs`.
fn generate(schema: &Path) -> Result<String, String> {
    let out = scratch_dir()?;
    let status = Command::new(flatc_fork::flatc())
        .arg("--rust")
        .arg("-o")
        .arg(&out)
        .arg(schema)
        .status()
        .map_err(|error| format!("{}: {error}", flatc_fork::flatc().display()))?;
    if !status.success() {
        return Err(format!("flatc refuses {}", schema.display()));
    }
    let code = read(&out.join("program_generated.rs"))?;
    std::fs::remove_dir_all(&out).map_err(|error| format!("{}: {error}", out.display()))?;
    let hash: String = sha2::Sha256::digest(read(schema)?)
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    Ok(format!(
        "// Generated from program.fbs by `cargo xtask codegen`; do not edit.\n\n\
         /// SHA-256 of the schema this was generated from.\n\
         pub const SCHEMA_SHA256: &str = \"{hash}\";\n\n{code}"
    ))
}

fn scratch_dir() -> Result<PathBuf, String> {
    let dir = std::env::temp_dir().join(format!("program-codegen-{}", std::process::id()));
    std::fs::create_dir_all(&dir).map_err(|error| format!("{}: {error}", dir.display()))?;
    Ok(dir)
}

fn read(path: &Path) -> Result<String, String> {
    std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
}
