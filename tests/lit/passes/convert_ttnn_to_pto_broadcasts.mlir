// RUN: ttmlir-opt --ttir-to-ttnn-backend-pipeline --convert-ttnn-to-pto --split-input-file %s | FileCheck %s

// If both operands are broadcast, the vector unit makes one of them as large as the result.

// CHECK-LABEL: pto.func @both_
// CHECK: %[[A:.*]] = pto.tload %{{.*}} : memref<64x1xf32>
// CHECK: %[[ONES:.*]] = pto.tfill 1.000000e+00
// CHECK: %[[FULL:.*]] = pto.tmul %[[ONES]], %[[A]] {broadcast = #pto.broadcast<column>
// CHECK: %[[B:.*]] = pto.tload %{{.*}} : memref<1x10xf32>
// CHECK: pto.tadd %[[FULL]], %[[B]] {broadcast = #pto.broadcast<row>
func.func @both(%a: tensor<64x1xf32>, %b: tensor<1x10xf32>) -> tensor<64x10xf32> {
  %0 = "ttir.add"(%a, %b) : (tensor<64x1xf32>, tensor<1x10xf32>) -> tensor<64x10xf32>
  return %0 : tensor<64x10xf32>
}

// -----

// The matrix of an operand is made of digits of the number of the result's: of 2x3x5 matrices one has the first and the last, one has the second.

// CHECK-LABEL: pto.func @matrices_
// CHECK: scf.for %[[M:[a-z0-9]*]] = %{{.*}} to %{{.*}} step
// CHECK-DAG: %[[FIFTEEN:.*]] = arith.constant 15 : index
// CHECK-DAG: %[[LAST:.*]] = arith.remsi %[[M]], %{{.*}} : index
// CHECK-DAG: %[[FIRST:.*]] = arith.divsi %[[M]], %{{.*}} : index
// CHECK-DAG: %[[ROWS:.*]] = arith.muli %[[FIRST]], %{{.*}} : index
// CHECK: pto.tload %{{.*}} : memref<10x32x32xbf16>
// CHECK: %[[SECOND:.*]] = arith.divsi %[[M]], %{{.*}} : index
// CHECK: arith.remsi %[[SECOND]], %{{.*}} : index
// CHECK: pto.tload %{{.*}} : memref<3x1x32xbf16>
func.func @matrices(%a: tensor<2x1x5x32x32xbf16>, %b: tensor<3x1x1x32xbf16>) -> tensor<2x3x5x32x32xbf16> {
  %0 = "ttir.add"(%a, %b) : (tensor<2x1x5x32x32xbf16>, tensor<3x1x1x32xbf16>) -> tensor<2x3x5x32x32xbf16>
  return %0 : tensor<2x3x5x32x32xbf16>
}

// -----

// So are those of the factors of a product.

// CHECK-LABEL: pto.func @factors_
// CHECK: %[[A:.*]] = pto.tload %{{.*}} : memref<2x32x32xbf16>
// CHECK: %[[B:.*]] = pto.tload %{{.*}} : memref<3x32x32xbf16>
// CHECK: pto.tmatmul %[[A]], %[[B]]
func.func @factors(%a: tensor<2x1x32x32xbf16>, %b: tensor<3x32x32xbf16>) -> tensor<2x3x32x32xbf16> {
  %0 = "ttir.matmul"(%a, %b) : (tensor<2x1x32x32xbf16>, tensor<3x32x32xbf16>) -> tensor<2x3x32x32xbf16>
  return %0 : tensor<2x3x32x32xbf16>
}

// -----

// Several broadcasts share a kernel, and so does a value between limits that are larger.

// CHECK-LABEL: pto.func @chain_add_multiply_clamp_tensor_0
// CHECK-NOT: pto.func
func.func @chain(%a: tensor<4x1x8xf32>, %b: tensor<1x5x8xf32>, %c: tensor<4x1x1xf32>, %d: tensor<8xf32>) -> tensor<4x5x8xf32> {
  %0 = "ttir.add"(%a, %b) : (tensor<4x1x8xf32>, tensor<1x5x8xf32>) -> tensor<4x5x8xf32>
  %1 = "ttir.multiply"(%c, %0) : (tensor<4x1x1xf32>, tensor<4x5x8xf32>) -> tensor<4x5x8xf32>
  %2 = "ttir.clamp_tensor"(%1, %d, %c) : (tensor<4x5x8xf32>, tensor<8xf32>, tensor<4x1x1xf32>) -> tensor<4x5x8xf32>
  return %2 : tensor<4x5x8xf32>
}

// -----

// CHECK-LABEL: pto.func @limits_
// CHECK: pto.tmul {{.*}}broadcast = #pto.broadcast<row>
// CHECK: pto.tmax
// CHECK: pto.tmin
func.func @limits(%a: tensor<8xf32>, %b: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = "ttir.clamp_tensor"(%a, %b, %b) : (tensor<8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

// A tensor without dimensions is a matrix of one element.

// CHECK-LABEL: pto.func @scalars_
// CHECK-SAME: memref<1x1xbf16>
// CHECK: pto.tload %{{.*}} : memref<1x1xbf16> -> <tensor<32x32xbf16>, mat>
// CHECK: pto.tstore %{{.*}} -> memref<1x1xbf16>
func.func @scalars(%a: tensor<bf16>) -> tensor<bf16> {
  %0 = "ttir.relu"(%a) : (tensor<bf16>) -> tensor<bf16>
  return %0 : tensor<bf16>
}
