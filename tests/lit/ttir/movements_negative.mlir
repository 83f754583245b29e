// Texts are upstream's, except for checks that only this project makes.
// RUN: ttmlir-opt --split-input-file --verify-diagnostics %s

func.func @f(%a: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error@+1 {{'ttir.reshape' op Shape attribute size 1 must match output tensor rank 2}}
  %r = "ttir.reshape"(%a) <{shape = [32 : i32]}> : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

// -----

func.func @f(%a: tensor<4x8xf32>) -> tensor<4x9xf32> {
  // expected-error@+1 {{'ttir.reshape' op Input tensor number of elements 32 and output tensor number of elements 36 must be the same}}
  %r = "ttir.reshape"(%a) <{shape = [4 : i32, 9 : i32]}> : (tensor<4x8xf32>) -> tensor<4x9xf32>
  return %r : tensor<4x9xf32>
}

// -----

func.func @f(%a: tensor<4x8xf32>) -> tensor<8x4xf32> {
  // expected-error@+1 {{'ttir.reshape' op Shape attribute must have at most one -1 element}}
  %r = "ttir.reshape"(%a) <{shape = [-1 : i32, -1 : i32]}> : (tensor<4x8xf32>) -> tensor<8x4xf32>
  return %r : tensor<8x4xf32>
}

// -----

func.func @f(%a: tensor<4x8xf32>) -> tensor<8x4xf32> {
  // expected-error@+1 {{'ttir.reshape' op All dimensions must be >= 0 except the one with -1}}
  %r = "ttir.reshape"(%a) <{shape = [-2 : i32, 4 : i32]}> : (tensor<4x8xf32>) -> tensor<8x4xf32>
  return %r : tensor<8x4xf32>
}

// -----

func.func @f(%a: tensor<4x8xf32>) -> tensor<8x4xf32> {
  // expected-error@+1 {{'ttir.reshape' op Shape attribute 4 must match the output tensor shape 8 at index 0 for dimension that is not -1}}
  %r = "ttir.reshape"(%a) <{shape = [4 : i32, 8 : i32]}> : (tensor<4x8xf32>) -> tensor<8x4xf32>
  return %r : tensor<8x4xf32>
}

// -----

func.func @f(%a: tensor<4x8xf32>) -> tensor<8x4xf32> {
  // expected-error@+1 {{'ttnn.reshape' op Shape attribute 8 must match the output tensor shape 4 at index 1 for dimension that is not -1}}
  %r = "ttnn.reshape"(%a) <{shape = [8 : i32, 8 : i32]}> : (tensor<4x8xf32>) -> tensor<8x4xf32>
  return %r : tensor<8x4xf32>
}

// -----

func.func @f(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>) -> tensor<4x16xf32> {
  // expected-error@+1 {{'ttir.concat' op Invalid dimension 2 for concatenation.}}
  %r = "ttir.concat"(%a, %b) <{dim = 2 : si32}> : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x16xf32>
  return %r : tensor<4x16xf32>
}

// -----

func.func @f(%a: tensor<4x8xf32>, %b: tensor<4x8x1xf32>) -> tensor<4x16xf32> {
  // expected-error@+1 {{'ttir.concat' op All input tensors must have the same rank.}}
  %r = "ttir.concat"(%a, %b) <{dim = 1 : si32}> : (tensor<4x8xf32>, tensor<4x8x1xf32>) -> tensor<4x16xf32>
  return %r : tensor<4x16xf32>
}

// -----

func.func @f(%a: tensor<4x8xf32>, %b: tensor<5x8xf32>) -> tensor<4x16xf32> {
  // expected-error@+1 {{'ttir.concat' op All input tensors must have the same dimensions, except for dimension 1.}}
  %r = "ttir.concat"(%a, %b) <{dim = -1 : si32}> : (tensor<4x8xf32>, tensor<5x8xf32>) -> tensor<4x16xf32>
  return %r : tensor<4x16xf32>
}

// -----

func.func @f(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>, %c: tensor<4x3xf32>) -> tensor<4x16xf32> {
  // expected-error@+1 {{'ttir.concat' op Output tensor dimension 1 does not match the sum of input tensor dimensions: 16 vs. 19.}}
  %r = "ttir.concat"(%a, %b, %c) <{dim = 1 : si32}> : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x3xf32>) -> tensor<4x16xf32>
  return %r : tensor<4x16xf32>
}

// -----

func.func @f(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>) -> tensor<5x16xf32> {
  // expected-error@+1 {{'ttir.concat' op Expected result shape (4, 16), got (5, 16)}}
  %r = "ttir.concat"(%a, %b) <{dim = 1 : si32}> : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<5x16xf32>
  return %r : tensor<5x16xf32>
}

// -----

func.func @f(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>) -> tensor<9x8xf32> {
  // expected-error@+1 {{'ttnn.concat' op Output tensor dimension 0 does not match the sum of input tensor dimensions: 9 vs. 8.}}
  %r = "ttnn.concat"(%a, %b) <{dim = 0 : si32}> : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<9x8xf32>
  return %r : tensor<9x8xf32>
}

// -----

// More elements than any number says.
func.func @f(%a: tensor<2x6xf32>) -> tensor<2147483647x2147483647x2147483647x2147483647x2147483647xf32> {
  // expected-error@+1 {{'ttir.reshape' op Input tensor number of elements 12 and output tensor number of elements 340282366920938463463374607431768211455 must be the same}}
  %r = "ttir.reshape"(%a) <{shape = [2147483647 : i32, 2147483647 : i32, 2147483647 : i32, 2147483647 : i32, 2147483647 : i32]}> : (tensor<2x6xf32>) -> tensor<2147483647x2147483647x2147483647x2147483647x2147483647xf32>
  return %r : tensor<2147483647x2147483647x2147483647x2147483647x2147483647xf32>
}

// -----

func.func @f(%a: tensor<9223372036854775807xf32>) -> tensor<9223372036854775807xf32> {
  // expected-error@+1 {{'ttir.concat' op Output tensor dimension 0 does not match the sum of input tensor dimensions: 9223372036854775807 vs. 18446744073709551615.}}
  %r = "ttir.concat"(%a, %a, %a) <{dim = 0 : si32}> : (tensor<9223372036854775807xf32>, tensor<9223372036854775807xf32>, tensor<9223372036854775807xf32>) -> tensor<9223372036854775807xf32>
  return %r : tensor<9223372036854775807xf32>
}
