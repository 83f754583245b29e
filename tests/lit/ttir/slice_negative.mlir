// Texts are upstream's, except for checks that only this project makes.
// RUN: ttmlir-opt --split-input-file --verify-diagnostics %s

func.func @f(%a: tensor<f32>) -> tensor<f32> {
  // expected-error@+1 {{'ttir.slice_static' op Input must be at least a 1D tensor}}
  %r = "ttir.slice_static"(%a) <{begins = [], ends = [], step = []}> : (tensor<f32>) -> tensor<f32>
  return %r : tensor<f32>
}

// -----

func.func @f(%a: tensor<4x8xf32>) -> tensor<4x4xf32> {
  // expected-error@+1 {{'ttir.slice_static' op Begins, ends, and step attributes must have the same number of elements as the input tensor rank}}
  %r = "ttir.slice_static"(%a) <{begins = [0 : i32], ends = [4 : i32, 4 : i32], step = [1 : i32, 1 : i32]}> : (tensor<4x8xf32>) -> tensor<4x4xf32>
  return %r : tensor<4x4xf32>
}

// -----

func.func @f(%a: tensor<4x8xf32>) -> tensor<4x4xbf16> {
  // expected-error@+1 {{'ttir.slice_static' op Output tensor must have the same element type as the input tensor}}
  %r = "ttir.slice_static"(%a) <{begins = [0 : i32, 0 : i32], ends = [4 : i32, 4 : i32], step = [1 : i32, 1 : i32]}> : (tensor<4x8xf32>) -> tensor<4x4xbf16>
  return %r : tensor<4x4xbf16>
}

// -----

func.func @f(%a: tensor<4x8xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{'ttir.slice_static' op Output tensor must have the same rank as the input tensor}}
  %r = "ttir.slice_static"(%a) <{begins = [0 : i32, 0 : i32], ends = [4 : i32, 1 : i32], step = [1 : i32, 1 : i32]}> : (tensor<4x8xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

func.func @f(%a: tensor<4x8xf32>) -> tensor<4x4xf32> {
  // expected-error@+1 {{'ttir.slice_static' op Invalid begin index for dimension 1. Expected value in range [-8, 8), got 9. Input shape: (4, 8)}}
  %r = "ttir.slice_static"(%a) <{begins = [0 : i32, 9 : i32], ends = [4 : i32, 4 : i32], step = [1 : i32, 1 : i32]}> : (tensor<4x8xf32>) -> tensor<4x4xf32>
  return %r : tensor<4x4xf32>
}

// -----

func.func @f(%a: tensor<4x8xf32>) -> tensor<4x4xf32> {
  // expected-error@+1 {{'ttir.slice_static' op Invalid end index for dimension 0. Expected value in range [-4, 4], got -5. Input shape: (4, 8)}}
  %r = "ttir.slice_static"(%a) <{begins = [0 : i32, 0 : i32], ends = [-5 : i32, 4 : i32], step = [1 : i32, 1 : i32]}> : (tensor<4x8xf32>) -> tensor<4x4xf32>
  return %r : tensor<4x4xf32>
}

// -----

func.func @f(%a: tensor<4x8xf32>) -> tensor<4x4xf32> {
  // expected-error@+1 {{'ttir.slice_static' op Step value for dimension 1 cannot be zero}}
  %r = "ttir.slice_static"(%a) <{begins = [0 : i32, 0 : i32], ends = [4 : i32, 4 : i32], step = [1 : i32, 0 : i32]}> : (tensor<4x8xf32>) -> tensor<4x4xf32>
  return %r : tensor<4x4xf32>
}

// -----

func.func @f(%a: tensor<4x8xf32>) -> tensor<4x4xf32> {
  // expected-error@+1 {{'ttir.slice_static' op For positive step, begin index must be less than or equal to end index for dimension 1. Got begin: 6, end: 4 (-4), step: 1, input shape: (4, 8)}}
  %r = "ttir.slice_static"(%a) <{begins = [0 : i32, 6 : i32], ends = [4 : i32, -4 : i32], step = [1 : i32, 1 : i32]}> : (tensor<4x8xf32>) -> tensor<4x4xf32>
  return %r : tensor<4x4xf32>
}

// -----

func.func @f(%a: tensor<4x8xf32>) -> tensor<4x4xf32> {
  // expected-error@+1 {{'ttir.slice_static' op For negative step, begin index must be greater than or equal to end index for dimension 1. Got begin: 2, end: 4, step: -1, input shape: (4, 8)}}
  %r = "ttir.slice_static"(%a) <{begins = [0 : i32, 2 : i32], ends = [4 : i32, 4 : i32], step = [1 : i32, -1 : i32]}> : (tensor<4x8xf32>) -> tensor<4x4xf32>
  return %r : tensor<4x4xf32>
}

// -----

func.func @f(%a: tensor<4x8xf32>) -> tensor<4x4xf32> {
  // expected-error@+1 {{'ttir.slice_static' op Mismatch in dimension 1 of the output tensor: expected size 3, but got 4}}
  %r = "ttir.slice_static"(%a) <{begins = [0 : i32, 0 : i32], ends = [4 : i32, 8 : i32], step = [1 : i32, 3 : i32]}> : (tensor<4x8xf32>) -> tensor<4x4xf32>
  return %r : tensor<4x4xf32>
}

// -----

func.func @f(%a: tensor<4x8xf32>) -> tensor<4x9xf32> {
  // expected-error@+1 {{'ttir.pad' op Padding must have the same number of elements as twice the rank of the input tensor}}
  %r = "ttir.pad"(%a) <{padding = array<i32: 0, 1>, value = 0.0 : f32}> : (tensor<4x8xf32>) -> tensor<4x9xf32>
  return %r : tensor<4x9xf32>
}

// -----

func.func @f(%a: tensor<4x8xf32>) -> tensor<4x9xf32> {
  // expected-error@+1 {{'ttir.pad' op Output tensor shape (4,9) must match the inferred shape: (4,11)}}
  %r = "ttir.pad"(%a) <{padding = array<i32: 0, 0, 1, 2>, value = 0.0 : f32}> : (tensor<4x8xf32>) -> tensor<4x9xf32>
  return %r : tensor<4x9xf32>
}

// -----

func.func @f(%a: tensor<4x8xf32>) -> tensor<4x1xf32> {
  // expected-error@+1 {{'ttnn.pad' op padding of dimension 1 removes more elements than the 8 it has}}
  %r = "ttnn.pad"(%a) <{padding = array<i32: 0, 0, -8, -1>, value = 0.0 : f32}> : (tensor<4x8xf32>) -> tensor<4x1xf32>
  return %r : tensor<4x1xf32>
}

// -----

func.func @f(%a: tensor<4x8xi32>) -> tensor<4x9xi32> {
  // expected-error@+1 {{'ttir.pad' op padding value 0.5 is not of type 'i32'}}
  %r = "ttir.pad"(%a) <{padding = array<i32: 0, 0, 1, 0>, value = 0.5 : f32}> : (tensor<4x8xi32>) -> tensor<4x9xi32>
  return %r : tensor<4x9xi32>
}

// -----

func.func @f(%a: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error@+1 {{'ttir.reverse' op dimensions should be unique. Got: 1, 1}}
  %r = "ttir.reverse"(%a) <{dimensions = array<i64: 1, 1>}> : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

// -----

func.func @f(%a: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error@+1 {{'ttir.reverse' op all dimensions should be non-negative. Got dimension: -1}}
  %r = "ttir.reverse"(%a) <{dimensions = array<i64: -1>}> : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

// -----

func.func @f(%a: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error@+1 {{'ttir.reverse' op all dimensions should be in interval [0, 2). Got dimension: 2}}
  %r = "ttir.reverse"(%a) <{dimensions = array<i64: 2>}> : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

// -----

func.func @f(%a: tensor<4x8xf32>) -> tensor<8x4xf32> {
  // expected-error@+1 {{'ttir.reverse' op failed to verify that all of {input, result} have same shape}}
  %r = "ttir.reverse"(%a) <{dimensions = array<i64: 1>}> : (tensor<4x8xf32>) -> tensor<8x4xf32>
  return %r : tensor<8x4xf32>
}
