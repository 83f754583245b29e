//! Kernels for MN-Core 2: packed instructions for the whole board, and the layouts of arguments in
//! DRAM.
//!
//! The elements of an argument correspond to those of its layout in row-major order. The dimensions
//! may differ: a layout may split or merge dimensions. An argument with a view holds only the
//! elements of the view. A result may consist of several views; if they overlap, the last one wins.
//!
//! [`MncoreProgram::check`] ensures the following: Arguments lie in DRAM, have as many elements of
//! the stored width as their layouts, and do not overlap; each spans its long words from the first
//! to the last in a group. Units can be unpacked, and every statement satisfies the assembler's
//! rules. Not checked are hazards and races, which the timed model finds, and accesses to other
//! parts of DRAM.

use std::ops::Range;

use flatbuffers::WIPOffset;
use serde::Serialize;
use tessera_isa_mncore::ast::{self, Statement, StatementKind};
use tessera_isa_mncore::check::turnaround;
use tessera_isa_mncore::layout::{ElementBits, Layout, Memory};
use tessera_isa_mncore::memory::Precision;
use tessera_isa_mncore::unit::{self, UnpackError};
use tessera_isa_mncore::Span;
use tessera_ops::View;
use tessera_pto::kernel::{Element, TensorType};

use crate::builder::Builder;
use crate::generated as fb;
use crate::groups::{load_tensor, store_tensor};
use crate::hash::Hasher;
use crate::types::vocabulary;
use crate::validate::Problem;
use crate::ReadError;

mod pack;

pub use pack::MncorePacker;

/// The greatest size of an argument in bytes, in the DRAM of all groups.
pub const MAX_IMAGE_BYTES: u64 = 1 << 32;

/// Returns the size in bytes of a tensor with this layout in the DRAM of all groups, including
/// padding and replicas.
pub fn image_bytes(layout: &Layout) -> u64 {
    let groups = (0..4).filter(|group| layout.has_group(*group)).count() as u64;
    layout.padded_words().saturating_mul(8 * groups)
}

vocabulary! {
    /// The storage format of an element.
    MncoreStorage {
        /// A 32-bit word: a float as the single of the same value, an integer as it is.
        Single = "single",
        /// A bf16 in 16 bits.
        Bf16 = "bf16",
    }
}

impl MncoreStorage {
    /// Returns the width of what is stored.
    pub const fn width(self) -> ElementBits {
        match self {
            MncoreStorage::Single => ElementBits::ThirtyTwo,
            MncoreStorage::Bf16 => ElementBits::Sixteen,
        }
    }

    /// Returns whether it has all values of an element.
    const fn holds(self, element: Element) -> bool {
        matches!(
            (self, element),
            (MncoreStorage::Single, _) | (MncoreStorage::Bf16, Element::Bf16)
        )
    }
}

/// An argument of a kernel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MncoreTensor {
    /// What it is.
    pub tensor: TensorType,
    /// The layout of its elements in DRAM.
    pub layout: Layout,
    /// The storage format.
    pub storage: MncoreStorage,
    /// The elements that are laid out; `None` for all in order.
    pub view: Option<View>,
}

/// The start of a sequence of words from one source location.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MncoreRun {
    /// The index of the first word; see [`unit::Packer::push`].
    pub word: u32,
    /// The index of the source location.
    pub place: u32,
}

/// A kernel for the whole board.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MncoreProgram {
    /// Number of arguments that are read; they come first.
    pub inputs: u16,
    /// The arguments.
    pub tensors: Vec<MncoreTensor>,
    /// The units.
    pub units: Vec<u8>,
    /// The source locations of words, in ascending order.
    pub runs: Vec<MncoreRun>,
    /// Source locations; an empty text stands for none.
    pub places: Vec<String>,
}

/// A statement of a program. Its span is its line in the listing, which has one statement per line.
#[derive(Debug, Clone)]
pub struct MncoreStatement {
    /// What it says.
    pub statement: Statement,
    /// Index of its word; see [`unit::Packer::push`].
    pub word: usize,
    /// The steps before it.
    pub step: usize,
}

impl MncoreProgram {
    /// Returns the statements in order.
    ///
    /// # Errors
    /// Bytes that are not whole units; each item may be the error of a unit.
    pub fn statements(
        &self,
    ) -> Result<impl Iterator<Item = Result<MncoreStatement, UnpackError>> + '_, UnpackError> {
        let units = unit::Units::new(&self.units)?;
        let statements = units.flat_map(|unit| match unit {
            Ok(statements) => statements.into_iter().map(Ok).collect(),
            Err(error) => vec![Err(error)],
        });
        let (mut line, mut step) = (0, 0);
        Ok(statements.map(move |found| {
            let (word, mut statement) = found?;
            line += 1;
            statement.span = Span {
                line,
                column: 1,
                length: 1,
            };
            let before = step;
            step += usize::from(matches!(statement.kind, StatementKind::Step(_)));
            Ok(MncoreStatement {
                statement,
                word,
                step: before,
            })
        }))
    }

    /// Returns the least precision of its matrix products, if it has any.
    pub fn precision(&self) -> Option<Precision> {
        /// From the least on.
        const ORDER: [Precision; 4] = [
            Precision::Half,
            Precision::Pseudo,
            Precision::Single,
            Precision::Double,
        ];
        let statements = self.statements().into_iter().flatten().flatten();
        let steps = statements.filter_map(|found| match found.statement.kind {
            StatementKind::Step(step) => Some(step.expressions),
            _ => None,
        });
        let found = steps
            .flatten()
            .filter_map(|expression| match expression.op {
                ast::Op::Mau(mau) if mau.op.kind.is_matrix() => Some(mau.op.precision),
                _ => None,
            });
        let mut found = found.filter_map(|one| ORDER.iter().position(|other| *other == one));
        // No other is less than the first.
        let least = found.try_fold(ORDER.len(), |least, one| match one {
            0 => Err(0),
            _ => Ok(least.min(one)),
        });
        ORDER.get(least.unwrap_or_else(|least| least)).copied()
    }

    /// Returns the source location of a word.
    pub fn place(&self, word: usize) -> Option<&str> {
        let behind = self.runs.partition_point(|run| run.word as usize <= word);
        let run = self.runs.get(behind.checked_sub(1)?)?;
        let place = self.places.get(run.place as usize)?;
        (!place.is_empty()).then_some(place)
    }

    pub(crate) fn arity(&self) -> (usize, usize) {
        let inputs = usize::from(self.inputs);
        (inputs, self.tensors.len().saturating_sub(inputs))
    }

    pub(crate) fn hash(&self, hasher: &mut Hasher) {
        hasher.bytes(b"mncore program");
        hasher.word(self.inputs.into());
        hasher.length(self.tensors.len());
        for tensor in &self.tensors {
            for text in [
                tensor.tensor.to_string(),
                tensor.layout.to_string(),
                tensor.storage.to_string(),
                tensor
                    .view
                    .as_ref()
                    .map(View::to_string)
                    .unwrap_or_default(),
            ] {
                hasher.length(text.len());
                hasher.bytes(text.as_bytes());
            }
        }
        hasher.length(self.units.len());
        hasher.bytes(&self.units);
        hasher.length(self.runs.len());
        for run in &self.runs {
            hasher.words([run.word, run.place]);
        }
        hasher.length(self.places.len());
        for place in &self.places {
            hasher.length(place.len());
            hasher.bytes(place.as_bytes());
        }
    }

    /// Checks the arguments and instructions.
    pub(crate) fn check(&self) -> Result<(), Problem> {
        let (inputs, tensors) = (self.inputs, self.tensors.len());
        if usize::from(inputs) > tensors {
            return Err(Problem::TooFewTensors { inputs, tensors });
        }
        for (argument, tensor) in self.tensors.iter().enumerate() {
            tensor.check(argument)?;
            let others = self.tensors[..argument].iter().enumerate();
            for (first, other) in others {
                if let Some(group) = other.find_overlap(tensor) {
                    return Err(Problem::MncoreOverlap {
                        first,
                        second: argument,
                        first_words: other.words(),
                        second_words: tensor.words(),
                        group,
                    });
                }
            }
        }
        let words = self.check_units()?;
        self.check_runs(words)
    }

    /// Checks the units and returns the number of words, omitted ones included.
    fn check_units(&self) -> Result<usize, Problem> {
        let damaged = |error| Problem::MncoreUnits(Box::new(error));
        // Unpacking checks all other rules of the assembler for single statements.
        let mut register = turnaround::TurnaroundRegister::default();
        let mut words = 0;
        for found in self.statements().map_err(damaged)? {
            let MncoreStatement {
                statement, word, ..
            } = found.map_err(damaged)?;
            words = word + 1;
            let StatementKind::Step(step) = &statement.kind else {
                continue;
            };
            if let Some(diagnostic) = register.check_step(step) {
                return Err(Problem::MncoreStatement {
                    line: statement.span.line,
                    statement: statement.to_string(),
                    message: diagnostic.message,
                });
            }
        }
        Ok(words)
    }

    fn check_runs(&self, words: usize) -> Result<(), Problem> {
        let runs = &self.runs;
        if runs.windows(2).any(|pair| pair[0].word >= pair[1].word) {
            return Err(Problem::MncoreRuns("they are not in the order of words"));
        }
        if runs.last().is_some_and(|run| run.word as usize >= words) {
            return Err(Problem::MncoreRuns("one begins after the last word"));
        }
        let places = self.places.len();
        if runs.iter().any(|run| run.place as usize >= places) {
            return Err(Problem::MncoreRuns("one is of a place that is not listed"));
        }
        Ok(())
    }

    /// Returns the listing: one statement a line, after it where it comes from, if that is
    /// elsewhere than for the line before. A unit that is none is a comment.
    fn listing(&self) -> Vec<String> {
        let mut last = None;
        let mut line = |found: MncoreStatement| {
            let place = self.place(found.word);
            let shown = place.filter(|_| place != last);
            last = place;
            let comment = shown.map(|place| format!("  # {place}"));
            format!("{}{}", found.statement, comment.unwrap_or_default())
        };
        let damaged = |error: UnpackError| format!("# {error}");
        match self.statements() {
            Ok(found) => found.map(|s| s.map_or_else(damaged, &mut line)).collect(),
            Err(error) => vec![damaged(error)],
        }
    }
}

impl MncoreTensor {
    /// Returns the long words from the first to the last, padding with them, in each group that has
    /// any.
    fn words(&self) -> Range<u64> {
        let base = u64::from(self.layout.base());
        base..base + self.layout.padded_words()
    }

    /// Returns a group in which the ranges of long words of two arguments overlap.
    pub fn find_overlap(&self, other: &MncoreTensor) -> Option<usize> {
        let (one, two) = (self.words(), other.words());
        if one.end <= two.start || two.end <= one.start {
            return None;
        }
        (0..4).find(|group| self.layout.has_group(*group) && other.layout.has_group(*group))
    }

    fn check(&self, argument: usize) -> Result<(), Problem> {
        let MncoreTensor {
            tensor,
            layout,
            storage,
            view,
        } = self;
        let memory = layout.memory();
        if memory != Memory::Dram {
            let memory = memory.name();
            return Err(Problem::MncoreMemory { argument, memory });
        }
        let elements = tensor.elements().unwrap_or(u64::MAX);
        if let Some(view) = view {
            view.check(elements)
                .map_err(|error| Problem::MncoreView { argument, error })?;
        }
        let elements = match view {
            Some(view) => view.elements().unwrap_or(u64::MAX),
            None => elements,
        };
        let found = layout.elements();
        if elements != found || elements == 0 {
            return Err(Problem::MncoreElements {
                argument,
                elements,
                found,
            });
        }
        if !storage.holds(tensor.element) {
            return Err(Problem::MncoreStorage {
                argument,
                element: tensor.element,
                storage: *storage,
            });
        }
        let (stored, found) = (storage.width().bits(), layout.element().bits());
        if stored != found {
            return Err(Problem::MncoreWidth {
                argument,
                storage: *storage,
                stored,
                found,
            });
        }
        if layout.summed() != 0 {
            return Err(Problem::MncoreSums { argument });
        }
        let bytes = image_bytes(layout);
        if bytes > MAX_IMAGE_BYTES {
            return Err(Problem::MncoreImage { argument, bytes });
        }
        Ok(())
    }
}

impl Serialize for MncoreTensor {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct View {
            tensor: String,
            storage: MncoreStorage,
            layout: String,
            #[serde(skip_serializing_if = "Option::is_none")]
            view: Option<String>,
        }
        View {
            tensor: self.tensor.to_string(),
            storage: self.storage,
            layout: self.layout.to_string(),
            view: self.view.as_ref().map(tessera_ops::View::to_string),
        }
        .serialize(serializer)
    }
}

impl Serialize for MncoreProgram {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct View<'a> {
            inputs: u16,
            arguments: &'a [MncoreTensor],
            code: Vec<String>,
        }
        View {
            inputs: self.inputs,
            arguments: &self.tensors,
            code: self.listing(),
        }
        .serialize(serializer)
    }
}

/// Writes a program.
pub(crate) fn write<'f>(
    b: &mut Builder<'f>,
    body: &MncoreProgram,
) -> WIPOffset<fb::MncoreProgram<'f>> {
    let tensors: Vec<_> = body.tensors.iter().map(|t| write_tensor(b, t)).collect();
    let tensors = b.create_vector(&tensors);
    let units = b.create_vector(&body.units);
    let runs = body.runs.iter();
    let runs = b.create_vector_from_iter(runs.map(|run| fb::MncoreRun::new(run.word, run.place)));
    let places: Vec<_> = body.places.iter().map(|p| b.create_string(p)).collect();
    let places = b.create_vector(&places);
    fb::MncoreProgram::create(
        b,
        &fb::MncoreProgramArgs {
            inputs: body.inputs,
            tensors: Some(tensors),
            units: Some(units),
            runs: Some(runs),
            places: Some(places),
        },
    )
}

fn write_tensor<'f>(b: &mut Builder<'f>, tensor: &MncoreTensor) -> WIPOffset<fb::MncoreTensor<'f>> {
    let layout = b.create_string(&tensor.layout.to_string());
    let view = tensor.view.as_ref().map(|view| write_view(b, view));
    fb::MncoreTensor::create(
        b,
        &fb::MncoreTensorArgs {
            tensor: Some(&store_tensor(&tensor.tensor)),
            layout: Some(layout),
            storage: tensor.storage.to_fb(),
            view,
        },
    )
}

fn write_view<'f>(b: &mut Builder<'f>, view: &View) -> WIPOffset<fb::View<'f>> {
    let extents = b.create_vector(&view.extents);
    let strides = b.create_vector(&view.strides);
    fb::View::create(
        b,
        &fb::ViewArgs {
            offset: view.offset,
            extents: Some(extents),
            strides: Some(strides),
        },
    )
}

fn read_view(view: fb::View<'_>) -> View {
    View {
        offset: view.offset(),
        extents: view.extents().iter().collect(),
        strides: view.strides().iter().collect(),
    }
}

/// Reads a program.
pub(crate) fn read(body: fb::MncoreProgram<'_>) -> Result<MncoreProgram, ReadError> {
    let tensors = body.tensors().iter().enumerate();
    let run = |run: &fb::MncoreRun| MncoreRun {
        word: run.word(),
        place: run.place(),
    };
    Ok(MncoreProgram {
        inputs: body.inputs(),
        tensors: tensors.map(read_tensor).collect::<Result<_, _>>()?,
        units: body.units().bytes().to_vec(),
        runs: body.runs().iter().map(run).collect(),
        places: body.places().iter().map(str::to_owned).collect(),
    })
}

fn read_tensor(
    (argument, tensor): (usize, fb::MncoreTensor<'_>),
) -> Result<MncoreTensor, ReadError> {
    let layout = tensor.layout().parse().map_err(|error| ReadError::Layout {
        argument,
        error: Box::new(error),
    })?;
    let storage = tensor.storage();
    Ok(MncoreTensor {
        tensor: load_tensor(tensor.tensor())?,
        layout,
        storage: MncoreStorage::from_fb(storage).ok_or(ReadError::UnknownValue {
            what: "MncoreTensor.storage",
            value: storage.0.into(),
        })?,
        view: tensor.view().map(read_view),
    })
}
