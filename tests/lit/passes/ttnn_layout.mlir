// RUN: ttmlir-opt --ttnn-layout --split-input-file %s | FileCheck %s

// CHECK-DAG: #[[TILES:.*]] = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x3x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
// CHECK-LABEL: @default
// CHECK-SAME: (%arg0: tensor<33x65xbf16, #[[TILES]]>) -> tensor<33x65xbf16, #[[TILES]]>
// CHECK-NEXT: %[[R:.*]] = "ttir.relu"(%arg0) : (tensor<33x65xbf16, #[[TILES]]>) -> tensor<33x65xbf16, #[[TILES]]>
// CHECK-NEXT: return %[[R]]
func.func @default(%a: tensor<33x65xbf16>) -> tensor<33x65xbf16> {
  %0 = "ttir.relu"(%a) : (tensor<33x65xbf16>) -> tensor<33x65xbf16>
  return %0 : tensor<33x65xbf16>
}

// -----

// CHECK-DAG: #[[ROWS:.*]] = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<64x32xbf16, #dram>, <interleaved>>
// CHECK-DAG: #[[TILES:.*]] = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
// CHECK-LABEL: @input
// CHECK-SAME: %arg0: tensor<64x32xbf16, #[[ROWS]]> {ttcore.argument_type = #ttcore.argument_type<input>}
// CHECK-SAME: %arg1: tensor<64x32xbf16, #[[TILES]]> {ttcore.argument_type = #ttcore.argument_type<parameter>}
// CHECK-NEXT: %[[A:.*]] = "ttnn.to_tensor_spec"(%arg0) : (tensor<64x32xbf16, #[[ROWS]]>) -> tensor<64x32xbf16, #[[TILES]]>
// CHECK-NEXT: %[[C:.*]] = "ttir.add"(%[[A]], %arg1)
// Returned tensors have the layout of the signature.
// CHECK-NEXT: %[[B:.*]] = "ttnn.to_tensor_spec"(%arg0)
// CHECK-NEXT: return %[[C]], %[[B]] : tensor<64x32xbf16, #[[TILES]]>, tensor<64x32xbf16, #[[TILES]]>
func.func @input(%a: tensor<64x32xbf16> {ttcore.argument_type = #ttcore.argument_type<input>}, %b: tensor<64x32xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>}) -> (tensor<64x32xbf16>, tensor<64x32xbf16>) {
  %0 = "ttir.add"(%a, %b) : (tensor<64x32xbf16>, tensor<64x32xbf16>) -> tensor<64x32xbf16>
  return %0, %a : tensor<64x32xbf16>, tensor<64x32xbf16>
}

// -----

// A layout that is given stays; operations still read tiles in DRAM.
// CHECK-DAG: #[[HOST:.*]] = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<32x32xf32, #system_memory>>
// CHECK-DAG: #[[TILES:.*]] = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
// CHECK-LABEL: @host
// CHECK-SAME: (%arg0: tensor<32x32xf32, #[[HOST]]>) -> (tensor<32x32xf32, #[[TILES]]>, tensor<32x32xf32, #[[HOST]]>)
// CHECK-NEXT: %[[Z:.*]] = "ttir.zeros"() {{.*}} -> tensor<32x32xf32, #[[HOST]]>
// CHECK-NEXT: %[[A:.*]] = "ttnn.to_tensor_spec"(%arg0) : (tensor<32x32xf32, #[[HOST]]>) -> tensor<32x32xf32, #[[TILES]]>
// CHECK-NEXT: %[[N:.*]] = "ttir.neg"(%[[A]]) : (tensor<32x32xf32, #[[TILES]]>) -> tensor<32x32xf32, #[[TILES]]>
// CHECK-NEXT: return %[[N]], %[[Z]]
#host = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<32x32xf32, #ttnn.buffer_type<system_memory>>>
func.func @host(%a: tensor<32x32xf32, #host>) -> (tensor<32x32xf32>, tensor<32x32xf32, #host>) {
  %0 = "ttir.zeros"() <{shape = array<i32: 32, 32>}> : () -> tensor<32x32xf32, #host>
  %1 = "ttir.neg"(%a) : (tensor<32x32xf32, #host>) -> tensor<32x32xf32>
  return %1, %0 : tensor<32x32xf32>, tensor<32x32xf32, #host>
}

// -----

// CHECK-LABEL: @calls
// CHECK-NEXT: %[[A:.*]] = "ttnn.to_tensor_spec"(%arg0)
// CHECK-NEXT: %[[R:.*]] = call @called(%[[A]]) :
// CHECK-NEXT: return %[[R]]
func.func @calls(%a: tensor<64x32xbf16> {ttcore.argument_type = #ttcore.argument_type<input>}) -> tensor<64x32xbf16> {
  %0 = call @called(%a) : (tensor<64x32xbf16>) -> tensor<64x32xbf16>
  return %0 : tensor<64x32xbf16>
}
func.func private @called(tensor<64x32xbf16>) -> tensor<64x32xbf16>
