// Element-wise chains are cut where the vector unit has no more registers, code or tiles of Dst.
// RUN: ttmlir-opt --ttir-to-tensix-pipeline %s | grep -o 'kernel = @[a-z_0-9]*' | FileCheck %s
// RUN: ttmlir-opt --ttir-to-tensix-pipeline=fusion=all %s | grep -o 'kernel = @[a-z_0-9]*' | FileCheck %s
// RUN: ttmlir-opt --ttir-to-tensix-pipeline="mock-system-desc-arch=blackhole fusion=auto" %s | grep -o 'kernel = @[a-z_0-9]*' | FileCheck %s

// Operands that would take registers are loaded late: one kernel.
func.func @integers(%a: tensor<8x8xi32>, %b: tensor<8x8xi32>, %c: tensor<8x8xi32>, %d: tensor<8x8xi32>) -> tensor<8x8xi32> {
  // CHECK: kernel = @integers_gt_multiply_logical_right_shift_0
  %0 = "ttir.gt"(%a, %b) : (tensor<8x8xi32>, tensor<8x8xi32>) -> tensor<8x8xi32>
  %1 = "ttir.multiply"(%c, %0) : (tensor<8x8xi32>, tensor<8x8xi32>) -> tensor<8x8xi32>
  %2 = "ttir.logical_right_shift"(%d, %1) : (tensor<8x8xi32>, tensor<8x8xi32>) -> tensor<8x8xi32>
  return %2 : tensor<8x8xi32>
}

// Half of Dst holds four tiles.
func.func @tiles(%a: tensor<8x8xi32>, %b: tensor<8x8xi32>, %c: tensor<8x8xi32>, %d: tensor<8x8xi32>, %e: tensor<8x8xi32>) -> tensor<8x8xi32> {
  // CHECK-NEXT: kernel = @tiles_add_add_add_0
  // CHECK-NEXT: kernel = @tiles_add_1
  %0 = "ttir.add"(%a, %b) : (tensor<8x8xi32>, tensor<8x8xi32>) -> tensor<8x8xi32>
  %1 = "ttir.add"(%0, %c) : (tensor<8x8xi32>, tensor<8x8xi32>) -> tensor<8x8xi32>
  %2 = "ttir.add"(%1, %d) : (tensor<8x8xi32>, tensor<8x8xi32>) -> tensor<8x8xi32>
  %3 = "ttir.add"(%2, %e) : (tensor<8x8xi32>, tensor<8x8xi32>) -> tensor<8x8xi32>
  return %3 : tensor<8x8xi32>
}

// A fourth gelu has no room in the code of a kernel.
func.func @code(%a: tensor<8x8xf32>) -> tensor<8x8xf32> {
  // CHECK-NEXT: kernel = @code_gelu_gelu_gelu_0
  // CHECK-NEXT: kernel = @code_gelu_gelu_1
  %0 = "ttir.gelu"(%a) : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %1 = "ttir.gelu"(%0) : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %2 = "ttir.gelu"(%1) : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %3 = "ttir.gelu"(%2) : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %4 = "ttir.gelu"(%3) : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %4 : tensor<8x8xf32>
}

// Of the places where the chain can be cut the best is where values have 16 bits.
func.func @narrow(%a: tensor<8x8xbf16>, %b: tensor<8x8xbf16>, %c: tensor<8x8xbf16>, %d: tensor<8x8xf32>, %e: tensor<8x8xf32>) -> tensor<8x8xf32> {
  // CHECK-NEXT: kernel = @narrow_multiply_maximum_0
  // CHECK-NEXT: kernel = @narrow_typecast_add_add_1
  %0 = "ttir.multiply"(%a, %b) : (tensor<8x8xbf16>, tensor<8x8xbf16>) -> tensor<8x8xbf16>
  %1 = "ttir.maximum"(%0, %c) : (tensor<8x8xbf16>, tensor<8x8xbf16>) -> tensor<8x8xbf16>
  %2 = "ttir.typecast"(%1) : (tensor<8x8xbf16>) -> tensor<8x8xf32>
  %3 = "ttir.add"(%2, %d) : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %4 = "ttir.add"(%3, %e) : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  return %4 : tensor<8x8xf32>
}
