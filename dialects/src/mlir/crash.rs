//! Crashes inside MLIR and LLVM, turned into errors.
//!
//! MLIR's parser reads freed memory and null pointers on some malformed texts, its printer and
//! verifier recurse without a limit, and LLVM aborts on unexpected input. [`install`] turns these
//! crashes into errors: the diagnostics so far, then `x.mlir:1:1: error: MLIR's parser failed
//! (signal SIGSEGV) on this input`, and exit code 1.
//!
//! # Why a signal handler
//! A child process that parses first would double the cost of reading, which is seconds for
//! compiled modules of many megabytes; one that does all the work would have to hand every
//! diagnostic to its parent and outlive or end with it. A handler costs nothing until it runs.
//! LLVM's `CrashRecoveryContext` also handles signals but continues behind them, in a process whose
//! heap may be damaged. This handler ends the process instead: parts of a split input after the
//! one that failed are not read, which is an error, too.
//!
//! # Invariants
//! * The handler is async-signal-safe. It reads memory that was written before the signal, calls
//!   `write` and `_exit`, and nothing else: no allocation, lock, or formatting.
//! * It runs on the alternate signal stack that Rust's runtime gives to each of its threads, so it
//!   survives a stack overflow. A crash inside the handler ends the process with exit code 1, too.
//! * What it prints besides diagnostics is known per thread: signals of a defect arrive on the
//!   thread that has it.

use super::diagnostic::Diagnostic;
use super::source::Source;
use inkwell::llvm_sys::error_handling::LLVMInstallFatalErrorHandler;
use std::cell::Cell;
use std::ffi::{c_char, c_int, CStr};
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

/// The signals that defects raise.
const SIGNALS: [(c_int, &str); 7] = [
    (libc::SIGABRT, "SIGABRT"),
    (libc::SIGBUS, "SIGBUS"),
    (libc::SIGFPE, "SIGFPE"),
    (libc::SIGILL, "SIGILL"),
    (libc::SIGSEGV, "SIGSEGV"),
    (libc::SIGSYS, "SIGSYS"),
    (libc::SIGTRAP, "SIGTRAP"),
];

/// Installs the signal handler that reports crashes as errors. For the `main` of a tool; libraries
/// must not change signal handling.
pub fn install() {
    if INSTALLED.swap(true, Ordering::SeqCst) {
        return;
    }
    // SAFETY: the action is zero but for what is set; its handler is async-signal-safe (see the
    // invariants above), and the flags are those of a handler that takes the number of the signal
    // only.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = on_signal as extern "C" fn(c_int) as usize;
        // Without SA_NODEFER a crash in the handler would end the process by the signal.
        action.sa_flags = libc::SA_ONSTACK | libc::SA_NODEFER;
        libc::sigemptyset(&raw mut action.sa_mask);
        for (signal, _) in SIGNALS {
            libc::sigaction(signal, &raw const action, ptr::null_mut());
        }
        LLVMInstallFatalErrorHandler(Some(on_fatal_error));
    }
}

/// Returns whether crashes of this process are errors.
pub(super) fn is_installed() -> bool {
    INSTALLED.load(Ordering::SeqCst)
}

static INSTALLED: AtomicBool = AtomicBool::new(false);

/// Runs a function that may crash. The error for a crash says that `what` failed.
pub fn guard<R>(what: &str, run: impl FnOnce() -> R) -> R {
    entered(what, None, run)
}

/// Like [`guard`], for all processing of one source.
pub fn guard_source<R>(what: &str, source: &Source, run: impl FnOnce() -> R) -> R {
    entered(what, Some(source), run)
}

/// A phase of the work, with the texts of its error. The phases of a thread form a linked list, the
/// innermost first.
struct Phase {
    what: Bytes,
    /// Name and text of the input; `None` to use those of the enclosing phase.
    source: Option<(Bytes, Bytes)>,
    around: *const Phase,
}

/// Bytes that are alive as long as their phase.
type Bytes = *const [u8];

thread_local! {
    /// The innermost phase. Has neither an initializer nor a destructor that would run, so that the
    /// handler can read it.
    static PHASE: Cell<*const Phase> = const { Cell::new(ptr::null()) };
    /// Overrides the failing component of all phases.
    static BLAMED: Cell<Option<&'static str>> = const { Cell::new(None) };
}

fn entered<R>(what: &str, source: Option<&Source>, run: impl FnOnce() -> R) -> R {
    /// Leaves the phase also when `run` panics.
    struct Leave(*const Phase);
    impl Drop for Leave {
        fn drop(&mut self) {
            PHASE.set(self.0);
        }
    }
    let bytes = |text: &str| ptr::from_ref(text.as_bytes());
    let around = PHASE.get();
    let phase = Phase {
        what: bytes(what),
        source: source.map(|source| (bytes(source.name()), bytes(source.text()))),
        around,
    };
    let _leave = Leave(around);
    PHASE.set(&raw const phase);
    run()
}

/// Attributes later crashes on this thread to `what`, which may have corrupted memory.
pub(super) fn blame(what: &'static str) {
    BLAMED.set(Some(what));
}

/// The phase of a thread, for a worker thread that it joins.
pub(super) struct Inherited(*const Phase);

// SAFETY: the phase is only read, and `inherited` asks that it is alive while the other thread is.
unsafe impl Send for Inherited {}

/// Returns the phase of this thread.
pub(super) fn inherited() -> Inherited {
    Inherited(PHASE.get())
}

impl Inherited {
    /// Makes the phase that of this thread until its end, since corrupt memory may also crash its
    /// teardown.
    ///
    /// # Safety
    /// The thread that the phase was taken from must join this one before it leaves the phase.
    pub(super) unsafe fn adopt(self) {
        PHASE.set(self.0);
    }
}

/// A diagnostic for the handler to print. Entries are never freed, since the handler may run at any
/// time.
struct Entry {
    text: String,
    /// Line and column, 0 if there are none.
    place: (usize, usize),
    next: OnceLock<&'static Entry>,
}

/// Not a diagnostic: the start of the list of all of them.
static ENTRIES: Entry = Entry {
    text: String::new(),
    place: (0, 0),
    next: OnceLock::new(),
};
/// The end of the list; nothing if it is the start.
static LAST: Mutex<Option<&'static Entry>> = Mutex::new(None);
/// The number of diagnostics that the tool has taken to print itself.
static TAKEN: AtomicUsize = AtomicUsize::new(0);
/// The number of diagnostics.
static COUNT: AtomicUsize = AtomicUsize::new(0);

/// Records a diagnostic for the handler, if it is installed.
pub(super) fn record(diagnostic: &Diagnostic) {
    if !INSTALLED.load(Ordering::Relaxed) {
        return;
    }
    let place = diagnostic.place.as_ref();
    let at = place.map_or_else(String::new, |place| format!("{place}: "));
    let entry: &'static Entry = Box::leak(Box::new(Entry {
        text: format!("{at}{}: {}\n", diagnostic.severity, diagnostic.message),
        place: place.map_or((0, 0), |place| (place.line as usize, place.column as usize)),
        next: OnceLock::new(),
    }));
    let mut last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
    if last.unwrap_or(&ENTRIES).next.set(entry).is_ok() {
        *last = Some(entry);
        COUNT.fetch_add(1, Ordering::SeqCst);
    }
    drop(last);
    diagnostic.notes.iter().for_each(record);
}

/// Records that the tool has taken all diagnostics, so that the handler does not print them.
pub(super) fn mark_drained() {
    TAKEN.store(COUNT.load(Ordering::SeqCst), Ordering::SeqCst);
}

extern "C" fn on_signal(signal: c_int) {
    let known = SIGNALS.iter().find(|(number, _)| *number == signal);
    let name = known.map_or("unknown", |(_, name)| name);
    fail(&[b" failed (signal ", name.as_bytes(), b") on this input"]);
}

extern "C" fn on_fatal_error(reason: *const c_char) {
    // SAFETY: LLVM gives a text that ends in a NUL byte, or none.
    let reason = match reason.is_null() {
        true => &b""[..],
        false => unsafe { CStr::from_ptr(reason) }.to_bytes(),
    };
    fail(&[b" failed on this input: ", reason]);
}

/// Prints the diagnostics and an error, and ends the process.
fn fail(how: &[&[u8]]) -> ! {
    static FAILED: AtomicBool = AtomicBool::new(false);
    if !FAILED.swap(true, Ordering::SeqCst) {
        report(how);
    }
    // SAFETY: ends the process without running anything more in it.
    unsafe { libc::_exit(1) }
}

fn report(how: &[&[u8]]) {
    let (mut what, mut source) = (&b"the compiler"[..], None);
    let mut at = PHASE.get();
    if !at.is_null() {
        // SAFETY: a phase is alive while it is the thread's, and so are its texts; those around it
        // live longer.
        unsafe {
            what = BLAMED.get().map_or(&*(*at).what, str::as_bytes);
            while !at.is_null() && source.is_none() {
                source = (*at).source.map(|(name, text)| (&*name, &*text));
                at = (*at).around;
            }
        }
    }
    let (name, text) = source.unwrap_or((b"", b""));
    diagnostics(text);
    if !name.is_empty() {
        // A part of a split file stands behind as many empty lines as it has before it.
        let line = 1 + text.iter().take_while(|&&byte| byte == b'\n').count();
        print(name);
        print(b":");
        print_number(line);
        print(b":1: ");
    }
    print(b"error: ");
    print(what);
    how.iter().for_each(|part| print(part));
    print(b"; correct the errors above or, if there are none, leave out parts of the input ");
    print(b"to find the one it fails on\n");
}

/// Prints the diagnostics that were not taken, each with its source line.
fn diagnostics(text: &[u8]) {
    let mut left = TAKEN.load(Ordering::SeqCst);
    let mut at = ENTRIES.next.get();
    while let Some(entry) = at {
        if left == 0 {
            print(entry.text.as_bytes());
            print_line(text, entry.place);
        }
        left = left.saturating_sub(1);
        at = entry.next.get();
    }
}

/// Prints a line of the text with a caret under its column, if it has that line.
fn print_line(text: &[u8], (line, column): (usize, usize)) {
    let Some(line) = line
        .checked_sub(1)
        .and_then(|line| text.split(|&byte| byte == b'\n').nth(line))
    else {
        return;
    };
    print(line);
    print(b"\n");
    for &byte in line.iter().take(column.saturating_sub(1)) {
        match byte {
            b'\t' => print(b"\t"),
            // One column for each character.
            0x80..=0xbf => {}
            _ => print(b" "),
        }
    }
    print(b"^\n");
}

fn print_number(number: usize) {
    let mut digits = [0; 20];
    let (mut at, mut left) = (digits.len(), number);
    while at > 0 {
        at -= 1;
        digits[at] = b'0' + (left % 10) as u8;
        left /= 10;
        if left == 0 {
            break;
        }
    }
    print(digits.get(at..).unwrap_or_default());
}

/// Writes to the standard error, as far as it can be written to.
fn print(mut bytes: &[u8]) {
    while !bytes.is_empty() {
        // SAFETY: the bytes are readable.
        let written = unsafe { libc::write(2, bytes.as_ptr().cast(), bytes.len()) };
        match usize::try_from(written) {
            Ok(written) if written > 0 => bytes = bytes.get(written..).unwrap_or_default(),
            _ => return,
        }
    }
}
