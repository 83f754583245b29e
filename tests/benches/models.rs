//! Time of the models: `cargo bench -p tessera-tests --bench models`, with names of models and
//! chips to choose some.
//!
//! Runs `tests/models/bench.py` in the Python that `TESSERA_PYTHON` names, `python3` by default. It
//! needs the package (`cargo xtask wheel`), JAX and `tests/models/requirements.txt`.

use std::path::Path;
use std::process::{Command, ExitCode};

fn main() -> ExitCode {
    let python = std::env::var("TESSERA_PYTHON").unwrap_or_else(|_| "python3".into());
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("models/bench.py");
    // cargo adds `--bench`.
    let chosen = std::env::args().skip(1).filter(|word| word != "--bench");
    let status = Command::new(&python).arg(script).args(chosen).status();
    match status {
        Ok(status) if status.success() => ExitCode::SUCCESS,
        Ok(_) => {
            eprintln!("error: the script failed in {python}; TESSERA_PYTHON names another Python");
            ExitCode::FAILURE
        }
        Err(error) => {
            eprintln!("error: cannot run {python}: {error}; TESSERA_PYTHON names another Python");
            ExitCode::FAILURE
        }
    }
}
