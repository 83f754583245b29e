// RUN: ttmlir-opt --ttir-to-mncore-pipeline --split-input-file --verify-diagnostics %s
// RUN: not ttmlir-opt --ttir-to-mncore-pipeline=precision=float %s 2>&1 | FileCheck %s --check-prefix=PRECISION
// RUN: not ttmlir-opt --convert-pto-to-mncore=f32-matmul=half %s 2>&1 | FileCheck %s --check-prefix=F32

// PRECISION: option 'precision' takes auto or half or pseudo or single or double, not 'float'
// F32: option 'f32-matmul' takes pseudo or single, not 'half'

// Each element of a block that has a much larger element.
func.func @outlier(%a: tensor<1x4xf32>) -> tensor<1x2xf32> {
  %b = "ttir.constant"() <{value = dense<[[1.0, 2.0], [1.0, 1.0e5], [1.5, 3.0], [1.0, 2.0]]> : tensor<4x2xf32>}> : () -> tensor<4x2xf32>
  // expected-warning @+1 {{has a constant right factor with a block of 8 elements along the contracted dimension whose greatest magnitude is 33333 times the median: in pseudo precision the small elements lose bits; compile with precision=single}}
  %0 = "ttir.matmul"(%a, %b) : (tensor<1x4xf32>, tensor<4x2xf32>) -> tensor<1x2xf32>
  return %0 : tensor<1x2xf32>
}

// -----

// A vector consists of depth only, also if it is marked as transposed.
func.func @vector(%a: tensor<3x4xf32>, %c: tensor<4x2xf32>) -> (tensor<3xf32>, tensor<2xf32>) {
  %b = "ttir.constant"() <{value = dense<[1.0, 1.0e5, 3.0, 2.0]> : tensor<4xf32>}> : () -> tensor<4xf32>
  // expected-warning @+1 {{has a constant right factor with a block of 8 elements along the contracted dimension whose greatest magnitude is 33333 times the median}}
  %0 = "ttir.matmul"(%a, %b) : (tensor<3x4xf32>, tensor<4xf32>) -> tensor<3xf32>
  // expected-warning @+1 {{has a constant left factor with a block of 8 elements along the contracted dimension whose greatest magnitude is 33333 times the median}}
  %1 = "ttir.matmul"(%b, %c) <{transpose_a = true}> : (tensor<4xf32>, tensor<4x2xf32>) -> tensor<2xf32>
  return %0, %1 : tensor<3xf32>, tensor<2xf32>
}

// -----

// Along the columns magnitudes may differ.
func.func @columns(%a: tensor<1x4xf32>) -> tensor<1x2xf32> {
  %b = "ttir.constant"() <{value = dense<[[1.0, 2.0e6], [1.0, 1.0e6], [1.5, 3.0e6], [1.0, 2.0e6]]> : tensor<4x2xf32>}> : () -> tensor<4x2xf32>
  %0 = "ttir.matmul"(%a, %b) : (tensor<1x4xf32>, tensor<4x2xf32>) -> tensor<1x2xf32>
  return %0 : tensor<1x2xf32>
}

// -----

// A product's own precision.
func.func @word(%a: tensor<1x4xf32>, %b: tensor<4x2xf32>) -> tensor<1x2xf32> {
  // expected-error @+1 {{its attribute mncore.precision is auto or half or pseudo or single or double, not 'float'}}
  %0 = "ttir.matmul"(%a, %b) {mncore.precision = "float"} : (tensor<1x4xf32>, tensor<4x2xf32>) -> tensor<1x2xf32>
  return %0 : tensor<1x2xf32>
}

// -----

// Constants outside of the range of half precision.
func.func @beyond(%a: tensor<1x4xf32>) -> tensor<1x2xf32> {
  %b = "ttir.constant"() <{value = dense<[[2.0e9, 2.0], [5.0e9, 1.0], [3.0e9, 3.0], [2.0e9, 2.0]]> : tensor<4x2xf32>}> : () -> tensor<4x2xf32>
  // expected-warning @+1 {{has a constant right factor with an element of 5e9, which is infinite in half precision; compile with precision=pseudo}}
  %0 = "ttir.matmul"(%a, %b) {mncore.precision = "half"} : (tensor<1x4xf32>, tensor<4x2xf32>) -> tensor<1x2xf32>
  return %0 : tensor<1x2xf32>
}

// -----

// The same for a splat.
func.func @repeated(%a: tensor<1x4xf32>) -> tensor<1x2xf32> {
  %b = "ttir.constant"() <{value = dense<-5.0e9> : tensor<4x2xf32>}> : () -> tensor<4x2xf32>
  // expected-warning @+1 {{has a constant right factor with an element of 5e9, which is infinite in half precision; compile with precision=pseudo}}
  %0 = "ttir.matmul"(%a, %b) {mncore.precision = "half"} : (tensor<1x4xf32>, tensor<4x2xf32>) -> tensor<1x2xf32>
  return %0 : tensor<1x2xf32>
}

// -----

// Filled with it.
func.func @filled(%a: tensor<1x4xf32>) -> tensor<1x2xf32> {
  %b = "ttir.full"() <{shape = array<i32: 4, 2>, fill_value = 5.0e9 : f32}> : () -> tensor<4x2xf32>
  // expected-warning @+1 {{has a constant right factor with an element of 5e9, which is infinite in half precision; compile with precision=pseudo}}
  %0 = "ttir.matmul"(%a, %b) {mncore.precision = "half"} : (tensor<1x4xf32>, tensor<4x2xf32>) -> tensor<1x2xf32>
  return %0 : tensor<1x2xf32>
}
