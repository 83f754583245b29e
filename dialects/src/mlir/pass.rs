//! Pass infrastructure: runs passes written in Rust and upstream passes.
//!
//! A Rust pass runs on the caller's thread without foreign stack frames in between, so a panic is
//! caught and becomes an error. An upstream pass runs in a pass manager of its own.

use super::context::Context;
use super::crash;
use super::diagnostic::{Diagnostic, Severity};
use super::ffi;
use super::module::{Invalid, Module};
use super::op::{verify_all, Op, Reported};
use super::rewrite::Rewriter;
use mlir_sys::*;
use std::fmt;
use std::panic::{catch_unwind, AssertUnwindSafe};

/// A transformation or analysis written in Rust.
pub trait Pass: Send + Sync {
    /// Returns the name on the command line and in pipelines, such as `ttnn-layout`.
    fn name(&self) -> &str;

    /// Runs on one operation with the name that its pipeline is anchored on. It may change only
    /// operations nested in `op`.
    ///
    /// # Errors
    /// [`Reported`], after an error was reported with [`Op::error`].
    fn run<'a>(&self, op: Op<'a>, rewriter: &Rewriter<'a>) -> Result<(), Reported>;
}

/// A sequence of passes on operations with one name.
#[derive(Default)]
pub struct Pipeline {
    /// The name of the operations that it runs on, such as `builtin.module`.
    pub anchor: String,
    /// Its steps.
    pub steps: Vec<Step>,
}

/// One step of a pipeline.
pub enum Step {
    /// A pass written in Rust.
    Rust(Box<dyn Pass>),
    /// An upstream pass.
    Upstream(UpstreamPass),
    /// A pipeline for the children of the operation that have its anchor's name.
    Nested(Pipeline),
}

/// An upstream pass with its options, as pipeline text: `canonicalize{max-iterations=5}`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UpstreamPass {
    text: String,
}

impl UpstreamPass {
    /// Checks that MLIR has this pass with these options, and that it runs on operations named
    /// `anchor`.
    ///
    /// # Errors
    /// The error message of MLIR.
    pub fn new(context: &Context, anchor: &str, text: &str) -> Result<Self, String> {
        Manager::new(context, anchor).add(text)?;
        Ok(Self { text: text.into() })
    }

    /// Returns the name with options.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the name without options.
    pub fn name(&self) -> &str {
        self.text.split('{').next().unwrap_or_default()
    }

    pub(super) fn run(&self, context: &Context, op: Op) -> Result<(), String> {
        let manager = Manager::new(context, op.name());
        manager.add(&self.text)?;
        // SAFETY: manager and operation are alive. The pass may free operations inside `op`: the
        // driver holds no handle to any of those.
        let result = unsafe {
            mlirPassManagerEnableVerifier(manager.0, false);
            mlirPassManagerRunOnOp(manager.0, op.to_raw())
        };
        if result.value == 0 {
            return Err(format!("pass '{}' failed on '{}'", self.text, op.name()));
        }
        Ok(())
    }
}

/// Destroys a pass manager.
struct Manager(MlirPassManager);

impl Manager {
    fn new(context: &Context, anchor: &str) -> Self {
        // SAFETY: the name is borrowed for the call, and the manager is destroyed by this guard.
        Self(unsafe { mlirPassManagerCreateOnOperation(context.to_raw(), ffi::string_ref(anchor)) })
    }

    fn add(&self, text: &str) -> Result<(), String> {
        let mut message = String::new();
        // SAFETY: the manager is alive; the callback only writes to `message` during the call.
        let result = unsafe {
            let passes = mlirPassManagerGetAsOpPassManager(self.0);
            let text = ffi::string_ref(text);
            mlirOpPassManagerAddPipeline(
                passes,
                text,
                Some(ffi::append_to_string),
                (&raw mut message).cast(),
            )
        };
        if result.value == 0 {
            // The first line has the reason; those after it repeat the text.
            let reason = message.trim().lines().next().unwrap_or_default();
            return Err(reason
                .trim_start_matches("<Pass-Options-Parser>: ")
                .to_owned());
        }
        Ok(())
    }
}

impl Drop for Manager {
    fn drop(&mut self) {
        // SAFETY: made by the owner of this guard and destroyed only here.
        unsafe { mlirPassManagerDestroy(self.0) };
    }
}

/// Observer of pass execution.
pub trait Observer {
    /// Returns whether the pipeline should stop before its next pass.
    fn is_interrupted(&self) -> bool {
        false
    }
    /// Called before the pass.
    fn before(&mut self, _pass: &str, _op: Op) {}
    /// Called after the pass succeeded, before verification.
    fn ran(&mut self, _pass: &str) {}
    /// Runs a verification and returns its result.
    fn verify(&mut self, verify: &mut dyn FnMut() -> Result<(), Invalid>) -> Result<(), Invalid> {
        verify()
    }
    /// Called after the pass and the verification succeeded.
    fn after(&mut self, _pass: &str, _op: Op) {}
}

/// An observer that does nothing.
#[derive(Debug)]
pub struct Silent;

impl Observer for Silent {}

/// The failure of a pipeline. The diagnostics of the context contain the errors.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("pass '{pass}' {reason}")]
pub struct Stopped {
    /// The pass that was running or had just finished.
    pub pass: String,
    /// The kind of failure.
    pub reason: Reason,
}

/// The kind of failure of a pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The pass reported an error.
    Failed,
    /// The pass produced invalid IR.
    Invalid,
    /// The pass panicked.
    Panicked,
    /// The pass was not run, because the observer interrupted the pipeline.
    Interrupted,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Reason::Failed => "failed",
            Reason::Invalid => "left invalid IR behind",
            Reason::Panicked => "panicked; this is a bug in it",
            Reason::Interrupted => "was not run: interrupted",
        })
    }
}

impl Pipeline {
    /// Returns a pipeline without steps.
    pub fn new(anchor: &str) -> Self {
        Self {
            anchor: anchor.into(),
            steps: Vec::new(),
        }
    }

    /// Runs every step on the module, which is verified after each pass if `verify_each`.
    ///
    /// # Errors
    /// [`Stopped`] at the first pass that fails. The module is then valid memory in an unspecified
    /// state.
    pub fn run(
        &self,
        module: &mut Module,
        verify_each: bool,
        observer: &mut dyn Observer,
    ) -> Result<(), Stopped> {
        let context = module.context();
        module.edit(|op, _| {
            let mut driver = Driver {
                context,
                verify_each,
                observer,
                top: op,
                changed_symbols: None,
            };
            driver.pipeline(self, op)?;
            driver.symbols()
        })
    }
}

struct Driver<'r, 'm> {
    context: &'r Context,
    verify_each: bool,
    observer: &'r mut dyn Observer,
    /// The module.
    top: Op<'m>,
    /// The last pass that changed symbols since the whole module was verified.
    changed_symbols: Option<String>,
}

/// The extent of a pass's changes.
enum Changes {
    /// The operation itself, or an unknown part of it.
    All,
    /// Only operations nested in these, which are isolated from above.
    Inside {
        roots: Vec<MlirOperation>,
        symbols: bool,
    },
}

impl Driver<'_, '_> {
    fn pipeline(&mut self, pipeline: &Pipeline, op: Op) -> Result<(), Stopped> {
        pipeline
            .steps
            .iter()
            .try_for_each(|step| self.step(step, op))
    }

    fn step(&mut self, step: &Step, op: Op) -> Result<(), Stopped> {
        match step {
            Step::Rust(pass) => self.pass(pass.name(), op, |driver| driver.rust(pass.as_ref(), op)),
            Step::Upstream(pass) => self.pass(pass.name(), op, |driver| {
                match pass.run(driver.context, op) {
                    Ok(()) => Ok(Changes::All),
                    Err(message) => Err(driver.report(op, message)),
                }
            }),
            // Passes work inside their operation only, so the siblings collected here outlive each
            // other's passes.
            Step::Nested(pipeline) => op
                .children()
                .into_iter()
                .filter(|child| child.is(&pipeline.anchor))
                .try_for_each(|child| self.pipeline(pipeline, child)),
        }
    }

    fn pass(
        &mut self,
        name: &str,
        op: Op,
        run: impl FnOnce(&mut Self) -> Result<Changes, Reason>,
    ) -> Result<(), Stopped> {
        let stopped = |reason| Stopped {
            pass: name.into(),
            reason,
        };
        if self.observer.is_interrupted() {
            return Err(stopped(Reason::Interrupted));
        }
        self.observer.before(name, op);
        let changes = crash::guard(&format!("pass '{name}'"), || run(self)).map_err(stopped)?;
        self.observer.ran(name);
        if self.verify_each {
            self.verify(name, op, &changes)
                .map_err(|_| stopped(Reason::Invalid))?;
        }
        self.observer.after(name, op);
        Ok(())
    }

    /// Verifies the changed part of an operation.
    fn verify(&mut self, pass: &str, op: Op, changes: &Changes) -> Result<(), Invalid> {
        let mut verify = || match changes {
            Changes::Inside { roots, .. } => {
                // SAFETY: the roots are inside of the operation, which nobody has changed since.
                let roots = roots.iter().map(|root| unsafe { Op::from_raw(*root) });
                verify_all(roots)
            }
            Changes::All => op.verify(),
        };
        let verifier_of_pass = format!("MLIR's verifier after pass '{pass}'");
        crash::guard(&verifier_of_pass, || self.observer.verify(&mut verify))?;
        match changes {
            Changes::Inside { symbols: false, .. } => {}
            Changes::All if op.to_raw().ptr == self.top.to_raw().ptr => self.changed_symbols = None,
            _ => self.changed_symbols = Some(pass.to_owned()),
        }
        Ok(())
    }

    /// Verifies the whole module if symbols changed since its last verification.
    fn symbols(&mut self) -> Result<(), Stopped> {
        let Some(pass) = self.changed_symbols.take() else {
            return Ok(());
        };
        let mut verify = || self.top.verify();
        let verified = crash::guard("MLIR's verifier after all passes", || {
            self.observer.verify(&mut verify)
        });
        verified.map_err(|_| Stopped {
            pass,
            reason: Reason::Invalid,
        })
    }

    /// Runs a pass with a rewriter of its own, which frees erased operations when the pass returns.
    fn rust(&mut self, pass: &dyn Pass, op: Op) -> Result<Changes, Reason> {
        // SAFETY: `op` is alive, and the copy, like everything the pass makes of it, is gone when
        // `rewriter` is dropped at the end of this function.
        let inner = unsafe { Op::from_raw(op.to_raw()) };
        let rewriter = Rewriter::new(self.context.as_ref());
        let result = catch_unwind(AssertUnwindSafe(|| pass.run(inner, &rewriter)));
        match result {
            Ok(Ok(())) => {
                let touched = rewriter.touched();
                let roots = touched.roots_inside(inner);
                Ok(match roots.contains(&inner) {
                    true => Changes::All,
                    false => Changes::Inside {
                        roots: roots.into_iter().map(Op::to_raw).collect(),
                        symbols: touched.has_symbols(),
                    },
                })
            }
            Ok(Err(_)) => Err(Reason::Failed),
            Err(payload) => {
                let text = payload.downcast_ref::<String>().map(String::as_str);
                let text = text
                    .or_else(|| payload.downcast_ref::<&str>().copied())
                    .unwrap_or("no message");
                self.report(
                    op,
                    format!("internal error: pass '{}' panicked: {text}", pass.name()),
                );
                Err(Reason::Panicked)
            }
        }
    }

    fn report(&self, op: Op, message: String) -> Reason {
        let place = op.place();
        let diagnostic = Diagnostic {
            severity: Severity::Error,
            place,
            message,
            notes: Vec::new(),
        };
        self.context.diagnostics().push(diagnostic);
        Reason::Failed
    }
}
