//! Random uses of `ttrt` on a program file.

use std::panic::{catch_unwind, AssertUnwindSafe};

use tessera_program::Binary;
use tessera_tests::process::Ending;

use crate::flags::{self, Flag};
use crate::runner::Bench;
use tessera_test_support::random::Rng;

/// The most elements of all tensors of a file that is run. A valid file with more may take long.
const MOST_ELEMENTS: u64 = 1 << 17;

/// The most steps or instructions of a kernel.
const MOST_STEPS: u64 = 200_000;

/// The flags and devices of `ttrt`, read from its help.
pub struct Ttrt {
    commands: Vec<(String, Vec<Flag>)>,
    devices: Vec<String>,
}

impl Ttrt {
    pub fn new(bench: &Bench) -> Self {
        let commands = flags::subcommands(&bench.printed("ttrt", &["-h"]));
        let commands = commands.into_iter().map(|command| {
            let flags = flags::parse(&bench.printed("ttrt", &[&command, "-h"]));
            (command, flags)
        });
        let commands: Vec<_> = commands.collect();
        let device = commands
            .iter()
            .flat_map(|(_, flags)| flags)
            .find(|flag| flag.name == "device");
        let devices = device.expect("a device can be chosen").choices().to_vec();
        assert!(commands.len() > 1 && devices.len() > 1, "{commands:?}");
        Ttrt { commands, devices }
    }

    /// Runs, reads or checks a file, with random flags.
    pub fn on(&self, bench: &mut Bench, rng: &mut Rng, file: &str) {
        let is_small = is_small(bench, file);
        if is_small && rng.percent(65) {
            self.run(bench, rng, file, &[]);
            return;
        }
        let (command, flags) = &self.commands[rng.below(self.commands.len())];
        if command == "run" && !is_small {
            return;
        }
        let mut arguments = vec![command.clone(), file.to_owned()];
        arguments.extend(flags::some(flags, 3, rng, FILES));
        if command == "run" {
            let device = self.device(rng);
            arguments.retain(|flag| !flag.starts_with("--device"));
            arguments.extend(limited(&device));
        }
        bench.run("ttrt", &arguments);
    }

    /// Runs a file on a device that is likely to accept the command line.
    pub fn run(
        &self,
        bench: &mut Bench,
        rng: &mut Rng,
        file: &str,
        more: &[String],
    ) -> Option<Ending> {
        let mut arguments = vec!["run".to_owned(), file.to_owned()];
        arguments.extend(limited(&self.device(rng)));
        arguments.extend_from_slice(more);
        if rng.percent(20) {
            arguments.push("--golden".into());
        }
        bench.run("ttrt", &arguments)
    }

    fn device(&self, rng: &mut Rng) -> String {
        self.devices[rng.below(self.devices.len())].clone()
    }
}

/// Files that flags may name.
const FILES: &[&str] = &[
    "in.mlir",
    "in.npy",
    "out.npy",
    "out.json",
    "nowhere/x",
    ".",
    "-",
];

/// Returns the flags for a device whose kernels can run without end.
fn limited(device: &str) -> Vec<String> {
    let device_flag = format!("--device={device}");
    match device {
        "reference" => vec![device_flag],
        _ => vec![device_flag, format!("--limit-steps={MOST_STEPS}")],
    }
}

/// Returns whether a file can be run in a moment if it can be run at all.
pub fn is_small(bench: &mut Bench, file: &str) -> bool {
    let bytes = bench.read(file).unwrap_or_default();
    let Some(binary) = read(bench, &bytes) else {
        return true;
    };
    let tensors = binary.programs.iter().flat_map(|program| &program.tensors);
    let elements = tensors
        .map(|tensor| tensor.elements())
        .fold(0, u64::saturating_add);
    elements <= MOST_ELEMENTS
}

/// Returns the program file, if it is one; a panic is a failure of the case.
pub fn read(bench: &mut Bench, bytes: &[u8]) -> Option<Binary> {
    match catch_unwind(AssertUnwindSafe(|| Binary::read(bytes))) {
        Ok(read) => read.ok(),
        Err(_) => {
            bench.write("panics.ttnn", bytes);
            bench.fail("Binary::read", "it panicked on panics.ttnn");
            None
        }
    }
}
