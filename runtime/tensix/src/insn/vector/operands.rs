//! The register operands of an instruction.
//!
//! The documentation names them VA, VB, VC and VD. An instruction has fields for some of them;
//! without a field, VB or VC is VD. SFPLOADMACRO replaces some operands of the instructions that it
//! schedules (`SFPLOADMACRO.md`, functional model).

use tessera_isa_tensix::Instruction;

use super::lregs::STAGING;
use crate::state::vector::Overlay;

/// The operand registers VB, VC and VD. VA always comes from its field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Operands {
    pub(super) b: u32,
    pub(super) c: u32,
    pub(super) d: u32,
}

/// The source of operands: the instruction's fields alone, or with an overlay by SFPLOADMACRO.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Naming(pub(super) Option<Overlay>);

impl Naming {
    /// Resolves the operands of an instruction from its fields for VB, VC and VD.
    pub(super) fn resolve(self, b: Option<u32>, c: Option<u32>, d: u32) -> Operands {
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

/// Returns the template of SFPLOADMACRO that an instruction's VD names, if it names one
/// (`SFPCONFIG.md`, DISABLE_BACKDOOR_LOAD).
pub(super) fn template_slot(instruction: &Instruction) -> Option<usize> {
    let dest = dest_of(instruction)?;
    (dest as usize).checked_sub(12)
}

/// Returns the VD field. SFPCONFIG's has another meaning; SFPLOADMACRO's cannot name the upper
/// registers.
fn dest_of(instruction: &Instruction) -> Option<u32> {
    use Instruction::*;
    Some(match instruction {
        Sfpload(i) => i.lreg_ind,
        Sfploadi(i) => i.lreg_ind,
        Sfpstore(i) => i.lreg_ind,
        Sfplut(i) => i.lreg_ind,
        Sfpmuli(i) => i.lreg_dest,
        Sfpaddi(i) => i.lreg_dest,
        Sfpdivp2(i) => i.lreg_dest,
        Sfpexexp(i) => i.lreg_dest,
        Sfpexman(i) => i.lreg_dest,
        Sfpiadd(i) => i.lreg_dest,
        Sfpshft(i) => i.lreg_dest,
        Sfpsetcc(i) => i.lreg_dest,
        Sfpmov(i) => i.lreg_dest,
        Sfpabs(i) => i.lreg_dest,
        Sfpand(i) => i.lreg_dest,
        Sfpor(i) => i.lreg_dest,
        Sfpnot(i) => i.lreg_dest,
        Sfplz(i) => i.lreg_dest,
        Sfpsetexp(i) => i.lreg_dest,
        Sfpsetman(i) => i.lreg_dest,
        Sfpmad(i) => i.lreg_dest,
        Sfpadd(i) => i.lreg_dest,
        Sfpmul(i) => i.lreg_dest,
        Sfppushc(i) => i.lreg_dest,
        Sfppopc(i) => i.lreg_dest,
        Sfpsetsgn(i) => i.lreg_dest,
        Sfpencc(i) => i.lreg_dest,
        Sfpcompc(i) => i.lreg_dest,
        Sfptransp(i) => i.lreg_dest,
        Sfpxor(i) => i.lreg_dest,
        Sfpstochrnd(i) => i.lreg_dest,
        Sfpcast(i) => i.lreg_dest,
        Sfpswap(i) => i.lreg_dest,
        Sfpshft2(i) => i.lreg_dest,
        Sfplutfp32(i) => i.lreg_dest,
        Sfple(i) => i.lreg_dest,
        Sfpgt(i) => i.lreg_dest,
        Sfpmul24(i) => i.lreg_dest,
        Sfparecip(i) => i.lreg_dest,
        _ => return None,
    })
}
