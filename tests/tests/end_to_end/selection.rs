//! The selection sweep, on compiled products of 33x65 by 65x97. One factor selects; the other
//! encodes its row or column. The result shows which elements were multiplied. It detects faces in
//! the wrong order, banks that were not handed over, wrong rows of Dst, and swapped factors. None
//! of the extents is a multiple of 32.

use tessera_isa_tensix::Opcode;
use tessera_program::{Binary, DataType};
use tessera_reference::Tensor;
use tessera_runtime::devices::tensix::{Stats, TensixOptions};

use crate::bench::{compile_operation, inputs, on_tensix, only};

const M: usize = 33;
const K: usize = 65;
const N: usize = 97;
/// Tiles of the result, and tiles along K.
const TILES: u64 = 2 * 4;
const DEPTH: u64 = 3;

/// Returns a tensor of `f(row, column)`, which must be exact in bf16.
fn tensor(rows: usize, columns: usize, f: impl Fn(usize, usize) -> usize) -> Tensor {
    let values: Vec<_> = (0..rows * columns)
        .map(|at| f(at / columns, at % columns) as f64)
        .collect();
    let tensor = Tensor::from_f64s(vec![rows as u64, columns as u64], DataType::BF16, &values)
        .expect("small");
    assert_eq!(tensor.to_f64s(), values, "exact");
    tensor
}

/// Returns the `k` that a row or column selects, without regularity in faces or tiles.
fn selected(i: usize) -> usize {
    (i * 29 + 17) % K
}

fn product(binary: &Binary, inputs: &[Tensor], schedule_seed: Option<u64>) -> (Tensor, Stats) {
    let options = TensixOptions {
        schedule_seed,
        ..TensixOptions::default()
    };
    let (mut outputs, kernels) =
        on_tensix(binary, only(binary), inputs, options).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!((outputs.len(), kernels.len()), (1, 1));
    (outputs.remove(0), kernels[0].stats.clone())
}

#[test]
fn rows_and_columns_are_reproduced() {
    let binary = compile_operation("selection", "matmul", &["33x65", "65x97"], "33x97");
    let picks_rows = tensor(M, K, |i, k| usize::from(k == selected(i)));
    let picks_columns = tensor(K, N, |k, j| usize::from(k == selected(j)));
    let cases = [
        (
            &picks_rows,
            &tensor(K, N, |k, _| k + 1),
            tensor(M, N, |i, _| selected(i) + 1),
        ),
        (
            &picks_rows,
            &tensor(K, N, |_, j| j + 1),
            tensor(M, N, |_, j| j + 1),
        ),
        (
            &tensor(M, K, |_, k| k + 1),
            &picks_columns,
            tensor(M, N, |_, j| selected(j) + 1),
        ),
        (
            &tensor(M, K, |i, _| i + 1),
            &picks_columns,
            tensor(M, N, |i, _| i + 1),
        ),
    ];
    for ((a, b, expect), seed) in cases.into_iter().zip([None, Some(0), Some(1)]) {
        let (result, stats) = product(&binary, &[a.clone(), b.clone()], seed);
        assert_eq!(result.to_f64s(), expect.to_f64s(), "{seed:?}");
        assert_eq!(stats.of_thread(1, Opcode::Mvmul), 64 * TILES * DEPTH);
    }
}

/// A kernel executes 64 MVMULs for each pair of tiles it multiplies, and one PACR for each tile of
/// the result.
#[test]
fn products_execute_the_minimum_of_instructions() {
    let linear = ["33x65", "65x97", "1x97"];
    for (name, op, operands, bias) in [
        ("count_matmul", "matmul", &linear[..2], 0),
        ("count_linear", "linear", &linear[..2], 0),
        ("count_linear_bias", "linear", &linear[..], 8),
    ] {
        let binary = compile_operation(name, op, operands, "33x97");
        let (_, stats) = product(&binary, &inputs(only(&binary), 1), None);
        assert_eq!(stats.count(Opcode::Mvmul), 64 * TILES * DEPTH, "{name}");
        assert_eq!(stats.count(Opcode::Elwadd), bias * TILES, "{name}");
        assert_eq!(stats.count(Opcode::Pacr), TILES, "{name}");
    }
}
