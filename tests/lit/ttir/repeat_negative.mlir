// Texts are upstream's.
// RUN: ttmlir-opt --split-input-file --verify-diagnostics %s

func.func @f(%a: tensor<1x8xf32>) -> tensor<4x4x8xf32> {
  // expected-error@+1 {{'ttir.broadcast' op Input tensor rank of 2 does not match output tensor rank of 3}}
  %r = "ttir.broadcast"(%a) <{broadcast_dimensions = array<i64: 4, 4, 1>}> : (tensor<1x8xf32>) -> tensor<4x4x8xf32>
  return %r : tensor<4x4x8xf32>
}

// -----

func.func @f(%a: tensor<2x8xf32>) -> tensor<4x8xf32> {
  // expected-error@+1 {{'ttir.broadcast' op Input tensor shape (2,8) is not broadcastable to output shape (4,8)}}
  %r = "ttir.broadcast"(%a) <{broadcast_dimensions = array<i64: 2, 1>}> : (tensor<2x8xf32>) -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

// -----

func.func @f(%a: tensor<1x8xf32>) -> tensor<4x8xf32> {
  // expected-error@+1 {{'ttir.broadcast' op Input tensor rank should match output tensor rank.}}
  %r = "ttir.broadcast"(%a) <{broadcast_dimensions = array<i64: 4>}> : (tensor<1x8xf32>) -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

// -----

func.func @f(%a: tensor<1x8xf32>) -> tensor<4x8xf32> {
  // expected-error@+1 {{'ttir.broadcast' op Input tensor shape (1,8) index 0 does not broadcast to output (4,8) using broadcast value 3}}
  %r = "ttir.broadcast"(%a) <{broadcast_dimensions = array<i64: 3, 1>}> : (tensor<1x8xf32>) -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

// -----

func.func @f(%a: tensor<2x8xf32>) -> tensor<4x8xf32> {
  // expected-error@+1 {{'ttir.repeat' op Input tensor rank 2 doesn't match the number of repeat dimensions 1.}}
  %r = "ttir.repeat"(%a) <{repeat_dimensions = array<i64: 2>}> : (tensor<2x8xf32>) -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

// -----

func.func @f(%a: tensor<2x8xf32>) -> tensor<32xf32> {
  // expected-error@+1 {{'ttir.repeat' op Input tensor rank 2 doesn't match the output tensor rank 1.}}
  %r = "ttir.repeat"(%a) <{repeat_dimensions = array<i64: 2, 1>}> : (tensor<2x8xf32>) -> tensor<32xf32>
  return %r : tensor<32xf32>
}

// -----

func.func @f(%a: tensor<2x8xf32>) -> tensor<2x8xf32> {
  // expected-error@+1 {{'ttir.repeat' op Repeat dimension at index 1 must be greater than 0.}}
  %r = "ttir.repeat"(%a) <{repeat_dimensions = array<i64: 1, 0>}> : (tensor<2x8xf32>) -> tensor<2x8xf32>
  return %r : tensor<2x8xf32>
}

// -----

func.func @f(%a: tensor<2x8xf32>) -> tensor<2x15xf32> {
  // expected-error@+1 {{'ttir.repeat' op Input tensor shape (2,8) at index 1 does not repeat to output (2,15) using repeat value 2.}}
  %r = "ttir.repeat"(%a) <{repeat_dimensions = array<i64: 1, 2>}> : (tensor<2x8xf32>) -> tensor<2x15xf32>
  return %r : tensor<2x15xf32>
}

// -----

func.func @f(%a: tensor<f32>) -> tensor<f32> {
  // expected-error@+1 {{'ttir.repeat_interleave' op Input must be at least a 1D tensor}}
  %r = "ttir.repeat_interleave"(%a) <{repeats = 2 : ui32, dim = 0 : si32}> : (tensor<f32>) -> tensor<f32>
  return %r : tensor<f32>
}

// -----

func.func @f(%a: tensor<2x8xf32>) -> tensor<2x8xf32> {
  // expected-error@+1 {{'ttir.repeat_interleave' op Repeats attribute must be non-zero}}
  %r = "ttir.repeat_interleave"(%a) <{repeats = 0 : ui32, dim = 0 : si32}> : (tensor<2x8xf32>) -> tensor<2x8xf32>
  return %r : tensor<2x8xf32>
}

// -----

func.func @f(%a: tensor<2x8xf32>) -> tensor<4x8xf32> {
  // expected-error@+1 {{'ttir.repeat_interleave' op Dimension attribute must be within the bounds[-2, 2), got 2}}
  %r = "ttir.repeat_interleave"(%a) <{repeats = 2 : ui32, dim = 2 : si32}> : (tensor<2x8xf32>) -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

// -----

func.func @f(%a: tensor<2x8xf32>) -> tensor<4x8xf32> {
  // expected-error@+1 {{'ttir.repeat_interleave' op Output shape [4,8] does not match the expected shape [6,8]}}
  %r = "ttir.repeat_interleave"(%a) <{repeats = 3 : ui32, dim = -2 : si32}> : (tensor<2x8xf32>) -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

// -----

func.func @f(%a: tensor<1x8xf32>) -> tensor<8xf32> {
  // expected-error@+1 {{'ttir.squeeze' op Invalid dimension 2 for squeezing.}}
  %r = "ttir.squeeze"(%a) <{dim = 2 : si32}> : (tensor<1x8xf32>) -> tensor<8xf32>
  return %r : tensor<8xf32>
}

// -----

func.func @f(%a: tensor<1x8xf32>) -> tensor<1xf32> {
  // expected-error@+1 {{'ttir.squeeze' op Dimension 1 in the input tensor must be 1.}}
  %r = "ttir.squeeze"(%a) <{dim = -1 : si32}> : (tensor<1x8xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

func.func @f(%a: tensor<1xf32>) -> tensor<f32> {
  // expected-error@+1 {{'ttir.squeeze' op Output tensor must have at least one dimension.}}
  %r = "ttir.squeeze"(%a) <{dim = 0 : si32}> : (tensor<1xf32>) -> tensor<f32>
  return %r : tensor<f32>
}

// -----

func.func @f(%a: tensor<1x8xf32>) -> tensor<1x8xf32> {
  // expected-error@+1 {{'ttir.squeeze' op Output tensor rank must be one less than the input tensor rank.}}
  %r = "ttir.squeeze"(%a) <{dim = 0 : si32}> : (tensor<1x8xf32>) -> tensor<1x8xf32>
  return %r : tensor<1x8xf32>
}

// -----

func.func @f(%a: tensor<1x8xf32>) -> tensor<9xf32> {
  // expected-error@+1 {{'ttir.squeeze' op Dimensions of the output tensor must be the same as the input tensor except for dimension 0.}}
  %r = "ttir.squeeze"(%a) <{dim = 0 : si32}> : (tensor<1x8xf32>) -> tensor<9xf32>
  return %r : tensor<9xf32>
}

// -----

func.func @f(%a: tensor<8xf32>) -> tensor<8x1xf32> {
  // expected-error@+1 {{'ttir.unsqueeze' op Dimension attribute must be within the bounds of the input tensor}}
  %r = "ttir.unsqueeze"(%a) <{dim = 2 : si32}> : (tensor<8xf32>) -> tensor<8x1xf32>
  return %r : tensor<8x1xf32>
}

// -----

func.func @f(%a: tensor<8xf32>) -> tensor<8x1x1xf32> {
  // expected-error@+1 {{'ttir.unsqueeze' op Output tensor must have one more dimension than the input tensor}}
  %r = "ttir.unsqueeze"(%a) <{dim = 1 : si32}> : (tensor<8xf32>) -> tensor<8x1x1xf32>
  return %r : tensor<8x1x1xf32>
}

// -----

func.func @f(%a: tensor<8xf32>) -> tensor<4x2xf32> {
  // expected-error@+1 {{'ttir.unsqueeze' op Dimension added must be of size 1}}
  %r = "ttir.unsqueeze"(%a) <{dim = 1 : si32}> : (tensor<8xf32>) -> tensor<4x2xf32>
  return %r : tensor<4x2xf32>
}

// -----

func.func @f(%a: tensor<8xf32>) -> tensor<4x1xf32> {
  // expected-error@+1 {{'ttir.unsqueeze' op All dimensions of the input tensor must be the same as the output tensor except for the dimension added}}
  %r = "ttir.unsqueeze"(%a) <{dim = 1 : si32}> : (tensor<8xf32>) -> tensor<4x1xf32>
  return %r : tensor<4x1xf32>
}
