//! Options of devices.
//!
//! A device lists the options that it accepts in its [`DeviceInfo`]. Options with the same name are
//! the same option on all devices; those of several devices are declared here.

use std::collections::BTreeMap;

use crate::devices::ALL;
use crate::{chips_first, join_names, DeviceInfo};

/// An option that a device accepts.
#[derive(Debug, Clone, Copy)]
pub struct DeviceOption {
    /// The name, without leading dashes.
    pub name: &'static str,
    /// The kind of its values.
    pub kind: OptionKind,
    /// The name of the value in the help text; empty for flags.
    pub value_name: &'static str,
    /// The help text, worded to follow `On DEVICE: `.
    pub help: &'static str,
    /// The unit in which this device counts the option, if it differs between devices.
    pub counted: Option<&'static str>,
    /// A property of the devices that accept the option, which explains why others do not.
    pub reason: Option<&'static str>,
}

/// The kind of values of an option.
#[derive(Debug, Clone, Copy)]
pub enum OptionKind {
    /// No value.
    Flag,
    /// A number in an inclusive range.
    Number {
        /// The least.
        least: u64,
        /// The greatest.
        most: u64,
    },
    /// One of several keywords.
    Choice(&'static [NamedChoice]),
}

/// A keyword value of an option.
#[derive(Debug, Clone, Copy)]
pub struct NamedChoice {
    /// The word.
    pub name: &'static str,
    /// What it means.
    pub help: &'static str,
}

/// Seed of a schedule.
pub const SCHEDULE_SEED: DeviceOption = DeviceOption::seed(
    "schedule-seed",
    "SCHEDULE_SEED",
    "seed of the order in which threads and units, or kernels of a group, advance; \
     results of a correct kernel do not depend on it",
);

/// Threads of the host.
pub const THREADS: DeviceOption = DeviceOption::count(
    "threads",
    "COUNT",
    "the number of host threads; by default the number of its processors. \
     Results do not depend on it",
);

/// Limit on the length of a kernel. Each device states what it counts.
pub const LIMIT_STEPS: DeviceOption = DeviceOption {
    reason: Some("which run kernels"),
    ..DeviceOption::seed(
        "limit-steps",
        "COUNT",
        "the maximum length of a kernel's execution",
    )
};

impl DeviceOption {
    const fn new(
        name: &'static str,
        kind: OptionKind,
        value_name: &'static str,
        help: &'static str,
    ) -> Self {
        DeviceOption {
            name,
            kind,
            value_name,
            help,
            counted: None,
            reason: None,
        }
    }

    /// Returns an option without a value.
    pub const fn flag(name: &'static str, help: &'static str) -> Self {
        Self::new(name, OptionKind::Flag, "", help)
    }

    /// Returns an option whose value is any number.
    pub const fn seed(name: &'static str, value_name: &'static str, help: &'static str) -> Self {
        let (least, most) = (0, u64::MAX);
        Self::new(name, OptionKind::Number { least, most }, value_name, help)
    }

    /// Returns an option whose value is a count of at least 1.
    pub const fn count(name: &'static str, value_name: &'static str, help: &'static str) -> Self {
        let (least, most) = (1, u32::MAX as u64);
        Self::new(name, OptionKind::Number { least, most }, value_name, help)
    }

    /// Returns an option whose value is one of several keywords.
    pub const fn choice(
        name: &'static str,
        value_name: &'static str,
        choices: &'static [NamedChoice],
        help: &'static str,
    ) -> Self {
        Self::new(name, OptionKind::Choice(choices), value_name, help)
    }

    /// Returns the option with the unit of a device.
    pub const fn counting(mut self, counted: &'static str) -> Self {
        self.counted = Some(counted);
        self
    }
}

/// An option and the devices that accept it.
#[derive(Debug)]
pub struct SharedOption {
    /// The option as the first device declares it.
    pub option: DeviceOption,
    /// The devices, models of chips first.
    pub devices: Vec<&'static DeviceInfo>,
}

impl SharedOption {
    /// Returns the options of all devices, in the order of each device.
    pub fn all() -> Vec<SharedOption> {
        let mut all: Vec<SharedOption> = Vec::new();
        for device in chips_first(ALL) {
            let mut place = all.len();
            for option in device.options.iter().rev() {
                match all.iter().position(|one| one.option.name == option.name) {
                    Some(found) => {
                        all[found].devices.push(device);
                        place = found;
                    }
                    None => all.insert(
                        place,
                        SharedOption {
                            option: *option,
                            devices: vec![device],
                        },
                    ),
                }
            }
        }
        all
    }

    /// Returns whether a device accepts the option.
    pub fn is_taken_by(&self, device: &DeviceInfo) -> bool {
        self.devices.iter().any(|one| one.name == device.name)
    }

    /// Returns the help text with the names of devices.
    pub fn help(&self) -> String {
        let help = self.option.help;
        let counted = self.devices.iter().filter_map(|device| {
            let mut options = device.options.iter();
            let own = options.find(|own| own.name == self.option.name)?;
            Some(format!("on {} {}", device.name, own.counted?))
        });
        let counted: Vec<_> = counted.collect();
        match counted.is_empty() {
            true => format!("On {}: {help}", join_names(&self.devices, "and")),
            false => format!("{}: {}", capitalized(help), counted.join(", ")),
        }
    }

    /// Returns the diagnostic for a device that does not accept the option.
    pub fn refusal(&self) -> String {
        let devices = join_names(&self.devices, "or");
        let reason = self.option.reason.map(|reason| format!(", {reason}"));
        format!(
            "--{} is for --device {devices}{}",
            self.option.name,
            reason.unwrap_or_default()
        )
    }
}

fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|first| first.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}

/// The values of options for a run.
#[derive(Debug, Clone, Default)]
pub struct Options {
    values: BTreeMap<&'static str, OptionValue>,
    /// Whether a timeline of the chip is recorded.
    pub is_traced: bool,
}

/// The value of an option.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OptionValue {
    /// The option has no value, and is given.
    Flag,
    /// A number.
    Number(u64),
    /// The index of the keyword among the choices.
    Choice(usize),
}

/// A value that the option does not support.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("option '--{option}' has no value {value:?}")]
pub struct OptionError {
    /// The option.
    pub option: &'static str,
    /// The value.
    pub value: OptionValue,
}

impl Options {
    /// Sets an option.
    ///
    /// # Errors
    /// If it has no such value.
    pub fn set(&mut self, option: &DeviceOption, value: OptionValue) -> Result<(), OptionError> {
        let is_possible = match (option.kind, value) {
            (OptionKind::Flag, OptionValue::Flag) => true,
            (OptionKind::Number { least, most }, OptionValue::Number(number)) => {
                (least..=most).contains(&number)
            }
            (OptionKind::Choice(choices), OptionValue::Choice(choice)) => choice < choices.len(),
            _ => false,
        };
        if !is_possible {
            let option = option.name;
            return Err(OptionError { option, value });
        }
        self.values.insert(option.name, value);
        Ok(())
    }

    /// Returns whether an option is set.
    pub fn is_set(&self, option: &DeviceOption) -> bool {
        self.values.contains_key(option.name)
    }

    /// Returns the number that an option is set to, if it is.
    pub fn number(&self, option: &DeviceOption) -> Option<u64> {
        match self.values.get(option.name)? {
            OptionValue::Number(number) => Some(*number),
            _ => None,
        }
    }

    /// Returns the index of the keyword to which an option is set, if it is.
    pub fn choice(&self, option: &DeviceOption) -> Option<usize> {
        match self.values.get(option.name)? {
            OptionValue::Choice(choice) => Some(*choice),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests;
