//! Static properties of a device: its entry in the registry.

use std::any::Any;
use std::fmt;
use std::io::{self, Write};

use serde_json::Value;
use tessera_program::{Binary, Chip, Program};

use crate::options::{DeviceOption, Options};
use crate::statistics::Section;
use crate::{Device, DeviceError, RunError};

/// A device that programs can run on.
pub struct DeviceInfo {
    /// The name, as `ttrt --device` takes it.
    pub name: &'static str,
    /// What it does.
    pub description: &'static str,
    /// The options that it accepts.
    pub options: &'static [DeviceOption],
    /// The chip that it models, if any.
    pub chip: Option<ChipModel>,
    /// Creates the device for a run of a program.
    pub open: Open,
    /// Returns its capabilities as a JSON object.
    pub facts: fn() -> Value,
}

/// Creates a device for one run of a program.
pub type Open =
    for<'a> fn(&'a Binary, &'a Program, &Options) -> Result<Box<dyn Device + 'a>, DeviceError>;

/// A device that models a chip. It records what its kernels do, and when.
pub struct ChipModel {
    /// What it is.
    pub description: &'static str,
    /// Returns whether it runs programs compiled for a chip.
    pub runs: fn(Chip) -> bool,
    /// Returns the errors of a program that can be detected without running it.
    pub check: fn(&Binary, &Program) -> Vec<RunError>,
    /// The part of the chip that the timeline shows, if not all of it.
    pub traced: Option<&'static str>,
    /// Writes a timeline of kernels that ran consecutively, as JSON for Perfetto. The kernels come
    /// from devices that [`DeviceInfo::open`] created with [`Options::is_traced`].
    pub write_trace: WriteTrace,
}

/// Writes a timeline of kernels of a file.
pub type WriteTrace = fn(&Binary, &[&dyn KernelRuns], &mut dyn Write) -> io::Result<()>;

/// The kernels that a device ran, in order.
pub trait KernelRuns: Any {
    /// Returns readable statistics.
    fn statistics(&self) -> Vec<Section>;

    /// Returns the statistics of each kernel as JSON.
    fn to_json(&self) -> Vec<Value>;
}

/// Returns the kernels of several runs of one device.
///
/// # Errors
/// If some ran on another device.
pub(crate) fn runs_of<'r, R: KernelRuns>(runs: &[&'r dyn KernelRuns]) -> io::Result<Vec<&'r R>> {
    let of_device = |runs: &&'r dyn KernelRuns| {
        let runs: &dyn Any = *runs;
        let of_device = runs.downcast_ref::<R>();
        of_device.ok_or_else(|| io::Error::other("kernels of another device"))
    };
    runs.iter().map(of_device).collect()
}

impl fmt::Debug for DeviceInfo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

/// Returns the devices with models of chips first.
pub fn chips_first(devices: &[&'static DeviceInfo]) -> Vec<&'static DeviceInfo> {
    let mut devices = devices.to_vec();
    devices.sort_by_key(|device| device.chip.is_none());
    devices
}

/// Returns the names of devices in a sentence: `a, b or c`, where `last` is `or`.
pub fn join_names(devices: &[&DeviceInfo], last: &str) -> String {
    let names: Vec<_> = devices.iter().map(|device| device.name).collect();
    match &names[..] {
        [] => "none".to_owned(),
        [one] => (*one).to_owned(),
        [others @ .., one] => format!("{} {last} {one}", others.join(", ")),
    }
}

#[cfg(test)]
mod tests;
