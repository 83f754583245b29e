//! A runner for lit files: `RUN:` lines in a test's comments, executed by bash, judged by exit
//! code.
//!
//! Only the part of LLVM's lit that this tree uses (llvm.org/docs/CommandGuide/lit.html and
//! TestingGuide.html): every `RUN:` line in order, each a pipeline that fails if any of its parts
//! does (`pipefail`), the file passing if all do. What lit has and this runner has not (`XFAIL:`,
//! `REQUIRES:`, …) is refused by name, not ignored: an ignored `REQUIRES:` would be a test that
//! runs where it should not, an ignored `XFAIL:` one that fails.

mod discover;
mod run;
mod script;

pub use discover::{discover, TestFile};
pub use run::{run, Failure};
pub use script::{parse, Place, ScriptError};
