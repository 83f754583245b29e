use super::*;
use crate::kernel::Element;
use crate::numerics::Numbers;
use crate::semantics::Tokens;
use tessera_test_support::random::Rng;

const TENSOR: TensorType = TensorType {
    matrices: 2,
    rows: 5,
    columns: 8,
    element: Element::F32,
};

/// The store that defined an element last: its tile, and the number in all elements.
type Owner = Option<([u32; 2], [u64; 2], f64)>;

/// Returns the positions of a tile's elements in the tile and in the tensor.
fn elements(place: [u64; 2], shape: [u32; 2]) -> Vec<([usize; 2], usize)> {
    let window = TENSOR.window(place, shape);
    let first = window.matrix * u64::from(TENSOR.rows * TENSOR.columns);
    let mut all = Vec::new();
    for (down, row) in window.rows.enumerate() {
        for (right, column) in window.columns.clone().enumerate() {
            let element = first + row * u64::from(TENSOR.columns) + column;
            all.push(([down, right], element as usize));
        }
    }
    all
}

/// Random stores and loads of tiles of several shapes have the results of a model that records the
/// last store of each element.
#[test]
fn loads_are_defined_if_their_elements_were_stored_as_the_same_tile() {
    let mut rng = Rng::new(1);
    let (mut defined, mut undefined) = (0, 0);
    for _ in 0..200 {
        let mut tensor = LocalTensor::<Numbers>::new(TENSOR);
        let mut tokens = LocalTensor::<Tokens>::new(TENSOR);
        let mut owners: Vec<Owner> = vec![None; TENSOR.elements().expect("few") as usize];
        for step in 0..60 {
            let shape = rng.pick(&[[2, 4], [2, 8], [4, 4], [1, 1]]);
            let place = TENSOR
                .tiles(shape)
                .map(|count| rng.below(count as usize) as u64);
            let tile = TileType::full(shape[0], shape[1], Element::F32);
            let elements = elements(place, shape);
            if rng.percent(50) {
                let number = f64::from(step);
                let content = vec![number; (shape[0] * shape[1]) as usize].into();
                tensor.store(place, &content, tile);
                tokens.store(place, &(), tile);
                for (_, element) in elements {
                    owners[element] = Some((shape, place, number));
                }
                continue;
            }
            let owner =
                |element: usize| owners[element].filter(|one| (one.0, one.1) == (shape, place));
            let expected: Option<Vec<_>> = elements.iter().map(|(_, one)| owner(*one)).collect();
            let loaded = tensor.load(place, tile);
            assert_eq!(
                loaded.is_some(),
                expected.is_some(),
                "{shape:?} at {place:?}"
            );
            assert_eq!(tokens.load(place, tile).is_some(), expected.is_some());
            let Some((loaded, expected)) = loaded.zip(expected) else {
                undefined += 1;
                continue;
            };
            defined += 1;
            for (([row, column], _), (_, _, number)) in elements.iter().zip(&expected) {
                assert_eq!(loaded[row * shape[1] as usize + column], *number);
            }
            let outside = loaded.len() - elements.len();
            let stored = expected[0].2;
            let zeros = loaded.iter().filter(|one| **one == 0.0).count();
            assert!(stored == 0.0 || zeros == outside, "{loaded:?}");
        }
    }
    assert!(defined > 500 && undefined > 500, "{defined}, {undefined}");
}

#[test]
fn numbers_survive_bit_by_bit() {
    let tile = TileType::full(1, 8, Element::F32);
    let special = [
        f64::NAN,
        f64::INFINITY,
        f64::NEG_INFINITY,
        -0.0,
        0.0,
        f64::from(f32::MIN_POSITIVE) / 2.0,
        f64::from(f32::MAX),
        1.0,
    ];
    let mut tensor = LocalTensor::<Numbers>::new(TENSOR);
    tensor.store([3, 0], &special.into(), tile);
    let loaded = tensor.load([3, 0], tile).expect("it was stored");
    let bits = |all: &[f64]| all.iter().map(|one| one.to_bits()).collect::<Vec<_>>();
    assert_eq!(bits(&loaded), bits(&special));
}
