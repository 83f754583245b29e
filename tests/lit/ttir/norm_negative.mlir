// RUN: ttmlir-opt --split-input-file --verify-diagnostics %s

func.func @f(%a: tensor<2x4x8xf32>) -> tensor<2x4x16xf32> {
  // expected-error@+1 {{'ttir.layer_norm' op input and output must have the same shape}}
  %r = "ttir.layer_norm"(%a) <{normalized_shape = array<i64: 8>}> : (tensor<2x4x8xf32>) -> tensor<2x4x16xf32>
  return %r : tensor<2x4x16xf32>
}

// -----

func.func @f(%a: tensor<2x4x8xf32>) -> tensor<2x4x8xf32> {
  // expected-error@+1 {{'ttir.layer_norm' op normalized_shape cannot be empty}}
  %r = "ttir.layer_norm"(%a) <{normalized_shape = array<i64>}> : (tensor<2x4x8xf32>) -> tensor<2x4x8xf32>
  return %r : tensor<2x4x8xf32>
}

// -----

func.func @f(%a: tensor<2x4x8xf32>) -> tensor<2x4x8xf32> {
  // expected-error@+1 {{'ttir.layer_norm' op normalized_shape has more dimensions than input tensor}}
  %r = "ttir.layer_norm"(%a) <{normalized_shape = array<i64: 1, 2, 4, 8>}> : (tensor<2x4x8xf32>) -> tensor<2x4x8xf32>
  return %r : tensor<2x4x8xf32>
}

// -----

func.func @f(%a: tensor<2x4x8xf32>) -> tensor<2x4x8xf32> {
  // expected-error@+1 {{'ttir.layer_norm' op normalized_shape dimensions must match trailing dimensions of input tensor}}
  %r = "ttir.layer_norm"(%a) <{normalized_shape = array<i64: 4, 16>}> : (tensor<2x4x8xf32>) -> tensor<2x4x8xf32>
  return %r : tensor<2x4x8xf32>
}

// -----

func.func @f(%a: tensor<2x4x8xf32>, %b: tensor<16xf32>) -> tensor<2x4x8xf32> {
  // expected-error@+1 {{'ttir.layer_norm' op weight tensor shape must match normalized_shape}}
  %r = "ttir.layer_norm"(%a, %b) <{normalized_shape = array<i64: 8>, operandSegmentSizes = array<i32: 1, 1, 0>}> : (tensor<2x4x8xf32>, tensor<16xf32>) -> tensor<2x4x8xf32>
  return %r : tensor<2x4x8xf32>
}

// -----

func.func @f(%a: tensor<2x4x8xf32>, %b: tensor<4xf32>) -> tensor<2x4x8xf32> {
  // expected-error@+1 {{'ttir.layer_norm' op bias tensor shape must match normalized_shape}}
  %r = "ttir.layer_norm"(%a, %b) <{normalized_shape = array<i64: 8>, operandSegmentSizes = array<i32: 1, 0, 1>}> : (tensor<2x4x8xf32>, tensor<4xf32>) -> tensor<2x4x8xf32>
  return %r : tensor<2x4x8xf32>
}

// -----

func.func @f(%a: tensor<2x4x8xf32>, %b: tensor<4x8xf32>, %c: tensor<2x8xf32>) -> tensor<2x4x8xf32> {
  // expected-error@+1 {{'ttir.layer_norm' op bias tensor shape must match normalized_shape}}
  %r = "ttir.layer_norm"(%a, %b, %c) <{normalized_shape = array<i64: 4, 8>}> : (tensor<2x4x8xf32>, tensor<4x8xf32>, tensor<2x8xf32>) -> tensor<2x4x8xf32>
  return %r : tensor<2x4x8xf32>
}

// -----

func.func @f(%a: tensor<2x4x8xf32>, %b: tensor<8xf32>) -> tensor<2x4x8xf32> {
  // expected-error@+1 {{'ttir.layer_norm' op attribute 'operandSegmentSizes' (1, 1, 1) does not count the 2 operands}}
  %r = "ttir.layer_norm"(%a, %b) <{normalized_shape = array<i64: 8>, operandSegmentSizes = array<i32: 1, 1, 1>}> : (tensor<2x4x8xf32>, tensor<8xf32>) -> tensor<2x4x8xf32>
  return %r : tensor<2x4x8xf32>
}

// -----

func.func @f(%a: tensor<4x8xi32>) -> tensor<4x8xi32> {
  // expected-error@+1 {{'ttir.layer_norm' op does not support element type 'i32'; cast to 'f32' first}}
  %r = "ttir.layer_norm"(%a) <{normalized_shape = array<i64: 8>}> : (tensor<4x8xi32>) -> tensor<4x8xi32>
  return %r : tensor<4x8xi32>
}

// -----

func.func @f(%a: tensor<2x4x8xf32>) -> tensor<2x4x16xf32> {
  // expected-error@+1 {{'ttir.rms_norm' op input and output must have the same shape}}
  %r = "ttir.rms_norm"(%a) <{normalized_shape = array<i64: 8>}> : (tensor<2x4x8xf32>) -> tensor<2x4x16xf32>
  return %r : tensor<2x4x16xf32>
}

// -----

func.func @f(%a: tensor<2x4x8xf32>) -> tensor<2x4x8xf32> {
  // expected-error@+1 {{'ttir.rms_norm' op normalized_shape cannot be empty}}
  %r = "ttir.rms_norm"(%a) <{normalized_shape = array<i64>}> : (tensor<2x4x8xf32>) -> tensor<2x4x8xf32>
  return %r : tensor<2x4x8xf32>
}

// -----

func.func @f(%a: tensor<2x4x8xf32>) -> tensor<2x4x8xf32> {
  // expected-error@+1 {{'ttir.rms_norm' op normalized_shape has more dimensions than input tensor}}
  %r = "ttir.rms_norm"(%a) <{normalized_shape = array<i64: 1, 2, 4, 8>}> : (tensor<2x4x8xf32>) -> tensor<2x4x8xf32>
  return %r : tensor<2x4x8xf32>
}

// -----

func.func @f(%a: tensor<2x4x8xf32>) -> tensor<2x4x8xf32> {
  // expected-error@+1 {{'ttir.rms_norm' op normalized_shape dimensions must match trailing dimensions of input tensor}}
  %r = "ttir.rms_norm"(%a) <{normalized_shape = array<i64: 4, 16>}> : (tensor<2x4x8xf32>) -> tensor<2x4x8xf32>
  return %r : tensor<2x4x8xf32>
}

// -----

func.func @f(%a: tensor<2x4x8xf32>, %b: tensor<16xf32>) -> tensor<2x4x8xf32> {
  // expected-error@+1 {{'ttir.rms_norm' op weight tensor shape must match normalized_shape}}
  %r = "ttir.rms_norm"(%a, %b) <{normalized_shape = array<i64: 8>, operandSegmentSizes = array<i32: 1, 1, 0>}> : (tensor<2x4x8xf32>, tensor<16xf32>) -> tensor<2x4x8xf32>
  return %r : tensor<2x4x8xf32>
}

// -----

func.func @f(%a: tensor<2x4x8xf32>, %b: tensor<4xf32>) -> tensor<2x4x8xf32> {
  // expected-error@+1 {{'ttir.rms_norm' op bias tensor shape must match normalized_shape}}
  %r = "ttir.rms_norm"(%a, %b) <{normalized_shape = array<i64: 8>, operandSegmentSizes = array<i32: 1, 0, 1>}> : (tensor<2x4x8xf32>, tensor<4xf32>) -> tensor<2x4x8xf32>
  return %r : tensor<2x4x8xf32>
}

// -----

func.func @f(%a: tensor<2x4x8xf32>, %b: tensor<4x8xf32>, %c: tensor<2x8xf32>) -> tensor<2x4x8xf32> {
  // expected-error@+1 {{'ttir.rms_norm' op bias tensor shape must match normalized_shape}}
  %r = "ttir.rms_norm"(%a, %b, %c) <{normalized_shape = array<i64: 4, 8>}> : (tensor<2x4x8xf32>, tensor<4x8xf32>, tensor<2x8xf32>) -> tensor<2x4x8xf32>
  return %r : tensor<2x4x8xf32>
}

// -----

func.func @f(%a: tensor<2x4x8xf32>, %b: tensor<8xf32>) -> tensor<2x4x8xf32> {
  // expected-error@+1 {{'ttir.rms_norm' op attribute 'operandSegmentSizes' (1, 1, 1) does not count the 2 operands}}
  %r = "ttir.rms_norm"(%a, %b) <{normalized_shape = array<i64: 8>, operandSegmentSizes = array<i32: 1, 1, 1>}> : (tensor<2x4x8xf32>, tensor<8xf32>) -> tensor<2x4x8xf32>
  return %r : tensor<2x4x8xf32>
}

// -----

func.func @f(%a: tensor<4x8xi32>) -> tensor<4x8xi32> {
  // expected-error@+1 {{'ttir.rms_norm' op does not support element type 'i32'; cast to 'f32' first}}
  %r = "ttir.rms_norm"(%a) <{normalized_shape = array<i64: 8>}> : (tensor<4x8xi32>) -> tensor<4x8xi32>
  return %r : tensor<4x8xi32>
}
