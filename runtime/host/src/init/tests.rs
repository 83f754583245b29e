use super::*;
use tessera_program::{Layout, MemorySpace, Operation, TensorOp};

fn tensor(init: Init, seed: u64, data_type: DataType, extent: u64) -> Vec<f64> {
    let desc = TensorDesc {
        name: None,
        shape: vec![extent],
        data_type,
        layout: Layout::RowMajor,
        memory: MemorySpace::System,
    };
    Source::new(init, seed).tensor(&desc).unwrap().to_f64s()
}

#[test]
fn simple_kinds() {
    assert_eq!(tensor(Init::Zeros, 1, DataType::BF16, 2), [0.0, 0.0]);
    assert_eq!(tensor(Init::Ones, 1, DataType::SI32, 2), [1.0, 1.0]);
    assert_eq!(tensor(Init::Arange, 1, DataType::F32, 3), [0.0, 1.0, 2.0]);
    assert_eq!(
        tensor(Init::Arange, 1, DataType::UI8, 258)[255..],
        [255.0, 0.0, 1.0]
    );
}

#[test]
fn random_kinds() {
    let values = tensor(Init::Randn, 7, DataType::F32, 10_000);
    let mean = values.iter().sum::<f64>() / 1e4;
    let variance = values.iter().map(|value| value * value).sum::<f64>() / 1e4;
    assert!(
        mean.abs() < 0.05 && (variance - 1.0).abs() < 0.05,
        "{mean} {variance}"
    );
    assert_eq!(values, tensor(Init::Randn, 7, DataType::F32, 10_000));
    assert_ne!(values, tensor(Init::Randn, 8, DataType::F32, 10_000));
    let integers = tensor(Init::Randn, 7, DataType::SI32, 1000);
    assert!(integers.iter().all(|value| (0.0..100.0).contains(value)));
}

/// An input whose root is taken is positive; the next one is as it would be alone.
#[test]
fn inputs_of_programs_keep_to_domains() {
    let desc = |extent| TensorDesc {
        name: None,
        shape: vec![extent],
        data_type: DataType::F32,
        layout: Layout::RowMajor,
        memory: MemorySpace::System,
    };
    let root = TensorOp::new("sqrt", &[0], &[2]).unwrap();
    let program = Program {
        name: "f".into(),
        private: false,
        tensors: vec![desc(1000), desc(10), desc(1000)],
        inputs: vec![0, 1],
        cached: vec![],
        outputs: vec![2],
        operations: vec![Operation {
            op: root.into(),
            debug_info: String::new(),
            loc: String::new(),
        }],
    };
    let inputs = Source::new(Init::Randn, 3).inputs(&program).unwrap();
    let positive = inputs[0].to_f64s();
    assert!(positive.iter().all(|value| (0.5..1.5).contains(value)));
    let mean = positive.iter().sum::<f64>() / 1e3;
    assert!((mean - 1.0).abs() < 0.05, "{mean}");
    assert!(inputs[1].to_f64s().iter().any(|value| *value < 0.0));
    let zeros = Source::new(Init::Zeros, 3).inputs(&program).unwrap();
    assert_eq!(zeros[0].to_f64s(), [0.0; 1000]);
}

/// The first number for seed 0, as published with the algorithm's reference code.
#[test]
fn generator_is_splitmix64() {
    assert_eq!(Source::new(Init::Randn, 0).next(), 0xe220_a839_7b1d_cdaf);
}
