//! Items as expressions before their values have registers: to ask the ISA crate what they need and
//! what they are in the way of.

use tessera_isa_mncore::ast::Step;
use tessera_isa_mncore::check::hazard::Effects;

use crate::emit::{EmitError, Emitter};
use tessera_mncore_ir::body::{Body, Home};
use tessera_mncore_ir::schedule::{Register, Schedule};

/// No registers but mask registers, which cannot be forwarded. To be read with forwarding
/// registers.
pub(crate) fn bare(body: &Body) -> Schedule {
    let place = |home| (home == Home::Flags).then_some(Register::Flags { first: 1, slots: 1 });
    Schedule {
        ii: 1,
        at: vec![0; body.items.len()],
        places: body.values.iter().map(|kind| place(kind.home)).collect(),
        constants: Vec::new(),
        reserved: Vec::new(),
    }
}

/// What an item does to the memories that hazards are about, at an index.
pub(crate) fn effects(emitter: &Emitter, item: usize, index: &[u32]) -> Result<Effects, EmitError> {
    if let Some(mv) = emitter.mv(item, index) {
        return Ok(mv
            .transfer
            .as_ref()
            .map_or_else(Effects::default, Effects::from_mv));
    }
    let expressions = emitter.expression(item, 0, index)?.into_iter().collect();
    Ok(Effects::from_step(&Step { expressions }))
}
