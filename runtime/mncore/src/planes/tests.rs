use super::*;

/// A write of some or all lanes of planes 2 and 3.
type Write = fn(&mut Planes);

const WRITES: [(&str, Write); 5] = [
    ("lane", |planes| planes.plane_mut(2)[1] = 7),
    ("masked", |planes| {
        planes.write_masked(1, 4, Width::Single, (u64::MAX, 0), (u64::MAX, 0));
    }),
    ("single", |planes| {
        planes.write_all(5, Width::Single, &[1 << 32; 3], &[])
    }),
    ("long", |planes| {
        planes.write_all(4, Width::Long, &[5; 3], &[])
    }),
    ("double", |planes| {
        planes.write_all(4, Width::Double, &[5; 3], &[6; 3])
    }),
];

fn words(planes: &Planes) -> Vec<u64> {
    (0..planes.count())
        .flat_map(|index| planes.plane(index).to_vec())
        .collect()
}

#[test]
fn filling_replaces_what_was_written() {
    for (first, write) in WRITES {
        for word in [0, u64::MAX / 5] {
            let mut planes = Planes::new(8, 3);
            assert_eq!(words(&planes), [0; 24]);
            write(&mut planes);
            assert_ne!(words(&planes), [0; 24], "{first}");
            planes.fill(word);
            assert_eq!(words(&planes), [word; 24], "{first}");
            for (second, write_again) in WRITES {
                let mut used = planes.clone();
                write_again(&mut used);
                let mut fresh = Planes::new(8, 3);
                (0..8).for_each(|index| fresh.plane_mut(index).fill(word));
                write_again(&mut fresh);
                assert_eq!(words(&used), words(&fresh), "{first}, {second}");
            }
        }
    }
}
