use super::*;

#[test]
fn values_survive_every_type() {
    for &data_type in DataType::ALL {
        let tensor = Tensor::from_f64s(vec![2, 2], data_type, &[0.0, 1.0, 7.9, 200.0]).unwrap();
        let seven = match data_type {
            DataType::BF16 => 7.90625,
            DataType::F32 => f64::from(7.9_f32),
            _ => 7.0,
        };
        assert_eq!(tensor.to_f64s(), [0.0, 1.0, seven, 200.0], "{data_type}");
        assert_eq!(tensor.elements(), 4);
    }
}

#[test]
fn impossible_tensors_are_refused() {
    let check = |result: Result<Tensor, TensorError>, text: &str| {
        assert_eq!(result.unwrap_err().to_string(), text);
    };
    check(
        Tensor::new(vec![2, 3], DataType::BF16, vec![0; 11]),
        "a bf16 tensor of 2x3 has 12 bytes, but 11 were given",
    );
    check(
        Tensor::new(vec![u64::MAX, 2], DataType::F32, vec![]),
        "a tensor of shape 18446744073709551615x2 does not fit in memory",
    );
    check(
        Tensor::new(vec![2, 0], DataType::F32, vec![]),
        "the shape 2x0 has an extent of 0: there are no empty tensors",
    );
    check(
        Tensor::from_f64s(vec![2], DataType::UI8, &[1.0, 256.0]),
        "the value 256 at element 1 is no ui8",
    );
}
