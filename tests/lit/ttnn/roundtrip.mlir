// RUN: ttmlir-opt %s | FileCheck %s
// RUN: ttmlir-opt %s | ttmlir-opt | FileCheck %s
// RUN: ttmlir-opt --mlir-print-local-scope %s | ttmlir-opt | FileCheck %s
// RUN: ttmlir-opt --mlir-print-op-generic %s | ttmlir-opt | FileCheck %s
// RUN: ttmlir-opt --mlir-print-local-scope %s | FileCheck %s --check-prefix=LOCAL

// CHECK-DAG: #dram = #ttnn.buffer_type<dram>
// CHECK-DAG: #l1_ = #ttnn.buffer_type<l1>
// CHECK-DAG: #system_memory = #ttnn.buffer_type<system_memory>
// CHECK-DAG: #[[HOST:.*]] = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 2048 + d1 * 64 + d2, d3), <1x1>, memref<64x128xf32, #system_memory>>
// CHECK-DAG: #[[SHARDED:.*]] = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, f32>, #l1_>, <block_sharded>, core_ranges = <[#ttnn.core_range<(0,0), (0,0)>]>>
// CHECK-DAG: #[[A:.*]] = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x4x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
// CHECK: module attributes {ttcore.a = #[[HOST]], ttcore.b = #[[SHARDED]], ttcore.c = #ttnn.memory_config<#l1_, <block_sharded>, #ttnn.shard_spec<<[#ttnn.core_range<(0,0), (7,0)>]>, <32x32>, <row_major>>>, ttcore.d = #ttnn.memory_config<#dram, <interleaved>>}
// CHECK: ttcore.system_desc = #system_desc
// CHECK: ttcore.device @default_device = <workerGrid = #ttcore.grid<8x8, virt_to_physical_map = (d0, d1) -> (0, d0, d1), physical_to_virt_map = (d0, d1, d2) -> (d1, d2)>, dramGrid = #ttcore.grid<1x12>, l1Map = (d0, d1)[s0] -> (0, d0, d1), dramMap = (d0) -> (d0), meshShape = , chipIds = [0]>
// CHECK: func.func @forward(%arg0: tensor<64x128xbf16, #[[A]]> {ttcore.argument_type = #ttcore.argument_type<input>}
// CHECK: "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
// CHECK: "ttnn.full"({{.*}}) <{fill_value = 3.000000e+00 : f32, shape = #ttnn.shape<64x96>}>
// CHECK: "ttnn.matmul"(%arg0, %arg1) <{compute_config = #ttnn.device_compute_kernel_config<math_fidelity = hifi4, fp32_dest_acc_en = true>, transpose_a = false, transpose_b = false}>
// CHECK: "ttnn.deallocate"({{.*}}) <{force = false}>
// CHECK: "ttnn.kernel_region"({{.*}}) <{arch = #ttcore.arch<wormhole_b0>, kernel = @k, target = "tensix"}>
// CHECK: "ttnn.yield"
// LOCAL: memref<2x4x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<dram>>, <interleaved>>

#dram = #ttnn.buffer_type<dram>
#l1 = #ttnn.buffer_type<l1>
#system_memory = #ttnn.buffer_type<system_memory>
#lay = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x4x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#layb = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<4x3x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#layc = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x3x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#sh = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, f32>, #l1>, <block_sharded>, core_ranges = <[#ttnn.core_range<(0, 0), (0, 0)>]>>
#host = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 2048 + d1 * 64 + d2, d3), <1x1>, memref<64x128xf32, #system_memory>>
module attributes {ttcore.a = #host, ttcore.b = #sh, ttcore.c = #ttnn.memory_config<#l1, <block_sharded>, #ttnn.shard_spec<<[#ttnn.core_range<(0,0), (7, 0)>]>, <32x32>, <row_major>>>, ttcore.d = #ttnn.memory_config<#dram, <interleaved>>} {
  ttcore.device_module {
    builtin.module attributes {ttcore.system_desc = #ttcore.system_desc<[{role = host, target_triple = "x86_64-pc-linux"}], [{arch = <wormhole_b0>, grid = 8x8, coord_translation_offsets = 18x18, l1_size = 1499136, num_dram_channels = 12, dram_channel_size = 1073741824, noc_l1_address_align_bytes = 16, pcie_address_align_bytes = 32, noc_dram_address_align_bytes = 32, l1_unreserved_base = 103712, erisc_l1_unreserved_base = 98304, dram_unreserved_base = 64, dram_unreserved_end = 1073119552, supported_data_types = [<f32>, <bf16>], supported_tile_sizes = [4x16, 32x32], dst_physical_size_tiles = 16, num_cbs = 32, num_compute_threads = 1, num_datamovement_threads = 2, dram_grid = 1x12, dram_bank_to_logical_worker_noc0 = [(7, 3), (0, 0)], dram_bank_to_logical_worker_noc1 = [(7, 3)]}], [0], [1 : i32], [0x0x0x0]>} {
      ttcore.device @default_device = <workerGrid = #ttcore.grid<8x8, virt_to_physical_map = (d0, d1) -> (0, d0, d1), physical_to_virt_map = (d0, d1, d2) -> (d1, d2)>, dramGrid = #ttcore.grid<1x12>, l1Map = (d0, d1)[s0] -> (0, d0, d1), dramMap = (d0) -> (d0), meshShape = , chipIds = [0]>
  func.func @forward(%arg0: tensor<64x128xbf16, #lay> {ttcore.argument_type = #ttcore.argument_type<input>}, %arg1: tensor<128x96xbf16, #layb>) -> tensor<64x96xbf16, #layc> attributes {tt.function_type = "forward_device"} {
    %d = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
    %f = "ttnn.full"(%d) <{fill_value = 3.0e+00 : f32, shape = #ttnn.shape<64x96>}> : (!ttnn.device) -> tensor<64x96xbf16, #layc>
    %0 = "ttnn.matmul"(%arg0, %arg1) <{compute_config = #ttnn.device_compute_kernel_config<math_fidelity = hifi4, fp32_dest_acc_en = true>}> : (tensor<64x128xbf16, #lay>, tensor<128x96xbf16, #layb>) -> tensor<64x96xbf16, #layc>
    "ttnn.deallocate"(%f) <{force = false}> : (tensor<64x96xbf16, #layc>) -> ()
    %k = "ttnn.kernel_region"(%0) <{kernel = @k, target = "tensix", arch = #ttcore.arch<wormhole_b0>}> ({
    ^bb0(%x: tensor<64x96xbf16, #layc>):
      %y = "ttnn.relu"(%x) : (tensor<64x96xbf16, #layc>) -> tensor<64x96xbf16, #layc>
      "ttnn.yield"(%y) : (tensor<64x96xbf16, #layc>) -> ()
    }) : (tensor<64x96xbf16, #layc>) -> tensor<64x96xbf16, #layc>
    return %k : tensor<64x96xbf16, #layc>
  }
  }
  }
}
