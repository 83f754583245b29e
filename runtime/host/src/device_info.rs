//! What there is to know of a device before it runs anything: its entry in the registry.

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
    /// Its name, as `ttrt --device` takes it.
    pub name: &'static str,
    /// What it does.
    pub description: &'static str,
    /// The options that it takes.
    pub options: &'static [DeviceOption],
    /// The chip that it models, if it does.
    pub chip: Option<ChipModel>,
    /// Makes the device for a run of a program of a file.
    pub open: Open,
    /// What it can do, as a JSON object.
    pub facts: fn() -> Value,
}

/// Makes a device for one run of a program of a file.
pub type Open =
    for<'a> fn(&'a Binary, &'a Program, &Options) -> Result<Box<dyn Device + 'a>, DeviceError>;

/// A device that models a chip: it counts what its kernels do, and when.
pub struct ChipModel {
    /// What it is.
    pub description: &'static str,
    /// Whether it runs programs that are compiled for a chip.
    pub runs: fn(Chip) -> bool,
    /// Everything that is known to stop a program, without running it.
    pub check: fn(&Binary, &Program) -> Vec<RunError>,
    /// What of the chip the time line shows, if not all of it.
    pub traced: Option<&'static str>,
    /// Writes a time line of kernels that ran one after the other, as JSON for Perfetto. The
    /// kernels are those of devices that [`DeviceInfo::open`] made with [`Options::is_traced`].
    pub write_trace: WriteTrace,
}

/// Writes a time line of kernels of a file.
pub type WriteTrace = fn(&Binary, &[&dyn KernelRuns], &mut dyn Write) -> io::Result<()>;

/// The kernels that a device ran, in order.
pub trait KernelRuns: Any {
    /// What they did, for people.
    fn statistics(&self) -> Vec<Section>;

    /// What each of them did, for programs.
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

/// Devices, models of chips first.
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
