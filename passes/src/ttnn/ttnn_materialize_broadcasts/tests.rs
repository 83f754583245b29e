use super::*;

const ELEMENTWISE: KernelKind = KernelKind {
    is_product: false,
    may_collapse_dims: true,
};

fn planned(is_product: bool, shapes: &[&[u64]], result: &[u64]) -> Vec<(usize, Vec<u64>)> {
    let shapes = shapes.iter().map(|shape| shape.to_vec()).collect();
    let kind = KernelKind {
        is_product,
        ..ELEMENTWISE
    };
    plan(kind, shapes, result)
}

#[test]
fn as_little_as_possible_is_broadcast() {
    for (shapes, result, expect) in [
        // Three dimensions that are broadcast or not.
        (&[&[64, 1][..], &[1, 10]][..], &[64, 10][..], vec![]),
        (&[&[2, 1, 7, 5], &[2, 3, 7, 5]], &[2, 3, 7, 5], vec![]),
        (&[&[4, 1, 8], &[1, 5, 8]], &[4, 5, 8], vec![]),
        // Four.
        (
            &[&[2, 3, 7, 5], &[2, 1, 7, 1]],
            &[2, 3, 7, 5],
            vec![(1, vec![2, 3, 7, 1])],
        ),
        // The smaller one first.
        (
            &[&[2, 1, 7, 1], &[1, 3, 1, 500]],
            &[2, 3, 7, 500],
            vec![(0, vec![2, 3, 7, 1]), (1, vec![2, 3, 1, 500])],
        ),
        // Runs of dimensions, some of which are missing.
        (
            &[&[2, 3, 7, 5, 4, 6], &[7, 1, 1, 6]],
            &[2, 3, 7, 5, 4, 6],
            vec![(1, vec![2, 3, 7, 1, 1, 6])],
        ),
    ] {
        assert_eq!(
            planned(false, shapes, result),
            expect,
            "{shapes:?} to {result:?}"
        );
    }
    // The matrices of factors, not their rows and columns.
    let factors = [&[2, 1, 4, 5][..], &[1, 3, 5, 6]];
    let expect = vec![(0, vec![2, 3, 4, 5]), (1, vec![2, 3, 5, 6])];
    assert_eq!(planned(true, &factors, &[2, 3, 4, 6]), expect);
    assert_eq!(planned(true, &[&[6, 4, 5], &[5, 6]], &[6, 4, 6]), vec![]);
}

/// Every tensor that is made is a broadcast of the operand, and kernels can broadcast the rest.
#[test]
fn plans_end_in_kernels() {
    for may_collapse_dims in [true, false] {
        plans_of_kind_end_in_kernels(KernelKind {
            may_collapse_dims,
            ..ELEMENTWISE
        });
    }
}

fn plans_of_kind_end_in_kernels(kind: KernelKind) {
    let extents = |bits: usize| -> Vec<u64> {
        let full = [2, 3, 5, 7, 11];
        (0..5)
            .map(|dim| if bits >> dim & 1 == 1 { full[dim] } else { 1 })
            .collect()
    };
    for a in 0..32 {
        for b in 0..32 {
            let mut shapes = vec![extents(a), extents(b)];
            let result = extents(a | b);
            for (operand, shape) in plan(kind, shapes.clone(), &result) {
                let pairs = shapes[operand].iter().zip(&shape);
                assert!(
                    pairs.clone().all(|(from, to)| from == to || *from == 1),
                    "{shapes:?} to {shape:?}"
                );
                shapes[operand] = shape;
            }
            assert!(can_broadcast(kind, &shapes, &result), "{a:b} {b:b}");
        }
    }
}

/// Kernels that do not collapse dimensions broadcast rows and columns, but only all matrices.
#[test]
fn shared_kernels_broadcast_all_matrices_or_none() {
    let shared = KernelKind {
        may_collapse_dims: false,
        ..ELEMENTWISE
    };
    for (operand, result, expect) in [
        (&[1, 1, 7, 1][..], &[2, 3, 7, 5][..], None),
        (&[7, 5], &[2, 3, 7, 5], None),
        (&[2, 3, 1, 1], &[2, 3, 7, 5], None),
        (&[2, 1, 7, 1], &[2, 3, 7, 5], Some(vec![2, 3, 7, 1])),
        (&[3, 1, 5], &[2, 3, 7, 5], Some(vec![2, 3, 1, 5])),
    ] {
        let shapes = vec![result.to_vec(), operand.to_vec()];
        let planned = plan(shared, shapes, result);
        let expect: Vec<_> = expect.into_iter().map(|shape| (1, shape)).collect();
        assert_eq!(planned, expect, "{operand:?} to {result:?}");
    }
}
