// Texts are upstream's, except for those about element types.
// RUN: ttmlir-opt --split-input-file --verify-diagnostics %s

func.func @f(%i: tensor<2x3x4xi32>, %w: tensor<7x5xf32>) -> tensor<2x3x4x5xf32> {
  // expected-error@+1 {{'ttir.embedding' op input must be at most a 2D tensor, got 3D ranked tensor}}
  %0 = "ttir.embedding"(%i, %w) : (tensor<2x3x4xi32>, tensor<7x5xf32>) -> tensor<2x3x4x5xf32>
  return %0 : tensor<2x3x4x5xf32>
}

// -----

func.func @f(%i: tensor<4xi32>, %w: tensor<5xf32>) -> tensor<4x5xf32> {
  // expected-error@+1 {{'ttir.embedding' op weight must be at least 2D tensor, got 1D ranked tensor}}
  %0 = "ttir.embedding"(%i, %w) : (tensor<4xi32>, tensor<5xf32>) -> tensor<4x5xf32>
  return %0 : tensor<4x5xf32>
}

// -----

func.func @f(%i: tensor<4xi32>, %w: tensor<2x7x5xf32>) -> tensor<4x5xf32> {
  // expected-error@+1 {{'ttir.embedding' op weight must be effectively 2D tensor}}
  %0 = "ttir.embedding"(%i, %w) : (tensor<4xi32>, tensor<2x7x5xf32>) -> tensor<4x5xf32>
  return %0 : tensor<4x5xf32>
}

// -----

func.func @f(%i: tensor<2x4xi32>, %w: tensor<1x7x5xf32>) -> tensor<2x4x7x5xf32> {
  // expected-error@+1 {{'ttir.embedding' op expected output shape of (2, 4, 5) but got (2, 4, 7, 5)}}
  %0 = "ttir.embedding"(%i, %w) : (tensor<2x4xi32>, tensor<1x7x5xf32>) -> tensor<2x4x7x5xf32>
  return %0 : tensor<2x4x7x5xf32>
}

// -----

func.func @f(%i: tensor<4xf32>, %w: tensor<7x5xf32>) -> tensor<4x5xf32> {
  // expected-error@+1 {{'ttir.embedding' op does not support indices of element type 'f32'; cast to 'i32' first}}
  %0 = "ttir.embedding"(%i, %w) : (tensor<4xf32>, tensor<7x5xf32>) -> tensor<4x5xf32>
  return %0 : tensor<4x5xf32>
}
