use super::super::numerics::MatmulModel;
use super::*;
use crate::devices::NUMERICS;
use tessera_program::TensorOp;

/// Share used by `found` where `[a] @ [b]` was asked for, one element each.
fn product(a: f64, b: f64, found: f64) -> f64 {
    let tensor = |value| Tensor::from_f64s(vec![1, 1], DataType::BF16, &[value]).unwrap();
    let mut operands = Values::new();
    operands.set(0, tensor(a));
    operands.set(1, tensor(b));
    let op = TensorOp::new("matmul", &[0, 1], &[2]).unwrap();
    let numerics = NUMERICS;
    let MatmulModel::Aligned(products) = &numerics.products else {
        panic!("{numerics:?}");
    };
    let exact =
        AlignedProduct::new(&numerics, products, &op.product().unwrap(), &operands).unwrap();
    let expected = exact.to_tensor(DataType::BF16).unwrap();
    let (usage, nrms) = exact
        .bound_usage(&tensor(found), &expected, &|_| false)
        .unwrap();
    assert_eq!(usage.undetermined(), 0);
    usage.max().max(nrms)
}

#[test]
fn single_products() {
    assert_eq!(product(3.0, 2.0, 6.0), 0.0);
    // Half way between two numbers of bf16 or nearly so, rounding alone costs more than 2.5e-3.
    let exact: f64 = 1.0078125 * 1.0078125;
    assert!(product(1.0078125, 1.0078125, exact) <= 1.0);
    assert!(
        product(1.0, 1.0, 1.0078125) > 1.0,
        "one unit in the last place too much"
    );
    assert!(product(1.0, 1.0, 0.98) > 1.0);
    assert_eq!(product(1.0, 0.0, 1e-30), f64::INFINITY);
    assert_eq!(product(1.0, 1.0, f64::NAN), f64::INFINITY);
    assert_eq!(product(1.0, 1.0, f64::INFINITY), f64::INFINITY);
}

#[test]
fn products_that_are_not_finite() {
    assert_eq!(product(f64::NAN, 1.0, f64::INFINITY), 0.0);
    assert_eq!(product(f64::NAN, 1.0, 5.0), f64::INFINITY);
    assert_eq!(product(f64::INFINITY, -1.0, f64::NEG_INFINITY), 0.0);
    assert_eq!(
        product(f64::INFINITY, 1.0, f64::NEG_INFINITY),
        f64::INFINITY
    );
    assert_eq!(product(1e30, 1e30, f64::INFINITY), 0.0);
}

#[test]
fn rounding_of_few_elements_is_allowed() {
    // The product 1.0078125 * 1.515625 = 1.52746… lies between two numbers of bf16; both are
    // near enough.
    for found in [1.5234375, 1.53125] {
        assert!(product(1.0078125, 1.515625, found) <= 1.0, "{found}");
    }
    assert!(product(1.0078125, 1.515625, 1.5390625) > 1.0);
}

/// The root mean square of one error is relative to the terms of its sum, not to what is left of
/// them. An error that is large compared to them stays one.
#[test]
fn sums_that_nearly_cancel() {
    let row = |values: &[f64], shape: [u64; 2]| {
        Tensor::from_f64s(shape.to_vec(), DataType::F32, values).unwrap()
    };
    let mut operands = Values::new();
    operands.set(0, row(&[1.0, -1.0 + 0.0625], [1, 2]));
    operands.set(1, row(&[1.0, 1.0], [2, 1]));
    let op = TensorOp::new("matmul", &[0, 1], &[2]).unwrap();
    let MatmulModel::Aligned(products) = &NUMERICS.products else {
        panic!("{NUMERICS:?}");
    };
    let product = op.product().unwrap();
    let exact = AlignedProduct::new(&NUMERICS, products, &product, &operands).unwrap();
    let expected = exact.to_tensor(DataType::F32).unwrap();
    let rms_usage = |error: f64| {
        let found = row(&[0.0625 + error], [1, 1]);
        let usage = exact.bound_usage(&found, &expected, &|_| false);
        usage.unwrap().1
    };
    assert!(rms_usage(1e-3) <= 1.0);
    assert!(rms_usage(4e-3) > 1.0);
}
