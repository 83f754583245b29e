use super::*;

fn tensor(axes: &mut Axes, shape: &[u64]) -> Tensor {
    let dims = shape.iter().map(|extent| axes.add_axis(*extent)).collect();
    axes.add(dims)
}

#[test]
fn a_split_dimension_is_split_in_all_tensors() {
    let mut axes = Axes::default();
    let merged = tensor(&mut axes, &[6, 1, 5]);
    let split = axes.reshape(merged, &[2, 3, 5]).unwrap();
    assert_eq!(axes.dims(split), [vec![0], vec![2], vec![1]]);
    assert_eq!(axes.dims(merged), [vec![0, 2], vec![], vec![1]]);
    let joined = axes.reshape(split, &[2, 15]).unwrap();
    assert_eq!(axes.dims(joined), [vec![0], vec![2, 1]]);
    assert_eq!(axes.extent(&[2, 1]), 15);
}

#[test]
fn an_axis_may_be_split_twice() {
    let mut axes = Axes::default();
    let one = tensor(&mut axes, &[24]);
    let all = axes.reshape(one, &[1, 2, 3, 4]).unwrap();
    assert_eq!(axes.dims(all), [vec![], vec![0], vec![1], vec![2]]);
    assert_eq!(axes.dims(one), [vec![0, 1, 2]]);
}

#[test]
fn parts_of_axes_are_refused() {
    let mut axes = Axes::default();
    let one = tensor(&mut axes, &[4, 6]);
    assert!(axes.reshape(one, &[8, 3]).is_some());
    let other = tensor(&mut axes, &[4, 9]);
    assert_eq!(axes.reshape(other, &[6, 6]), None);
}
