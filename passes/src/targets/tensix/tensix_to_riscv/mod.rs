//! Compiles `tensix.program` to images of RV32IM code for the five cores.
//!
//! A region becomes a function (`lower.rs`), functions become LLVM IR and an object file
//! (`compile.rs`), and the object file is split into images (`object_file.rs`). Functions that
//! differ only in source locations are compiled once: an image refers to operations by number, and
//! each [`CoreImage`] maps the numbers to locations.
//!
//! Programs are verified before, so there are no floats, wide integers, calls or memory
//! allocations. Checked here: an image, its stack frame and its arguments fit; nothing is left for
//! a linker; operands with limits keep them, or the core stops (`range_analysis.rs`).

mod compile;
mod lower;
mod object_file;
mod range_analysis;
mod sequences;
mod strided_interval;

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tessera_dialects::mlir::{Context, Module, Op, Reported, Rewriter, WalkOrder};
use tessera_dialects::tensix::program::{Argument, Core};
use tessera_dialects::tensix::ProgramOp;
use tessera_isa_tensix::{tile, Arch};

use crate::targets::tensix::tensix_words;
use compile::Compiler;
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
    llvm: inkwell::context::Context,
    /// Created on first use.
    compiler: Option<Compiler>,
    /// Images, by the text of their functions.
    made: HashMap<String, Arc<Image>>,
    /// Compiled programs, by their text.
    programs: HashMap<String, Vec<Made>>,
    stats: ImageStats,
}

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
            llvm: inkwell::context::Context::create(),
            compiler: None,
            made: HashMap::new(),
            programs: HashMap::new(),
            stats: ImageStats::default(),
        }
    }

    /// Returns the statistics so far.
    pub fn stats(&self) -> ImageStats {
        self.stats
    }

    /// Returns the images of a `tensix.program`, in the order of [`tile::CORES`].
    ///
    /// # Errors
    /// If a core's code does not fit, reported at the program.
    pub fn images(&mut self, program: ProgramOp) -> Result<[CoreImage; 5], Reported> {
        let start = Instant::now();
        // LLVM's recursion depth grows with the length of code.
        let images = stacker::grow(STACK, || self.make(program));
        self.stats.time += start.elapsed();
        images
    }

    fn make(&mut self, program: ProgramOp) -> Result<[CoreImage; 5], Reported> {
        let text = text_without_names(program);
        let made = match self.programs.get(&text) {
            Some(made) => made,
            None => {
                let made = self.compile(program)?;
                self.programs.entry(text).or_insert(made)
            }
        };
        self.stats.asked += made.len();
        let ops = program.walk(WalkOrder::Pre);
        let place = |number: &usize| ops.get(*number)?.place().map(|place| place.to_string());
        let images = made.iter().map(|made| CoreImage {
            image: made.image.clone(),
            arguments: made.arguments.clone(),
            places: (made.origins.iter())
                .map(|number| place(number).unwrap_or_default())
                .collect(),
        });
        let images: Vec<_> = images.collect();
        images
            .try_into()
            .map_err(|_| program.error("internal error: does not have five cores"))
    }

    /// Compiles a program. The result is in the order of [`tile::CORES`].
    fn compile(&mut self, program: ProgramOp) -> Result<Vec<Made>, Reported> {
        let arch = tensix_words::arch(program)
            .ok_or_else(|| program.error("internal error: has no chip"))?;
        self.context.allow_llvm();
        let mut scratch = Module::with_copy_of(self.context, *program);
        let functions = scratch.edit(|module, rewriter| {
            let copy = module.children().into_iter().find_map(Op::dyn_cast);
            let copy: ProgramOp =
                copy.ok_or_else(|| program.error("internal error: has no copy"))?;
            let ops = copy.walk(WalkOrder::Pre).into_iter().enumerate();
            let numbers: HashMap<Op, usize> = ops.map(|(number, op)| (op, number)).collect();
            let functions = Core::ALL
                .into_iter()
                .map(|core| self.function((copy, arch), core, &numbers, rewriter))
                .collect::<Result<Vec<_>, _>>();
            rewriter.erase(*copy);
            functions
        })?;
        let new: Vec<&Function> = functions
            .iter()
            .filter(|function| !self.made.contains_key(&function.text))
            .collect();
        if !new.is_empty() {
            let images = self.compile_functions(scratch, &new, program)?;
            let texts = new.iter().map(|function| function.text.clone());
            self.stats.compiled += new.len();
            self.made
                .extend(texts.zip(images.into_iter().map(Arc::new)));
        }
        let made = functions.into_iter().map(|function| {
            let image = self.made.get(&function.text).cloned();
            let image = image.ok_or_else(|| program.error("internal error: has no image"))?;
            Ok(Made {
                core: function.core.number(),
                image,
                arguments: function.arguments,
                origins: function.origins,
            })
        });
        let mut made = made.collect::<Result<Vec<_>, Reported>>()?;
        made.sort_by_key(|made| made.core);
        Ok(made)
    }

    /// Lowers the region of a core to a function. It stays in the scratch module if it must be
    /// compiled.
    fn function<'a>(
        &self,
        (program, arch): (ProgramOp<'a>, Arch),
        core: Core,
        numbers: &HashMap<Op<'a>, usize>,
        rewriter: &Rewriter<'a>,
    ) -> Result<Function, Reported> {
        let name = tile::CORES[core.number()];
        let lowered = lower::lower((program, arch), core, name, rewriter)?;
        let text = lowered.function.content();
        if self.made.contains_key(&text) {
            rewriter.erase(lowered.function);
        }
        let number = |op: Op<'a>| numbers.get(&op).copied().unwrap_or_default();
        Ok(Function {
            core,
            text,
            arguments: lowered.arguments,
            runs: lowered.runs,
            origins: lowered.origins.into_iter().map(number).collect(),
        })
    }

    /// Compiles the functions of a scratch module.
    fn compile_functions(
        &mut self,
        scratch: Module,
        functions: &[&Function],
        program: ProgramOp,
    ) -> Result<Vec<Image>, Reported> {
        let module = scratch
            .into_llvm(&self.llvm)
            .map_err(|_| program.error("internal error: cannot become LLVM IR"))?;
        let report = |problem: Problem| program.error(problem.to_string());
        let compiler = match &self.compiler {
            Some(compiler) => compiler,
            None => self.compiler.insert(Compiler::new().map_err(report)?),
        };
        let file = compiler.compile(&self.llvm, &module).map_err(report)?;
        object_file::images(file.as_slice(), functions).map_err(report)
    }
}

/// The compiled code of one core, shared by programs with equal text.
struct Made {
    core: usize,
    image: Arc<Image>,
    arguments: Vec<Argument>,
    /// Operations that the image refers to, as positions in the walk of the program.
    origins: Vec<usize>,
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
