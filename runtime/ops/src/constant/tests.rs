use super::*;
use crate::attribute::{AttributeValue, Attributes};
use crate::table::from_name;

fn r#type(shape: &[u64], element: ElementType) -> TensorType {
    TensorType {
        shape: shape.to_vec(),
        element,
    }
}

fn f32s(shape: &[u64], values: &[f32]) -> Constant {
    let bytes: Vec<u8> = values
        .iter()
        .flat_map(|value| value.to_le_bytes())
        .collect();
    Constant::from_bytes(r#type(shape, ElementType::F32), &bytes).expect("a constant")
}

fn folded(
    name: &str,
    attributes: &Attributes,
    operands: &[Constant],
    result: ElementType,
) -> Option<Constant> {
    let types: Vec<_> = operands
        .iter()
        .map(|one| one.tensor_type().clone())
        .collect();
    let call = Call {
        op: from_name(name).expect(name),
        operands: &types,
        attributes,
    };
    fold(&call, operands, result)
}

#[test]
fn results_are_rounded_once() {
    let none = Attributes::none();
    let [x, y] = [f32s(&[2], &[1.0, 0.1]), f32s(&[1], &[0.2])];
    let sum = folded("add", &none, &[x.clone(), y], ElementType::F32);
    let expect = [1.0 + 0.2f32, (f64::from(0.1f32) + f64::from(0.2f32)) as f32];
    assert_eq!(sum, Some(f32s(&[2], &expect)));
    let cast = folded("typecast", &none, &[x], ElementType::Bf16).expect("it is folded");
    assert_eq!(cast.to_bytes(), [0x80, 0x3f, 0xcd, 0x3d]);
}

/// Splats of any shape are folded if the result is a splat.
#[test]
fn repeated_values_are_folded() {
    let none = Attributes::none();
    let large = [1 << 20, 1 << 20];
    let [three, half] = [3.0, 0.5].map(|value| {
        let splat = Constant::splat(r#type(&large, ElementType::F32), value);
        splat.expect("it is finite")
    });
    let product = folded("multiply", &none, &[three.clone(), half], ElementType::F32);
    let product = product.expect("it is folded");
    assert_eq!(product.tensor_type().shape, large);
    assert_eq!(product.to_bytes(), 1.5f32.to_le_bytes());
    let swap = none.with("permutation", AttributeValue::Ints(vec![1, 0]));
    let moved = folded(
        "permute",
        &swap,
        std::slice::from_ref(&three),
        ElementType::F32,
    );
    assert_eq!(moved, Some(three.clone()));
    let keep = Attributes::none().with("keep_dim", AttributeValue::Bool(false));
    assert_eq!(folded("sum", &keep, &[three], ElementType::F32), None);
    let threes = Constant::splat(r#type(&[4], ElementType::F32), 3.0).expect("a constant");
    let sum = folded("sum", &keep, &[threes], ElementType::F32);
    assert_eq!(sum, Some(f32s(&[], &[12.0])));
}

#[test]
fn results_that_depend_on_the_device_are_not_folded() {
    let none = Attributes::none();
    let one = |value| f32s(&[1], &[value]);
    for (name, operands, result) in [
        ("log", vec![one(-1.0)], ElementType::F32),
        ("reciprocal", vec![one(0.0)], ElementType::F32),
        ("exp", vec![one(100.0)], ElementType::F32),
        // No integer is so large, and no such type is folded.
        ("typecast", vec![one(1e10)], ElementType::Int(32)),
        ("typecast", vec![one(1.0)], ElementType::F64),
        ("bitwise_not", vec![one(1.0)], ElementType::F32),
    ] {
        assert_eq!(folded(name, &none, &operands, result), None, "{name}");
    }
    let softmax = none.clone().with("dimension", AttributeValue::Int(0));
    assert_eq!(
        folded("softmax", &softmax, &[one(1.0)], ElementType::F32),
        None
    );
    let nan = f32::NAN.to_le_bytes();
    let scalar = r#type(&[], ElementType::F32);
    assert_eq!(Constant::from_bytes(scalar.clone(), &nan), None);
    assert_eq!(Constant::from_bytes(scalar, &[0; 8]), None);
    let many = r#type(&[MAX_ELEMENTS + 1], ElementType::Int(32));
    let numbers: Vec<u8> = (0..=MAX_ELEMENTS as u32)
        .flat_map(u32::to_le_bytes)
        .collect();
    assert_eq!(Constant::from_bytes(many, &numbers), None);
    let empty = r#type(&[0], ElementType::F32);
    let empty = Constant::splat(empty, 1.0).expect("a value");
    assert_eq!(folded("exp", &none, &[empty], ElementType::F32), None);
}

#[test]
fn integers_wrap() {
    let integers = |value| {
        let splat = Constant::splat(r#type(&[3], ElementType::Int(32)), value);
        splat.expect("an integer")
    };
    let operands = [integers(f64::from(i32::MAX)), integers(1.0)];
    let sum = folded("add", &Attributes::none(), &operands, ElementType::Int(32));
    assert_eq!(sum, Some(integers(f64::from(i32::MIN))));
}
