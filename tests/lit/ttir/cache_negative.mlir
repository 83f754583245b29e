// Texts are upstream's, except for checks that only this project makes.
// RUN: ttmlir-opt --split-input-file --verify-diagnostics %s

func.func @f(%a: tensor<2x3x8x4xf32>, %b: tensor<1x3x1x4xbf16>, %c: tensor<1xi32>) -> tensor<2x3x8x4xf32> {
  // expected-error@+1 {{'ttir.update_cache' op Cache and input tensors must have the same dtype. Got cache dtype = f32, input dtype = bf16}}
  %r = "ttir.update_cache"(%a, %b, %c) <{batch_offset = 0 : i32}> : (tensor<2x3x8x4xf32>, tensor<1x3x1x4xbf16>, tensor<1xi32>) -> tensor<2x3x8x4xf32>
  return %r : tensor<2x3x8x4xf32>
}

// -----

func.func @f(%a: tensor<2x3x8x4xf32>, %b: tensor<1x3x1x4xf32>, %c: tensor<1xi32>) -> tensor<2x3x8x4xbf16> {
  // expected-error@+1 {{'ttir.update_cache' op cache and result must have the same element type, got 'f32' and 'bf16'}}
  %r = "ttir.update_cache"(%a, %b, %c) <{batch_offset = 0 : i32}> : (tensor<2x3x8x4xf32>, tensor<1x3x1x4xf32>, tensor<1xi32>) -> tensor<2x3x8x4xbf16>
  return %r : tensor<2x3x8x4xbf16>
}

// -----

func.func @f(%a: tensor<3x8x4xf32>, %b: tensor<1x3x1x4xf32>, %c: tensor<1xi32>) -> tensor<3x8x4xf32> {
  // expected-error@+1 {{'ttir.update_cache' op Cache tensor must be a 4D tensor}}
  %r = "ttir.update_cache"(%a, %b, %c) <{batch_offset = 0 : i32}> : (tensor<3x8x4xf32>, tensor<1x3x1x4xf32>, tensor<1xi32>) -> tensor<3x8x4xf32>
  return %r : tensor<3x8x4xf32>
}

// -----

func.func @f(%a: tensor<2x3x8x4xf32>, %b: tensor<3x1x4xf32>, %c: tensor<1xi32>) -> tensor<2x3x8x4xf32> {
  // expected-error@+1 {{'ttir.update_cache' op Input tensor must be a 4D tensor}}
  %r = "ttir.update_cache"(%a, %b, %c) <{batch_offset = 0 : i32}> : (tensor<2x3x8x4xf32>, tensor<3x1x4xf32>, tensor<1xi32>) -> tensor<2x3x8x4xf32>
  return %r : tensor<2x3x8x4xf32>
}

// -----

func.func @f(%a: tensor<2x3x8x4xf32>, %b: tensor<2x3x1x4xf32>, %c: tensor<1xi32>) -> tensor<2x3x8x4xf32> {
  // expected-error@+1 {{'ttir.update_cache' op Input tensor requires that dim 0 have size 1, got input dim 0 size = 2}}
  %r = "ttir.update_cache"(%a, %b, %c) <{batch_offset = 0 : i32}> : (tensor<2x3x8x4xf32>, tensor<2x3x1x4xf32>, tensor<1xi32>) -> tensor<2x3x8x4xf32>
  return %r : tensor<2x3x8x4xf32>
}

// -----

func.func @f(%a: tensor<2x3x8x4xf32>, %b: tensor<1x2x1x4xf32>, %c: tensor<1xi32>) -> tensor<2x3x8x4xf32> {
  // expected-error@+1 {{'ttir.update_cache' op Cache tensor shape must match input tensor shape on dims 1 and 3. Got cache shape (2, 3, 8, 4), input shape (1, 2, 1, 4)}}
  %r = "ttir.update_cache"(%a, %b, %c) <{batch_offset = 0 : i32}> : (tensor<2x3x8x4xf32>, tensor<1x2x1x4xf32>, tensor<1xi32>) -> tensor<2x3x8x4xf32>
  return %r : tensor<2x3x8x4xf32>
}

// -----

func.func @f(%a: tensor<2x3x8x4xf32>, %b: tensor<1x3x2x4xf32>, %c: tensor<1xi32>) -> tensor<2x3x8x4xf32> {
  // expected-error@+1 {{'ttir.update_cache' op batch_offset 1 places 2 batches of the input outside of the cache, which has 2}}
  %r = "ttir.update_cache"(%a, %b, %c) <{batch_offset = 1 : i32}> : (tensor<2x3x8x4xf32>, tensor<1x3x2x4xf32>, tensor<1xi32>) -> tensor<2x3x8x4xf32>
  return %r : tensor<2x3x8x4xf32>
}

// -----

func.func @f(%a: tensor<2x3x8x4xf32>, %b: tensor<1x3x1x4xf32>, %c: tensor<1xf32>) -> tensor<2x3x8x4xf32> {
  // expected-error@+1 {{'ttir.update_cache' op does not support an update index of element type 'f32'; cast to 'i32' first}}
  %r = "ttir.update_cache"(%a, %b, %c) <{batch_offset = 0 : i32}> : (tensor<2x3x8x4xf32>, tensor<1x3x1x4xf32>, tensor<1xf32>) -> tensor<2x3x8x4xf32>
  return %r : tensor<2x3x8x4xf32>
}

// -----

func.func @f(%a: tensor<2x3x8x4xf32>, %b: tensor<1x3x1x4xf32>, %c: tensor<2xi32>) -> tensor<2x3x8x4xf32> {
  // expected-error@+1 {{'ttir.update_cache' op update index must have one element, got shape (2)}}
  %r = "ttir.update_cache"(%a, %b, %c) <{batch_offset = 0 : i32}> : (tensor<2x3x8x4xf32>, tensor<1x3x1x4xf32>, tensor<2xi32>) -> tensor<2x3x8x4xf32>
  return %r : tensor<2x3x8x4xf32>
}

// -----

func.func @f(%a: tensor<2x3x8x4xf32>, %b: tensor<1x3x1x4xf32>, %c: tensor<1xi32>) -> tensor<2x3x9x4xf32> {
  // expected-error@+1 {{'ttir.update_cache' op result shape (2, 3, 9, 4) must be the input shape (2, 3, 8, 4)}}
  %r = "ttir.update_cache"(%a, %b, %c) <{batch_offset = 0 : i32}> : (tensor<2x3x8x4xf32>, tensor<1x3x1x4xf32>, tensor<1xi32>) -> tensor<2x3x9x4xf32>
  return %r : tensor<2x3x9x4xf32>
}

// -----

func.func @f(%a: tensor<2x3x8x4xf32>, %b: tensor<1x3x5x4xbf16>) -> tensor<2x3x8x4xf32> {
  // expected-error@+1 {{'ttir.fill_cache' op Cache and input tensors must have the same dtype. Got cache dtype = f32, input dtype = bf16}}
  %r = "ttir.fill_cache"(%a, %b) <{batch_offset = 0 : i32}> : (tensor<2x3x8x4xf32>, tensor<1x3x5x4xbf16>) -> tensor<2x3x8x4xf32>
  return %r : tensor<2x3x8x4xf32>
}

// -----

func.func @f(%a: tensor<2x3x8x4xf32>, %b: tensor<1x3x9x4xf32>) -> tensor<2x3x8x4xf32> {
  // expected-error@+1 {{'ttir.fill_cache' op Input tensor requires that dim 2 have a size which is less than or equal to the size of dim 2 of the cache tensor. Got cache dim 2 size = 8, input dim 2 size = 9}}
  %r = "ttir.fill_cache"(%a, %b) <{batch_offset = 0 : i32}> : (tensor<2x3x8x4xf32>, tensor<1x3x9x4xf32>) -> tensor<2x3x8x4xf32>
  return %r : tensor<2x3x8x4xf32>
}

// -----

func.func @f(%a: tensor<2x3x8x4xf32>, %b: tensor<1x3x5x6xf32>) -> tensor<2x3x8x4xf32> {
  // expected-error@+1 {{'ttir.fill_cache' op Cache tensor shape must match input tensor shape on dims 1 and 3. Got cache shape (2, 3, 8, 4), input shape (1, 3, 5, 6)}}
  %r = "ttir.fill_cache"(%a, %b) <{batch_offset = 0 : i32}> : (tensor<2x3x8x4xf32>, tensor<1x3x5x6xf32>) -> tensor<2x3x8x4xf32>
  return %r : tensor<2x3x8x4xf32>
}

// -----

func.func @f(%a: tensor<2x3x8x4xf32>, %b: tensor<1x3x5x4xf32>) -> tensor<2x3x8x4xf32> {
  // expected-error@+1 {{'ttir.fill_cache' op batch_offset -1 places 1 batches of the input outside of the cache, which has 2}}
  %r = "ttir.fill_cache"(%a, %b) <{batch_offset = -1 : i32}> : (tensor<2x3x8x4xf32>, tensor<1x3x5x4xf32>) -> tensor<2x3x8x4xf32>
  return %r : tensor<2x3x8x4xf32>
}
