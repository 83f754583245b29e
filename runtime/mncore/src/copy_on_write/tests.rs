use super::{CopyOnWrite, State};

#[derive(Clone, Debug, PartialEq)]
struct Number {
    name: usize,
    state: u32,
}

impl State for Number {
    fn clear(&mut self) {
        self.state = 0;
    }

    fn copy_from(&mut self, other: &Self) {
        self.state = other.state;
    }
}

fn numbers(count: usize) -> CopyOnWrite<Number> {
    let mut numbers: CopyOnWrite<_> = (0..count).map(|name| Number { name, state: 9 }).collect();
    numbers.clear();
    numbers
}

fn states(numbers: &CopyOnWrite<Number>) -> Vec<u32> {
    numbers.iter().map(|number| number.state).collect()
}

/// Returns the names of the owners.
fn owners(numbers: &mut CopyOnWrite<Number>) -> Vec<usize> {
    numbers.owners_mut().map(|number| number.name).collect()
}

#[test]
fn a_write_separates_one_value() {
    for index in 0..4 {
        let mut numbers = numbers(4);
        numbers.for_each(|number| number.state = 1);
        numbers[index].state = 2;
        assert_eq!(numbers[index].name, index);
        let expected: Vec<_> = (0..4).map(|one| if one == index { 2 } else { 1 }).collect();
        assert_eq!(states(&numbers), expected);
        assert_eq!(owners(&mut numbers).len(), 2, "{index}");
    }
}

#[test]
fn an_update_splits_classes_by_argument() {
    let mut numbers = numbers(6);
    let mut part = numbers.parts(6).next().unwrap();
    part.update(
        |index| [1, 2, 1, 2, 3, 1][index],
        |number, by| number.state += by,
    );
    assert_eq!(states(&numbers), [1, 2, 1, 2, 3, 1]);
    assert_eq!(owners(&mut numbers), [0, 1, 4]);
    // Equal results of different classes do not join them.
    let mut part = numbers.parts(6).next().unwrap();
    part.update(
        |index| [3, 2, 3, 2, 1, 5][index],
        |number, by| number.state += by,
    );
    assert_eq!(states(&numbers), [4, 4, 4, 4, 4, 6]);
    assert_eq!(owners(&mut numbers), [0, 1, 4, 5]);
}

#[test]
fn parts_have_owners_of_their_own() {
    let mut numbers = numbers(6);
    numbers[1].state = 1;
    numbers.close(3..6);
    assert_eq!(owners(&mut numbers), [0, 1, 3]);
    let mut parts = numbers.parts(3);
    parts
        .next()
        .unwrap()
        .owners_mut()
        .for_each(|number| number.state += 10);
    parts
        .next()
        .unwrap()
        .owners_mut()
        .for_each(|number| number.state += 20);
    drop(parts);
    assert_eq!(states(&numbers), [10, 11, 10, 20, 20, 20]);
    numbers.join(0..3, 3);
    assert_eq!(states(&numbers), [10, 11, 10, 10, 11, 10]);
    assert!(numbers.are_same(0, 5) && !numbers.are_same(3, 4));
}

#[test]
fn all_values_can_be_separated() {
    let mut numbers = numbers(3);
    numbers.for_each(|number| number.state = 7);
    for (index, number) in (0..).zip(&mut numbers) {
        number.state += index;
    }
    assert_eq!(states(&numbers), [7, 8, 9]);
    numbers.clear();
    assert_eq!(states(&numbers), [0, 0, 0]);
    assert_eq!(owners(&mut numbers), [0]);
}
