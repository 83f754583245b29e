use super::super::address_mode::Extra;
use super::*;

/// Follows the row counters through one body and returns (SrcA, SrcB, Dst) of every
/// instruction.
fn rows(math: &TileMath) -> Vec<(i32, i32, u32)> {
    let (mut a, mut b, mut extra) = (0i32, 0i32, false);
    math.body
        .iter()
        .map(|instruction| {
            let (entry, dst) = match *instruction {
                Instruction::Mvmul(i) => (i.addr_mode, i.dst),
                Instruction::Elwadd(i) => (i.addr_mode, i.dst),
                ref other => panic!("unexpected {other:?}"),
            };
            let at = (a, b, dst);
            let entry = entry + if extra { 4 } else { 0 };
            let (_, mode) = *math
                .modes
                .iter()
                .find(|(e, _)| *e == entry)
                .expect("it is set");
            (a, b) = if mode.next_phase {
                (0, 0)
            } else {
                ((a + mode.srca) & 63, (b + mode.srcb) & 63)
            };
            extra = match mode.extra {
                Extra::Keep => extra,
                Extra::Set => true,
                Extra::Clear => false,
            };
            at
        })
        .chain(std::iter::once_with(|| (0, 0, 0)))
        .collect()
}

#[test]
fn matmul_visits_every_product_of_faces_once() {
    let visited = Arch::ALL.map(|arch| rows(&matmul(arch)));
    let expected: Vec<_> = [0, 1]
        .into_iter()
        .flat_map(|k| {
            (0..8).map(move |block| {
                let (row_face, column_face, half) = (block / 4, block / 2 % 2, block % 2);
                (
                    16 * (2 * k + column_face),
                    32 * row_face + 16 * k + 8 * half,
                    8 * block as u32,
                )
            })
        })
        .collect();
    for visited in visited {
        assert_eq!(visited[..16], expected[..]);
    }
}

#[test]
fn broadcasts_follow_the_rows() {
    let broadcasts = [
        (Broadcast::None, (|dst| dst) as fn(i32) -> i32),
        (Broadcast::Row, |dst| dst & 16),
        (Broadcast::Column, |dst| dst & !16),
        (Broadcast::Scalar, |_| 0),
    ];
    for (arch, (broadcast, row)) in Arch::ALL
        .into_iter()
        .flat_map(|arch| broadcasts.map(|case| (arch, case)))
    {
        for (part, count) in [(TilePart::Whole, 8), (TilePart::UpperHalf, 4)] {
            let math = elementwise(arch, (Elementwise::Add, broadcast), false, part);
            let mut blocks: Vec<_> = rows(&math)[..count].to_vec();
            for &(a, b, dst) in &blocks {
                assert_eq!((a, b), (dst as i32, row(dst as i32)), "{broadcast:?}");
            }
            blocks.sort_by_key(|block| block.2);
            assert_eq!(
                blocks.iter().map(|block| block.2).collect::<Vec<_>>(),
                [0, 8, 16, 24, 32, 40, 48, 56][..count]
            );
        }
    }
}
