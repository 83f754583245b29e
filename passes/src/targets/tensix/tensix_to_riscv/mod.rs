//! Compiles `tensix.program` to images of RV32IM code for the five cores.
//!
//! A region becomes a function (`lower.rs`), functions become LLVM IR and object files
//! (`compile.rs`) on all processors (`jobs.rs`), and an object file is split into images
//! (`object_file.rs`). Functions that differ only in source locations are compiled once: an image
//! refers to operations by number, and each [`CoreImage`] maps the numbers to locations.
//!
//! Programs are verified before, so there are no floats, wide integers, calls or memory
//! allocations. Checked here: an image, its stack frame and its arguments fit; nothing is left for
//! a linker; operands with limits keep them, or the core stops (`range_analysis.rs`).

mod compile;
mod jobs;
mod lower;
mod object_file;
mod range_analysis;
mod sequences;
mod strided_interval;

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tessera_dialects::mlir::{Context, Module, Op, Reported, Rewriter, WalkOrder};
use tessera_dialects::tensix::program::{Argument, Core};
use tessera_dialects::tensix::ProgramOp;
use tessera_isa_tensix::{tile, Arch};

use crate::targets::tensix::tensix_words;
use compile::Bitcode;
use lower::Runs;
use tessera_program::Image;

/// The code of one core of a program.
#[derive(Clone, Debug)]
pub struct CoreImage {
    /// Its code.
    pub image: Arc<Image>,
    /// The words of its argument block.
    pub arguments: Vec<Argument>,
    /// Source location of each operation number in the image's [`Step`](tessera_program::Step)s.
    /// Empty if unknown.
    pub places: Vec<String>,
}

/// Stack size for LLVM, in bytes. Only touched pages are allocated.
const STACK: usize = 256 << 20;

/// Compiles programs to images, with a cache.
pub struct ImageMaker<'c> {
    context: &'c Context,
    /// Images, by the text of their functions.
    images: HashMap<String, Result<Arc<Image>, Problem>>,
    /// The texts of all lowered functions.
    texts: HashSet<String>,
    /// The numbers of prepared programs, by their text.
    numbers: HashMap<String, Prepared>,
    prepared: Vec<Vec<Function>>,
    stats: ImageStats,
}

/// The number of a prepared program of an [`ImageMaker`].
#[derive(Clone, Copy, Debug)]
pub struct Prepared(usize);

/// Statistics of an [`ImageMaker`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ImageStats {
    /// Images requested: five per program.
    pub asked: usize,
    /// Distinct images compiled.
    pub compiled: usize,
    /// Total compilation time.
    pub time: Duration,
}

impl<'c> ImageMaker<'c> {
    /// Creates a maker for programs of a context.
    pub fn new(context: &'c Context) -> Self {
        Self {
            context,
            images: HashMap::new(),
            texts: HashSet::new(),
            numbers: HashMap::new(),
            prepared: Vec::new(),
            stats: ImageStats::default(),
        }
    }

    /// Returns the statistics so far.
    pub fn stats(&self) -> ImageStats {
        self.stats
    }

    /// Compiles programs for [`Self::images`] on all processors.
    ///
    /// # Errors
    /// If a program cannot be lowered, reported at its operation.
    pub fn prepare(&mut self, programs: &[ProgramOp]) -> Result<Vec<Prepared>, Reported> {
        let start = Instant::now();
        // LLVM's recursion depth grows with the length of code.
        let prepared = stacker::grow(STACK, || self.compile(programs));
        self.stats.time += start.elapsed();
        prepared
    }

    /// Returns the images of a prepared `tensix.program`, in the order of [`tile::CORES`].
    ///
    /// # Errors
    /// If a core's code does not fit, reported at the program.
    pub fn images(
        &mut self,
        program: ProgramOp,
        Prepared(number): Prepared,
    ) -> Result<[CoreImage; 5], Reported> {
        let functions = &self.prepared[number];
        self.stats.asked += functions.len();
        let ops = program.walk(WalkOrder::Pre);
        let place = |number: &usize| ops.get(*number)?.place().map(|place| place.to_string());
        let images = functions.iter().map(|function| {
            let image = match self.images.get(&function.text) {
                Some(Ok(image)) => image.clone(),
                Some(Err(problem)) => return Err(program.error(problem.to_string())),
                None => return Err(program.error("internal error: has no image")),
            };
            Ok(CoreImage {
                image,
                arguments: function.arguments.clone(),
                places: (function.origins.iter())
                    .map(|number| place(number).unwrap_or_default())
                    .collect(),
            })
        });
        let images = images.collect::<Result<Vec<_>, _>>()?;
        images
            .try_into()
            .map_err(|_| program.error("internal error: does not have five cores"))
    }

    /// Lowers programs, and compiles the functions that no program before them has.
    fn compile(&mut self, programs: &[ProgramOp]) -> Result<Vec<Prepared>, Reported> {
        let first = self.prepared.len();
        let mut codes = Vec::new();
        let mut numbers = Vec::new();
        for program in programs {
            let number = self.lower_once(*program, &mut codes);
            if number.is_err() {
                // What was lowered will not be compiled.
                self.prepared.truncate(first);
                self.numbers.retain(|_, number| number.0 < first);
                self.texts.retain(|text| self.images.contains_key(text));
            }
            numbers.push(number?);
        }
        let programs = self.prepared[first..].iter().zip(&codes);
        let programs =
            programs.filter_map(|(functions, code)| Some((&functions[..], code.as_ref()?)));
        let images = jobs::compile(&programs.collect::<Vec<_>>());
        self.stats.compiled += images.len();
        self.images.extend(images);
        Ok(numbers)
    }

    /// Returns the number of a program, lowered unless one with the same text was. Adds the code of
    /// its new functions, if it has any, to `codes`.
    fn lower_once(
        &mut self,
        program: ProgramOp,
        codes: &mut Vec<Option<Bitcode>>,
    ) -> Result<Prepared, Reported> {
        let text = text_without_names(program);
        if let Some(number) = self.numbers.get(&text) {
            return Ok(*number);
        }
        let (functions, code) = self.lower(program)?;
        let number = Prepared(self.prepared.len());
        self.prepared.push(functions);
        self.numbers.insert(text, number);
        codes.push(code);
        Ok(number)
    }

    /// Lowers a program to functions in the order of [`tile::CORES`], and the new ones of them to
    /// LLVM IR, if there are any.
    fn lower(&mut self, program: ProgramOp) -> Result<(Vec<Function>, Option<Bitcode>), Reported> {
        let arch = tensix_words::arch(program)
            .ok_or_else(|| program.error("internal error: has no chip"))?;
        self.context.allow_llvm();
        let mut scratch = Module::with_copy_of(self.context, *program);
        let mut functions = scratch.edit(|module, rewriter| {
            let copy = module.children().into_iter().find_map(Op::dyn_cast);
            let copy: ProgramOp =
                copy.ok_or_else(|| program.error("internal error: has no copy"))?;
            let ops = copy.walk(WalkOrder::Pre).into_iter().enumerate();
            let numbers: HashMap<Op, usize> = ops.map(|(number, op)| (op, number)).collect();
            let functions = Core::ALL
                .into_iter()
                .map(|core| function((copy, arch), core, (&numbers, &mut self.texts), rewriter))
                .collect::<Result<Vec<_>, _>>();
            rewriter.erase(*copy);
            functions
        })?;
        functions.sort_by_key(|function| function.core.number());
        if functions.iter().all(|function| !function.is_new) {
            return Ok((functions, None));
        }
        let llvm = inkwell::context::Context::create();
        let module = scratch.into_llvm(&llvm);
        let module = module.map_err(|_| program.error("internal error: cannot become LLVM IR"))?;
        Ok((functions, Some(Bitcode::of(&module))))
    }
}

/// Lowers the region of a core to a function. It stays in the scratch module if its text is new,
/// and is then one of `texts`.
fn function<'a>(
    (program, arch): (ProgramOp<'a>, Arch),
    core: Core,
    (numbers, texts): (&HashMap<Op<'a>, usize>, &mut HashSet<String>),
    rewriter: &Rewriter<'a>,
) -> Result<Function, Reported> {
    let name = tile::CORES[core.number()];
    let lowered = lower::lower((program, arch), core, name, rewriter)?;
    let text = lowered.function.content();
    let is_new = texts.insert(text.clone());
    if !is_new {
        rewriter.erase(lowered.function);
    }
    let number = |op: Op<'a>| numbers.get(&op).copied().unwrap_or_default();
    Ok(Function {
        core,
        text,
        is_new,
        arguments: lowered.arguments,
        runs: lowered.runs,
        origins: lowered.origins.into_iter().map(number).collect(),
    })
}

/// Returns the text of a program without its first line, which has its name and what it implements.
fn text_without_names(program: ProgramOp) -> String {
    let text = program.content();
    let body = text.split_once('\n').map_or("", |(_, body)| body);
    let attributes = (program.arch(), program.arguments(), program.work());
    format!("{attributes:?}\n{body}")
}

/// Why code cannot be compiled.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Problem {
    /// It needs more than a core has.
    Program(String),
    /// A bug of the compiler: cannot happen for verified programs.
    Internal(String),
}

impl Problem {
    fn internal(error: impl fmt::Display) -> Self {
        Problem::Internal(error.to_string())
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Problem::Program(what) => write!(f, "{what}"),
            Problem::Internal(what) => write!(f, "internal error: {what}"),
        }
    }
}

/// The lowered function of a core.
struct Function {
    core: Core,
    /// Its text without locations.
    text: String,
    /// Whether no program before has a function with this text.
    is_new: bool,
    arguments: Vec<Argument>,
    /// Operations that the image refers to, as positions in the program's walk.
    origins: Vec<usize>,
    runs: Runs,
}

impl Function {
    fn name(&self) -> &'static str {
        tile::CORES[self.core.number()]
    }
}
#[cfg(test)]
mod tests;
