//! Packs statements one by one, each with its source location.
//!
//! Only statements that have a word in the mode can be packed. The assembler's rules are not
//! checked here; code generators check them before, and [`MncoreProgram::pack`] checks them for a
//! whole program.

use std::collections::HashMap;

use tessera_isa_mncore::ast::{Program, Statement};
use tessera_isa_mncore::check;
use tessera_isa_mncore::unit::Packer;
use tessera_isa_mncore::word::Mode;
use tessera_isa_mncore::Diagnostic;

use super::{MncoreProgram, MncoreRun, MncoreTensor};

/// A program under construction.
pub struct MncorePacker {
    units: Packer,
    runs: Vec<MncoreRun>,
    places: Vec<String>,
    /// The index of each source location.
    numbers: HashMap<String, u32>,
}

impl MncorePacker {
    /// Creates an empty writer.
    pub fn new(mode: Mode) -> Self {
        MncorePacker {
            units: Packer::new(mode),
            runs: Vec::new(),
            places: Vec::new(),
            numbers: HashMap::new(),
        }
    }

    /// Returns the index of a source location; an empty text stands for none.
    pub fn place(&mut self, place: &str) -> u32 {
        if let Some(&number) = self.numbers.get(place) {
            return number;
        }
        let number = self.places.len() as u32;
        self.places.push(place.to_owned());
        self.numbers.insert(place.to_owned(), number);
        number
    }

    /// Packs the next statement, whose source location has this index.
    ///
    /// # Errors
    /// A statement that has no word in this mode.
    pub fn statement(&mut self, statement: &Statement, place: u32) -> Result<(), Diagnostic> {
        let word = self.units.push(statement)? as u32;
        if self.runs.last().is_none_or(|run| run.place != place) {
            self.runs.push(MncoreRun { word, place });
        }
        Ok(())
    }

    /// Returns the program, with its arguments, of which the first `inputs` are read.
    pub fn finish(self, inputs: u16, tensors: Vec<MncoreTensor>) -> MncoreProgram {
        MncoreProgram {
            inputs,
            tensors,
            units: self.units.finish(),
            runs: self.runs,
            places: self.places,
        }
    }
}

impl MncoreProgram {
    /// Checks and packs statements. `places` holds the source location of each; an empty text
    /// stands for none.
    ///
    /// # Errors
    /// The statements that violate the assembler's rules. If none does, those that have no word in
    /// this mode.
    pub fn pack(
        inputs: u16,
        tensors: Vec<MncoreTensor>,
        program: &Program,
        places: &[&str],
        mode: Mode,
    ) -> Result<Self, Vec<Diagnostic>> {
        let mut errors = check::check(program);
        if !errors.is_empty() {
            return Err(errors);
        }
        let mut packer = MncorePacker::new(mode);
        let places = places.iter().copied().chain(std::iter::repeat(""));
        for (statement, place) in program.statements.iter().zip(places) {
            let place = packer.place(place);
            errors.extend(packer.statement(statement, place).err());
        }
        if errors.is_empty() {
            Ok(packer.finish(inputs, tensors))
        } else {
            Err(errors)
        }
    }
}
