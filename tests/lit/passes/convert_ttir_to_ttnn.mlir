// RUN: ttmlir-opt --ttnn-layout --convert-ttir-to-ttnn --split-input-file %s | FileCheck %s

// CHECK-LABEL: @computing
// CHECK-NEXT: %[[ADD:.*]] = "ttnn.add"(%arg0, %arg1) :
// CHECK-NEXT: %[[SUB:.*]] = "ttnn.subtract"(%[[ADD]], %arg1) :
// CHECK-NEXT: %[[MUL:.*]] = "ttnn.multiply"(%[[SUB]], %arg1) :
// CHECK-NEXT: %[[RELU:.*]] = "ttnn.relu"(%[[MUL]]) :
// CHECK-NEXT: %[[NEG:.*]] = "ttnn.neg"(%[[RELU]]) :
// CHECK-NEXT: %[[MM:.*]] = "ttnn.matmul"(%[[NEG]], %arg1) <{transpose_a = false, transpose_b = true}> :
// CHECK-NEXT: %[[LIN:.*]] = "ttnn.linear"(%[[MM]], %arg1, %arg0) <{transpose_a = true, transpose_b = false}> :
// CHECK-NEXT: return %[[LIN]]
func.func @computing(%a: tensor<8x8xbf16>, %b: tensor<8x8xbf16>) -> tensor<8x8xbf16> {
  %0 = "ttir.add"(%a, %b) : (tensor<8x8xbf16>, tensor<8x8xbf16>) -> tensor<8x8xbf16>
  %1 = "ttir.subtract"(%0, %b) : (tensor<8x8xbf16>, tensor<8x8xbf16>) -> tensor<8x8xbf16>
  %2 = "ttir.multiply"(%1, %b) : (tensor<8x8xbf16>, tensor<8x8xbf16>) -> tensor<8x8xbf16>
  %3 = "ttir.relu"(%2) : (tensor<8x8xbf16>) -> tensor<8x8xbf16>
  %4 = "ttir.neg"(%3) : (tensor<8x8xbf16>) -> tensor<8x8xbf16>
  %5 = "ttir.matmul"(%4, %b) <{transpose_b = true}> : (tensor<8x8xbf16>, tensor<8x8xbf16>) -> tensor<8x8xbf16>
  %6 = "ttir.linear"(%5, %b, %a) <{transpose_a = true}> : (tensor<8x8xbf16>, tensor<8x8xbf16>, tensor<8x8xbf16>) -> tensor<8x8xbf16>
  return %6 : tensor<8x8xbf16>
}

// -----

// CHECK-LABEL: @creation
// CHECK-NEXT: %[[D:.*]] = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
// CHECK-NEXT: "ttnn.empty"(%[[D]]) <{shape = #ttnn.shape<2x3>}> : (!ttnn.device)
// CHECK-NEXT: "ttnn.zeros"(%[[D]]) <{shape = #ttnn.shape<2x3>}>
// CHECK-NEXT: "ttnn.ones"(%[[D]]) <{shape = #ttnn.shape<2x3>}>
// CHECK-NEXT: "ttnn.full"(%[[D]]) <{fill_value = 2.500000e+00 : f32, shape = #ttnn.shape<2x3>}>
// CHECK-NEXT: "ttnn.constant"(%[[D]]) <{value = dense<{{.*}}> : tensor<2x3xbf16>}>
func.func @creation() -> (tensor<2x3xbf16>, tensor<2x3xbf16>, tensor<2x3xbf16>, tensor<2x3xbf16>, tensor<2x3xbf16>) {
  %0 = ttir.empty() : tensor<2x3xbf16>
  %1 = "ttir.zeros"() <{shape = array<i32: 2, 3>}> : () -> tensor<2x3xbf16>
  %2 = "ttir.ones"() <{shape = array<i32: 2, 3>}> : () -> tensor<2x3xbf16>
  %3 = "ttir.full"() <{fill_value = 2.5 : f32, shape = array<i32: 2, 3>}> : () -> tensor<2x3xbf16>
  %4 = "ttir.constant"() <{value = dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xbf16>}> : () -> tensor<2x3xbf16>
  return %0, %1, %2, %3, %4 : tensor<2x3xbf16>, tensor<2x3xbf16>, tensor<2x3xbf16>, tensor<2x3xbf16>, tensor<2x3xbf16>
}

// -----

// Tensors in system memory are made without the device.
// CHECK-LABEL: @host
// CHECK-NEXT: %[[A:.*]] = "ttnn.zeros"() <{shape = #ttnn.shape<2x3>}> : ()
// CHECK-NEXT: %[[B:.*]] = "ttnn.ones"() <{shape = #ttnn.shape<2x3>}> : ()
// CHECK-NEXT: return %[[A]], %[[B]]
#host = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x3xf32, #ttnn.buffer_type<system_memory>>>
func.func @host() -> (tensor<2x3xf32, #host>, tensor<2x3xf32, #host>) {
  %0 = ttir.empty() : tensor<2x3xf32, #host>
  %1 = "ttir.ones"() <{shape = array<i32: 2, 3>}> : () -> tensor<2x3xf32, #host>
  return %0, %1 : tensor<2x3xf32, #host>, tensor<2x3xf32, #host>
}
