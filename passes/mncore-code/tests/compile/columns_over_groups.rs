//! Products and element-wise kernels whose groups have their own columns: all such candidates
//! compute the expected result, and results are column sides of the next product in place.

use tessera_isa_mncore::memory::Precision;
use tessera_isa_mncore::table::l2bm::L2bmKind;
use tessera_mncore_code::compile::{candidates, Kernel};
use tessera_mncore_ir::item::Op;
use tessera_pto::builder::Builder;
use tessera_pto::kernel::{Axis, Binary, Broadcast, Compute, Element, Group, Reduce, Value};

use crate::given::{options, Given, ALL};
use crate::groups::{over_tiles, product_of_elements, singles, TILE};
use crate::reduced::Reduced;
use crate::reductions::exact;
use crate::split_k::has;

/// Returns whether L1Bs store their own rows, which only these candidates do.
pub fn is_over_groups(kernel: &Kernel) -> bool {
    let picks = |op: &Op| matches!(op, Op::L2bm { op, .. } if op.kind == L2bmKind::Pick);
    has(&kernel.stages, &picks)
}

#[test]
fn all_products_compute_the_same() {
    for (extents, every) in [
        ([16, 64, 16], 3),
        ([33, 165, 97], 3),
        ([130, 100, 300], 5),
        ([300, 256, 384], 7),
        // Three tiles of rows, which lie apart in DRAM.
        ([100, 200, 330], 5),
        // Five: each has tags of its own.
        ([40, 64, 513], 3),
    ] {
        for precision in [Precision::Half, Precision::Pseudo, Precision::Single] {
            for element in [Element::F32, Element::Bf16] {
                Given::product(extents, element).check(precision, every, &is_over_groups, ALL);
            }
        }
    }
}

#[test]
fn batches_and_functions_behind_a_product() {
    let check = |given: Given, every| given.check(Precision::Pseudo, every, &is_over_groups, ALL);
    check(Given::products(3, [70, 64, 200]), 3);
    check(Given::finished([170, 100, 200]), 5);
    check(Given::cut_off([100, 64, 130], Element::Bf16), 5);
}

/// The layout of results is that of the column side, including its place in each group.
#[test]
fn results_are_column_sides() {
    let layout = |kernel: &Kernel, tensor: usize| {
        let text = kernel.tensors[tensor].layout.to_string();
        text.split(" @").next().map(str::to_owned)
    };
    for element in [Element::F32, Element::Bf16] {
        let group = product_of_elements([128, 384, 384], element);
        let all = candidates(&group, &options(Precision::Pseudo)).expect("it compiles");
        let mut own = all.iter().filter(|kernel| is_over_groups(kernel));
        assert!(own.any(|kernel| layout(kernel, 0) == layout(kernel, 2)));
    }
}

#[test]
fn all_reductions_compute_the_same() {
    for (extents, axis) in [
        ([300, 100], Axis::Rows),
        ([100, 75], Axis::Columns),
        ([31, 5], Axis::Rows),
        ([700, 33], Axis::Columns),
    ] {
        for reduce in [Reduce::Sum, Reduce::Max] {
            let reduced = Reduced::along(reduce, axis, extents);
            let given = Given::new(reduced.group(), move |inputs| {
                let negated: Vec<f32> = inputs[0].iter().map(|x| -x).collect();
                exact(reduced, &negated)
            });
            given.check(Precision::Pseudo, 1, &is_over_groups, ALL);
        }
    }
}

/// Returns a group that subtracts the maximum of each row.
fn less_maximum(extents: [u32; 2]) -> Group {
    let [rows, columns] = extents;
    let tensors = [singles(rows, columns), singles(rows, columns)];
    over_tiles(&tensors, |builder, row, column| {
        let load = |builder: &mut Builder, [row, column]: [Value; 2], kind| {
            builder.load(0, row, column, kind)
        };
        let most = Reduced::along(Reduce::Max, Axis::Columns, extents);
        let most = most.joined(builder, [row, column], &load);
        let tile = builder.load(0, row, column, TILE);
        let less = Compute::Binary(Binary::Subtract, Broadcast::Column);
        builder.compute(less, &[tile, most], TILE)
    })
}

#[test]
fn operations_after_a_reduction() {
    for extents in [[70, 100], [300, 40], [20, 700], [70, 1]] {
        let columns = extents[1] as usize;
        let given = Given::new(less_maximum(extents), move |inputs| {
            let rows = inputs[0].chunks(columns);
            let of_row = |row: &[f32]| {
                let most = row.iter().copied().fold(f32::NEG_INFINITY, f32::max);
                row.iter().map(|x| x - most).collect::<Vec<_>>()
            };
            rows.flat_map(of_row).collect()
        });
        given.check(Precision::Pseudo, 1, &is_over_groups, ALL);
    }
}

/// Returns a group that adds a row, a column, or another matrix to a matrix.
fn sum(extents: [u32; 2], broadcast: Broadcast) -> Group {
    let [rows, columns] = extents;
    let other = match broadcast {
        Broadcast::Row => singles(1, columns),
        Broadcast::Column => singles(rows, 1),
        _ => singles(rows, columns),
    };
    let tensors = [singles(rows, columns), other, singles(rows, columns)];
    over_tiles(&tensors, |builder, row, column| {
        let zero = builder.constant(0);
        let (row_of_other, column_of_other, mut kind) = match broadcast {
            Broadcast::Row => (zero, column, TILE),
            Broadcast::Column => (row, zero, TILE),
            _ => (row, column, TILE),
        };
        match broadcast {
            Broadcast::Row => kind.rows = 1,
            Broadcast::Column => kind.columns = 1,
            _ => {}
        }
        let tile = builder.load(0, row, column, TILE);
        let other = builder.load(1, row_of_other, column_of_other, kind);
        builder.compute(
            Compute::Binary(Binary::Add, broadcast),
            &[tile, other],
            TILE,
        )
    })
}

#[test]
fn element_wise_operations() {
    for extents in [[100, 40], [40, 300], [300, 150], [1, 200], [500, 1]] {
        for broadcast in [Broadcast::None, Broadcast::Row, Broadcast::Column] {
            let columns = extents[1] as usize;
            let given = Given::new(sum(extents, broadcast), move |inputs| {
                let of = |(at, x): (usize, &f32)| {
                    x + inputs[1][match broadcast {
                        Broadcast::Row => at % columns,
                        Broadcast::Column => at / columns,
                        _ => at,
                    }]
                };
                inputs[0].iter().enumerate().map(of).collect()
            });
            given.check(Precision::Pseudo, 1, &is_over_groups, ALL);
        }
    }
}
