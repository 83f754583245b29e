//! Probe schedules: emit items before registers are assigned, to query the ISA model for their
//! fields and hazards.

use tessera_isa_mncore::ast::Step;
use tessera_isa_mncore::check::hazard::Effects;

use crate::emit::{EmitError, Emitter};
use tessera_mncore_ir::body::{Body, Home};
use tessera_mncore_ir::schedule::{Register, Schedule};

/// Returns a schedule in which only mask registers are assigned, since those cannot be forwarded.
/// All other values must be emitted as
/// [`ForwardingRegisters`](crate::emit::ReadSource::ForwardingRegisters).
pub(crate) fn forwarding_schedule(body: &Body) -> Schedule {
    let place = |home| (home == Home::Flags).then_some(Register::Flags { first: 1, slots: 1 });
    Schedule {
        ii: 1,
        at: vec![0; body.items.len()],
        places: body.values.iter().map(|kind| place(kind.home)).collect(),
        constants: Vec::new(),
        reserved: Vec::new(),
    }
}

/// Returns the memory effects of an item in an iteration, as the hazard rules see them.
pub(crate) fn item_effects(
    emitter: &Emitter,
    item: usize,
    index: &[u32],
) -> Result<Effects, EmitError> {
    if let Some(mv) = emitter.mv(item, index) {
        return Ok(mv
            .transfer
            .as_ref()
            .map_or_else(Effects::default, Effects::from_mv));
    }
    let expressions = emitter.expression(item, 0, index)?.into_iter().collect();
    Ok(Effects::from_step(&Step { expressions }))
}
