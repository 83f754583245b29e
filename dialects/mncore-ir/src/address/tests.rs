use super::*;

#[test]
fn addresses_move_and_go_around() {
    for (address, iteration, expect, text) in [
        (Address::fixed(7), vec![3, 4], 7, "7"),
        (
            Address::affine(16, &[100, 8]),
            vec![2, 3],
            240,
            "16 + 100·i0 + 8·i1",
        ),
        (Address::affine(0, &[0, 8]), vec![2, 3], 24, "8·i1"),
        (
            Address::affine(4, &[32]).with_ring(4096, 64),
            vec![2],
            4100,
            "4096 + (4 + 32·i0 mod 64)",
        ),
        (
            Address::affine(0, &[32]).with_ring(0, 64).advanced_by(32),
            vec![1],
            0,
            "(32 + 32·i0 mod 64)",
        ),
    ] {
        assert_eq!(address.eval(&iteration), expect, "{address}");
        assert_eq!(address.to_string(), text);
    }
}
