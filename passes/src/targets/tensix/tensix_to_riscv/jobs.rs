//! Distribution of functions to jobs, which are compiled on all processors.
//!
//! A job is the new functions of a program, or a part of them if there are fewer programs than
//! threads. Every job has an LLVM context of its own. Images do not depend on the distribution: a
//! function is compiled without regard to others.

use std::cmp::Reverse;
use std::sync::Arc;

use tessera_dialects::mlir::parallel;
use tessera_program::Image;

use super::compile::{self, Bitcode};
use super::{object_file, Function, Problem, STACK};

/// An image by the text of its function.
type Compiled = (String, Result<Arc<Image>, Problem>);

/// Functions of a program that are compiled together.
struct Job<'a> {
    code: &'a Bitcode,
    functions: Vec<&'a Function>,
}

impl Job<'_> {
    /// Returns the length of the functions' text, to which the time to compile them is roughly
    /// proportional.
    fn length(&self) -> usize {
        let lengths = self.functions.iter().map(|function| function.text.len());
        lengths.sum()
    }

    fn run(&self) -> Vec<Compiled> {
        let names: Vec<_> = self.functions.iter().map(|one| one.name()).collect();
        let file = compile::compile(self.code, &names);
        let images = file.and_then(|file| object_file::images(file.as_slice(), &self.functions));
        let of_each: Vec<Result<Arc<Image>, Problem>> = match images {
            Ok(images) => images
                .into_iter()
                .map(|image| Ok(Arc::new(image)))
                .collect(),
            Err(problem) => vec![Err(problem); self.functions.len()],
        };
        let texts = self.functions.iter().map(|function| function.text.clone());
        texts.zip(of_each).collect()
    }
}

/// Compiles the new functions of programs. The stack of this thread must be as large as that of the
/// others.
pub(super) fn compile(programs: &[(&[Function], &Bitcode)]) -> Vec<Compiled> {
    let parts = parallel::threads().div_ceil(programs.len().max(1));
    let mut jobs: Vec<Job> = programs
        .iter()
        .flat_map(|&program| distribute(program, parts))
        .collect();
    jobs.sort_by_key(|job| Reverse(job.length()));
    let compiled = parallel::map(&jobs, STACK, Job::run);
    compiled.into_iter().flatten().collect()
}

/// Distributes the new functions of a program to at most `parts` jobs: each function, the longest
/// first, to the shortest job.
fn distribute<'a>((functions, code): (&'a [Function], &'a Bitcode), parts: usize) -> Vec<Job<'a>> {
    let mut functions: Vec<_> = functions
        .iter()
        .filter(|function| function.is_new)
        .collect();
    functions.sort_by_key(|function| Reverse(function.text.len()));
    let mut jobs: Vec<Job> = Vec::new();
    jobs.resize_with(parts.min(functions.len()), || Job {
        code,
        functions: Vec::new(),
    });
    for function in functions {
        if let Some(shortest) = jobs.iter_mut().min_by_key(|job| job.length()) {
            shortest.functions.push(function);
        }
    }
    jobs
}
