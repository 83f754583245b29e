//! Operations on the layout and memory of tensors, and on the device. Only `ttnn` has them, and
//! declares them itself.

use super::{first_shape, no_check, not_the_input_shape, INPUT};
use crate::op::{Class, ElementRule, OpInfo, Placement};
use crate::scalar::Domain;

/// Returns the entries.
pub(super) fn entries() -> impl Iterator<Item = OpInfo> {
    let layout = Class::Placement(Placement::Layout);
    let memory_config = Class::Placement(Placement::MemoryConfig);
    let to_device = Class::Placement(Placement::ToDevice);
    let from_device = Class::Placement(Placement::FromDevice);
    [
        entry(
            "to_layout",
            "The tensor tiled or row-major, in the same memory",
            layout,
        ),
        entry(
            "to_memory_config",
            "The tensor in another memory of the device or otherwise distributed",
            memory_config,
        ),
        entry("to_device", "A host tensor, on the device", to_device),
        entry("from_device", "A device tensor, on the host", from_device),
        entry(
            "deallocate",
            "Frees the memory of a tensor; nothing may use it afterwards",
            Class::Deallocate,
        ),
        OpInfo {
            operands: &[],
            ..entry(
                "get_device",
                "The device the program runs on",
                Class::GetDevice,
            )
        },
    ]
    .into_iter()
}

fn entry(name: &'static str, summary: &'static str, class: Class) -> OpInfo {
    OpInfo {
        name,
        ttir: None,
        in_ttnn: true,
        summary,
        description: "",
        example: "",
        operands: INPUT,
        attributes: &[],
        class,
        elements: ElementRule::Same,
        domain: Domain::Any,
        verify: no_check,
        shape: first_shape,
        mismatch: not_the_input_shape,
    }
}
