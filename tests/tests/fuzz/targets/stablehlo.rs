//! Programs of StableHLO, through the importer and the pipeline of every target.

use tessera_test_support::random::Rng;
use tessera_tests::process::Ending;

use crate::devices::Ttrt;
use crate::listing;
use crate::mutate::text;
use crate::runner::{Bench, FuzzTarget};
use crate::seeds;

/// The pipeline that imports programs.
const IMPORT: &str = "--stablehlo-to-ttir-pipeline";

/// Pipelines that compile what it imports have names of this form.
const COMPILES: (&str, &str) = ("ttir-to-", "-pipeline");

pub fn new(bench: &mut Bench) -> FuzzTarget {
    let seeds = seeds::stablehlo();
    let texts: Vec<_> = seeds.iter().map(|seed| seed.text.clone()).collect();
    let passes = listing::parse(&bench.printed("ttmlir-opt", &["--list-passes"]));
    let pipelines = passes.iter().filter_map(|pass| {
        let target = pass
            .name
            .strip_prefix(COMPILES.0)?
            .strip_suffix(COMPILES.1)?;
        // The others end before kernels.
        (!target.starts_with("ttnn")).then(|| format!("--{}", pass.name))
    });
    let pipelines: Vec<_> = pipelines.collect();
    assert!(pipelines.len() >= 2, "{pipelines:?}");
    let ttrt = Ttrt::new(bench);
    Box::new(move |bench, rng| {
        let seed = &texts[rng.below(texts.len())];
        bench.write("in.mlir", &text::mutated(rng, seed, &texts));
        case(bench, rng, &pipelines, &ttrt);
    })
}

/// Imports a program, compiles it for every target, and runs some of what compiles.
fn case(bench: &mut Bench, rng: &mut Rng, pipelines: &[String], ttrt: &Ttrt) {
    let mut run = |tool: &str, arguments: &[&str]| {
        let arguments: Vec<_> = arguments.iter().map(ToString::to_string).collect();
        bench.run(tool, &arguments) == Some(Ending::Done)
    };
    if !run("ttmlir-opt", &[IMPORT, "in.mlir", "-o", "ttir.mlir"]) {
        return;
    }
    let mut compiled = Vec::new();
    for (number, pipeline) in pipelines.iter().enumerate() {
        let [out, program] = ["mlir", "ttnn"].map(|end| format!("{number}.{end}"));
        let translate = ["--ttnn-to-flatbuffer", &out, "-o", &program];
        if run("ttmlir-opt", &[pipeline, "ttir.mlir", "-o", &out])
            && rng.percent(30)
            && run("ttmlir-translate", &translate)
        {
            compiled.push(program);
        }
    }
    compiled
        .iter()
        .for_each(|program| ttrt.on(bench, rng, program));
}
