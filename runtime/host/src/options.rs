//! Options of devices: what a command line can set, and what a device reads of it.
//!
//! A device lists the options that it takes in its [`DeviceInfo`]. Options of one name are one
//! option, whichever devices take it; those that several take are declared here.

use std::collections::BTreeMap;

use crate::devices::ALL;
use crate::{chips_first, join_names, DeviceInfo};

/// An option that a device takes.
#[derive(Debug, Clone, Copy)]
pub struct DeviceOption {
    /// Its name, without dashes in front.
    pub name: &'static str,
    /// What value it has.
    pub kind: OptionKind,
    /// What a value is called in help; nothing for flags.
    pub value_name: &'static str,
    /// What it does, in words that follow `On DEVICE: `.
    pub help: &'static str,
    /// What it counts on this device, if that differs between devices.
    pub counted: Option<&'static str>,
    /// What the devices that take it have in common, if that explains why no others do.
    pub reason: Option<&'static str>,
}

/// The values of an option.
#[derive(Debug, Clone, Copy)]
pub enum OptionKind {
    /// None: it is given or not.
    Flag,
    /// A number in a range, both ends included.
    Number {
        /// The least.
        least: u64,
        /// The greatest.
        most: u64,
    },
    /// One of some words.
    Choice(&'static [Choice]),
}

/// A word that an option can be set to.
#[derive(Debug, Clone, Copy)]
pub struct Choice {
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
     a correct kernel gives the same for each",
);

/// Threads of the host.
pub const THREADS: DeviceOption = DeviceOption::count(
    "threads",
    "COUNT",
    "on how many threads of the host to run; as many as it has cores without it. \
     Results do not depend on it",
);

/// How long a kernel may run. Devices state what they count.
pub const LIMIT_STEPS: DeviceOption = DeviceOption {
    reason: Some("which run kernels"),
    ..DeviceOption::seed("limit-steps", "COUNT", "the most that a kernel may execute")
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

    /// Returns an option that is any number.
    pub const fn seed(name: &'static str, value_name: &'static str, help: &'static str) -> Self {
        let (least, most) = (0, u64::MAX);
        Self::new(name, OptionKind::Number { least, most }, value_name, help)
    }

    /// Returns an option that is how many there are of something; one at least.
    pub const fn count(name: &'static str, value_name: &'static str, help: &'static str) -> Self {
        let (least, most) = (1, u32::MAX as u64);
        Self::new(name, OptionKind::Number { least, most }, value_name, help)
    }

    /// Returns an option that is one of some words.
    pub const fn choice(
        name: &'static str,
        value_name: &'static str,
        choices: &'static [Choice],
        help: &'static str,
    ) -> Self {
        Self::new(name, OptionKind::Choice(choices), value_name, help)
    }

    /// Returns the same on a device that counts this.
    pub const fn counting(mut self, counted: &'static str) -> Self {
        self.counted = Some(counted);
        self
    }
}

/// An option, and the devices that take it.
#[derive(Debug)]
pub struct SharedOption {
    /// The option as the first of them declares it.
    pub option: DeviceOption,
    /// The devices, models of chips first.
    pub devices: Vec<&'static DeviceInfo>,
}

impl SharedOption {
    /// Returns the options of all devices. Those of a device stay in its order.
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

    /// Returns whether a device takes it.
    pub fn is_taken_by(&self, device: &DeviceInfo) -> bool {
        self.devices.iter().any(|one| one.name == device.name)
    }

    /// What it does, and on which devices.
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

    /// Why another device cannot be given it.
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

/// What the options of a run are set to.
#[derive(Debug, Clone, Default)]
pub struct Options {
    values: BTreeMap<&'static str, OptionValue>,
    /// Whether a time line of the chip is wanted.
    pub is_traced: bool,
}

/// What an option is set to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OptionValue {
    /// It is given.
    Flag,
    /// A number.
    Number(u64),
    /// The word with this number among its choices.
    Choice(usize),
}

/// An option was set to what is none of its values.
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

    /// Returns the number of the word that an option is set to, if it is.
    pub fn choice(&self, option: &DeviceOption) -> Option<usize> {
        match self.values.get(option.name)? {
            OptionValue::Choice(choice) => Some(*choice),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests;
