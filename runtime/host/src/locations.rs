//! Source locations in kernels that several operations share.
//!
//! Identical kernels are stored once. The code of a kernel holds the locations of the first
//! operation of the file that uses it. The operations of two groups that share a kernel correspond
//! one to one, so a location of the first group can be translated to that of the other.

use tessera_program::{Binary, KernelOp, KernelRef, Operation};

use crate::DeviceError;

/// Translates the source locations in an error of a kernel to those of `group`, which ran it.
pub(crate) fn relocate(binary: &Binary, group: &KernelOp, mut error: DeviceError) -> DeviceError {
    let DeviceError::Failure(failure) = &mut error else {
        return error;
    };
    let Some(target) = failure.stopped_target() else {
        return error;
    };
    // A group has at most one kernel for a target.
    let is_stopped = |reference: &&KernelRef| {
        let kernel = binary.kernels.get(reference.kernel as usize);
        kernel.is_some_and(|kernel| kernel.target() == target)
    };
    let first = group.kernels.iter().find(is_stopped);
    let first = first.and_then(|reference| first_use(binary, reference.kernel));
    if let Some(first) = first {
        let translate = |location: &str| translate(&first.operations, &group.operations, location);
        failure.map_locations(&translate);
    }
    error
}

/// Returns the first group of the file that runs a kernel.
fn first_use(binary: &Binary, kernel: u32) -> Option<&KernelOp> {
    let operations = binary.programs.iter().flat_map(|one| &one.operations);
    let mut groups = operations.filter_map(|operation| operation.op.as_kernel());
    groups.find(|group| group.kernels.iter().any(|one| one.kernel == kernel))
}

/// Replaces every location of `from` in a text by that of the same operation in `to`. The text may
/// list several locations.
fn translate(from: &[Operation], to: &[Operation], text: &str) -> String {
    // The places of some kernels have no column.
    let line = |location: &str| location.rsplit_once(':').map(|(line, _)| line.to_owned());
    let one = |text: &str| {
        let mut pairs = from.iter().zip(to).filter(|(_, to)| !to.loc.is_empty());
        pairs.find_map(|(from, to)| match from.loc == text {
            true => Some(to.loc.clone()),
            false => line(&from.loc)
                .filter(|from| from == text)
                .and_then(|_| line(&to.loc)),
        })
    };
    one(text).unwrap_or_else(|| {
        let parts = text.split(", ");
        let parts = parts.map(|part| one(part).unwrap_or_else(|| part.to_owned()));
        parts.collect::<Vec<_>>().join(", ")
    })
}

#[cfg(test)]
mod tests;
