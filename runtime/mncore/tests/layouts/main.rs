//! Tests layouts of `tessera_isa_mncore` on the machine: the renamings of instructions, and
//! transfer plans.

mod board;
mod plans;
mod renamings;
