//! The devices, a file or folder each, and the registry of them.

pub mod interpreter;
pub mod mncore;
pub mod reference;
pub mod tensix;

use tessera_program::SystemDesc;

use self::tensix as default_device;
use crate::golden::numerics::Numerics;
use crate::{join_names, DeviceInfo};

/// Every device.
pub const ALL: &[&DeviceInfo] = &[
    &reference::INFO,
    &interpreter::INFO,
    &tensix::INFO,
    &mncore::INFO,
];

/// The device that runs programs if none is named.
pub const DEFAULT: &DeviceInfo = &default_device::INFO;

/// How devices compute that model no chip, to the judge: they are nearer to the reference than
/// this.
pub const NUMERICS: Numerics = default_device::NUMERICS;

/// The pipeline that makes kernels over tiles, if they need not be for a particular chip.
pub const PIPELINE: &str = default_device::PIPELINE;

/// The device that needs no kernels.
pub const REFERENCE: &str = reference::NAME;

/// Returns the device of that name.
pub fn from_name(name: &str) -> Option<&'static DeviceInfo> {
    ALL.iter().copied().find(|device| device.name == name)
}

/// Returns the devices that model a chip, in the order of the registry.
pub fn chips() -> Vec<&'static DeviceInfo> {
    let all = ALL.iter().copied();
    all.filter(|device| device.chip.is_some()).collect()
}

/// Returns the names of devices that run whatever is compiled for a system: the models of its
/// chips, and the one that needs no kernels.
pub(crate) fn names_running(system: &SystemDesc) -> String {
    let runs_it = |device: &&DeviceInfo| {
        let chip = device.chip.as_ref();
        chip.is_some_and(|model| system.chips.iter().any(|chip| (model.runs)(*chip)))
    };
    let mut devices = chips();
    devices.retain(runs_it);
    devices.push(&reference::INFO);
    join_names(&devices, "or")
}
