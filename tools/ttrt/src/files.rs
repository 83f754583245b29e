//! Files, and the standard streams, which are called `-`.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use anyhow::{Context, Result};
use tessera_program::Binary;

/// Returns whether a path stands for a standard stream.
pub fn is_stream(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// Reads a file; returns its name in diagnostics, too.
pub fn read(path: &Path) -> Result<(String, Vec<u8>)> {
    if path.is_dir() {
        anyhow::bail!("{} is a directory: give one file", path.display());
    }
    tessera_cli::read((!is_stream(path)).then_some(path))
}

/// Reads a program file; returns its name in diagnostics, too.
pub fn read_binary(path: &Path) -> Result<(String, Binary)> {
    let (name, bytes) = read(path)?;
    let binary = Binary::read(&bytes).with_context(|| name.clone())?;
    Ok((name, binary))
}

/// Writes a file. A broken pipe of the standard output is not an error.
pub fn write(path: &Path, bytes: impl AsRef<[u8]>) -> Result<()> {
    if !is_stream(path) {
        return tessera_cli::write(Some(path), bytes.as_ref());
    }
    let written = tessera_cli::write(None, bytes.as_ref());
    written.or_else(|error| match tessera_cli::is_broken_pipe(&error) {
        true => Ok(()),
        false => Err(error),
    })
}

/// Opens a file for writing.
pub fn create(path: &Path) -> Result<BufWriter<Box<dyn Write>>> {
    let out: Box<dyn Write> = match is_stream(path) {
        true => Box::new(io::stdout().lock()),
        false => Box::new(
            File::create(path).with_context(|| format!("cannot write {}", path.display()))?,
        ),
    };
    Ok(BufWriter::new(out))
}
