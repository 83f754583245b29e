//! Runs the cases of a target within limits, and reports failures.

use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use tessera_test_support::is_long_run;
use tessera_tests::process::{Ending, Limits, Run};
use tessera_tests::tools::Tools;

use crate::figures::Figures;
use tessera_test_support::random::Rng;

/// The limits of every run of a tool.
///
/// The address space is larger than the memory: a model may reserve what it never touches.
pub const LIMITS: Limits = Limits {
    processor: 20,
    clock: 600,
    memory: 4 << 30,
    address_space: 16 << 30,
};

/// Crashes of LLVM 19 that the tools turn into an error. On some malformed modules its parser reads
/// freed memory, its bytecode reader allocates what a damaged length says, and its printer recurses
/// without a limit.
const ACCEPTED_CRASHES: [&str; 3] = [
    "MLIR's parser failed ",
    "MLIR's bytecode reader failed ",
    "MLIR's printer failed ",
];

/// Texts by which a tool reports that it crashed.
const CRASH: [&str; 2] = [" failed (signal ", " failed on this input"];

/// Texts by which a tool reports a defect of its own instead of its input.
const OWN_DEFECTS: [&str; 2] = ["internal error", "left invalid IR behind"];

/// Number of failures after which a target stops.
const MOST_FAILURES: usize = 40;

/// A fuzz target: a function that runs one case.
pub type FuzzTarget = Box<dyn FnMut(&mut Bench, &mut Rng)>;

/// The number of tool runs of a target.
#[derive(Clone, Copy)]
pub struct Runs {
    /// In an ordinary test.
    pub sample: u64,
    /// In a long one.
    pub long: u64,
}

/// Fuzzes a target: creates it, runs its cases, and prints statistics.
///
/// # Panics A tool exceeded a limit or ended in a way that is not allowed.
pub fn fuzz(name: &'static str, runs: Runs, new: fn(&mut Bench) -> FuzzTarget) {
    let mut bench = Bench::new(name);
    let mut target = new(&mut bench);
    bench.figures = Figures::default();
    let most = if is_long_run() {
        runs.long
    } else {
        runs.sample
    };
    for case in asked_cases().unwrap_or(0..u64::MAX) {
        if asked_cases().is_none() && bench.figures.runs >= most {
            break;
        }
        bench.case = case;
        target(&mut bench, &mut Rng::new(case ^ seed_of(name)));
        bench.figures.cases += 1;
        if bench.failures.len() >= MOST_FAILURES {
            break;
        }
    }
    println!("{name}: {}", bench.figures);
    assert!(bench.failures.is_empty(), "{}", bench.failures.join("\n\n"));
}

/// Returns the cases that `TESSERA_FUZZ_CASES` names: `7` or `1000..2000`.
fn asked_cases() -> Option<Range<u64>> {
    let text = std::env::var("TESSERA_FUZZ_CASES").ok()?;
    let number = |text: &str| {
        text.parse::<u64>()
            .expect("TESSERA_FUZZ_CASES is 7 or 1000..2000")
    };
    Some(match text.split_once("..") {
        Some((first, end)) => number(first)..number(end),
        None => number(&text)..number(&text) + 1,
    })
}

/// Returns the seed of a target, so that targets differ in the choices of a case.
fn seed_of(name: &str) -> u64 {
    name.bytes()
        .fold(0_u64, |seed, byte| seed.rotate_left(9) ^ u64::from(byte))
        << 24
}

/// Returns the tools, built once for all targets.
fn tools() -> &'static Tools {
    static TOOLS: OnceLock<Tools> = OnceLock::new();
    TOOLS.get_or_init(|| Tools::build().expect("the tools build"))
}

/// The directory and statistics of a target's cases.
pub struct Bench {
    name: &'static str,
    dir: PathBuf,
    case: u64,
    figures: Figures,
    failures: Vec<String>,
}

impl Bench {
    fn new(name: &'static str) -> Self {
        // Ranges of cases may run at the same time.
        let dir = kept().join(format!("{name}_{}", std::process::id()));
        fs::create_dir_all(&dir).expect("a directory below target can be made");
        Bench {
            name,
            dir,
            case: 0,
            figures: Figures::default(),
            failures: Vec::new(),
        }
    }

    /// Writes a file that tools read.
    pub fn write(&self, file: &str, content: &[u8]) {
        fs::write(self.dir.join(file), content).expect("a file below target can be written");
    }

    /// Reads what a tool wrote.
    pub fn read(&self, file: &str) -> Option<Vec<u8>> {
        fs::read(self.dir.join(file)).ok()
    }

    /// Runs a tool. Returns `None`, and records a failure, if it ended in a way that is not
    /// allowed.
    pub fn run(&mut self, tool: &str, arguments: &[String]) -> Option<Ending> {
        let run = Run::execute_within(LIMITS, &tools().path(tool), arguments, &self.dir);
        let run = run.expect("the tool starts");
        let ending = judge(&run);
        let command = format!("{tool} {}", arguments.join(" "));
        self.log(&run, &command);
        self.figures
            .add(&run, ending.as_ref().ok().copied(), self.case, &command);
        ending.map_err(|wrong| self.fail(&command, &wrong)).ok()
    }

    /// Appends a line about a run to the file that `TESSERA_FUZZ_LOG` names.
    fn log(&self, run: &Run, command: &str) {
        let Some(path) = std::env::var_os("TESSERA_FUZZ_LOG") else {
            return;
        };
        let stderr = run.stderr();
        let said = stderr.lines().find(|line| line.contains("error: "));
        let (case, seconds) = (self.case, run.time.as_secs_f64());
        let line = format!(
            "{case}\t{seconds:.3}\t{command}\t{}\n",
            said.unwrap_or_default()
        );
        let file = fs::OpenOptions::new().create(true).append(true).open(path);
        let written = file.and_then(|mut file| file.write_all(line.as_bytes()));
        written.expect("the log can be written");
    }

    /// Runs a tool on valid input, which it must accept.
    ///
    /// # Panics The tool fails.
    pub fn prepare(&mut self, tool: &str, arguments: &[&str]) {
        let arguments: Vec<_> = arguments.iter().map(ToString::to_string).collect();
        let ending = self.run(tool, &arguments);
        assert_eq!(
            ending,
            Some(Ending::Done),
            "{tool} {arguments:?} in {:?}",
            self.dir
        );
    }

    /// Returns the output of a tool.
    ///
    /// # Panics The tool fails.
    pub fn printed(&self, tool: &str, arguments: &[&str]) -> String {
        let output = std::process::Command::new(tools().path(tool))
            .args(arguments)
            .output();
        let output = output.expect("the tool starts");
        assert!(output.status.success(), "{tool} {arguments:?}");
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    /// Records a failure and keeps the files of the case.
    pub fn fail(&mut self, command: &str, wrong: &str) {
        let files = kept().join(format!("{}_case_{}", self.name, self.case));
        // An earlier failure of the same case has kept them.
        let _ = copy_files(&self.dir, &files);
        let wrong: String = wrong.chars().take(2000).collect();
        let mut text = format!("{}, case {}: {command}\n{wrong}\n", self.name, self.case);
        let _ = write!(
            text,
            "files: {}\nrepeat: TESSERA_FUZZ_CASES={} cargo test -p tessera-tests --test fuzz -- \
             {}",
            files.display(),
            self.case,
            self.name
        );
        println!("{text}\n");
        self.failures.push(text);
    }
}

impl Drop for Bench {
    fn drop(&mut self) {
        // What failed has been copied; what is left behind only takes room.
        let _ = fs::remove_dir_all(&self.dir);
    }
}

/// Returns how a run ended, or why that ending is not allowed.
fn judge(run: &Run) -> Result<Ending, String> {
    let ending = run.ending()?;
    let stderr = run.stderr();
    let crashed = ending == Ending::Refused && CRASH.iter().any(|text| stderr.contains(text));
    if crashed && !is_accepted_crash(&stderr) {
        return Err(format!("it crashed: {stderr}"));
    }
    match OWN_DEFECTS.iter().find(|text| stderr.contains(**text)) {
        Some(text) => Err(format!("it says '{text}': {stderr}")),
        None => Ok(ending),
    }
}

pub fn is_accepted_crash(stderr: &str) -> bool {
    ACCEPTED_CRASHES.iter().any(|text| stderr.contains(text))
}

/// Returns the directory of targets and of failed cases.
fn kept() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("fuzz")
}

fn copy_files(from: &Path, to: &Path) -> std::io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        fs::copy(entry.path(), to.join(entry.file_name()))?;
    }
    Ok(())
}
