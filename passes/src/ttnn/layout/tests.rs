use super::*;
use tessera_dialects::mlir::Context;

#[test]
fn layouts_of_tensors() {
    let context = Context::new();
    let context = context.as_ref();
    let tile = Layout::DEFAULT;
    let rows = Layout::new(Memory::Dram, Order::RowMajor);
    let host = Layout::new(Memory::System, Order::RowMajor);
    let l1 = Layout::new(Memory::L1, Order::Tile);
    let table = [
        (
            tile,
            "tensor<33x65xbf16>",
            "(d0, d1) -> (d0, d1), <1x1>, memref<2x3x!ttcore.tile<32x32, bf16>, \
             #ttnn.buffer_type<dram>>, <interleaved>",
        ),
        (
            tile,
            "tensor<1x33x64x32xf32>",
            "(d0, d1, d2, d3) -> (d0 * 2112 + d1 * 64 + d2, d3), <1x1>, \
             memref<66x1x!ttcore.tile<32x32, f32>, #ttnn.buffer_type<dram>>, <interleaved>",
        ),
        (
            tile,
            "tensor<2x33x65xbf16>",
            "(d0, d1, d2) -> (d0 * 64 + d1, d2), <1x1>, \
             memref<4x3x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<dram>>, <interleaved>",
        ),
        (
            tile,
            "tensor<100xui32>",
            "(d0) -> (0, d0), <1x1>, memref<1x4x!ttcore.tile<32x32, u32>, \
             #ttnn.buffer_type<dram>>, <interleaved>",
        ),
        (
            tile,
            "tensor<si32>",
            "() -> (0, 0), <1x1>, memref<1x1x!ttcore.tile<32x32, si32>, #ttnn.buffer_type<dram>>, \
             <interleaved>",
        ),
        (
            rows,
            "tensor<2x33x65xbf16>",
            "(d0, d1, d2) -> (d0 * 33 + d1, d2), <1x1>, memref<66x65xbf16, \
             #ttnn.buffer_type<dram>>, <interleaved>",
        ),
        (
            host,
            "tensor<64x128xsi32>",
            "(d0, d1) -> (d0, d1), <1x1>, memref<64x128xsi32, #ttnn.buffer_type<system_memory>>",
        ),
        (
            l1,
            "tensor<40x70xf32>",
            "(d0, d1) -> (d0, d1), <1x1>, memref<1x6x!ttcore.tile<32x32, f32>, \
             #ttnn.buffer_type<l1>>, <interleaved>",
        ),
    ];
    for (layout, tensor, expected) in table {
        let tensor = context.parse_type(tensor).expect("a type");
        let laid_out = layout.of_tensor(context, tensor).expect("a layout");
        let encoding = laid_out.encoding().expect("an encoding").to_string();
        assert_eq!(encoding, format!("#ttnn.ttnn_layout<{expected}>"));
        assert_eq!(
            Layout::from_type(context, laid_out),
            Some(layout),
            "{expected}"
        );
        assert_eq!(Layout::from_type(context, tensor), None);
    }
    for text in [
        "tensor<?x2xf32>",
        "tensor<9223372036854775807x9223372036854775807xf32>",
        "tensor<9223372036854775807xf32>",
    ] {
        let tensor = context.parse_type(text).expect("a type");
        assert_eq!(tile.of_tensor(context, tensor), None, "{text}");
    }
}

#[test]
fn what_is_not_made_here_is_no_layout() {
    let context = Context::new();
    let context = context.as_ref();
    let sharded = "tensor<64x32xbf16, #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <2x1>, \
                   memref<1x1x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<l1>>, <height_sharded>, \
                   core_ranges = <[#ttnn.core_range<(0, 0), (0, 1)>]>>>";
    let sharded = context.parse_type(sharded).expect("a type");
    assert_eq!(Layout::from_type(context, sharded), None);
}
