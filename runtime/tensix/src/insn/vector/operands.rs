//! The register operands of an instruction.
//!
//! The documentation names them VA, VB, VC and VD. An instruction has fields for some of them;
//! without a field, VB or VC is VD. SFPLOADMACRO replaces some operands of the instructions that it
//! schedules (`SFPLOADMACRO.md`, functional model).

use super::lregs::STAGING;
use crate::state::vector::Overlay;

/// The operand registers VB, VC and VD. VA always comes from its field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Operands {
    pub(super) b: u32,
    pub(super) c: u32,
    pub(super) d: u32,
}

/// The fields of an instruction for its operands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fields {
    pub(super) b: Option<u32>,
    pub(super) c: Option<u32>,
    pub(super) d: u32,
}

/// The source of operands: the instruction's fields alone, or with an overlay by SFPLOADMACRO.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Naming(pub(super) Option<Overlay>);

impl Naming {
    /// Resolves the operands of an instruction from its fields.
    #[inline]
    pub(super) fn resolve(self, Fields { b, c, d }: Fields) -> Operands {
        let Some(overlay) = self.0 else {
            return Operands {
                b: b.unwrap_or(d),
                c: c.unwrap_or(d),
                d,
            };
        };
        let (b, c) = match overlay.as_b {
            true => (overlay.loaded, c.unwrap_or(d)),
            false => (b.unwrap_or(d), overlay.loaded),
        };
        let d = if overlay.staged {
            STAGING
        } else {
            overlay.loaded
        };
        Operands { b, c, d }
    }
}
