use super::*;
use crate::builder::Builder;
use crate::kernel::{Element, TileType};

/// Two tensors of 3 matrices of 40 x 50, the second of which is accessed in tiles of 8 x 12 and
/// of 4 x 18.
fn accesses() -> Accesses {
    let tensor = TensorType {
        matrices: 3,
        rows: 40,
        columns: 50,
        element: Element::F32,
    };
    let kernel = Builder::kernel("k", |builder| {
        let zero = builder.constant(0);
        for (rows, columns) in [(8, 12), (4, 18)] {
            let tile = TileType::full(rows, columns, Element::F32);
            builder.repeat(1, |builder, _| {
                builder.load(1, zero, zero, tile);
            });
        }
    });
    Accesses::new(&Group {
        tensors: vec![tensor; 2],
        kernels: vec![kernel],
        ..Group::default()
    })
}

#[test]
fn tiles_have_a_cell_in_common_if_they_have_an_element_in_common() {
    let accesses = accesses();
    let grid = accesses.grids[1];
    assert_eq!(grid.cell, [4, 6]);
    let elements = |place, shape| {
        let window = grid.tensor.window(place, shape);
        let (rows, columns) = (window.rows, window.columns);
        rows.flat_map(move |row| columns.clone().map(move |column| (row, column)))
            .map(move |(row, column)| (window.matrix, row, column))
    };
    let (large, flat) = ([8, 12], [4, 18]);
    let [rows, columns] = grid.tensor.tiles(large);
    let [flat_rows, flat_columns] = grid.tensor.tiles(flat);
    for (row, column) in (0..rows).flat_map(|row| (0..columns).map(move |c| (row, c))) {
        let own: Vec<_> = elements([row, column], large).collect();
        let cells: Vec<_> = grid.cells([row, column], large).collect();
        for other in (0..flat_rows).flat_map(|r| (0..flat_columns).map(move |c| [r, c])) {
            let common = elements(other, flat).any(|one| own.contains(&one));
            let cell = grid.cells(other, flat).any(|one| cells.contains(&one));
            assert_eq!(common, cell, "{row} {column} {other:?}");
        }
    }
}

#[test]
fn accesses_race_unless_one_is_known() {
    const AT: AccessedTile = (0, [1, 2], [1, 1]);
    let mut accesses = accesses();
    let (mut one, mut other) = (VectorClock::default(), VectorClock::default());
    one.tick(0);
    other.tick(1);
    assert_eq!(accesses.record(AT, 0, &one, (7, true)), None);
    assert_eq!(
        accesses.record((0, [0, 2], [1, 1]), 1, &other, (8, true)),
        None
    );
    let race = accesses.record(AT, 1, &other, (9, false)).expect("a race");
    assert_eq!((race.agent, race.location, race.writes), (0, 7, true));
    // Now that it knows, it may write; and the first one, which does not know, may not even
    // read.
    other.merge(&one);
    other.tick(1);
    assert_eq!(accesses.record(AT, 1, &other, (10, true)), None);
    one.tick(0);
    assert!(accesses.record(AT, 0, &one, (11, false)).is_some());
    // Reads do not race.
    let mut third = VectorClock::default();
    third.merge(&other);
    third.tick(2);
    let place = (1, [0, 0], [8, 12]);
    assert_eq!(accesses.record(place, 0, &one, (0, false)), None);
    assert_eq!(accesses.record(place, 2, &third, (0, false)), None);
    assert!(accesses.record(place, 1, &other, (0, true)).is_some());
}
