//! The vector library on the emulator.

mod accuracy;
mod exact;
mod machine;
mod sample;
mod schedules;
mod table;
