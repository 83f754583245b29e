//! Errors of the MN-Core 2 device.

use tessera_isa_mncore::layout::LayoutError;
use tessera_isa_mncore::unit::UnpackError;
use tessera_mncore::trap::Reason;
use tessera_program::GlobalId;

use super::NAME;
use crate::device::{map_place, DeviceFailure};

/// Why the device cannot do something.
#[derive(Debug, thiserror::Error)]
pub enum MncoreError {
    /// An argument of a kernel that is not a number.
    #[error(
        "kernel '{kernel}' is given tensor {id}, whose element {element}, row-major from 0 on, is \
         NaN: the chip has no NaN and would take it for an infinity"
    )]
    NotANumber {
        /// Name of the kernel.
        kernel: String,
        /// The tensor.
        id: GlobalId,
        /// The first such element.
        element: usize,
    },
    /// A result that a kernel did not write.
    #[error(
        "kernel '{kernel}' did not write element {element}, row-major from 0 on, of tensor {id}"
    )]
    Unwritten {
        /// Name of the kernel.
        kernel: String,
        /// The tensor.
        id: GlobalId,
        /// The first such element.
        element: usize,
    },
    /// A tensor that does not fit the layout of a kernel's argument.
    #[error("kernel '{kernel}', tensor {id}: {error}")]
    Layout {
        /// Name of the kernel.
        kernel: String,
        /// The tensor.
        id: GlobalId,
        /// Why.
        error: Box<LayoutError>,
    },
    /// Units that are not instructions.
    #[error("kernel '{kernel}': {error}")]
    Units {
        /// Name of the kernel.
        kernel: String,
        /// Why.
        error: Box<UnpackError>,
    },
    /// A kernel stopped.
    #[error("kernel '{kernel}', step {step}, line {line} of its listing{place}: \
             {reason} (ttrt read --section kernels lists it{})", options_of(.reason))]
    Board {
        /// Name of the kernel.
        kernel: String,
        /// The step, or that before which an MV instruction is issued, from 0 on.
        step: usize,
        /// The line of the listing.
        line: u32,
        /// ` at ` and the source location of the instruction, or nothing.
        place: String,
        /// Why.
        reason: Box<Reason>,
    },
}

impl DeviceFailure for MncoreError {
    fn stopped_target(&self) -> Option<&'static str> {
        matches!(self, MncoreError::Board { .. }).then_some(NAME)
    }

    fn map_locations(&mut self, function: &dyn Fn(&str) -> String) {
        if let MncoreError::Board { place, .. } = self {
            map_place(place, function);
        }
    }
}

/// Returns a note if a reason to stop names options of another tool than `ttrt run`.
fn options_of(reason: &Reason) -> &'static str {
    use Reason::{NeverWritten, Race, TagUnknown};
    match reason {
        NeverWritten { .. } | Race { .. } | TagUnknown { .. } => "; the option is of mncore-emu",
        _ => "",
    }
}
