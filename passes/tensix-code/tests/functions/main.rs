//! The functions, executed by the model.

mod accuracy;
mod exact;
mod machine;
mod reductions;
mod sample;
mod spreads;
mod table;
