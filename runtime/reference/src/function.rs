//! Functions of tensors that are more than an element-wise function by name.

use tessera_ops::{Binary, Unary};
use tessera_program::{Function, FunctionError, ReduceKind};
use tessera_pto::kernel::Element;

use crate::broadcast::broadcast_sources;
use crate::eval::{EvalError, Unrounded};

/// The value of a function of arrays of elements of one kind: of integers, if `element` is one.
///
/// # Errors
/// If it is no function of arrays of their shapes.
pub fn function(
    function: &Function,
    element: Element,
    operands: &[Unrounded],
) -> Result<Unrounded, FunctionError> {
    let shapes: Vec<&[u64]> = operands.iter().map(|one| &one.shape[..]).collect();
    let shape = function.shape(&shapes)?;
    let first = &operands[0];
    let max = |x, y| Binary::Max.eval(element, x, y);
    let min = |x, y| Binary::Min.eval(element, x, y);
    let values = match function {
        Function::Where => {
            let choose = |of: [f64; 3]| if of[0] != 0.0 { of[1] } else { of[2] };
            of_three(operands, &shape, choose)
        }
        Function::ClampTensor => {
            of_three(operands, &shape, |[x, low, high]| min(max(x, low), high))
        }
        Function::LeakyRelu { parameter } => {
            first.each(|x| Binary::Prelu.eval(Element::F32, x, *parameter))
        }
        Function::ClampScalar {
            min: low,
            max: high,
        } => first.each(|x| min(max(x, *low), *high)),
        Function::Reduce { kind, dims, .. } => reduced(*kind, element, first, dims),
        Function::Softmax { dimension } => softmax(first, *dimension),
        Function::Permute { permutation } => permuted(first, &shape, permutation),
    };
    Ok(Unrounded { shape, values })
}

impl Unrounded {
    fn each(&self, function: impl Fn(f64) -> f64) -> Vec<f64> {
        self.values.iter().map(|value| function(*value)).collect()
    }
}

fn of_three(operands: &[Unrounded], shape: &[u64], function: impl Fn([f64; 3]) -> f64) -> Vec<f64> {
    let sources = [0, 1, 2].map(|which| broadcast_sources(&operands[which].shape, shape));
    let count = sources[0].len();
    let at = |which: usize, index: usize| operands[which].values[sources[which][index]];
    (0..count)
        .map(|index| function([0, 1, 2].map(|which| at(which, index))))
        .collect()
}

/// For each element of an array the number of the element it goes into when dimensions are reduced.
fn targets(shape: &[u64], dims: &[u32]) -> Vec<usize> {
    let mut targets = vec![0_usize];
    let mut kept = 1;
    for (axis, &extent) in shape.iter().enumerate() {
        let is_reduced = dims.contains(&(axis as u32));
        let step = |index: u64| if is_reduced { 0 } else { index as usize };
        let own = if is_reduced { 1 } else { extent as usize };
        targets = targets
            .iter()
            .flat_map(|&target| (0..extent).map(move |index| target * own + step(index)))
            .collect();
        kept *= own;
    }
    debug_assert!(targets.iter().all(|target| *target < kept));
    targets
}

/// What is kept of each row of elements along dimensions, in their order.
fn reduced(kind: ReduceKind, element: Element, of: &Unrounded, dims: &[u32]) -> Vec<f64> {
    let targets = targets(&of.shape, dims);
    let count = targets.last().map_or(0, |last| last + 1);
    let mut rows = vec![Vec::new(); count];
    for (target, value) in targets.into_iter().zip(&of.values) {
        rows[target].push(*value);
    }
    let value = |row: Vec<f64>| {
        let count = row.len() as f64;
        let value = kind.reduce().eval(element, row.into_iter());
        match kind {
            ReduceKind::Mean => value / count,
            _ => value,
        }
    };
    rows.into_iter().map(value).collect()
}

/// Exponentials as shares of their sum; the largest element is subtracted before, so that none overflows.
fn softmax(of: &Unrounded, dimension: u32) -> Vec<f64> {
    let dims = [dimension];
    let largest = reduced(ReduceKind::Max, Element::F32, of, &dims);
    let targets = targets(&of.shape, &dims);
    let pairs = of.values.iter().zip(&targets);
    let values =
        pairs.map(|(value, target)| Unary::Exp.eval(Element::F32, value - largest[*target]));
    let exponentials = Unrounded {
        shape: of.shape.clone(),
        values: values.collect(),
    };
    let sums = reduced(ReduceKind::Sum, Element::F32, &exponentials, &dims);
    let pairs = exponentials.values.iter().zip(&targets);
    pairs.map(|(value, target)| value / sums[*target]).collect()
}

fn permuted(of: &Unrounded, shape: &[u64], permutation: &[u32]) -> Vec<f64> {
    // How far elements that are neighbours along a dimension lie apart.
    let mut strides = vec![1_usize; of.shape.len()];
    for axis in (1..of.shape.len()).rev() {
        strides[axis - 1] = strides[axis] * of.shape[axis] as usize;
    }
    let mut sources = vec![0_usize];
    for (&extent, &from) in shape.iter().zip(permutation) {
        let stride = strides[from as usize];
        sources = sources
            .iter()
            .flat_map(|&source| (0..extent as usize).map(move |index| source + index * stride))
            .collect();
    }
    sources
        .into_iter()
        .map(|source| of.values[source])
        .collect()
}

impl From<FunctionError> for EvalError {
    fn from(error: FunctionError) -> Self {
        EvalError::Function(error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn array(shape: &[u64], values: &[f64]) -> Unrounded {
        Unrounded {
            shape: shape.to_vec(),
            values: values.to_vec(),
        }
    }

    #[test]
    fn values_of_functions() {
        let counted = array(&[2, 3], &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
        let reduce = |kind, dims: &[u32], keep_dim| Function::Reduce {
            kind,
            dims: dims.to_vec(),
            keep_dim,
        };
        let permute = |permutation: &[u32]| Function::Permute {
            permutation: permutation.to_vec(),
        };
        let choice = vec![
            array(&[2, 1], &[0.0, -1.0]),
            counted.clone(),
            array(&[], &[9.0]),
        ];
        let limits = vec![
            counted.clone(),
            array(&[], &[2.0]),
            array(&[3], &[5.0, 4.0, 1.0]),
        ];
        for (of, operands, shape, values) in [
            (
                Function::Where,
                choice,
                &[2, 3][..],
                vec![9.0, 9.0, 9.0, 4.0, 5.0, 6.0],
            ),
            (
                Function::ClampTensor,
                limits,
                &[2, 3],
                vec![2.0, 2.0, 1.0, 4.0, 4.0, 1.0],
            ),
            (
                Function::LeakyRelu { parameter: 0.25 },
                vec![array(&[2], &[-2.0, 2.0])],
                &[2],
                vec![-0.5, 2.0],
            ),
            (
                Function::ClampScalar { min: 2.0, max: 5.0 },
                vec![counted.clone()],
                &[2, 3],
                vec![2.0, 2.0, 3.0, 4.0, 5.0, 5.0],
            ),
            (
                reduce(ReduceKind::Sum, &[0], true),
                vec![counted.clone()],
                &[1, 3],
                vec![5.0, 7.0, 9.0],
            ),
            (
                reduce(ReduceKind::Mean, &[1], false),
                vec![counted.clone()],
                &[2],
                vec![2.0, 5.0],
            ),
            (
                reduce(ReduceKind::Max, &[1], true),
                vec![counted.clone()],
                &[2, 1],
                vec![3.0, 6.0],
            ),
            (
                reduce(ReduceKind::Min, &[0, 1], false),
                vec![counted.clone()],
                &[],
                vec![1.0],
            ),
            (
                Function::Softmax { dimension: 0 },
                vec![array(&[2, 2], &[1000.0, 0.0, 1000.0, -1000.0])],
                &[2, 2],
                vec![0.5, 1.0, 0.5, 0.0],
            ),
            (
                permute(&[1, 0]),
                vec![counted.clone()],
                &[3, 2],
                vec![1.0, 4.0, 2.0, 5.0, 3.0, 6.0],
            ),
            (
                permute(&[2, 0, 1]),
                vec![array(&[1, 2, 3], &counted.values)],
                &[3, 1, 2],
                vec![1.0, 4.0, 2.0, 5.0, 3.0, 6.0],
            ),
        ] {
            let found = function(&of, Element::F32, &operands).unwrap();
            assert_eq!(found, array(shape, &values), "{of:?}");
        }
        let sum = reduce(ReduceKind::Sum, &[0], false);
        let most = array(&[2], &[i32::MAX.into(), 1.0]);
        let wrapped = function(&sum, Element::I32, &[most]).unwrap();
        assert_eq!(wrapped.values, [f64::from(i32::MIN)]);
    }
}
