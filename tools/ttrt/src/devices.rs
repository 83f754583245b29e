//! Command-line options of devices, generated from the registry of devices.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{value_parser, Arg, ArgAction, ArgMatches, Args, Command, Error, FromArgMatches};
use tessera_runtime::devices;
use tessera_runtime::options::{NamedChoice, OptionKind, OptionValue, SharedOption};
use tessera_runtime::{join_names, DeviceInfo, Options};

/// Returns the parser of device names.
pub fn device() -> impl TypedValueParser<Value = &'static DeviceInfo> {
    one_of(devices::ALL, |device| device.description)
}

/// Returns the parser of names of devices that model a chip.
pub fn chip() -> impl TypedValueParser<Value = &'static DeviceInfo> {
    one_of(&devices::chips(), |device| {
        let chip = device.chip.as_ref();
        chip.map_or(device.description, |chip| chip.description)
    })
}

/// Returns the parser of names of these devices, with their descriptions in the help.
fn one_of(
    devices: &[&'static DeviceInfo],
    help: fn(&'static DeviceInfo) -> &'static str,
) -> impl TypedValueParser<Value = &'static DeviceInfo> {
    let values = devices.iter().map(|device| word(device.name, help(device)));
    PossibleValuesParser::new(values)
        .try_map(|name| devices::from_name(&name).ok_or("there is no such device"))
}

fn word(name: &'static str, help: &'static str) -> PossibleValue {
    PossibleValue::new(name).help(help)
}

/// Returns the help text of an option of devices that model a chip.
pub fn on_chips(help: &str) -> String {
    format!("On {}: {help}", join_names(&devices::chips(), "and"))
}

/// Returns the help text of `--trace`.
pub fn trace_help() -> String {
    let parts = devices::chips().into_iter().filter_map(|device| {
        let traced = device.chip.as_ref()?.traced?;
        Some(format!("; on {}, {traced}", device.name))
    });
    let what = "write a timeline of the chip's units to this file, as JSON for Perfetto";
    on_chips(what) + &parts.collect::<String>()
}

/// The values of all device options on the command line.
pub struct DeviceOptions {
    given: Vec<(SharedOption, OptionValue)>,
}

impl DeviceOptions {
    /// Returns the diagnostic for an option that the device does not accept, if any.
    pub fn find_unsupported(&self, device: &DeviceInfo) -> Option<String> {
        let mut given = self.given.iter();
        let misplaced = given.find(|(option, _)| !option.is_taken_by(device));
        misplaced.map(|(option, _)| option.refusal())
    }

    /// Converts the values to options of a run.
    ///
    /// # Errors If a value is invalid, which the parser prevents.
    pub fn to_options(&self) -> anyhow::Result<Options> {
        let mut options = Options::default();
        for (option, value) in &self.given {
            options.set(&option.option, *value)?;
        }
        Ok(options)
    }
}

impl Args for DeviceOptions {
    fn augment_args(command: Command) -> Command {
        let options = SharedOption::all();
        options.iter().map(argument).fold(command, Command::arg)
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for DeviceOptions {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let options = SharedOption::all().into_iter();
        let given = options.filter_map(|option| {
            let value = value(&option, matches)?;
            Some((option, value))
        });
        let given = given.collect();
        Ok(DeviceOptions { given })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// Returns the command-line argument of an option.
fn argument(shared: &SharedOption) -> Arg {
    let option = &shared.option;
    let argument = Arg::new(option.name).long(option.name).help(shared.help());
    match option.kind {
        OptionKind::Flag => argument.action(ArgAction::SetTrue),
        OptionKind::Number { least, most } => argument
            .value_name(option.value_name)
            .value_parser(value_parser!(u64).range(least..=most)),
        OptionKind::Choice(choices) => {
            let words = choices.iter().map(|choice| word(choice.name, choice.help));
            argument
                .value_name(option.value_name)
                .value_parser(PossibleValuesParser::new(words))
        }
    }
}

/// Returns the value of an option, if it was given.
fn value(shared: &SharedOption, matches: &ArgMatches) -> Option<OptionValue> {
    let option = &shared.option;
    match option.kind {
        OptionKind::Flag => matches.get_flag(option.name).then_some(OptionValue::Flag),
        OptionKind::Number { .. } => {
            let number = matches.get_one::<u64>(option.name)?;
            Some(OptionValue::Number(*number))
        }
        OptionKind::Choice(choices) => {
            let word = matches.get_one::<String>(option.name)?;
            let is_it = |choice: &NamedChoice| choice.name == word;
            choices.iter().position(is_it).map(OptionValue::Choice)
        }
    }
}
