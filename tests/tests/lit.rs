//! Every file below `tests/lit` as one test: `cargo test -p tessera-tests --test lit [filter]`.
//! With `TESSERA_BLESS` set, precise outputs are accepted: written into the files.

use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use libtest_mimic::{Arguments, Failed, Trial};
use tessera_tests::lit;
use tessera_tests::tools::Tools;

/// No test of the tree comes near it, on a loaded machine either; one that reaches it hangs.
const LIMIT: Duration = Duration::from_secs(1200);

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    match trials(arguments.list) {
        Ok(trials) => libtest_mimic::run(&arguments, trials).exit_code(),
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}

/// Returns the tests of the tree. Unless they are only to be listed, the tools are built first.
fn trials(list_only: bool) -> Result<Vec<Trial>, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("lit");
    let files = lit::discover(&root).map_err(|e| format!("{}: {e}", root.display()))?;
    if files.is_empty() {
        return Err(format!("{}: no test files", root.display()));
    }
    let tools = if list_only {
        None
    } else {
        Some(Tools::build().map_err(|e| e.to_string())?)
    };
    let tools = Arc::new(tools);
    let trial = |file: lit::TestFile| {
        let tools = Arc::clone(&tools);
        Trial::test(file.name.clone(), move || match &*tools {
            Some(tools) => lit::Runner {
                tools,
                scratch: scratch(),
                limit: LIMIT,
                accept: tessera_test_support::is_bless_run(),
            }
            .run(&file)
            .map_err(|e| Failed::from(e.to_string())),
            None => Err(Failed::from("listed only")),
        })
    };
    Ok(files.into_iter().map(trial).collect())
}

fn scratch() -> std::path::PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("lit")
}
