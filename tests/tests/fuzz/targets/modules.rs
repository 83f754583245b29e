//! Modules: text and bytecode, through every pass and pipeline, every translation, every device.

use tessera_tests::process::Ending;

use crate::devices::Ttrt;
use crate::dice::Dice;
use crate::flags::{self, Flag};
use crate::graph::{graph, Elements};
use crate::listing::{self, Pass};
use crate::mutate::{bytes, text};
use crate::runner::{Bench, FuzzTarget};
use crate::seeds;

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
    Box::new(move |bench, dice| modules.case(bench, dice))
}

/// How often passes run on what the ones before made.
const STAGES: usize = 4;

/// Longer compiled modules go on as they are.
const MOST_BYTES: usize = 200_000;

/// Returns a compiled module, or a variation of it.
fn lowered(dice: &mut Dice, module: Vec<u8>) -> Vec<u8> {
    match String::from_utf8(module) {
        Ok(text) if text.len() <= MOST_BYTES && dice.percent(65) => {
            text::varied(dice, &text).into_bytes()
        }
        Ok(text) => text.into_bytes(),
        Err(bytecode) => bytecode.into_bytes(),
    }
}

impl Modules {
    fn case(&self, bench: &mut Bench, dice: &mut Dice) {
        let made_up = graph(
            dice.word(),
            dice.pick(&[Elements::Bf16, Elements::F32, Elements::Both]),
        );
        let mut seed = &self.seeds[dice.below(self.seeds.len())];
        if seed.is_bad && dice.percent(85) {
            let good: Vec<_> = self.seeds.iter().filter(|seed| !seed.is_bad).collect();
            seed = good[dice.below(good.len())];
        }
        let text = if dice.percent(20) {
            &made_up
        } else {
            &seed.text
        };
        let mut input = match dice.percent(12) {
            true => text.clone().into_bytes(),
            false => text::mutated(dice, text, &self.texts),
        };
        if dice.percent(6) {
            input = self.bytecode(bench, dice, &seed.text).unwrap_or(input);
        }
        bench.write("in.mlir", &input);
        if dice.percent(5) {
            self.translate(bench, dice, "in.mlir");
        }
        let mut flags = match text == &made_up {
            true => self.pipeline(dice),
            false => self.passes(dice, seed),
        };
        for _ in 0..STAGES {
            if !self.compile(bench, &flags, "in.mlir", "out.mlir") {
                return;
            }
            if dice.percent(45) {
                break;
            }
            let compiled = bench.read("out.mlir").unwrap_or_default();
            bench.write("in.mlir", &lowered(dice, compiled));
            if dice.percent(25) {
                self.translate(bench, dice, "in.mlir");
            }
            flags = match dice.percent(30) {
                true => self.pipeline(dice),
                false => (0..=dice.below(3)).map(|_| self.pass(dice)).collect(),
            };
        }
        self.translate(bench, dice, "out.mlir");
    }

    fn compile(&self, bench: &mut Bench, flags: &[String], from: &str, to: &str) -> bool {
        let files = [from, "-o", to].map(str::to_owned);
        bench.run("ttmlir-opt", &[flags, &files].concat()) == Some(Ending::Done)
    }

    /// Returns the bytecode of a seed, damaged, or `None` if it does not compile.
    fn bytecode(&self, bench: &mut Bench, dice: &mut Dice, text: &str) -> Option<Vec<u8>> {
        bench.write("whole.mlir", text.as_bytes());
        let done = self.compile(
            bench,
            &["--emit-bytecode".to_owned()],
            "whole.mlir",
            "whole.mlirbc",
        );
        let mut code = bench.read("whole.mlirbc").filter(|_| done)?;
        bytes::damage(dice, &mut code);
        Some(code)
    }

    fn pass(&self, dice: &mut Dice) -> String {
        self.passes[dice.below(self.passes.len())].random(dice, FILES)
    }

    fn pipeline(&self, dice: &mut Dice) -> Vec<String> {
        let is_pipeline = |pass: &&Pass| pass.name.ends_with("-pipeline");
        let all: Vec<_> = self.passes.iter().filter(is_pipeline).collect();
        vec![all[dice.below(all.len())].random(dice, FILES)]
    }

    /// Passes of the seed's own tests, or any; and perhaps other flags.
    fn passes(&self, dice: &mut Dice, seed: &seeds::Module) -> Vec<String> {
        let mut flags = match dice.below(10) {
            0..=3 if !seed.flags.is_empty() => seed.flags[dice.below(seed.flags.len())].clone(),
            0..=6 => self.pipeline(dice),
            7 | 8 => vec![self.pass(dice)],
            _ => (0..=dice.below(4)).map(|_| self.pass(dice)).collect(),
        };
        flags.extend(flags::some(&self.flags, 2, dice, FILES));
        flags
    }

    /// Translates a module, and hands a program file on to `ttrt`.
    fn translate(&self, bench: &mut Bench, dice: &mut Dice, file: &str) {
        let is_translation = |flag: &&Flag| flag.name.contains("-to-");
        let translations: Vec<_> = self.translate.iter().filter(is_translation).collect();
        let translation = translations[dice.below(translations.len())];
        let mut arguments = vec![translation.random(dice, FILES)];
        arguments.extend([file, "-o", "out.bin"].map(str::to_owned));
        arguments.extend(
            flags::some(&self.translate, 1, dice, FILES)
                .into_iter()
                .filter(|_| dice.percent(30)),
        );
        let done = bench.run("ttmlir-translate", &arguments) == Some(Ending::Done);
        match translation.name.rsplit("-to-").next() {
            Some("flatbuffer") if done => self.ttrt.on(bench, dice, "out.bin"),
            Some("vsm") if done => self.assemble(bench),
            _ => {}
        }
    }

    /// What a translation writes for the assembler is assembled.
    fn assemble(&self, bench: &mut Bench) {
        let arguments = ["--emit=nothing", "out.bin"].map(str::to_owned);
        bench.run("mncore-as", &arguments);
    }
}
