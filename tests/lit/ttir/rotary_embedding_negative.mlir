// Texts are upstream's, except for checks that only this project makes.
// RUN: ttmlir-opt --split-input-file --verify-diagnostics %s

func.func @f(%a: tensor<2x3x8x4xf32>, %b: tensor<1x1x16x4xf32>, %c: tensor<1x1x16x4xbf16>) -> tensor<2x3x8x4xf32> {
  // expected-error@+1 {{'ttir.rotary_embedding' op cos and sin tensor dtypes must match.}}
  %r = "ttir.rotary_embedding"(%a, %b, %c) : (tensor<2x3x8x4xf32>, tensor<1x1x16x4xf32>, tensor<1x1x16x4xbf16>) -> tensor<2x3x8x4xf32>
  return %r : tensor<2x3x8x4xf32>
}

// -----

func.func @f(%a: tensor<2x3x8x4xf32>, %b: tensor<1x1x16x4xf32>, %c: tensor<1x1x8x4xf32>) -> tensor<2x3x8x4xf32> {
  // expected-error@+1 {{'ttir.rotary_embedding' op cos and sin tensor shapes must match.}}
  %r = "ttir.rotary_embedding"(%a, %b, %c) : (tensor<2x3x8x4xf32>, tensor<1x1x16x4xf32>, tensor<1x1x8x4xf32>) -> tensor<2x3x8x4xf32>
  return %r : tensor<2x3x8x4xf32>
}

// -----

func.func @f(%a: tensor<3x8x4xf32>, %b: tensor<1x1x16x4xf32>, %c: tensor<1x1x16x4xf32>) -> tensor<3x8x4xf32> {
  // expected-error@+1 {{'ttir.rotary_embedding' op all input and output tensors must be 4D tensors.}}
  %r = "ttir.rotary_embedding"(%a, %b, %c) : (tensor<3x8x4xf32>, tensor<1x1x16x4xf32>, tensor<1x1x16x4xf32>) -> tensor<3x8x4xf32>
  return %r : tensor<3x8x4xf32>
}

// -----

func.func @f(%a: tensor<2x3x8x4xf32>, %b: tensor<16x4xf32>, %c: tensor<16x4xf32>) -> tensor<2x3x8x4xf32> {
  // expected-error@+1 {{'ttir.rotary_embedding' op all input and output tensors must be 4D tensors.}}
  %r = "ttir.rotary_embedding"(%a, %b, %c) : (tensor<2x3x8x4xf32>, tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<2x3x8x4xf32>
  return %r : tensor<2x3x8x4xf32>
}

// -----

func.func @f(%a: tensor<2x3x8x4xf32>, %b: tensor<1x2x16x4xf32>, %c: tensor<1x2x16x4xf32>) -> tensor<2x3x8x4xf32> {
  // expected-error@+1 {{'ttir.rotary_embedding' op caches of shape (1, 2, 16, 4) do not fit an input of shape (2, 3, 8, 4), whose last dimension must be the same and even}}
  %r = "ttir.rotary_embedding"(%a, %b, %c) : (tensor<2x3x8x4xf32>, tensor<1x2x16x4xf32>, tensor<1x2x16x4xf32>) -> tensor<2x3x8x4xf32>
  return %r : tensor<2x3x8x4xf32>
}

// -----

func.func @f(%a: tensor<2x3x8x4xf32>, %b: tensor<1x1x7x4xf32>, %c: tensor<1x1x7x4xf32>) -> tensor<2x3x8x4xf32> {
  // expected-error@+1 {{'ttir.rotary_embedding' op caches have 7 positions, but position 7 is needed}}
  %r = "ttir.rotary_embedding"(%a, %b, %c) : (tensor<2x3x8x4xf32>, tensor<1x1x7x4xf32>, tensor<1x1x7x4xf32>) -> tensor<2x3x8x4xf32>
  return %r : tensor<2x3x8x4xf32>
}

// -----

func.func @f(%a: tensor<2x3x8x4xf32>, %b: tensor<1x1x16x4xf32>, %c: tensor<1x1x16x4xf32>) -> tensor<2x3x8x4xf32> {
  // expected-error@+1 {{'ttir.rotary_embedding' op caches have 16 positions, but position 16 is needed}}
  %r = "ttir.rotary_embedding"(%a, %b, %c) <{token_index = 16 : ui32}> : (tensor<2x3x8x4xf32>, tensor<1x1x16x4xf32>, tensor<1x1x16x4xf32>) -> tensor<2x3x8x4xf32>
  return %r : tensor<2x3x8x4xf32>
}

// -----

func.func @f(%a: tensor<2x3x8x4xf32>, %b: tensor<1x1x16x4xf32>, %c: tensor<1x1x16x4xf32>) -> tensor<2x3x9x4xf32> {
  // expected-error@+1 {{'ttir.rotary_embedding' op result shape (2, 3, 9, 4) must be the input shape (2, 3, 8, 4)}}
  %r = "ttir.rotary_embedding"(%a, %b, %c) : (tensor<2x3x8x4xf32>, tensor<1x1x16x4xf32>, tensor<1x1x16x4xf32>) -> tensor<2x3x9x4xf32>
  return %r : tensor<2x3x9x4xf32>
}
