//! The steps of a loop: the items of overlapping iterations that issue in each.

use tessera_mncore_ir::body::Body;
use tessera_mncore_ir::schedule::Schedule;

use super::emitter::Emitter;
use super::packet::{EmitError, Issue};

/// Emits the issue packets of a loop, in order, for one iteration of the loops around it.
///
/// # Errors
/// See [`EmitError`].
pub fn emit(
    body: &Body,
    schedule: &Schedule,
    outer: &[u32],
    sink: &mut dyn FnMut(Issue),
) -> Result<(), EmitError> {
    let emitter = Emitter::new(body, schedule);
    let (ii, count) = (u64::from(schedule.ii.max(1)), body.iterations());
    let mut index = first_index(body, outer);
    // Items by their step modulo the interval.
    let mut slots: Vec<Vec<(u64, usize)>> = vec![Vec::new(); ii as usize];
    for (item, &at) in schedule.at.iter().enumerate() {
        slots[(u64::from(at) % ii) as usize].push((u64::from(at) / ii, item));
    }
    for step in 0..schedule.steps(body) {
        let mut issue = Issue::default();
        for &(stage, item) in &slots[(step % ii) as usize] {
            let Some(iteration) = (step / ii).checked_sub(stage).filter(|&n| n < count) else {
                continue;
            };
            body.index_into(iteration, &mut index);
            emitter.emit_item(item, iteration, &index, &mut issue)?;
        }
        sink(issue);
    }
    Ok(())
}

/// Returns the index of the first iteration of a body within an iteration of the loops around it.
fn first_index(body: &Body, outer: &[u32]) -> Vec<u32> {
    let mut index = outer.to_vec();
    index.resize(body.dimensions(), 0);
    index
}
