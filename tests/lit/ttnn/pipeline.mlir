// The complete result of the pipeline for a layer of a network.
// RUN: ttmlir-opt --ttir-to-ttnn-runtime-pipeline %s | FileCheck %s
// RUN: ttmlir-opt --ttir-to-ttnn-runtime-pipeline="system-desc-path= mesh-shape=1,1 optimization-level=0" %s | FileCheck %s
// RUN: ttmlir-opt --pass-pipeline="builtin.module(ttir-to-ttnn-runtime-pipeline)" %s | FileCheck %s

// CHECK-DAG: #dram = #ttnn.buffer_type<dram>
// CHECK-DAG: #[[IN:.*]] = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<33x64xbf16, #dram>, <interleaved>>
// CHECK-DAG: #[[X:.*]] = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
// CHECK-DAG: #[[W:.*]] = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
// CHECK-DAG: #[[B:.*]] = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
// CHECK: module {
// CHECK-NEXT: ttcore.device_module {
// CHECK-NEXT: builtin.module attributes {ttcore.system_desc = #system_desc} {
// CHECK-NEXT: ttcore.device @default_device = <workerGrid =
// CHECK-NEXT: func.func @layer(
// CHECK-SAME: %arg0: tensor<33x64xbf16, #[[IN]]> {ttcore.argument_type = #ttcore.argument_type<input>}, %arg1: tensor<64x10xbf16, #[[W]]>, %arg2: tensor<1x10xbf16, #[[B]]>) -> tensor<33x10xbf16, #[[W]]>
// CHECK-SAME: attributes {tt.function_type = "forward_device"} {
// CHECK-NEXT: %[[X0:.*]] = "ttnn.to_layout"(%arg0) : (tensor<33x64xbf16, #[[IN]]>) -> tensor<33x64xbf16, #[[X]]>
// CHECK-NEXT: "ttnn.deallocate"(%arg0) <{force = false}>
// CHECK-NEXT: %[[L:.*]] = "ttnn.linear"(%[[X0]], %arg1, %arg2) <{compute_config = #ttnn.device_compute_kernel_config<math_fidelity = hifi4, fp32_dest_acc_en = true>, transpose_a = false, transpose_b = false}>
// CHECK-NEXT: "ttnn.deallocate"(%[[X0]])
// CHECK-NEXT: "ttnn.deallocate"(%arg2)
// CHECK-NEXT: "ttnn.deallocate"(%arg1)
// CHECK-NEXT: %[[R:.*]] = "ttnn.relu"(%[[L]])
// CHECK-NEXT: "ttnn.deallocate"(%[[L]])
// CHECK-NEXT: return %[[R]]
// CHECK-NOT: func.func
func.func @layer(%x: tensor<33x64xbf16> {ttcore.argument_type = #ttcore.argument_type<input>}, %w: tensor<64x10xbf16>, %b: tensor<1x10xbf16>) -> tensor<33x10xbf16> {
  %0 = call @dense(%x, %w, %b) : (tensor<33x64xbf16>, tensor<64x10xbf16>, tensor<1x10xbf16>) -> tensor<33x10xbf16>
  %1 = "ttir.relu"(%0) : (tensor<33x10xbf16>) -> tensor<33x10xbf16>
  return %1 : tensor<33x10xbf16>
}
func.func private @dense(%x: tensor<33x64xbf16>, %w: tensor<64x10xbf16>, %b: tensor<1x10xbf16>) -> tensor<33x10xbf16> {
  %0 = "ttir.linear"(%x, %w, %b) : (tensor<33x64xbf16>, tensor<64x10xbf16>, tensor<1x10xbf16>) -> tensor<33x10xbf16>
  return %0 : tensor<33x10xbf16>
}
