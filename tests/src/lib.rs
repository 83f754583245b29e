//! What the tests that run the tools share: where the tools are ([`tools`]), how a lit file is run ([`lit`]),
//! how a transcript is ([`transcript`]) and how a single run of a tool is judged ([`process`]).
//!
//! The tests know the tools from outside only: arguments, standard streams, exit codes, files. They depend on no
//! other crate of this workspace, so nothing in them can reach around a tool.

pub mod lit;
pub mod process;
pub mod tools;
pub mod transcript;
