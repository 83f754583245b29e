//! What the tests that run the tools share: where the tools are ([`tools`]), how a lit file is run
//! ([`lit`]), how a transcript is ([`transcript`]), which pages there are ([`pages`]) and how a
//! single run of a tool is judged ([`process`]).
//!
//! The tests know the tools from outside only: arguments, standard streams, exit codes, files. What
//! is here depends on no other crate of this workspace. One test, `end_to_end`, runs the program
//! files that the tools have written through the crates of the runtime.

pub mod lit;
pub mod pages;
pub mod process;
pub mod tools;
pub mod transcript;
