//! The instructions that the front end expands or applies, and NOP.

use tessera_isa_tensix::{Opcode, Unit};

use crate::insn::traits::{unit, ResourceClass, Traits};
use crate::trap::Fault;

fn nop() -> Result<(), Fault> {
    Ok(())
}

unit! {
    fn execute(i,);

    Nop => nop(), Traits {
        resources: None,
        ..Traits::of(Unit::Nop)
    };
}

/// The traits of the instructions that no unit executes.
pub(super) const EXPANDED: &[Traits] = &[
    Traits {
        opcode: Opcode::Mop,
        function: "tessera_tensix::issue::frontend::move_through_mop",
        resources: Some(ResourceClass::Mop),
        ..Traits::of(Unit::MopExpander)
    },
    Traits {
        opcode: Opcode::MopCfg,
        function: "tessera_tensix::issue::frontend::move_through_mop",
        resources: None,
        ..Traits::of(Unit::MopExpander)
    },
    Traits {
        opcode: Opcode::Replay,
        function: "tessera_tensix::issue::frontend::move_through_replay",
        resources: Some(ResourceClass::Replay),
        ..Traits::of(Unit::ReplayExpander)
    },
    Traits {
        opcode: Opcode::Resourcedecl,
        function: "tessera_tensix::issue::auto_sync::push",
        resources: None,
        ..Traits::of(Unit::AutoSync)
    },
];
