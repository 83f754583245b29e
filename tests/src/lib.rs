//! What the tests that run the tools share: where the tools are ([`tools`]) and how a lit file is run ([`lit`]).
//!
//! The tests know the tools from outside only: arguments, standard streams, exit codes, files. They depend on no
//! other crate of this workspace, so nothing in them can reach around a tool.

pub mod lit;
pub mod tools;
