//! Kernels with RISC-V control code: results of a hand-written program on any number of tiles,
//! under any schedule.

use std::sync::Arc;

use tessera_isa_tensix::Opcode;
use tessera_program::{Binary, KernelBody, TensixImages};
use tessera_runtime::devices::tensix::TensixOptions;
use tessera_test_support::is_long_run;

use crate::bench::{compile, function, inputs, lower, on_tensix, only, translate};

/// A product of matrices, with loops over tiles.
const MATMUL: &str = include_str!("matmul_program.mlir");

/// Compiles a matrix product with these numbers of tiles, by the program above and by instruction
/// lists.
fn matmul(name: &str, rows: u32, depth: u32, columns: u32) -> [Binary; 2] {
    matmul_of(MATMUL, name, rows, depth, columns)
}

/// Does the same for another program.
fn matmul_of(source: &str, name: &str, rows: u32, depth: u32, columns: u32) -> [Binary; 2] {
    let shape = |rows: u32, columns: u32| format!("{}x{}", 32 * rows, 32 * columns);
    let (a, b, c) = (
        shape(rows, depth),
        shape(depth, columns),
        shape(rows, columns),
    );
    let ttir = function("forward", "matmul", &[&a, &b], &c, "bf16");
    let passes = ["--ttir-to-ttnn-backend-pipeline", "--convert-ttnn-to-pto"];
    let module = lower(&passes, name, &ttir);
    let program = source
        .replace("WORK", &(rows * columns).to_string())
        .replace("DEPTH", &depth.to_string())
        .replace("COLUMNS", &columns.to_string());
    let (before, function) = module
        .split_once("func.func @forward(")
        .expect("the module has the function");
    let module = format!("{before}{program}func.func @forward({function}");
    [
        translate(name, &module),
        compile(&format!("{name}_lists"), &ttir),
    ]
}

fn images(binary: &Binary) -> &TensixImages {
    let mut found = binary
        .kernels
        .iter()
        .filter_map(|kernel| match &kernel.body {
            KernelBody::TensixImages(images) => Some(&**images),
            _ => None,
        });
    let images = found.next().expect("a kernel of images");
    assert!(found.next().is_none(), "one kernel of images");
    images
}

#[test]
fn images_match_lists_on_any_number_of_tiles_in_any_order() {
    for (rows, depth, columns, tiles) in [(2, 2, 2, 4), (1, 1, 1, 1), (3, 2, 5, 15), (1, 5, 70, 64)]
    {
        let [by_images, by_lists] = matmul(&format!("images_{rows}"), rows, depth, columns);
        let inputs = inputs(only(&by_lists), 3);
        let options = TensixOptions::default();
        let (expect, _) = on_tensix(&by_lists, only(&by_lists), &inputs, options).unwrap();
        let long = is_long_run();
        let seeds = match (rows, depth) {
            (2, _) if long => 100,
            (2, _) => 10,
            _ => 1,
        };
        for seed in 0..seeds {
            for (workers, order_seed) in
                [(None, None), (Some(1), Some(seed)), (Some(3), Some(seed))]
            {
                let options = TensixOptions {
                    schedule_seed: order_seed.or(Some(seed).filter(|seed| seed % 2 == 1)),
                    padding_canaries: true,
                    order_seed,
                    workers,
                    limit: None,
                };
                let (outputs, runs) =
                    on_tensix(&by_images, only(&by_images), &inputs, options).unwrap();
                assert_eq!(outputs, expect, "{rows}x{depth}x{columns}, {options:?}");
                let used = workers.unwrap_or(64).min(tiles);
                assert_eq!(runs[0].workers.len() as u32, used);
                let products = u64::from(64 * rows * depth * columns);
                assert_eq!(runs[0].stats.count(Opcode::Mvmul), products);
            }
        }
    }
}

/// The numbers of tiles are arguments, so the code is the same.
#[test]
fn code_does_not_depend_on_sizes() {
    let [a, _] = matmul("images_a", 2, 3, 4);
    let [b, _] = matmul("images_b", 4, 5, 2);
    for (a, b) in images(&a).tiles[0].iter().zip(&images(&b).tiles[0]) {
        assert_eq!(a.image, b.image);
    }
    assert_ne!(
        images(&a).tiles[0][4].arguments,
        images(&b).tiles[0][4].arguments
    );
}

/// A word of the images is changed. The trap names the tile, the core and the line of the source.
#[test]
fn traps_name_their_place() {
    let [mut binary, _] = matmul("images_trap", 2, 2, 2);
    let line = line_of("images_trap", "tensix.pacr");
    let body = &mut binary.kernels[0].body;
    let KernelBody::TensixImages(images) = body else {
        panic!("{body:?}")
    };
    let core = &mut images.tiles[0][3];
    // PACR of the flavour that is not modelled: its reserved bits are set.
    let pushes_pacr = |word: &u32| word.rotate_right(2) >> 24 == Opcode::Pacr as u32;
    let mut words = core.image.words().to_vec();
    let at = words.iter().position(pushes_pacr).unwrap();
    words[at] = (words[at].rotate_right(2) | 1 << 23).rotate_left(2);
    let steps = core.image.steps().to_vec();
    core.image = Arc::new(tessera_program::Image::new(words, steps));
    let inputs = inputs(only(&binary), 3);
    let error = on_tensix(&binary, only(&binary), &inputs, TensixOptions::default()).unwrap_err();
    let place = format!(
        "kernel 'matmul_tensix' on worker 0 of 4 at images_trap.tensix.mlir:{line}:5: pack (T2), \
         pc {:#x}",
        0xe000 + 4 * at
    );
    assert!(error.contains(&place), "{place}\n{error}");
    let problems = tessera_runtime::devices::tensix::check(&binary, only(&binary));
    let checked = problems[0].to_string();
    let expect = format!(
        "kernel 'matmul_tensix': core T2, pc {:#x}: ",
        0xe000 + 4 * at
    );
    assert!(checked.contains(&expect), "{expect}\n{checked}");
}

/// A number that is known only at run time to be too large traps where it would be truncated.
#[test]
fn numbers_that_do_not_fit_trap() {
    let push = "tensix.push \"setdmareg\" payload_sig_sel = %step below 3 (reg_index_16b 126)";
    let read = "tensix.await counter 0 at_least %next";
    let source = MATMUL.replacen(read, &format!("{read}\n      {push}"), 1);
    let [binary, _] = matmul_of(&source, "images_too_large", 2, 2, 2);
    let line = line_of("images_too_large", push);
    // Two steps a piece: one piece is done in two steps, two pieces in four.
    for (workers, expect) in [(4, None), (2, Some(2))] {
        let inputs = inputs(only(&binary), 3);
        let options = TensixOptions {
            workers: Some(workers),
            ..TensixOptions::default()
        };
        let ran = on_tensix(&binary, only(&binary), &inputs, options);
        let Some(workers) = expect else {
            ran.unwrap();
            continue;
        };
        let error = ran.unwrap_err();
        let place = format!(
            "kernel 'matmul_tensix' on worker 0 of {workers} at \
             images_too_large.tensix.mlir:{line}:7: unpack (T0), pc "
        );
        assert!(error.contains(&place), "{place}\n{error}");
        let why =
            "`ebreak`: there is no debugger; compiled code stops so where a number is larger than \
             the operation there lets it be";
        assert!(error.contains(why), "{why}\n{error}");
    }
}

/// Returns the first line of the module with this name that contains a text.
fn line_of(name: &str, text: &str) -> usize {
    let file = std::path::Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join(format!("end_to_end/{name}.tensix.mlir"));
    let module = std::fs::read_to_string(file).unwrap();
    1 + module.lines().position(|line| line.contains(text)).unwrap()
}
