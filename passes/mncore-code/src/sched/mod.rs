//! The scheduler: assigns the items of a loop to steps and its values to registers.
//!
//! The method is modulo scheduling (Rau, "Iterative modulo scheduling", MICRO 1994), followed by
//! register allocation with modulo variable expansion (Lam, PLDI 1988).
//!
//! | file | holds |
//! |---|---|
//! | `schedule.rs` | the search over plans and initiation intervals; the sequential schedule |
//! | `plan.rs` | the scheduling problem of a body: macro nodes, precedence edges, port gaps |
//! | `bank_assignment.rs` | the memory that holds each value and constant |
//! | `reservation.rs` | the reservation tables of items: the fields of the word that they set |
//! | `bounds.rs` | the minimum initiation interval |
//! | `modulo.rs` | the search for a schedule at one interval |
//! | `branch_and_bound.rs` | the shortest schedule of a small block |
//! | `allocate.rs` | register allocation |
//!
//! Invariant: the scheduler imports `analysis/` and the layers below. `check/` lies below it and
//! does not import it; [`crate::program`] and [`crate::compile`] call it to get a schedule.

mod allocate;
mod bank_assignment;
mod bounds;
mod branch_and_bound;
mod modulo;
mod plan;
mod reservation;
mod schedule;

pub use schedule::{schedule, sequential, Options, ScheduleError};
