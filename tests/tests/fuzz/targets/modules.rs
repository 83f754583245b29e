//! Modules: text and bytecode, through every pass and pipeline, every translation, every device.

use tessera_tests::process::Ending;

use crate::devices::Ttrt;
use crate::flags::{self, Flag};
use crate::graph::{graph, Elements};
use crate::listing::{self, Pass};
use crate::mutate::{bytes, text};
use crate::runner::{Bench, FuzzTarget};
use crate::seeds;
use tessera_test_support::random::Rng;

/// Files that options may name.
const FILES: &[&str] = &["in.mlir", "nowhere", ".", "arch.json"];

struct Modules {
    seeds: Vec<seeds::Module>,
    texts: Vec<String>,
    passes: Vec<Pass>,
    flags: Vec<Flag>,
    translate: Vec<Flag>,
    ttrt: Ttrt,
}

pub fn new(bench: &mut Bench) -> FuzzTarget {
    let seeds = seeds::modules();
    let texts = seeds.iter().map(|seed| seed.text.clone()).collect();
    let passes = listing::parse(&bench.printed("ttmlir-opt", &["--list-passes"]));
    let named = |name: &str| passes.iter().any(|pass| pass.name == name);
    let mut flags = flags::parse(&bench.printed("ttmlir-opt", &["-h"]));
    flags.retain(|flag| !named(&flag.name));
    let translate = flags::parse(&bench.printed("ttmlir-translate", &["-h"]));
    let ttrt = Ttrt::new(bench);
    assert!(
        passes.len() > 20 && flags.len() > 10 && translate.len() > 3,
        "{passes:?} {flags:?} {translate:?}"
    );
    let modules = Modules {
        seeds,
        texts,
        passes,
        flags,
        translate,
        ttrt,
    };
    Box::new(move |bench, rng| modules.case(bench, rng))
}

/// How often passes run on the output of earlier ones.
const STAGES: usize = 4;

/// Longer compiled modules are not mutated.
const MOST_BYTES: usize = 200_000;

/// Returns a compiled module, or a variation of it.
fn lowered(rng: &mut Rng, module: Vec<u8>) -> Vec<u8> {
    match String::from_utf8(module) {
        Ok(text) if text.len() <= MOST_BYTES && rng.percent(65) => {
            text::varied(rng, &text).into_bytes()
        }
        Ok(text) => text.into_bytes(),
        Err(bytecode) => bytecode.into_bytes(),
    }
}

impl Modules {
    fn case(&self, bench: &mut Bench, rng: &mut Rng) {
        let made_up = graph(
            rng.next_u64(),
            rng.pick(&[Elements::Bf16, Elements::F32, Elements::Both]),
        );
        let mut seed = &self.seeds[rng.below(self.seeds.len())];
        if seed.is_bad && rng.percent(85) {
            let good: Vec<_> = self.seeds.iter().filter(|seed| !seed.is_bad).collect();
            seed = good[rng.below(good.len())];
        }
        let text = if rng.percent(20) {
            &made_up
        } else {
            &seed.text
        };
        let mut input = match rng.percent(12) {
            true => text.clone().into_bytes(),
            false => text::mutated(rng, text, &self.texts),
        };
        if rng.percent(6) {
            input = self.bytecode(bench, rng, &seed.text).unwrap_or(input);
        }
        bench.write("in.mlir", &input);
        if rng.percent(5) {
            self.translate(bench, rng, "in.mlir");
        }
        let mut flags = match text == &made_up {
            true => self.pipeline(rng),
            false => self.passes(rng, seed),
        };
        for _ in 0..STAGES {
            if !self.compile(bench, &flags, "in.mlir", "out.mlir") {
                return;
            }
            if rng.percent(45) {
                break;
            }
            let compiled = bench.read("out.mlir").unwrap_or_default();
            bench.write("in.mlir", &lowered(rng, compiled));
            if rng.percent(25) {
                self.translate(bench, rng, "in.mlir");
            }
            flags = match rng.percent(30) {
                true => self.pipeline(rng),
                false => (0..=rng.below(3)).map(|_| self.pass(rng)).collect(),
            };
        }
        self.translate(bench, rng, "out.mlir");
    }

    fn compile(&self, bench: &mut Bench, flags: &[String], from: &str, to: &str) -> bool {
        let files = [from, "-o", to].map(str::to_owned);
        bench.run("ttmlir-opt", &[flags, &files].concat()) == Some(Ending::Done)
    }

    /// Returns the bytecode of a seed, damaged, or `None` if it does not compile.
    fn bytecode(&self, bench: &mut Bench, rng: &mut Rng, text: &str) -> Option<Vec<u8>> {
        bench.write("whole.mlir", text.as_bytes());
        let done = self.compile(
            bench,
            &["--emit-bytecode".to_owned()],
            "whole.mlir",
            "whole.mlirbc",
        );
        let mut code = bench.read("whole.mlirbc").filter(|_| done)?;
        bytes::damage(rng, &mut code);
        Some(code)
    }

    fn pass(&self, rng: &mut Rng) -> String {
        self.passes[rng.below(self.passes.len())].random(rng, FILES)
    }

    fn pipeline(&self, rng: &mut Rng) -> Vec<String> {
        let is_pipeline = |pass: &&Pass| pass.name.ends_with("-pipeline");
        let all: Vec<_> = self.passes.iter().filter(is_pipeline).collect();
        vec![all[rng.below(all.len())].random(rng, FILES)]
    }

    /// Returns the passes of the seed's own tests or random ones, perhaps with other flags.
    fn passes(&self, rng: &mut Rng, seed: &seeds::Module) -> Vec<String> {
        let mut flags = match rng.below(10) {
            0..=3 if !seed.flags.is_empty() => seed.flags[rng.below(seed.flags.len())].clone(),
            0..=6 => self.pipeline(rng),
            7 | 8 => vec![self.pass(rng)],
            _ => (0..=rng.below(4)).map(|_| self.pass(rng)).collect(),
        };
        flags.extend(flags::some(&self.flags, 2, rng, FILES));
        flags
    }

    /// Translates a module, and passes a program file to `ttrt`.
    fn translate(&self, bench: &mut Bench, rng: &mut Rng, file: &str) {
        let is_translation = |flag: &&Flag| flag.name.contains("-to-");
        let translations: Vec<_> = self.translate.iter().filter(is_translation).collect();
        let translation = translations[rng.below(translations.len())];
        let mut arguments = vec![translation.random(rng, FILES)];
        arguments.extend([file, "-o", "out.bin"].map(str::to_owned));
        arguments.extend(
            flags::some(&self.translate, 1, rng, FILES)
                .into_iter()
                .filter(|_| rng.percent(30)),
        );
        let done = bench.run("ttmlir-translate", &arguments) == Some(Ending::Done);
        match translation.name.rsplit("-to-").next() {
            Some("flatbuffer") if done => self.ttrt.on(bench, rng, "out.bin"),
            Some("vsm") if done => self.assemble(bench),
            _ => {}
        }
    }

    /// Assembles what a translation wrote for the assembler.
    fn assemble(&self, bench: &mut Bench) {
        let arguments = ["--emit=nothing", "out.bin"].map(str::to_owned);
        bench.run("mncore-as", &arguments);
    }
}
