use super::*;

#[test]
fn parts_of_tiles_go_where_they_belong() {
    let pipe = |axis, part| Pipe {
        number: 0,
        pushes: true,
        slots: 2,
        slot_bytes: 0,
        address: 0,
        peers: vec![],
        part,
        axis,
        location: 0,
    };
    for (axis, part, shape, expect) in [
        (None, None, [1, 2], vec![(0, 0), (0, 1)]),
        (Some(0), None, [2, 2], vec![(0, 0), (0, 1), (1, 0), (1, 1)]),
        (Some(1), None, [2, 2], vec![(0, 0), (1, 0), (0, 1), (1, 1)]),
        (Some(1), None, [1, 4], vec![(0, 0), (0, 1), (1, 0), (1, 1)]),
        (Some(0), Some(1), [1, 2], vec![(0, 2), (0, 3)]),
        (Some(1), Some(0), [2, 1], vec![(0, 0), (0, 2)]),
        (Some(1), Some(1), [2, 1], vec![(0, 1), (0, 3)]),
    ] {
        let pipe = pipe(axis, part);
        let found: Vec<_> = (0..shape[0] * shape[1])
            .map(|tile| destination(&pipe, shape, tile))
            .collect();
        assert_eq!(found, expect, "{axis:?} {part:?} {shape:?}");
    }
}
