//! The command line.

use clap::error::ErrorKind;
use clap::{value_parser, Arg, ArgAction, ArgMatches, Command};
use std::ffi::OsString;
use std::path::PathBuf;
use tessera_cli::command_line::with_completions;
use tessera_dialects::mlir::{llvm_version, PrintOptions};
use tessera_passes::driver::opt::{Options, PassFilter, Passes};
use tessera_passes::driver::registry;

/// The option of passes and pipelines, and the flag that sets it for all of them.
const PRINT_MEMORY_MAP: &str = registry::PRINT_MEMORY_MAP;

/// The parsed command line.
pub struct Arguments {
    /// The file to read; `-` is standard input.
    pub input: PathBuf,
    /// The file to write; `-` is standard output.
    pub output: PathBuf,
    /// The requested action.
    pub action: Action,
}

/// The action that a command line requests.
pub enum Action {
    /// Print the registered dialects.
    ShowDialects,
    /// Print the registered passes and pipelines.
    ListPasses,
    /// Print the operations of one dialect, or of all dialects.
    ListOperations(Option<String>),
    /// Run passes on the input.
    Run {
        /// The options of the run.
        options: Options,
        /// The requested passes.
        passes: Passes,
        /// A pass to remove from the pipeline and its nested pipelines.
        disabled_pass: Option<&'static str>,
    },
}

/// Parses a command line. The error is clap's, which determines the exit code.
pub fn parse(arguments: impl Iterator<Item = OsString>) -> Result<Arguments, clap::Error> {
    let mut command = with_completions(command());
    let longs: Vec<String> = command
        .get_arguments()
        .filter_map(|arg| arg.get_long().map(str::to_owned))
        .collect();
    let matches = command
        .try_get_matches_from_mut(arguments.map(|argument| double_dash(argument, &longs)))?;
    let path = |name| {
        matches
            .get_one::<PathBuf>(name)
            .cloned()
            .unwrap_or_else(|| "-".into())
    };
    let action = action(&matches);
    if let Action::Run {
        passes: Passes::Flags(flags),
        ..
    } = &action
    {
        if matches.get_flag(PRINT_MEMORY_MAP)
            && !flags.iter().any(|(name, _)| has_memory_map_option(name))
        {
            return Err(command.error(
                ErrorKind::MissingRequiredArgument,
                "--print-memory-map requires a pass or pipeline that assigns addresses, such as \
                 --pto-allocate-memory-addr",
            ));
        }
    }
    Ok(Arguments {
        input: path("input"),
        output: path("output"),
        action,
    })
}

/// Adds a second dash to a long option with a single dash, which LLVM's tools also accept.
fn double_dash(argument: OsString, longs: &[String]) -> OsString {
    let single = argument
        .to_str()
        .and_then(|text| text.strip_prefix('-'))
        .unwrap_or_default();
    let name = single.split('=').next().unwrap_or_default();
    if longs.iter().any(|long| long == name) {
        return format!("-{}", argument.to_string_lossy()).into();
    }
    argument
}

/// Returns the command without `--completions`.
pub fn command() -> Command {
    let flag = |name: &'static str, help: &'static str| {
        Arg::new(name)
            .long(name)
            .help(help)
            .action(ArgAction::SetTrue)
    };
    let path = |name: &'static str| Arg::new(name).value_parser(value_parser!(PathBuf));
    // clap requires a static string; this runs once.
    let version: &str = format!("{} (LLVM {})", env!("CARGO_PKG_VERSION"), llvm_version()).leak();
    Command::new("ttmlir-opt")
        .about("Runs passes on MLIR modules")
        .version(version)
        .arg(path("input").help("The file to read; standard input if absent or -"))
        .arg(
            path("output")
                .short('o')
                .value_name("FILE")
                .help("The file to write; standard output if absent or -"),
        )
        .arg(
            Arg::new("pass-pipeline")
                .long("pass-pipeline")
                .value_name("TEXT")
                .help(
                    "The passes to run, such as \
                     builtin.module(canonicalize,ttnn-layout{option=value})",
                ),
        )
        .arg(flag(
            "split-input-file",
            "Process the parts between '// -----' lines as separate inputs",
        ))
        .arg(flag(
            "verify-diagnostics",
            "Compare diagnostics with the expected-error comments of the input",
        ))
        .arg(
            Arg::new("verify-each")
                .long("verify-each")
                .help("Verify the module after each pass")
                .value_parser(value_parser!(bool))
                .num_args(0..=1)
                .require_equals(true)
                .default_value("true")
                .default_missing_value("true"),
        )
        .arg(flag(
            "mlir-print-ir-before-all",
            "Print the IR to standard error before each pass",
        ))
        .arg(flag(
            "mlir-print-ir-after-all",
            "Print the IR to standard error after each pass",
        ))
        .arg(pass_list_flag(
            "mlir-print-ir-before",
            "Print the IR to standard error before these passes",
        ))
        .arg(pass_list_flag(
            "mlir-print-ir-after",
            "Print the IR to standard error after these passes",
        ))
        .arg(flag(
            "mlir-timing",
            "Print to standard error how long parser, passes, verifier and printer took",
        ))
        .arg(flag("mlir-print-debuginfo", "Print locations"))
        .arg(
            Arg::new(ELIDE)
                .long(ELIDE)
                .value_name("N")
                .help(
                    "Elide constants of more than N elements and resources of more than N \
                     characters",
                )
                .value_parser(value_parser!(u32)),
        )
        .arg(
            flag(
                "emit-bytecode",
                "Emit MLIR bytecode instead of text; input may be either",
            )
            .conflicts_with("split-input-file"),
        )
        .arg(flag(
            "verbose",
            "Print every remark instead of one for each kind with a count",
        ))
        .arg(flag("mlir-print-local-scope", "Print without aliases"))
        .arg(flag(
            "mlir-print-op-generic",
            "Print operations in the generic form",
        ))
        .arg(flag(
            "allow-unregistered-dialect",
            "Accept operations of unregistered dialects without verification",
        ))
        .arg(
            flag(
                "no-check-pipes",
                "Skip pto-check-pipes, also inside pipelines; deadlocks are still reported at run \
                 time",
            )
            .conflicts_with(registry::CHECK_PIPES),
        )
        .arg(
            flag(
                PRINT_MEMORY_MAP,
                "Print the memory map of each kernel; applies to passes and pipelines given as \
                 flags",
            )
            .conflicts_with("pass-pipeline"),
        )
        .arg(flag("show-dialects", "List the registered dialects"))
        .arg(flag(
            "list-passes",
            "List the passes and pipelines with their options",
        ))
        .arg(
            Arg::new("list-operations")
                .long("list-operations")
                .value_name("DIALECT")
                .help("List the operations of a dialect, or of all dialects")
                .num_args(0..=1)
                .require_equals(true)
                .default_missing_value(""),
        )
        .args(
            registry::names()
                .map(|(heading, name, description)| pass_flag(heading, name, description)),
        )
}

/// The flag that elides large constants.
const ELIDE: &str = "mlir-elide-elementsattrs-if-larger";

/// Returns the flag `--name=pass,pass`.
fn pass_list_flag(name: &'static str, help: &'static str) -> Arg {
    Arg::new(name)
        .long(name)
        .help(help)
        .value_name("PASS")
        .value_delimiter(',')
        .action(ArgAction::Append)
}

/// Returns the flag `--name` or `--name="a=b c=d"` of a pass or pipeline.
fn pass_flag(heading: &'static str, name: &'static str, description: &'static str) -> Arg {
    Arg::new(name)
        .long(name)
        .help(description)
        .help_heading(heading)
        .value_name("OPTIONS")
        .num_args(0..=1)
        .require_equals(true)
        .default_missing_value("")
        .action(ArgAction::Append)
        .conflicts_with("pass-pipeline")
}

fn action(matches: &ArgMatches) -> Action {
    if matches.get_flag("show-dialects") {
        return Action::ShowDialects;
    }
    if matches.get_flag("list-passes") {
        return Action::ListPasses;
    }
    if let Some(dialect) = matches.get_one::<String>("list-operations") {
        return Action::ListOperations(Some(dialect.clone()).filter(|name| !name.is_empty()));
    }
    let around = |all: &str, some: &str| PassFilter {
        all: matches.get_flag(all),
        passes: matches
            .get_many(some)
            .into_iter()
            .flatten()
            .cloned()
            .collect(),
    };
    let options = Options {
        allow_unregistered_dialect: matches.get_flag("allow-unregistered-dialect"),
        split_input_file: matches.get_flag("split-input-file"),
        verify_diagnostics: matches.get_flag("verify-diagnostics"),
        verify_each: matches.get_one("verify-each").copied().unwrap_or(true),
        print_ir_before: around("mlir-print-ir-before-all", "mlir-print-ir-before"),
        print_ir_after: around("mlir-print-ir-after-all", "mlir-print-ir-after"),
        timing: matches.get_flag("mlir-timing"),
        verbose: matches.get_flag("verbose"),
        emit_bytecode: matches.get_flag("emit-bytecode"),
        print: PrintOptions {
            debug_info: matches.get_flag("mlir-print-debuginfo"),
            local_scope: matches.get_flag("mlir-print-local-scope"),
            generic: matches.get_flag("mlir-print-op-generic"),
            elide_larger: matches.get_one::<u32>(ELIDE).map(|most| *most as isize),
            verified: false,
        },
    };
    let passes = match matches.get_one::<String>("pass-pipeline") {
        Some(text) => Passes::Text(text.clone()),
        None => Passes::Flags(flags(matches)),
    };
    Action::Run {
        options,
        passes,
        disabled_pass: matches
            .get_flag("no-check-pipes")
            .then_some(registry::CHECK_PIPES),
    }
}

/// Returns the passes given as flags, in the order of the command line.
fn flags(matches: &ArgMatches) -> Vec<(String, String)> {
    let mut found: Vec<(usize, String, String)> = Vec::new();
    for (_, name, _) in registry::names() {
        let values = matches.get_many::<String>(name).into_iter().flatten();
        let indices = matches.indices_of(name).into_iter().flatten();
        found.extend(
            indices
                .zip(values)
                .map(|(index, value)| (index, name.to_owned(), value.clone())),
        );
    }
    found.sort();
    let with_map = |name: &str, options: String| match matches.get_flag(PRINT_MEMORY_MAP) {
        true if has_memory_map_option(name) => format!("{options} {PRINT_MEMORY_MAP}"),
        _ => options,
    };
    found
        .into_iter()
        .map(|(_, name, options)| (name.clone(), with_map(&name, options)))
        .collect()
}

/// Returns whether a pass or pipeline has the option that prints the memory map.
fn has_memory_map_option(name: &str) -> bool {
    let options = registry::options(name);
    options.iter().any(|option| option.name == PRINT_MEMORY_MAP)
}
