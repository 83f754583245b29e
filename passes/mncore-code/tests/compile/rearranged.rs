//! Data movement kernels: bit for bit the result of the index map.

use tessera_isa_mncore::ast::Program as Statements;
use tessera_mncore::machine::{Machine, Model, Options};
use tessera_mncore::race::RacePolicy;
use tessera_mncore_code::compile::Kernel;
use tessera_mncore_code::program::{self, IssueOrder};
use tessera_mncore_ir::kernel::Tensor;
use tessera_ops::{row_major_strides, IndexMap, StridedCopy};
use tessera_pto::kernel::{Element, Group, TensorType};
use tessera_pto::rearrange::{self, Rearrangement};

use crate::board::{fetch, kernel, random, run_on, write_empty, write_tensor};

/// A copy of a box between arrays: of which operand, its extents, where and by which strides it is
/// read, where and by which strides it is written.
type Copy<'a> = (usize, &'a [u64], (u64, &'a [i64]), (u64, &'a [u64]));

fn map(copies: &[Copy], fill: f64) -> IndexMap {
    let copies = copies
        .iter()
        .map(|(operand, extents, from, to)| StridedCopy {
            operand: *operand,
            extents: extents.to_vec(),
            source_offset: from.0,
            source_strides: from.1.to_vec(),
            result_offset: to.0,
            result_strides: to.1.to_vec(),
        });
    IndexMap {
        copies: copies.collect(),
        fill,
        lookup: None,
    }
}

/// Returns a group that makes a tensor from others, all of one row, by an index map.
fn group(map: IndexMap, extents: &[u32], element: Element) -> Group {
    let tensor = |columns: &u32| TensorType {
        matrices: 1,
        rows: 1,
        columns: *columns,
        element,
    };
    let target = extents.len() - 1;
    let rearrangement = Rearrangement {
        sources: (0..target).collect(),
        target,
        map,
    };
    Group {
        tensors: extents.iter().map(tensor).collect(),
        kernels: vec![rearrange::kernel("moves", rearrangement)],
        locations: vec!["here".to_owned()],
        ..Group::default()
    }
}

/// Returns elements of arbitrary bits.
fn elements(count: u32, element: Element, seed: u32) -> Vec<f32> {
    let mask = match element {
        Element::Bf16 => 0xffff_0000,
        Element::F32 | Element::I32 => u32::MAX,
    };
    let bits = random(seed).map(|bits| f32::from_bits(bits & mask));
    [0.0, -0.0]
        .into_iter()
        .chain(bits)
        .take(count as usize)
        .collect()
}

/// Returns the elements of a tensor that is an argument of a kernel.
fn viewed(tensor: &Tensor, all: &[f32]) -> Vec<f32> {
    match &tensor.view {
        None => all.to_vec(),
        Some(view) => view.indices().map(|at| all[at]).collect(),
    }
}

/// Executes the statements of a kernel, and returns the elements of the result; `None` where they
/// write nothing.
fn execute(
    kernel: &Kernel,
    inputs: &[Vec<f32>],
    (statements, model): (&Statements, Model),
    count: usize,
) -> Vec<Option<u32>> {
    let mut machine = Machine::new(Options {
        model,
        races: RacePolicy::Error,
        threads: Some(std::num::NonZero::<usize>::MIN),
        ..Options::default()
    });
    let (read, written) = kernel.tensors.split_at(kernel.inputs);
    for tensor in read {
        write_tensor(
            &mut machine,
            &tensor.layout,
            &viewed(tensor, &inputs[tensor.argument]),
        );
    }
    for tensor in &written[1..] {
        write_empty(&mut machine, &tensor.layout);
    }
    run_on(&mut machine, &written[0].layout, statements).unwrap_or_else(|trap| panic!("{trap}"));
    let mut result = vec![None; count];
    for tensor in written {
        let own = fetch(&mut machine, &tensor.layout);
        let places: Vec<usize> = match &tensor.view {
            None => (0..count).collect(),
            Some(view) => view.indices().collect(),
        };
        assert_eq!(own.len(), places.len());
        for (place, element) in places.into_iter().zip(own) {
            result[place] = Some(element.to_bits());
        }
    }
    result
}

#[track_caller]
fn check(map: &IndexMap, extents: &[u32]) {
    for element in [Element::F32, Element::Bf16, Element::I32] {
        let kernel = kernel(&group(map.clone(), extents, element));
        let (result, sources) = extents.split_last().expect("there is a result");
        let sources = (1..).zip(sources);
        let inputs: Vec<Vec<f32>> = sources
            .map(|(seed, count)| elements(*count, element, seed))
            .collect();
        let bits: Vec<Vec<u32>> = inputs
            .iter()
            .map(|one| one.iter().map(|element| element.to_bits()).collect())
            .collect();
        let bits: Vec<&[u32]> = bits.iter().map(Vec::as_slice).collect();
        let fill = match element {
            Element::I32 => map.fill as i32 as u32,
            Element::F32 | Element::Bf16 => (map.fill as f32).to_bits(),
        };
        let expected = map.apply(&bits, fill, *result as usize);
        let expected: Vec<Option<u32>> = expected.into_iter().map(Some).collect();
        let (program, _) = kernel.program().unwrap_or_else(|error| panic!("{error}"));
        for (form, model) in [
            (IssueOrder::Scheduled, Model::Timed),
            (IssueOrder::Scheduled, Model::Fast),
            (IssueOrder::Sequential, Model::Fast),
        ] {
            let statements = program::statements(&program, form);
            let statements = statements.unwrap_or_else(|error| panic!("{error}"));
            let found = execute(&kernel, &inputs, (&statements, model), *result as usize);
            let mut pairs = found.iter().zip(&expected).enumerate();
            let wrong = pairs.find(|(_, (found, expected))| found != expected);
            assert_eq!(wrong, None, "{element} {form:?} {model:?} {map:?}");
        }
    }
}

#[test]
fn reshapes() {
    for count in [1, 7, 64, 1009, 40_000] {
        check(&IndexMap::view(&[count], 0, vec![1]), &[count as u32; 2]);
    }
}

#[test]
fn permutations() {
    let [a, b, c] = [3, 5, 7];
    let strides = row_major_strides(&[a, b, c]);
    let turned = [2, 0, 1].map(|dim: usize| strides[dim] as i64);
    check(&IndexMap::view(&[c, a, b], 0, turned.to_vec()), &[105; 2]);
}

#[test]
fn slices_and_reversals() {
    // Every third column from the second on, of the last rows first.
    let map = IndexMap::view(&[4, 5], 100, vec![-20, 3]);
    check(&map, &[140, 20]);
}

#[test]
fn broadcasts() {
    check(&IndexMap::view(&[9, 5, 3], 0, vec![0, 1, 0]), &[5, 135]);
}

#[test]
fn concatenations() {
    let map = map(
        &[
            (0, &[4, 3], (0, &[3, 1]), (0, &[10, 1])),
            (1, &[4, 6], (0, &[6, 1]), (3, &[10, 1])),
            (2, &[4, 1], (0, &[1, 1]), (9, &[10, 1])),
        ],
        0.0,
    );
    check(&map, &[12, 24, 4, 40]);
}

/// Tests a tensor that is read twice: in the same layout, and in part.
#[test]
fn repeated_operands() {
    let map = map(
        &[
            (0, &[4, 3], (0, &[3, 1]), (0, &[8, 1])),
            (0, &[4, 3], (0, &[3, 1]), (3, &[8, 1])),
            (0, &[4, 2], (1, &[3, 1]), (6, &[8, 1])),
        ],
        0.0,
    );
    check(&map, &[12, 32]);
}

#[test]
fn fill_values() {
    for fill in [0.0, -3.0] {
        let map = map(&[(0, &[3, 4], (0, &[4, 1]), (17, &[8, 2]))], fill);
        check(&map, &[12, 43]);
    }
    check(&map(&[], 5.0), &[1, 40]);
}
