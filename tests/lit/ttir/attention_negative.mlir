// Texts are upstream's, except for checks that only this project makes.
// RUN: ttmlir-opt --split-input-file --verify-diagnostics %s

func.func @f(%a: tensor<2x4x8x6xf32>, %b: tensor<2x2x8x6xf32>, %c: tensor<2x2x8x6xf32>) -> tensor<2x4x8x6xbf16> {
  // expected-error@+1 {{'ttir.scaled_dot_product_attention' op Query and result must have the same type}}
  %r = "ttir.scaled_dot_product_attention"(%a, %b, %c) : (tensor<2x4x8x6xf32>, tensor<2x2x8x6xf32>, tensor<2x2x8x6xf32>) -> tensor<2x4x8x6xbf16>
  return %r : tensor<2x4x8x6xbf16>
}

// -----

func.func @f(%a: tensor<2x4x8x6xf32>, %b: tensor<2x2x8x6xf32>, %c: tensor<2x2x8x4xf32>) -> tensor<2x4x8x6xf32> {
  // expected-error@+1 {{'ttir.scaled_dot_product_attention' op Key and value must have the same type}}
  %r = "ttir.scaled_dot_product_attention"(%a, %b, %c) : (tensor<2x4x8x6xf32>, tensor<2x2x8x6xf32>, tensor<2x2x8x4xf32>) -> tensor<2x4x8x6xf32>
  return %r : tensor<2x4x8x6xf32>
}

// -----

func.func @f(%a: tensor<4x8x6xf32>, %b: tensor<2x2x8x6xf32>, %c: tensor<2x2x8x6xf32>) -> tensor<4x8x6xf32> {
  // expected-error@+1 {{'ttir.scaled_dot_product_attention' op Query must be a 4D tensor}}
  %r = "ttir.scaled_dot_product_attention"(%a, %b, %c) : (tensor<4x8x6xf32>, tensor<2x2x8x6xf32>, tensor<2x2x8x6xf32>) -> tensor<4x8x6xf32>
  return %r : tensor<4x8x6xf32>
}

// -----

func.func @f(%a: tensor<2x4x8x6xf32>, %b: tensor<2x8x6xf32>, %c: tensor<2x8x6xf32>) -> tensor<2x4x8x6xf32> {
  // expected-error@+1 {{'ttir.scaled_dot_product_attention' op Key/Value must be a 4D tensor}}
  %r = "ttir.scaled_dot_product_attention"(%a, %b, %c) : (tensor<2x4x8x6xf32>, tensor<2x8x6xf32>, tensor<2x8x6xf32>) -> tensor<2x4x8x6xf32>
  return %r : tensor<2x4x8x6xf32>
}

// -----

func.func @f(%a: tensor<2x4x8x6xf32>, %b: tensor<1x2x8x6xf32>, %c: tensor<1x2x8x6xf32>) -> tensor<2x4x8x6xf32> {
  // expected-error@+1 {{'ttir.scaled_dot_product_attention' op Key/Value batch size must match query batch size}}
  %r = "ttir.scaled_dot_product_attention"(%a, %b, %c) : (tensor<2x4x8x6xf32>, tensor<1x2x8x6xf32>, tensor<1x2x8x6xf32>) -> tensor<2x4x8x6xf32>
  return %r : tensor<2x4x8x6xf32>
}

// -----

func.func @f(%a: tensor<2x4x8x6xf32>, %b: tensor<2x2x8x4xf32>, %c: tensor<2x2x8x4xf32>) -> tensor<2x4x8x6xf32> {
  // expected-error@+1 {{'ttir.scaled_dot_product_attention' op Key/Value head size must match query head size}}
  %r = "ttir.scaled_dot_product_attention"(%a, %b, %c) : (tensor<2x4x8x6xf32>, tensor<2x2x8x4xf32>, tensor<2x2x8x4xf32>) -> tensor<2x4x8x6xf32>
  return %r : tensor<2x4x8x6xf32>
}

// -----

func.func @f(%a: tensor<2x4x8x6xf32>, %b: tensor<2x3x8x6xf32>, %c: tensor<2x3x8x6xf32>) -> tensor<2x4x8x6xf32> {
  // expected-error@+1 {{'ttir.scaled_dot_product_attention' op Query num heads must be divisible by key/value num heads}}
  %r = "ttir.scaled_dot_product_attention"(%a, %b, %c) : (tensor<2x4x8x6xf32>, tensor<2x3x8x6xf32>, tensor<2x3x8x6xf32>) -> tensor<2x4x8x6xf32>
  return %r : tensor<2x4x8x6xf32>
}

// -----

func.func @f(%a: tensor<2x4x8x6xf32>, %b: tensor<2x2x8x6xf32>, %c: tensor<2x2x8x6xf32>, %d: tensor<1x1x8x8xf32>) -> tensor<2x4x8x6xf32> {
  // expected-error@+1 {{'ttir.scaled_dot_product_attention' op Attention mask is not allowed when is_causal is true}}
  %r = "ttir.scaled_dot_product_attention"(%a, %b, %c, %d) <{is_causal = true, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0>}> : (tensor<2x4x8x6xf32>, tensor<2x2x8x6xf32>, tensor<2x2x8x6xf32>, tensor<1x1x8x8xf32>) -> tensor<2x4x8x6xf32>
  return %r : tensor<2x4x8x6xf32>
}

// -----

func.func @f(%a: tensor<2x4x8x6xf32>, %b: tensor<2x2x8x6xf32>, %c: tensor<2x2x8x6xf32>, %d: tensor<8x8xf32>) -> tensor<2x4x8x6xf32> {
  // expected-error@+1 {{'ttir.scaled_dot_product_attention' op Attention mask must be a 4D tensor}}
  %r = "ttir.scaled_dot_product_attention"(%a, %b, %c, %d) <{is_causal = false, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0>}> : (tensor<2x4x8x6xf32>, tensor<2x2x8x6xf32>, tensor<2x2x8x6xf32>, tensor<8x8xf32>) -> tensor<2x4x8x6xf32>
  return %r : tensor<2x4x8x6xf32>
}

// -----

func.func @f(%a: tensor<2x4x8x6xf32>, %b: tensor<2x2x8x6xf32>, %c: tensor<2x2x8x6xf32>, %d: tensor<3x1x8x8xf32>) -> tensor<2x4x8x6xf32> {
  // expected-error@+1 {{'ttir.scaled_dot_product_attention' op Attention mask batch size must be 1 (broadcast) or match query batch size}}
  %r = "ttir.scaled_dot_product_attention"(%a, %b, %c, %d) <{is_causal = false, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0>}> : (tensor<2x4x8x6xf32>, tensor<2x2x8x6xf32>, tensor<2x2x8x6xf32>, tensor<3x1x8x8xf32>) -> tensor<2x4x8x6xf32>
  return %r : tensor<2x4x8x6xf32>
}

// -----

func.func @f(%a: tensor<2x4x8x6xf32>, %b: tensor<2x2x8x6xf32>, %c: tensor<2x2x8x6xf32>, %d: tensor<1x2x8x8xf32>) -> tensor<2x4x8x6xf32> {
  // expected-error@+1 {{'ttir.scaled_dot_product_attention' op Attention mask dim 1 must be 1 (broadcast) or match query num heads}}
  %r = "ttir.scaled_dot_product_attention"(%a, %b, %c, %d) <{is_causal = false, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0>}> : (tensor<2x4x8x6xf32>, tensor<2x2x8x6xf32>, tensor<2x2x8x6xf32>, tensor<1x2x8x8xf32>) -> tensor<2x4x8x6xf32>
  return %r : tensor<2x4x8x6xf32>
}

// -----

func.func @f(%a: tensor<2x4x8x6xf32>, %b: tensor<2x2x8x6xf32>, %c: tensor<2x2x8x6xf32>, %d: tensor<1x1x4x8xf32>) -> tensor<2x4x8x6xf32> {
  // expected-error@+1 {{'ttir.scaled_dot_product_attention' op Attention mask dim 2 must be 1 (broadcast) or match query sequence length}}
  %r = "ttir.scaled_dot_product_attention"(%a, %b, %c, %d) <{is_causal = false, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0>}> : (tensor<2x4x8x6xf32>, tensor<2x2x8x6xf32>, tensor<2x2x8x6xf32>, tensor<1x1x4x8xf32>) -> tensor<2x4x8x6xf32>
  return %r : tensor<2x4x8x6xf32>
}

// -----

func.func @f(%a: tensor<2x4x8x6xf32>, %b: tensor<2x2x8x6xf32>, %c: tensor<2x2x8x6xf32>, %d: tensor<1x1x8x1xf32>) -> tensor<2x4x8x6xf32> {
  // expected-error@+1 {{'ttir.scaled_dot_product_attention' op Attention mask at dim 3 must match key/value sequence length (max sequence length)}}
  %r = "ttir.scaled_dot_product_attention"(%a, %b, %c, %d) <{is_causal = false, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0>}> : (tensor<2x4x8x6xf32>, tensor<2x2x8x6xf32>, tensor<2x2x8x6xf32>, tensor<1x1x8x1xf32>) -> tensor<2x4x8x6xf32>
  return %r : tensor<2x4x8x6xf32>
}

// -----

func.func @f(%a: tensor<2x4x8x6xf32>, %b: tensor<2x2x9x6xf32>, %c: tensor<2x2x9x6xf32>) -> tensor<2x4x8x6xf32> {
  // expected-error@+1 {{'ttir.scaled_dot_product_attention' op Sequence length must match key/value sequence length when is_causal is true}}
  %r = "ttir.scaled_dot_product_attention"(%a, %b, %c) : (tensor<2x4x8x6xf32>, tensor<2x2x9x6xf32>, tensor<2x2x9x6xf32>) -> tensor<2x4x8x6xf32>
  return %r : tensor<2x4x8x6xf32>
}

// -----

func.func @f(%a: tensor<2x4x8x6xf32>, %b: tensor<2x2x8x6xf32>, %c: tensor<2x2x8x6xf32>) -> tensor<2x4x8x6xf32> {
  // expected-error@+1 {{'ttir.scaled_dot_product_attention' op sliding_window_size must be at least 1}}
  %r = "ttir.scaled_dot_product_attention"(%a, %b, %c) <{sliding_window_size = 0 : ui32}> : (tensor<2x4x8x6xf32>, tensor<2x2x8x6xf32>, tensor<2x2x8x6xf32>) -> tensor<2x4x8x6xf32>
  return %r : tensor<2x4x8x6xf32>
}

// -----

func.func @f(%a: tensor<2x4x8x6xf32>, %b: tensor<2x2x8x6xf32>, %c: tensor<2x2x8x6xf32>) -> tensor<2x4x8x6xf32> {
  // expected-error@+1 {{'ttir.scaled_dot_product_attention' op does not support 'sliding_window_size' unless 'is_causal' is true; add the window to the attention mask}}
  %r = "ttir.scaled_dot_product_attention"(%a, %b, %c) <{is_causal = false, sliding_window_size = 2 : ui32}> : (tensor<2x4x8x6xf32>, tensor<2x2x8x6xf32>, tensor<2x2x8x6xf32>) -> tensor<2x4x8x6xf32>
  return %r : tensor<2x4x8x6xf32>
}

// -----

func.func @f(%a: tensor<2x4x8x6xf32>, %b: tensor<2x2x8x6xf32>, %c: tensor<2x2x8x6xf32>, %d: tensor<1x2x1x1xf32>) -> tensor<2x4x8x6xf32> {
  // expected-error@+1 {{'ttir.scaled_dot_product_attention' op attention sink must have shape (1, 4, 1, 1), got (1, 2, 1, 1)}}
  %r = "ttir.scaled_dot_product_attention"(%a, %b, %c, %d) <{is_causal = false, operandSegmentSizes = array<i32: 1, 1, 1, 0, 1>}> : (tensor<2x4x8x6xf32>, tensor<2x2x8x6xf32>, tensor<2x2x8x6xf32>, tensor<1x2x1x1xf32>) -> tensor<2x4x8x6xf32>
  return %r : tensor<2x4x8x6xf32>
}
