//! Parser of MLIR's textual pipelines:
//! `builtin.module(canonicalize,func.func(cse),ttnn-layout{a=b})`.
//!
//! Names are looked up among the passes of this crate, its pipelines, which are expanded in place,
//! and upstream passes, in this order.

use crate::driver::options::{OptionError, Options};
use crate::driver::registry::{self, KernelPipeline, PassInfo, PipelineInfo};
use tessera_dialects::mlir::{Context, Pipeline, Step, UpstreamPass};
use tessera_dialects::spelling;

/// Maximum nesting depth of pipelines.
const DEEPEST: usize = 32;

/// An error in a pipeline text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PipelineError {
    /// The text does not have the form of a pipeline.
    #[error("{expected} at column {column} of pipeline '{text}'")]
    Syntax {
        /// What the parser expected.
        expected: &'static str,
        /// The column, from 1.
        column: usize,
        /// The whole text.
        text: String,
    },
    /// No pass or pipeline has this name.
    #[error(
        "no pass or pipeline '{name}'{}; --list-passes lists all",
        suggestion(name)
    )]
    Unknown {
        /// The name given.
        name: String,
    },
    /// The options of a pass or pipeline are wrong.
    #[error("{name}: {error}")]
    Options {
        /// The pass or pipeline.
        name: String,
        /// What is wrong.
        error: OptionError,
    },
    /// The pass rejected its options or its position.
    #[error("{name}: {reason}")]
    Refused {
        /// The pass.
        name: String,
        /// Its reason.
        reason: String,
    },
    /// The pass or pipeline runs on another operation than the enclosing pipeline.
    #[error("'{name}' works on '{wants}' and cannot run on '{anchor}'")]
    Anchor {
        /// The pass or pipeline.
        name: String,
        /// The operation that it runs on.
        wants: String,
        /// The operation that the enclosing pipeline runs on.
        anchor: String,
    },
}

/// Parses a pipeline text.
///
/// # Errors
/// The first syntax error, unknown name, invalid option or anchor mismatch.
pub fn parse(context: &Context, text: &str) -> Result<Pipeline, PipelineError> {
    let mut parser = Parser {
        context,
        text,
        at: 0,
        depth: 0,
    };
    let pipeline = parser.pipeline()?;
    parser.skip_space();
    if parser.at < text.len() {
        return Err(parser.expected("expected the end"));
    }
    Ok(pipeline)
}

/// Appends a pass or pipeline, with options in text form, to a pipeline.
///
/// # Errors
/// The name is unknown, the options are invalid, or it runs on another operation.
pub fn append(
    context: &Context,
    to: &mut Pipeline,
    name: &str,
    options: &str,
) -> Result<(), PipelineError> {
    if let Some(info) = registry::pass(name) {
        return append_pass(to, info, options);
    }
    if let Some(info) = registry::pipeline(name) {
        return append_pipeline(context, to, info, options);
    }
    let text = if options.is_empty() {
        name.to_owned()
    } else {
        format!("{name}{{{options}}}")
    };
    match UpstreamPass::new(context, &to.anchor, &text) {
        Ok(pass) => to.steps.push(Step::Upstream(pass)),
        Err(reason) if is_unknown(&reason, name) => {
            return Err(PipelineError::Unknown { name: name.into() })
        }
        Err(reason) => {
            return Err(PipelineError::Refused {
                name: name.into(),
                reason,
            })
        }
    }
    Ok(())
}

/// Returns whether MLIR's error says that no pass has the name.
fn is_unknown(reason: &str, name: &str) -> bool {
    reason.contains(&format!(
        "'{name}' does not refer to a registered pass or pass pipeline"
    ))
}

fn append_pass(to: &mut Pipeline, info: &PassInfo, options: &str) -> Result<(), PipelineError> {
    require_anchor(info.name, info.anchor.unwrap_or(&to.anchor), &to.anchor)?;
    let options =
        Options::parse(options, info.options).map_err(|error| PipelineError::Options {
            name: info.name.into(),
            error,
        })?;
    let pass = (info.make)(&options).map_err(|reason| PipelineError::Refused {
        name: info.name.into(),
        reason,
    })?;
    to.steps.push(Step::Rust(pass));
    Ok(())
}

fn append_pipeline(
    context: &Context,
    to: &mut Pipeline,
    info: &PipelineInfo,
    options: &str,
) -> Result<(), PipelineError> {
    let options =
        Options::parse(options, info.options).map_err(|error| PipelineError::Options {
            name: info.name.into(),
            error,
        })?;
    if let Some((kernels, before)) = info.kernels.as_ref().zip(preceding_kernels(info, to)) {
        return match kernels.lower_shared {
            Some(text) => insert_second_target(context, to, info, (before, text(&options))),
            None => Err(PipelineError::Refused {
                name: info.name.into(),
                reason: "the preceding pipeline makes kernels that only another target supports; \
                    give this pipeline first, since both targets can share its kernels"
                    .into(),
            }),
        };
    }
    let pipeline = parse(context, &(info.text)(&options))?;
    require_anchor(info.name, &pipeline.anchor, &to.anchor)?;
    to.steps.extend(pipeline.steps);
    Ok(())
}

/// Returns the kernel pipeline of another target that precedes this one, if any.
fn preceding_kernels(info: &PipelineInfo, to: &Pipeline) -> Option<&'static KernelPipeline> {
    last_step(to, crate::ttnn::convert_ttnn_to_pto::INFO.name)?;
    let lowering = info.kernels.as_ref()?.lowering;
    let all = registry::pipelines().iter();
    let mut others = all.filter_map(|other| other.kernels.as_ref());
    others.find(|other| other.lowering != lowering && last_step(to, other.lowering).is_some())
}

/// Returns the index of the last step that runs this pass.
fn last_step(pipeline: &Pipeline, pass: &str) -> Option<usize> {
    let is_pass = |step: &Step| matches!(step, Step::Rust(found) if found.name() == pass);
    pipeline.steps.iter().rposition(is_pass)
}

/// Inserts the passes that lower the kernels of the first target's pipeline to a second target, and
/// those that prepare the module for it. The former run before the first target-specific pass of
/// that pipeline, the latter before it makes kernels.
fn insert_second_target(
    context: &Context,
    to: &mut Pipeline,
    info: &PipelineInfo,
    (before, text): (&KernelPipeline, Result<String, String>),
) -> Result<(), PipelineError> {
    let refuse = |reason: String| PipelineError::Refused {
        name: info.name.into(),
        reason,
    };
    let steps = parse(context, &text.map_err(refuse)?)?.steps;
    let at = before.own.iter().find_map(|pass| last_step(to, pass));
    let at = at.unwrap_or(to.steps.len());
    to.steps.splice(at..at, steps);
    let own = info.kernels.as_ref();
    if let Some(text) = own.and_then(|kernels| kernels.prepare_shared) {
        let at = last_step(to, crate::ttnn::convert_ttnn_to_pto::INFO.name).unwrap_or(0);
        to.steps.splice(at..at, parse(context, text)?.steps);
    }
    Ok(())
}

fn require_anchor(name: &str, wants: &str, anchor: &str) -> Result<(), PipelineError> {
    if wants == anchor {
        return Ok(());
    }
    Err(PipelineError::Anchor {
        name: name.into(),
        wants: wants.into(),
        anchor: anchor.into(),
    })
}

/// Returns a suggestion for an unknown name.
fn suggestion(name: &str) -> String {
    spelling::suggestion(name, registry::names().map(|(_, known, _)| known))
}

struct Parser<'t> {
    context: &'t Context,
    text: &'t str,
    at: usize,
    depth: usize,
}

impl<'t> Parser<'t> {
    /// Parses `anchor(item,...)`.
    fn pipeline(&mut self) -> Result<Pipeline, PipelineError> {
        let anchor = self.name()?;
        self.body(anchor)
    }

    /// Parses `(item,...)`, which follows an anchor.
    fn body(&mut self, anchor: &str) -> Result<Pipeline, PipelineError> {
        if !self.eat('(') {
            return Err(self.expected(
                "a pipeline is an operation name and '(': builtin.module(...); expected '('",
            ));
        }
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(self.expected("expected at most 32 nested pipelines"));
        }
        let mut pipeline = Pipeline::new(anchor);
        while !self.eat(')') {
            if !pipeline.steps.is_empty() && !self.eat(',') {
                return Err(self.expected("expected ',' or ')'"));
            }
            self.item(&mut pipeline)?;
        }
        self.depth -= 1;
        Ok(pipeline)
    }

    /// Parses `pass`, `pass{options}` or `anchor(item,...)`.
    fn item(&mut self, to: &mut Pipeline) -> Result<(), PipelineError> {
        let name = self.name()?;
        self.skip_space();
        if self.text[self.at..].starts_with('(') {
            let nested = self.body(name)?;
            to.steps.push(Step::Nested(nested));
            return Ok(());
        }
        let options = self.options()?;
        append(self.context, to, name, options)
    }

    fn name(&mut self) -> Result<&'t str, PipelineError> {
        self.skip_space();
        let rest = &self.text[self.at..];
        let end = rest
            .find(|c: char| "(){},".contains(c) || c.is_whitespace())
            .unwrap_or(rest.len());
        if end == 0 {
            return Err(self.expected("expected a name"));
        }
        let start = self.at;
        self.at += end;
        Ok(&self.text[start..self.at])
    }

    /// Parses `{options}` and returns the text between the braces, or an empty text if there are
    /// none. Braces in quotes do not count.
    fn options(&mut self) -> Result<&'t str, PipelineError> {
        if !self.eat('{') {
            return Ok("");
        }
        let start = self.at;
        let (mut depth, mut quote) = (1, None);
        for (offset, character) in self.text[start..].char_indices() {
            match (quote, character) {
                (Some(open), _) if open == character => quote = None,
                (Some(_), _) => {}
                (None, '"' | '\'') => quote = Some(character),
                (None, '{') => depth += 1,
                (None, '}') => depth -= 1,
                (None, _) => {}
            }
            if depth == 0 {
                self.at = start + offset + 1;
                return Ok(&self.text[start..start + offset]);
            }
        }
        Err(self.expected("expected '}' for the '{'"))
    }

    fn eat(&mut self, character: char) -> bool {
        self.skip_space();
        let found = self.text[self.at..].starts_with(character);
        self.at += if found { character.len_utf8() } else { 0 };
        found
    }

    fn skip_space(&mut self) {
        self.at = self.text.len() - self.text[self.at..].trim_start().len();
    }

    fn expected(&self, expected: &'static str) -> PipelineError {
        PipelineError::Syntax {
            expected,
            column: self.at + 1,
            text: self.text.into(),
        }
    }
}

#[cfg(test)]
mod tests;
