//! `ttrt read`.

use std::path::PathBuf;

use anyhow::Result;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use tessera_program::Section;

use crate::{files, print, Verdict};

/// Prints a program file, or a section of it, as JSON.
#[derive(clap::Args)]
pub struct Arguments {
    /// The program file; one file, not a directory; `-` for the standard input.
    file: PathBuf,
    /// What to print.
    #[arg(long, default_value = "all", value_parser = section())]
    section: Section,
}

/// Reads the name of a section.
fn section() -> impl TypedValueParser<Value = Section> {
    let value =
        |(_, name, help): (_, &'static str, &'static str)| PossibleValue::new(name).help(help);
    PossibleValuesParser::new(Section::ALL.map(value)).try_map(|found| {
        let mut sections = Section::ALL.into_iter();
        let section = sections.find(|(_, name, _)| *name == found);
        section.map(|(section, ..)| section).ok_or("no section")
    })
}

/// Reads the file and prints the section.
pub fn read(arguments: &Arguments) -> Result<Verdict> {
    let (_, binary) = files::read_binary(&arguments.file)?;
    print(&format!("{:#}\n", binary.to_json(arguments.section)))?;
    Ok(Verdict::Pass)
}
