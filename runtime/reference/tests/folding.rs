//! Constant folding gives the bits that the reference computes.

use tessera_ops::constant::{fold, Constant};
use tessera_ops::{table, AttributeKind, AttributeValue, Attributes, Class, OpInfo, Presence};
use tessera_program::DataType::{self, BF16, F32, SI32};
use tessera_program::*;
use tessera_reference::{execute, Tensor, Values};

const SHAPE: [u64; 2] = [2, 2];

/// Returns the required attributes of an operation on matrices.
fn attributes(op: &OpInfo) -> Attributes {
    let required = op.attributes.iter();
    let required = required.filter(|info| info.presence == Presence::Required);
    required.fold(Attributes::none(), |attributes, info| {
        let value = match info.kind {
            AttributeKind::Bool => AttributeValue::Bool(true),
            AttributeKind::Int | AttributeKind::Unsigned => AttributeValue::Int(1),
            AttributeKind::Float | AttributeKind::Number => AttributeValue::Float(0.3),
            _ => AttributeValue::Ints(vec![1, 0]),
        };
        attributes.with(info.name, value)
    })
}

/// Returns an operand of a type, inside the domain of every function, for the first or the second
/// operation of a pair.
fn operand(data_type: DataType, number: usize, is_splat: bool) -> Tensor {
    let values = [0.7, 1.1, 3.7, 0.123];
    let values = values.map(|value| match (is_splat, data_type) {
        (true, SI32) => 3.0 + number as f64,
        (true, _) => 0.7 + number as f64,
        (false, SI32) => (10.0 * value + number as f64).floor(),
        (false, _) => value + number as f64,
    });
    Tensor::from_f64s(SHAPE.to_vec(), data_type, &values).expect("the type has them")
}

/// Returns the result of the reference, and of constant folding if it folds.
fn results(
    op: &'static OpInfo,
    operands: &[Tensor],
    result: DataType,
) -> Option<(Vec<u8>, Vec<u8>)> {
    let inputs: Vec<GlobalId> = (0..operands.len() as GlobalId).collect();
    let out = inputs.len() as GlobalId;
    let mut call = TensorOp::from_info(op, &inputs, &[out]);
    call.attributes = attributes(op);
    let types: Vec<_> = operands.iter().map(Tensor::tensor_type).collect();
    let shape = call.call(&types).infer_shape().ok()?;
    let constants = operands.iter().zip(&types);
    let constants = constants.map(|(operand, r#type)| {
        Constant::from_bytes(r#type.clone(), operand.data()).expect("it is small and finite")
    });
    let folded = fold(
        &call.call(&types),
        &constants.collect::<Vec<_>>(),
        result.into(),
    )?;
    let elements = shape.iter().product::<u64>() as usize;
    let bytes = folded.to_bytes();
    let bytes = match bytes.len() == result.size() {
        true => bytes.repeat(elements),
        false => bytes,
    };
    let desc = |shape: &[u64], data_type| TensorDesc {
        name: None,
        shape: shape.to_vec(),
        data_type,
        layout: Layout::RowMajor,
        memory: MemorySpace::System,
    };
    let given = operands
        .iter()
        .map(|one| desc(one.shape(), one.data_type()));
    let program = Program {
        name: "f".into(),
        private: false,
        tensors: given.chain([desc(&shape, result)]).collect(),
        inputs: inputs.clone(),
        cached: vec![],
        outputs: vec![out],
        operations: vec![],
    };
    let operation = Operation {
        op: call.into(),
        debug_info: String::new(),
        loc: String::new(),
    };
    let mut values = Values::new();
    for (id, operand) in inputs.into_iter().zip(operands) {
        values.set(id, operand.clone());
    }
    execute(&program, &operation, &mut values).unwrap_or_else(|error| panic!("{op}: {error}"));
    let computed = values.get(out).expect("it has a result");
    Some((computed.data().to_vec(), bytes))
}

#[test]
fn folded_results_are_those_of_the_reference() {
    let is_folded = |op: &&OpInfo| op.is_arithmetic() && !matches!(op.class, Class::Composite(_));
    let mut folded = 0;
    for op in table::all().iter().filter(is_folded) {
        for data_type in [BF16, F32, SI32] {
            let results_of = match op.class {
                Class::Cast => vec![BF16, F32, SI32],
                _ => vec![data_type],
            };
            for result in results_of {
                for is_splat in [false, true] {
                    let count = op.operand_counts().0;
                    let operands = (0..count).map(|number| operand(data_type, number, is_splat));
                    let operands: Vec<_> = operands.collect();
                    if let Some((computed, found)) = results(op, &operands, result) {
                        assert_eq!(computed, found, "{op} {data_type} {result} {is_splat}");
                        folded += 1;
                    }
                }
            }
        }
    }
    assert!(folded > 200, "{folded} were folded");
}
