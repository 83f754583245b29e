//! Diagnostics as values.
//!
//! Every message of MLIR and of our own verifiers and passes goes through the diagnostic engine of
//! the context and ends in its [`Diagnostics`]. The handler owns what it touches, so it cannot
//! outlive it.

use super::source::Source;
use super::{crash, ffi, unknown};
use melior::ir::Location;
use mlir_sys::*;
use std::ffi::c_void;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The severity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Severity {
    /// The input is rejected.
    Error,
    /// The input is accepted, but suspicious.
    Warning,
    /// Additional information of another diagnostic.
    Note,
    /// Information, such as requested statistics.
    Remark,
}

impl Severity {
    pub(super) fn to_raw(self) -> i32 {
        (match self {
            Severity::Error => MlirDiagnosticSeverity_MlirDiagnosticError,
            Severity::Warning => MlirDiagnosticSeverity_MlirDiagnosticWarning,
            Severity::Note => MlirDiagnosticSeverity_MlirDiagnosticNote,
            Severity::Remark => MlirDiagnosticSeverity_MlirDiagnosticRemark,
        }) as i32
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "note",
            Severity::Remark => "remark",
        })
    }
}

/// A source location; lines and columns count from 1.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct FileLineCol {
    /// The name given when the text was parsed.
    pub file: String,
    /// Line in the file.
    pub line: u32,
    /// Column in the line, in bytes.
    pub column: u32,
}

impl fmt::Display for FileLineCol {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}

impl FileLineCol {
    /// Returns the first file position inside a location, or `None` for an unknown one.
    pub fn from_location(location: Location) -> Option<Self> {
        let (mut file, mut line, mut column) = (String::new(), 0, 0);
        // SAFETY: the location belongs to a living context; the callback only writes to `file`
        // during the call.
        let found = unsafe {
            ffi::tesseraLocationFile(
                location.to_raw(),
                Some(ffi::append_to_string),
                (&raw mut file).cast(),
                &mut line,
                &mut column,
            )
        };
        found.then_some(FileLineCol { file, line, column })
    }
}

/// A diagnostic message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The severity.
    pub severity: Severity,
    /// The source location, if known.
    pub place: Option<FileLineCol>,
    /// The text.
    pub message: String,
    /// The attached notes.
    pub notes: Vec<Diagnostic>,
}

impl Diagnostic {
    /// Creates an error without a location.
    pub fn error(message: String) -> Self {
        Self {
            severity: Severity::Error,
            place: None,
            message,
            notes: Vec::new(),
        }
    }

    /// Renders the message with its source line and a caret under the column.
    pub fn render<'t>(&self, source: impl Into<SourceText<'t>>) -> String {
        self.render_in(&source.into())
    }

    fn render_in(&self, source: &SourceText) -> String {
        let mut text = match &self.place {
            Some(place) => format!("{place}: "),
            None => String::new(),
        };
        text.push_str(&format!("{}: {}\n", self.severity, self.message));
        if let Some(line) = self.place.as_ref().and_then(|place| source.line(place)) {
            text.push_str(&line);
        }
        self.notes
            .iter()
            .for_each(|note| text.push_str(&note.render_in(source)));
        text
    }
}

/// The source text that diagnostics refer to.
#[derive(Clone, Debug)]
pub struct SourceText<'t> {
    /// The name of its file; `None` for a text that is the only one.
    file: Option<&'t str>,
    lines: Vec<&'t str>,
}

impl<'t> From<&'t str> for SourceText<'t> {
    fn from(text: &'t str) -> Self {
        SourceText {
            file: None,
            lines: text.lines().collect(),
        }
    }
}

impl<'t> From<&'t Source> for SourceText<'t> {
    fn from(source: &'t Source) -> Self {
        SourceText {
            file: Some(source.name()),
            lines: source.text().lines().collect(),
        }
    }
}

/// Renders the messages one after another; see [`Diagnostic::render`].
pub fn render<'t>(diagnostics: &[Diagnostic], source: impl Into<SourceText<'t>>) -> String {
    if diagnostics.is_empty() {
        return String::new();
    }
    let source = source.into();
    diagnostics.iter().map(|d| d.render_in(&source)).collect()
}

impl SourceText<'_> {
    /// Returns the line of a place and a caret under its column, or `None` if the text has no such
    /// line, or the place is in another file: programs of frameworks have places in Python files.
    fn line(&self, place: &FileLineCol) -> Option<String> {
        let is_here = self.file.is_none_or(|file| file == place.file);
        let line = (self.lines.get(place.line.checked_sub(1)? as usize)).filter(|_| is_here)?;
        let column = place.column.checked_sub(1)? as usize;
        // Tabs stay tabs, so that the caret stands where the terminal shows the column.
        let indent: String = line
            .char_indices()
            .take_while(|(offset, _)| *offset < column)
            .map(|(_, character)| if character == '\t' { '\t' } else { ' ' })
            .collect();
        Some(format!("{line}\n{indent}^\n"))
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        if let Some(place) = &self.place {
            write!(f, "{place}: ")?;
        }
        write!(f, "{}: {}", self.severity, self.message)?;
        self.notes.iter().try_for_each(|note| write!(f, "\n{note}"))
    }
}

/// The diagnostics reported in a context and not yet taken, in order.
#[derive(Clone, Debug, Default)]
pub struct Diagnostics(Arc<Mutex<Vec<Diagnostic>>>);

impl Diagnostics {
    /// Removes and returns all diagnostics.
    pub fn drain(&self) -> Vec<Diagnostic> {
        let all = std::mem::take(&mut *self.lock());
        crash::mark_drained();
        all
    }

    /// Returns the number of errors not yet taken.
    pub fn errors(&self) -> usize {
        self.lock()
            .iter()
            .filter(|diagnostic| diagnostic.severity == Severity::Error)
            .count()
    }

    /// Adds a diagnostic that has no MLIR location, such as one about the text itself.
    pub fn push(&self, diagnostic: Diagnostic) {
        crash::record(&diagnostic);
        self.lock().push(diagnostic);
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Diagnostic>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Routes every diagnostic of the context here, for as long as the context lives.
    pub(super) fn attach(&self, context: &melior::Context) {
        let user = Box::into_raw(Box::new(self.clone()));
        // SAFETY: the context takes over the box and calls `destroy` once, when it drops the
        // handler.
        unsafe {
            mlirContextAttachDiagnosticHandler(
                context.to_raw(),
                Some(collect),
                user.cast(),
                Some(destroy),
            );
        }
    }
}

unsafe extern "C" fn destroy(user: *mut c_void) {
    // SAFETY: `user` is the box of `attach`, and MLIR calls this once.
    drop(unsafe { Box::from_raw(user.cast::<Diagnostics>()) });
}

unsafe extern "C" fn collect(raw: MlirDiagnostic, user: *mut c_void) -> MlirLogicalResult {
    // SAFETY: `user` is the box of `attach`, alive until `destroy`; the diagnostic lives during the
    // call.
    let (diagnostics, diagnostic) = unsafe {
        let mut diagnostic = read(raw);
        let context = mlirLocationGetContext(mlirDiagnosticGetLocation(raw));
        unknown::clarify(&mut diagnostic, context);
        (&*user.cast::<Diagnostics>(), diagnostic)
    };
    diagnostics.push(diagnostic);
    MlirLogicalResult { value: 1 }
}

/// # Safety
/// `raw` must be alive.
unsafe fn read(raw: MlirDiagnostic) -> Diagnostic {
    let mut message = String::new();
    // SAFETY: the caller's promise; the callback only writes to `message` during the call.
    unsafe {
        mlirDiagnosticPrint(raw, Some(ffi::append_to_string), (&raw mut message).cast());
        let notes = (0..mlirDiagnosticGetNumNotes(raw))
            .map(|index| read(mlirDiagnosticGetNote(raw, index)));
        Diagnostic {
            severity: severity(mlirDiagnosticGetSeverity(raw)),
            place: FileLineCol::from_location(Location::from_raw(mlirDiagnosticGetLocation(raw))),
            notes: notes.collect(),
            message,
        }
    }
}

#[allow(non_upper_case_globals)]
fn severity(raw: MlirDiagnosticSeverity) -> Severity {
    match raw {
        MlirDiagnosticSeverity_MlirDiagnosticWarning => Severity::Warning,
        MlirDiagnosticSeverity_MlirDiagnosticNote => Severity::Note,
        MlirDiagnosticSeverity_MlirDiagnosticRemark => Severity::Remark,
        _ => Severity::Error,
    }
}
