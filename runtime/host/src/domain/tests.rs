use super::*;
use tessera_ops::AttributeValue;
use tessera_program::{DataType, KernelOp, Layout, MemorySpace, Op, TensorDesc};

const DEFAULT: Distribution = DISTRIBUTIONS[0];
const SMALL: Distribution = DISTRIBUTIONS[1];
const POSITIVE: Distribution = DISTRIBUTIONS[2];

/// Returns the distributions of two inputs of 4x4 elements, tensors 0 and 1, for these operations;
/// their results have 4x4 elements, too.
fn chosen(ops: Vec<TensorOp>) -> Vec<Distribution> {
    let desc = TensorDesc {
        name: None,
        shape: vec![4, 4],
        data_type: DataType::F32,
        layout: Layout::RowMajor,
        memory: MemorySpace::System,
    };
    let operation = |op: Op| Operation {
        op,
        debug_info: String::new(),
        loc: String::new(),
    };
    let operations = ops.into_iter().map(|op| operation(op.into())).collect();
    let group = KernelOp {
        operations,
        outputs: vec![],
        kernels: vec![],
    };
    distributions(&Program {
        name: "f".into(),
        private: false,
        tensors: vec![desc; 10],
        inputs: vec![0, 1],
        cached: vec![],
        outputs: vec![],
        operations: vec![operation(group.into())],
    })
}

fn op(name: &str, inputs: &[GlobalId], out: GlobalId) -> TensorOp {
    TensorOp::new(name, inputs, &[out]).expect(name)
}

#[test]
fn operands_stay_in_the_domain() {
    let one = |value| op("full", &[], 9).with("fill_value", AttributeValue::Float(value));
    for (ops, expected) in [
        (vec![op("exp", &[0], 2)], [DEFAULT, DEFAULT]),
        (vec![op("sqrt", &[0], 2)], [POSITIVE, DEFAULT]),
        (vec![op("divide", &[0, 1], 2)], [DEFAULT, POSITIVE]),
        (
            vec![op("matmul", &[0, 1], 2), op("log", &[2], 3)],
            [POSITIVE, POSITIVE],
        ),
        (
            vec![op("matmul", &[0, 1], 2), op("reciprocal", &[2], 3)],
            [POSITIVE, POSITIVE],
        ),
        // From 1 to 3.
        (
            vec![one(2.0), op("add", &[0, 9], 2), op("rsqrt", &[2], 3)],
            [SMALL, DEFAULT],
        ),
        // A square is not negative, and a little more than that is positive.
        (
            vec![
                op("multiply", &[0, 0], 2),
                one(1e-5),
                op("add", &[2, 9], 3),
                op("rsqrt", &[3], 4),
            ],
            [DEFAULT, DEFAULT],
        ),
        (
            vec![op("softmax", &[0], 2).with("dimension", AttributeValue::Int(1))],
            [DEFAULT, DEFAULT],
        ),
        // Padding with zeros adds a pole.
        (
            vec![
                op("exp", &[0], 2),
                op("pad", &[2], 3)
                    .with("padding", AttributeValue::Ints(vec![-1, 1, 0, 0]))
                    .with("value", AttributeValue::Float(0.0)),
                op("log", &[3], 4),
            ],
            [DEFAULT, DEFAULT],
        ),
        // All operands of a concatenation count.
        (
            vec![
                one(1.0),
                op("abs", &[1], 2),
                op("concat", &[9, 2], 3).with("dim", AttributeValue::Int(0)),
                op("log", &[3], 4),
            ],
            [DEFAULT, POSITIVE],
        ),
        // Nothing helps the first; the second is helped for all that.
        (
            vec![
                op("subtract", &[0, 0], 2),
                op("log", &[2], 3),
                op("log", &[1], 4),
            ],
            [DEFAULT, POSITIVE],
        ),
    ] {
        let names: Vec<_> = ops.iter().map(|op| op.op.name).collect();
        assert_eq!(chosen(ops), expected, "{names:?}");
    }
}
