//! A runner for lit files: bash executes the `RUN:` lines of a test, and the exit code decides.
//!
//! Only the part of LLVM's lit that this tree uses (llvm.org/docs/CommandGuide/lit.html and
//! TestingGuide.html): every `RUN:` line in order, each a pipeline that fails if any of its parts
//! does (`pipefail`), the file passing if all do. Unsupported keywords of lit (`XFAIL:`,
//! `REQUIRES:`, …) are errors. If they were ignored, a test with `REQUIRES:` would run where it
//! should not, and one with `XFAIL:` would fail.
//!
//! One addition: what a test writes to `%output` is compared exactly with the comments
//! `// OUTPUT @name:` of its file, or written there. See the module `precise`.

mod discover;
mod precise;
mod run;
mod script;

pub use discover::{discover, TestFile};
pub use precise::PreciseError;
pub use run::{Failure, Runner};
pub use script::{parse, Script, ScriptError, Substitutions};
