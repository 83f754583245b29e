//! The expansion of mixed kernels preserves results bit by bit, under every schedule, and mutations
//! of expanded kernels are detected.
//!
//! `TESSERA_LONG_TESTS=1` tries more kernels, every number of slots up to eight and a hundred
//! schedules of each.

use tessera_dialects::mlir::{Context, Module, PrintOptions, Source};
use tessera_dialects::pto::{FuncOp, Kind};
use tessera_pto::kernel::Group;
use tessera_pto::schedule::{Random, Schedule};
use tessera_test_support::is_long_run;

use super::common::{groups, lower, run};
use super::mutations;
use super::random_kernels::{self, Shape};

/// A mixed kernel in a module of its own, and its results.
pub struct Mixed {
    name: String,
    text: String,
    numbers: Vec<Vec<u64>>,
}

impl Mixed {
    fn new(name: &str, text: String) -> Self {
        let numbers = groups(&text, name).and_then(|groups| run(&groups, Schedule::Greedy));
        Mixed {
            name: name.into(),
            numbers: numbers.unwrap_or_else(|error| panic!("{error}\n{text}")),
            text,
        }
    }

    /// Returns the kernels of a file whose text is `wanted`.
    fn parse(text: &str, wanted: impl Fn(&str) -> bool) -> Vec<Self> {
        let context = Context::new();
        let source = Source::new("test.mlir", text.into()).expect("a text");
        let module = Module::parse(&context, &source).expect("a module");
        let kernels = module.op().find_all::<FuncOp>().into_iter();
        let mixed = kernels.filter(|kernel| kernel.kind() == Some(Kind::Mixed));
        mixed
            .map(|kernel| (kernel.symbol(), kernel.print(PrintOptions::default())))
            .filter(|(_, text)| wanted(text))
            .map(|(name, text)| Mixed::new(name.expect("a kernel has a name"), text))
            .collect()
    }

    /// Returns the kernel with its rings in global memory; `None` if it declares rings itself.
    fn global(&self) -> Option<Self> {
        if self.text.contains("platform") || self.text.contains("reserve_buffer") {
            return None;
        }
        let kind = "kind = #pto.kind<mixed>";
        let global = format!("{kind}, platform = #pto.platform<a2a3>");
        Some(Mixed {
            name: self.name.clone(),
            text: self.text.replace(kind, &global),
            numbers: self.numbers.clone(),
        })
    }

    /// Expands the kernel with at least this many slots in each ring. Returns its text and its
    /// groups.
    pub fn expand(&self, split: &str, slots: u64) -> (String, Vec<Group>) {
        let options = format!("split={split} slot-num={slots}");
        let expanded = lower(&self.text, &[("pto-expand-mixed-kernel", &options)]);
        let expanded = expanded.unwrap_or_else(|error| panic!("{error}\n{}", self.text));
        match groups(&expanded, &self.name) {
            Ok(groups) => (expanded, groups),
            Err(error) => {
                let enough = enough(&error).unwrap_or_else(|| panic!("{error}\n{expanded}"));
                assert!(enough > slots, "{error}\n{expanded}");
                self.expand(split, enough)
            }
        }
    }

    /// Checks that expansion preserves its results.
    fn check(&self, split: &str, slots: u64) {
        let (expanded, groups) = self.expand(split, slots);
        let seeds = if is_long_run() { 100 } else { 2 };
        let seeds = (0..seeds).map(Schedule::Seed);
        for schedule in std::iter::once(Schedule::Greedy).chain(seeds) {
            let numbers = run(&groups, schedule);
            let numbers = numbers.unwrap_or_else(|trap| panic!("{trap}\n{expanded}"));
            assert!(
                numbers == self.numbers,
                "{}, {slots} slots, {schedule:?}:\n{}\n{expanded}",
                split,
                self.text
            );
        }
    }
}

/// Returns the number of slots that a diagnostic of the checker suggests, if it does.
fn enough(error: &str) -> Option<u64> {
    let (_, advice) = error.split_once("no kernel can proceed; ")?;
    let advice = advice.lines().next()?.strip_suffix(" would suffice")?;
    let numbers = advice
        .split(" and ")
        .filter_map(|one| one.split_once(" slots in pipe ")?.0.parse().ok());
    numbers.max()
}

pub const SPLITS: [&str; 3] = ["none", "up_down", "left_right"];

/// Checks kernels with few slots, and with rings in either memory. Returns their number.
fn check_all(kernels: &[Mixed], splits: &[&str]) -> usize {
    let most = if is_long_run() { 8 } else { 1 };
    for kernel in kernels {
        for split in splits {
            for slots in 0..=most {
                kernel.check(split, slots);
                if let Some(global) = kernel.global() {
                    global.check(split, slots);
                }
            }
        }
    }
    kernels.len()
}

#[test]
fn kernels_of_lit_tests_expanded_leave_the_same_numbers() {
    let check = |text: &str| check_all(&Mixed::parse(text, |_| true), &SPLITS);
    let rules = include_str!("../../../tests/lit/passes/pto_expand_mixed_kernel.mlir");
    assert_eq!(check(rules), 8);
    let control_flow =
        include_str!("../../../tests/lit/passes/pto_expand_mixed_kernel_control_flow.mlir");
    assert_eq!(check(control_flow), 3);
    let fences = include_str!("../../../tests/lit/passes/pto_expand_mixed_kernel_fences.mlir");
    assert_eq!(check(fences), 6);
    let split = include_str!("../../../tests/lit/passes/pto_expand_mixed_kernel_split.mlir");
    assert_eq!(check(split), 3);
}

/// Tests the kernels that are formed from TTNN operations.
#[test]
fn kernels_of_models_expanded_leave_the_same_numbers() {
    let check = |text: &str, options: &str| {
        let passes = [
            ("ttir-to-ttnn-runtime-pipeline", ""),
            ("convert-ttnn-to-pto", options),
        ];
        let formed = lower(text, &passes).unwrap_or_else(|error| panic!("{error}"));
        // Kernels of one side may be large.
        let kernels = Mixed::parse(&formed, |text| text.contains("pto.tmove"));
        check_all(&kernels, &SPLITS)
    };
    let models = include_str!("models.mlir");
    assert_eq!(check(models, "fusion=all"), 3);
    if is_long_run() {
        let fusion = include_str!("../../../tests/lit/passes/convert_ttnn_to_pto_fusion.mlir");
        let factors = include_str!("../../../tests/lit/passes/convert_ttnn_to_pto_factors.mlir");
        for options in ["fusion=epilogue", "fusion=auto", "fusion=all block=1x1"] {
            for text in [models, fusion, factors] {
                assert!(check(text, options) > 0, "{options}");
            }
        }
    }
}

/// An expanded kernel from which a free is removed deadlocks.
#[test]
fn pipes_written_by_hand_leave_the_same_numbers() {
    let text = include_str!("../../../tests/lit/passes/pto_expand_mixed_kernel_pipes.mlir");
    let stored = "pto.tstore %y, %c[%0, %0] : <tensor<32x32xbf16>, vec> -> memref<64x32xbf16>";
    assert!(text.contains(stored));
    let free = "pto.tfree %y, %out : <tensor<32x32xbf16>, vec>, <c2v, 4 x 2048>";
    let freed = text.replace(stored, &format!("{stored}\n  {free}"));
    let kernels: Vec<_> = Mixed::parse(&freed, |_| true)
        .into_iter()
        .map(|mut kernel| {
            kernel.text = text.into();
            kernel
        })
        .collect();
    assert_eq!(check_all(&kernels, &["none"]), 2);
}

/// Returns a random kernel, mostly with pipes or mostly with memory that both sides access.
pub fn random(seed: u64, lively: bool) -> Mixed {
    let mut random = Random(seed);
    let tile = 2 * (1 + random.below(2));
    let shape = Shape {
        tile,
        ops: 3 + random.below(5),
        depth: 1 + random.below(3),
        lively,
        memory: random.below(2) == 0,
        matrices: 1 << random.below(3),
        lacking: random.below(tile),
    };
    Mixed::new("k", random_kernels::kernel(&mut random, shape))
}

#[test]
fn random_kernels_expanded_leave_the_same_numbers() {
    let count = if is_long_run() { 500 } else { 20 };
    let mut both = 0;
    for seed in 0..count {
        let kernel = random(seed, false);
        let kernel = kernel.global().filter(|_| seed % 2 == 0).unwrap_or(kernel);
        for (number, how) in SPLITS.into_iter().enumerate() {
            let slots = (seed + number as u64) % 9;
            kernel.check(how, slots);
        }
        let (_, groups) = kernel.expand("none", 0);
        both += u64::from(groups[0].pipes.len() == 2);
    }
    println!("{count} kernels, {both} with pipes both ways");
    assert!(both > count / 3, "{both} of {count}");
}

/// Tests kernels that execute every operation and store every tile that crosses sides.
#[test]
fn mutations_of_expanded_kernels_are_noticed() {
    let files = [
        include_str!("../../../tests/lit/passes/pto_expand_mixed_kernel.mlir"),
        include_str!("../../../tests/lit/passes/pto_expand_mixed_kernel_control_flow.mlir"),
        include_str!("../../../tests/lit/passes/pto_expand_mixed_kernel_fences.mlir"),
        include_str!("../../../tests/lit/passes/pto_expand_mixed_kernel_split.mlir"),
    ];
    let files = files
        .into_iter()
        .flat_map(|text| Mixed::parse(text, |_| true));
    let randoms = (0..if is_long_run() { 200 } else { 6 }).map(|seed| random(seed, true));
    let mut mutations = 0;
    for (number, kernel) in files.chain(randoms).enumerate() {
        let (expanded, _) = kernel.expand(SPLITS[number % SPLITS.len()], 0);
        mutations += mutations::check(&expanded, &kernel.name);
    }
    println!("{mutations} mutations");
    assert!(mutations > 100, "{mutations}");
}
