//! Kernels that rearrange elements: their results, and errors of those that are not well formed.

use tessera_ops::{row_major_strides, IndexMap, StridedCopy};
use tessera_pto::builder::Builder;
use tessera_pto::kernel::{Element, Group, OpKind, TensorType, TileType};
use tessera_pto::machine::{Machine, LIMIT};
use tessera_pto::numerics::{round, Numbers};
use tessera_pto::rearrange::{self, Rearrangement};
use tessera_pto::ring::Protocol;
use tessera_pto::schedule::{Random, Schedule};
use tessera_pto::validate;

/// Returns a copy of a 2 x 3 box of a 4 x 5 matrix to a 3 x 4 result.
fn copy() -> StridedCopy {
    StridedCopy {
        operand: 0,
        extents: vec![2, 3],
        source_offset: 6,
        source_strides: vec![5, 1],
        result_offset: 5,
        result_strides: vec![4, 1],
    }
}

fn tensor(matrices: u32, rows: u32, columns: u32, element: Element) -> TensorType {
    TensorType {
        matrices,
        rows,
        columns,
        element,
    }
}

/// Returns a group that computes the last tensor from the others.
fn group(tensors: Vec<TensorType>, map: IndexMap) -> Group {
    let target = tensors.len() - 1;
    let rearrangement = Rearrangement {
        sources: (0..target).collect(),
        target,
        map,
    };
    Group {
        tensors,
        kernels: vec![rearrange::kernel("moves", rearrangement)],
        locations: vec!["here".to_owned()],
        ..Group::default()
    }
}

fn small(copies: Vec<StridedCopy>) -> Group {
    let tensors = vec![tensor(1, 4, 5, Element::F32), tensor(1, 3, 4, Element::F32)];
    group(
        tensors,
        IndexMap {
            copies,
            fill: -1.0,
            lookup: None,
        },
    )
}

/// Runs a group on the elements of all tensors except the last, which it returns.
fn run(group: &Group, inputs: &[Vec<f64>]) -> Vec<f64> {
    let mut machine = Machine::<Numbers>::new(group, Protocol::default()).expect("it is valid");
    for (tensor, elements) in machine.world.tensors.iter_mut().zip(inputs) {
        tensor.elements.clone_from(elements);
    }
    machine.launch(Schedule::Greedy, LIMIT).expect("it ends");
    let result = machine.world.tensors.pop().expect("there is a result");
    result.elements
}

#[test]
fn a_rearrangement_reads_well() {
    let text = "\
tensor 0: 1x4x5xf32
tensor 1: 1x3x4xf32
kernel \"moves\"
  rearrange tensors [0] to 1, fill -1.0, copy 0 of [2, 3] from 6 by [5, 1] to 5 by [4, 1]  # here
";
    assert_eq!(small(vec![copy()]).to_string(), text);
}

#[test]
fn elements_without_a_source_are_filled() {
    let inputs = [(0..20).map(f64::from).collect()];
    let found = run(&small(vec![copy()]), &inputs);
    let expected = [
        -1.0, -1.0, -1.0, -1.0, -1.0, 6.0, 7.0, 8.0, -1.0, 11.0, 12.0, 13.0,
    ];
    assert_eq!(found, expected);
}

/// Returns a random map. It concatenates a box of each operand, which is permuted, strided,
/// reversed or repeated.
fn random_map(random: &mut Random) -> (Vec<TensorType>, IndexMap) {
    let mut tensors = Vec::new();
    let mut copies = Vec::new();
    let mut next = 0;
    let mut below = |count: u64| random.below(count);
    for operand in 0..1 + below(3) as usize {
        let shape = [1 + below(3), 1 + below(5), 1 + below(40)];
        let [matrices, rows, columns] = shape.map(|extent| extent as u32);
        tensors.push(tensor(matrices, rows, columns, Element::F32));
        let strides = row_major_strides(&shape);
        let first = below(3) as usize;
        let (mut extents, mut source_strides) = (Vec::new(), Vec::new());
        let mut source_offset = 0;
        for dim in (0..3).map(|dim| (dim + first) % 3) {
            let step = 1 + below(2);
            let extent = shape[dim].div_ceil(step);
            let (stride, last) = (strides[dim] * step, (extent - 1) * step);
            match below(3) {
                0 => {
                    source_offset += last * strides[dim];
                    source_strides.push(-(stride as i64));
                }
                1 => source_strides.push(stride as i64),
                _ => source_strides.push(0),
            }
            extents.push(extent);
        }
        let result_strides = row_major_strides(&extents);
        let result_offset = next + below(4);
        next = result_offset + extents.iter().product::<u64>();
        copies.push(StridedCopy {
            operand,
            extents,
            source_offset,
            source_strides,
            result_offset,
            result_strides,
        });
    }
    let columns = (next + below(4)) as u32;
    tensors.push(tensor(1, 1, columns, Element::F32));
    (
        tensors,
        IndexMap {
            copies,
            fill: 0.5,
            lookup: None,
        },
    )
}

/// The interpreter copies elements as the index map specifies.
#[test]
fn random_rearrangements_are_those_of_their_maps() {
    let mut random = Random(1);
    for _ in 0..500 {
        let (tensors, map) = random_map(&mut random);
        let (result, sources) = tensors.split_last().expect("there is a result");
        let count = |tensor: &TensorType| tensor.elements().expect("it is small") as usize;
        let inputs: Vec<Vec<f64>> = sources
            .iter()
            .map(|one| (0..count(one)).map(|at| at as f64).collect())
            .collect();
        let operands: Vec<&[f64]> = inputs.iter().map(Vec::as_slice).collect();
        let expected = map.apply(&operands, map.fill, count(result));
        let simple = IndexMap {
            copies: map.copies.iter().map(StridedCopy::simplified).collect(),
            ..map
        };
        assert_eq!(simple.apply(&operands, map.fill, count(result)), expected);
        assert_eq!(run(&group(tensors.clone(), map), &inputs), expected);
        assert_eq!(run(&group(tensors, simple), &inputs), expected);
    }
}

#[test]
fn fill_values_are_rounded() {
    let tensors = vec![tensor(1, 1, 2, Element::Bf16)];
    let copies = Vec::new();
    let fill = 1.0 + 1.0 / 512.0;
    let found = run(
        &group(
            tensors,
            IndexMap {
                copies,
                fill,
                lookup: None,
            },
        ),
        &[],
    );
    assert_eq!(found, [round(Element::Bf16, fill); 2]);
}

#[track_caller]
fn check(group: &Group, expect: &str) {
    let found = validate::group(group).expect_err(expect).to_string();
    assert_eq!(found, format!("kernel moves at here: {expect}"));
}

#[test]
fn rearrangements_that_are_not_well_formed() {
    assert_eq!(validate::group(&small(vec![copy()])), Ok(()));
    check(
        &small(vec![StridedCopy {
            operand: 1,
            ..copy()
        }]),
        "there is no operand 1 to copy",
    );
    check(
        &small(vec![StridedCopy {
            source_offset: 16,
            ..copy()
        }]),
        "a copy reads beyond its operand: its elements are 16 to 23, of an array of 20",
    );
    check(
        &small(vec![StridedCopy {
            result_offset: 7,
            ..copy()
        }]),
        "a copy writes beyond the result: its elements are 7 to 13, of an array of 12",
    );
    check(
        &small(vec![StridedCopy {
            result_strides: vec![2, 1],
            ..copy()
        }]),
        "the dimensions of a copy are not nested in the result, the outermost first",
    );
    check(
        &small(vec![copy(), copy(), copy()]),
        "18 elements are copied to a result of 12",
    );
    check(
        &small(vec![StridedCopy {
            source_strides: vec![1],
            ..copy()
        }]),
        "a copy reads beyond its operand: it has 2 extents and 1 strides; there are as many of \
         each, 32 at most",
    );
    check(
        &small(vec![StridedCopy {
            extents: vec![2, 0],
            ..copy()
        }]),
        "a copy reads beyond its operand: it has no elements, or too many",
    );
    let damaged = |damage: &dyn Fn(&mut Rearrangement)| {
        let mut group = small(vec![copy()]);
        let OpKind::Rearrange(moves) = &mut group.kernels[0].body.ops[0].kind else {
            panic!("it moves elements");
        };
        damage(moves);
        group
    };
    check(
        &damaged(&|moves| moves.sources = vec![2]),
        "there is no tensor 2",
    );
    check(&damaged(&|moves| moves.target = 3), "there is no tensor 3");
    check(
        &damaged(&|moves| moves.sources = vec![1]),
        "types do not fit: a tensor is rearranged to another one",
    );
    let mut other = small(vec![copy()]);
    other.tensors[0].element = Element::I32;
    check(
        &other,
        "types do not fit: a tensor is rearranged to one of the same elements",
    );
}

#[test]
fn a_rearrangement_is_alone() {
    const EXPECT: &str =
        "a kernel that rearranges tensors does nothing else, and is alone in its group";
    let mut beside = small(vec![copy()]);
    let other = Builder::kernel("other", |_| ());
    beside.kernels.push(other);
    check(&beside, EXPECT);
    let mut more = small(vec![copy()]);
    let own = more.kernels[0].body.ops[0].clone();
    more.kernels[0].body.ops.push(own);
    check(&more, EXPECT);
    // In a loop, too.
    let mut around = small(vec![copy()]);
    let moves = around.kernels[0].body.ops.remove(0).kind;
    around.kernels = vec![Builder::kernel("moves", |builder| {
        builder.repeat(2, |builder, _| {
            builder.op(moves, &[], &[]);
        });
    })];
    check(&around, EXPECT);
    let mut operand = small(vec![copy()]);
    operand.kernels[0] = Builder::kernel("moves", |builder| {
        let tile = TileType::full(4, 4, Element::F32);
        let zero = builder.constant(0);
        builder.load(0, zero, zero, tile);
    });
    assert_eq!(validate::group(&operand), Ok(()));
    assert_eq!(operand.rearrangement(), None);
}
