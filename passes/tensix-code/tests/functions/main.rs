//! The functions, executed by the model.

mod accuracy;
mod broadcasts;
mod exact;
mod machine;
mod pairs;
mod reductions;
mod sample;
mod table;
