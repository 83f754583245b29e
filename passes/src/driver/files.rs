//! Reading and writing of files named on the command line; `-` denotes a standard stream.

use std::io::{self, ErrorKind, Read, Write};
use std::path::Path;

/// A file that cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// Reading failed.
    #[error("cannot read {0}")]
    Read(String, #[source] io::Error),
    /// Writing failed.
    #[error("cannot write {0}")]
    Write(String, #[source] io::Error),
}

/// Reads a file. Returns its name for diagnostics and its content.
///
/// # Errors
/// It cannot be read.
pub fn read(path: &Path) -> Result<(String, Vec<u8>), FileError> {
    if path == Path::new("-") {
        let mut content = Vec::new();
        return match io::stdin().read_to_end(&mut content) {
            Ok(_) => Ok(("<stdin>".into(), content)),
            Err(error) => Err(FileError::Read("standard input".into(), error)),
        };
    }
    let name = path.display().to_string();
    match std::fs::read(path) {
        Ok(content) => Ok((name, content)),
        Err(error) => Err(FileError::Read(name, error)),
    }
}

/// Writes `content` to `path`. A closed pipe on standard output is not an error.
///
/// # Errors
/// It cannot be written.
pub fn write(path: &Path, content: &[u8]) -> Result<(), FileError> {
    if path != Path::new("-") {
        return std::fs::write(path, content)
            .map_err(|error| FileError::Write(path.display().to_string(), error));
    }
    let mut stdout = io::stdout().lock();
    match stdout.write_all(content).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(FileError::Write("standard output".into(), error))
        }
        _ => Ok(()),
    }
}
