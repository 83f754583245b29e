//! The registry of devices, with one module for each.

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

/// The device that runs programs if the user names none.
pub const DEFAULT: &DeviceInfo = &default_device::INFO;

/// The arithmetic that bounds results of devices that model no chip. They are nearer to the
/// reference than this.
pub const NUMERICS: Numerics = default_device::NUMERICS;

/// The pipeline that generates tile kernels for no particular chip.
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

/// Returns the names of devices that run programs compiled for a system: the models of its chips,
/// and the device that needs no kernels.
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
