//! Helpers of the tests of the tools: finding the tools ([`tools`]), running lit files ([`lit`])
//! and transcripts ([`transcript`]), finding pages ([`pages`]), checking how a tool ends
//! ([`process`]), scanning sources for imports ([`imports`]), and drawing what depends on what
//! ([`figure`]).
//!
//! The tests use the tools from outside only: arguments, standard streams, exit codes, files. This
//! library depends on no other crate of the workspace. One test, `end_to_end`, runs the program
//! files that the tools have written through the crates of the runtime.

pub mod figure;
pub mod imports;
pub mod lit;
pub mod pages;
pub mod performance;
pub mod process;
pub mod tools;
pub mod transcript;
