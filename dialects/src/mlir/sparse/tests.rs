use super::*;

#[test]
fn what_the_parser_does_not_survive_is_refused() {
    for (text, expect) in [
        ("sparse<[[0, 0]], [2.0]> : tensor<1x2xbf16>", None),
        (
            "sparse <[[0, 0], [0, 1]], [-2.0, 1.e+9]> : vector<1x2xf32>",
            None,
        ),
        ("sparse<[[0, 5]], [99]> : tensor<1x2xi8, 7>", None),
        ("sparse<0, 2.0> : tensor<2xf64>", None),
        ("sparse<> : tensor<1x2xbf16>", None),
        ("sparse<> : !elsewhere", None),
        ("dense<true> : tensor<2xi1> sparse_tensor<x>", None),
        ("#a.sparse<x>, sparse, \"sparse<x>\" // sparse<x>", None),
        // Indices that are not integers of 64 bits.
        ("a = sparse<[[1.5, 0]], [2.0]> : tensor<1x2xbf16>", Some(4)),
        ("sparse<[[-1, 0]], [2.0]> : tensor<1x2xbf16>", Some(0)),
        (
            "sparse<[[1234567890123456789, 0]], [2.0]> : tensor<1x2xbf16>",
            Some(0),
        ),
        ("sparse<true, [2.0]> : tensor<1x2xbf16>", Some(0)),
        ("sparse<\"0x00\", [2.0]> : tensor<1x2xbf16>", Some(0)),
        ("sparse<[[0x0, 0]], [2.0]> : tensor<1x2xbf16>", Some(0)),
        // Values of another type.
        ("sparse<[[0, 0]], [99]> : tensor<1x2xbf16>", Some(0)),
        ("sparse<[[0, 0]], [1.0]> : tensor<1x2xi32>", Some(0)),
        ("sparse<[[0, 0]], [100]> : tensor<1x2xi8>", Some(0)),
        ("sparse<[[0, 0]], [true]> : tensor<1x2xbf16>", Some(0)),
        ("sparse<[[0, 0]], \"0x00\"> : tensor<1x2xbf16>", Some(0)),
        ("sparse<[[0, 0]], [1.0e]> : tensor<1x2xbf16>", Some(0)),
        // A type that is not known here, or none.
        ("sparse<[[0, 0]], [2.0]> : !elsewhere", Some(0)),
        ("sparse<[[0, 0]], [2.0]>", Some(0)),
        ("sparse<[[0, 0]], [2.0]", Some(0)),
        ("sparse<[[0, 0]]> : tensor<1x2xbf16>", Some(0)),
        ("sparse< // >\n[[0.5]], [2.0]> : tensor<1xbf16>", Some(0)),
    ] {
        assert_eq!(refused(text), expect, "{text}");
    }
}
