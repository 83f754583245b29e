//! The targets, a folder each.

pub mod mncore;
pub mod tensix;

use crate::driver::options::{joined, Kind, OptionInfo, Options};
use crate::pto::machine;
use crate::target::Target;

/// All targets, the default first.
pub const ALL: &[&dyn Target] = &[&tensix::target::Tensix, &mncore::target::MnCore];

/// Their names, in the same order.
pub const NAMES: &[&str] = &[tensix::target::NAME, mncore::target::NAME];

/// The option of a pass that depends on the target. Pipelines set it; it is not a user option.
pub const OPTION: OptionInfo = OptionInfo {
    name: "target",
    description: "The target, which determines what fits into one kernel",
    kind: Kind::Choice(NAMES),
    default: NAMES[0],
};

/// Returns the target that [`OPTION`] names.
///
/// # Errors
/// If there is none.
pub fn from_options(options: &Options) -> Result<&'static dyn Target, String> {
    let name = options.text(OPTION.name);
    from_name(name).ok_or_else(|| format!("internal error: no target '{name}'"))
}

/// Returns the target with a name.
pub fn from_name(name: &str) -> Option<&'static dyn Target> {
    ALL.iter().copied().find(|target| target.name() == name)
}

/// Returns the target that has a chip.
pub fn for_chip(chip: &str) -> Option<&'static dyn Target> {
    let mut all = ALL.iter().copied();
    all.find(|target| target.system().chips.contains(&chip))
}

/// The chips that have a built-in description, the default first.
pub const CHIPS: &[&str] = &joined::<
    &str,
    { tensix::system_desc::CHIPS.len() + mncore::system_desc::CHIPS.len() },
>(tensix::system_desc::CHIPS, mncore::system_desc::CHIPS);

/// The machines that kernels over tiles can be placed on, the default first: targets, and others.
pub const MACHINES: &[&str] =
    &joined::<&str, { 1 + machine::GENERIC.len() }>(&[tensix::target::NAME], machine::GENERIC);
