//! Stages of kernels: repetition, and the source lines of their items.

use tessera_mncore_ir::kernel::Stage;

/// Repeats stages.
pub(crate) fn repeat(count: u32, stages: Vec<Stage>) -> Vec<Stage> {
    match count {
        1 => stages,
        _ => vec![Stage::Repeat(count, stages)],
    }
}

/// Returns the source line of an operation; 0 means none.
pub(crate) fn line(location: usize) -> u32 {
    location as u32 + 1
}
