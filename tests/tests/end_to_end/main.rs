//! Compiled programs on the devices: TTIR through the tools to a program file, the file through the
//! runtime.
//!
//! The compiler is known from outside only, as two processes; what it wrote is read, run and
//! damaged in-process, because thousands of runs are needed. One module per property.

mod bench;
mod broadcasts;
mod casts;
mod chains;
mod determined;
#[path = "../../../runtime/mncore/tests/programs/generate/dice.rs"]
#[allow(dead_code)]
mod dice;
mod elementwise;
mod forming;
mod functions;
mod functions_on_tensix;
mod graphs;
mod images;
mod mncore;
mod models;
mod movements;
mod numerics;
mod padding;
mod placements;
mod schedules;
mod selection;
mod specials;
mod words;
