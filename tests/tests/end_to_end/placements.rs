//! Results do not depend on the placement of kernels. A mixed kernel on one core, its expansion to
//! a cube and a vector kernel on one core, and the expansion on two tiles give the same bits.
//!
//! `TESSERA_LONG_TESTS=1` tests every size instead of the first.

use tessera_program::{Binary, KernelBody};
use tessera_reference::Tensor;
use tessera_runtime::devices::tensix::TensixOptions;

use crate::bench::{inputs, lower, on_tensix, translate};
use crate::models::{models, some, SIZES};

/// How a program is compiled: options of the first pass, and whether mixed kernels are expanded.
struct PlacementConfig {
    name: &'static str,
    kernels: &'static str,
    expand: bool,
}

const UNSPLIT: PlacementConfig = PlacementConfig {
    name: "unsplit",
    kernels: "placement=same_core",
    expand: false,
};
const SAME_CORE: PlacementConfig = PlacementConfig {
    name: "same_core",
    kernels: "placement=same_core",
    expand: true,
};
const CLUSTER: PlacementConfig = PlacementConfig {
    name: "cluster",
    kernels: "placement=cluster",
    expand: true,
};

fn program(extents: [u64; 3], config: &PlacementConfig, block: &str) -> Binary {
    let name = format!("placements_{}_{extents:?}_{block}", config.name);
    let kernels = format!("--convert-ttnn-to-pto={} block={block}", config.kernels);
    let mut flags = vec!["--ttir-to-ttnn-runtime-pipeline", &*kernels];
    if config.expand {
        flags.extend([
            "--pto-expand-mixed-kernel",
            "--pto-check-pipes",
            "--pto-allocate-memory-addr",
        ]);
    }
    flags.extend(["--convert-pto-to-tensix", "--canonicalize", "--cse"]);
    translate(&name, &lower(&flags, &name, &models(extents)))
}

/// Returns how many kernels run on several tiles.
fn clusters(binary: &Binary) -> usize {
    let is_cluster = |body: &KernelBody| match body {
        KernelBody::TensixImages(images) => images.tiles.len() > 1,
        _ => false,
    };
    let kernels = binary.kernels.iter();
    kernels.filter(|kernel| is_cluster(&kernel.body)).count()
}

/// Runs every program of a file on Tensix and returns their results.
fn results(binary: &Binary) -> Vec<Vec<Tensor>> {
    let options = TensixOptions {
        padding_canaries: true,
        ..TensixOptions::default()
    };
    let run = |program| {
        let run = on_tensix(binary, program, &inputs(program, 1), options);
        run.unwrap_or_else(|error| panic!("{}: {error}", program.name))
            .0
    };
    binary.programs.iter().map(run).collect()
}

#[test]
fn placements_give_the_same_bits() {
    for extents in some(SIZES, 1) {
        for block in some(&["auto", "2x2", "1x1", "4x1"], 2) {
            let [unsplit, same_core, cluster] =
                [&UNSPLIT, &SAME_CORE, &CLUSTER].map(|config| program(*extents, config, block));
            let expect = results(&unsplit);
            assert!(results(&same_core) == expect, "{extents:?} {block}");
            assert_eq!(clusters(&same_core), 0);
            assert!(clusters(&cluster) >= 2, "{extents:?} {block}");
            assert!(results(&cluster) == expect, "{extents:?} {block}");
        }
    }
}
