//! Layouts of `tessera_isa_mncore` against the machine: what instructions do to place bits, and the
//! plans made of them.

mod board;
mod plans;
mod renamings;
