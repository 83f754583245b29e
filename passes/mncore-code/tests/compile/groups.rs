//! Groups of kernels over tiles, in the form that the passes create.

use tessera_pto::builder::Builder;
use tessera_pto::kernel::{
    Binary, Compute, Element, Group, ScalarOp, TensorType, TileType, Type, Unary, Value,
};

/// A tensor of matrices of singles.
pub fn matrices(matrices: u32, rows: u32, columns: u32) -> TensorType {
    TensorType {
        matrices,
        ..singles(rows, columns)
    }
}

/// A tensor of singles.
pub fn singles(rows: u32, columns: u32) -> TensorType {
    TensorType {
        matrices: 1,
        rows,
        columns,
        element: Element::F32,
    }
}

pub const TILE: TileType = TileType::full(32, 32, Element::F32);

/// Returns a group with a loop over the tiles of the last tensor, which stores the tile that
/// `value` builds.
pub fn over_tiles(
    tensors: &[TensorType],
    value: impl FnOnce(&mut Builder, Value, Value) -> Value,
) -> Group {
    batched(tensors, 1, |builder, _, row, column| {
        value(builder, row, column)
    })
}

/// As above, over this many matrices.
pub fn batched(
    tensors: &[TensorType],
    matrices: u32,
    value: impl FnOnce(&mut Builder, Value, Value, Value) -> Value,
) -> Group {
    let last = tensors.len() - 1;
    let [down, across] = tensors[last].tiles([32, 32]).map(|count| count as i64);
    let own = down / i64::from(matrices);
    let kernel = Builder::kernel("test", |builder| {
        builder.repeat(matrices.into(), |builder, matrix| {
            builder.repeat(own, |builder, row| {
                builder.repeat(across, |builder, column| {
                    let tile = value(builder, matrix, row, column);
                    let down = builder.constant(own);
                    let first = builder.scalar(ScalarOp::Multiply, matrix, down);
                    let row = builder.scalar(ScalarOp::Add, first, row);
                    builder.store(last, tile, row, column);
                });
            });
        });
    });
    Group {
        tensors: tensors.to_vec(),
        kernels: vec![kernel],
        locations: vec!["here".into()],
        ..Group::default()
    }
}

/// Builds a tile of the product of the first two tensors.
pub fn product(builder: &mut Builder, row: Value, column: Value, depth: u32) -> Value {
    product_of(builder, row, column, depth, [TILE, TILE])
}

/// As above, with these tile types.
pub fn product_of(
    builder: &mut Builder,
    row: Value,
    column: Value,
    depth: u32,
    tiles: [TileType; 2],
) -> Value {
    product_after(builder, [row, column], depth, tiles, &|_, _, tile| tile)
}

/// As above, with operations on the tiles of factor 0 or 1.
pub fn product_after(
    builder: &mut Builder,
    [row, column]: [Value; 2],
    depth: u32,
    [left, right]: [TileType; 2],
    before: &dyn Fn(&mut Builder, usize, Value) -> Value,
) -> Value {
    let zero = builder.constant(0);
    let factors = |builder: &mut Builder, step| {
        let a = builder.load(0, row, step, left);
        let b = builder.load(1, step, column, right);
        [before(builder, 0, a), before(builder, 1, b)]
    };
    let [a, b] = factors(builder, zero);
    let first = builder.compute(Compute::Matmul, &[a, b], TILE);
    let tiles = i64::from(depth.div_ceil(32));
    if tiles == 1 {
        return first;
    }
    let bounds = [1, tiles, 1].map(|number| builder.constant(number));
    let sum = builder.for_loop(bounds, &[first], |builder, step, sum| {
        let [a, b] = factors(builder, step);
        vec![builder.compute(Compute::MatmulAcc, &[sum[0], a, b], TILE)]
    });
    assert_eq!(builder.type_of(sum[0]), Type::Tile(TILE));
    sum[0]
}

/// Returns a product of tensors with this element type.
pub fn product_of_elements(extents: [u32; 3], element: Element) -> Group {
    product_and(extents, element, &|_, sum| sum)
}

/// relu(a·b), of elements, which are rounded after it
pub fn product_then_relu(extents: [u32; 3], element: Element) -> Group {
    product_and(extents, element, &|builder, sum| {
        builder.unary(Unary::Relu, sum)
    })
}

/// Returns a product with an operation on each sum before it is rounded to the element type.
fn product_and(
    [m, k, n]: [u32; 3],
    element: Element,
    then: &dyn Fn(&mut Builder, Value) -> Value,
) -> Group {
    let of = |rows, columns| TensorType {
        element,
        ..singles(rows, columns)
    };
    let tile = TileType { element, ..TILE };
    over_tiles(&[of(m, k), of(k, n), of(m, n)], |builder, row, column| {
        let sum = product_of(builder, row, column, k, [tile, tile]);
        let sum = then(builder, sum);
        match element {
            Element::Bf16 => builder.compute(Compute::Convert, &[sum], tile),
            _ => sum,
        }
    })
}

/// sqrt(a·a)·b, in which the first product is of elements
pub fn product_of_roots([m, k, n]: [u32; 3]) -> Group {
    let tensors = [singles(m, k), singles(k, n), singles(m, n)];
    over_tiles(&tensors, |builder, row, column| {
        let factors = |builder: &mut Builder, step: Value| {
            let a = builder.load(0, row, step, TILE);
            let square = builder.binary(Binary::Multiply, a, a);
            let a = builder.unary(Unary::Sqrt, square);
            [a, builder.load(1, step, column, TILE)]
        };
        let zero = builder.constant(0);
        let first = factors(builder, zero);
        let sum = builder.compute(Compute::Matmul, &first, TILE);
        let bounds = [1, i64::from(k.div_ceil(32)), 1].map(|number| builder.constant(number));
        builder.for_loop(bounds, &[sum], |builder, step, sum| {
            let [a, b] = factors(builder, step);
            vec![builder.compute(Compute::MatmulAcc, &[sum[0], a, b], TILE)]
        })[0]
    })
}
