//! End-to-end tests: the tools compile TTIR to a program file, which the runtime executes.
//!
//! The compiler is run as two processes. The program file is read, executed and damaged in-process,
//! because thousands of runs are needed. There is one module per property.

mod bench;
mod broadcasts;
mod casts;
mod chains;
mod composites;
mod const_eval;
mod determined;
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
