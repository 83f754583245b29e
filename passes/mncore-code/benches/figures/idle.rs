//! Idle time of a product's most loaded resource.

use tessera_isa_mncore::ast::StatementKind;
use tessera_mncore::timeline::{Timeline, Timing};
use tessera_mncore_code::compile::ResourceBound;
use tessera_mncore_code::program::{self, IssueOrder};
use tessera_mncore_ir::program::Program;

use crate::streamed::multiplies;

/// Cycles in which the matrix unit, or MV instructions, are idle: before their first use, in
/// between, and after their last.
#[derive(Clone, Copy, Debug, Default)]
pub struct Idle {
    pub start: u64,
    pub gaps: u64,
    pub end: u64,
}

/// Returns the idle cycles of the resource that is the bound; `None` if that is a transfer between
/// memories of the chip.
pub fn idle(program: &Program, bound: &ResourceBound) -> Option<Idle> {
    let most = bound.steps();
    if most != bound.mau && most != bound.mv {
        return None;
    }
    let of_mau = most == bound.mau;
    let mut clock = Timeline::default();
    let (mut issued, mut busy) = (0, Vec::new());
    let streamed = program::stream(program, IssueOrder::Scheduled, &mut |statement, _| {
        let is_step = matches!(statement.kind, StatementKind::Step(_));
        match clock.advance(statement, issued) {
            Timing::Step(interval, _) if is_step && of_mau && multiplies(statement) => {
                busy.push(interval);
            }
            Timing::Transfer(_, pending) => {
                issued += 1;
                if !of_mau {
                    busy.push(pending.moves);
                }
            }
            _ => {}
        }
        Ok(())
    });
    streamed.expect("schedules hold");
    let (start, last) = (busy.first()?.start, busy.last()?.end);
    let worked: u64 = busy.iter().map(|one| one.end - one.start).sum();
    Some(Idle {
        start,
        gaps: last - start - worked,
        end: clock.end() - last,
    })
}
