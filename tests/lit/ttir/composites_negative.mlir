// Texts are upstream's, except for checks that only this project makes.
// RUN: ttmlir-opt --split-input-file --verify-diagnostics %s

func.func @f(%a: tensor<4x8xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{'ttir.prod' op Reduce dimension 2 is out of range for input tensor of rank 2}}
  %r = "ttir.prod"(%a) <{dim_arg = [2 : i32], keep_dim = false}> : (tensor<4x8xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

func.func @f(%a: tensor<4x8xi1>) -> tensor<4xi1> {
  // expected-error@+1 {{'ttir.reduce_and' op Reduce dimensions are not unique}}
  %r = "ttir.reduce_and"(%a) <{dim_arg = [1 : i32, -1 : i32], keep_dim = false}> : (tensor<4x8xi1>) -> tensor<4xi1>
  return %r : tensor<4xi1>
}

// -----

func.func @f(%a: tensor<4x8xi1>) -> tensor<8xi1> {
  // expected-error@+1 {{'ttir.reduce_or' op Expected output shape (4), got (8)}}
  %r = "ttir.reduce_or"(%a) <{dim_arg = [1 : i32], keep_dim = false}> : (tensor<4x8xi1>) -> tensor<8xi1>
  return %r : tensor<8xi1>
}

// -----

func.func @f(%a: tensor<4x8x3xf32>) -> tensor<4xi32> {
  // expected-error@+1 {{'ttir.argmax' op goes along 2 of 3 dimensions; take one dimension, or all}}
  %r = "ttir.argmax"(%a) <{dim_arg = [1 : i32, 2 : i32], keep_dim = false}> : (tensor<4x8x3xf32>) -> tensor<4xi32>
  return %r : tensor<4xi32>
}

// -----

func.func @f(%a: tensor<4x16777217xf32>) -> tensor<4xi32> {
  // expected-error@+1 {{'ttir.argmax' op goes along 16777217 elements; indices are exact up to 16777216}}
  %r = "ttir.argmax"(%a) <{dim_arg = [1 : i32], keep_dim = false}> : (tensor<4x16777217xf32>) -> tensor<4xi32>
  return %r : tensor<4xi32>
}

// -----

func.func @f(%a: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error@+1 {{'ttir.cumsum' op specified dimension should be between -2 and 1, but got: 2}}
  %r = "ttir.cumsum"(%a) <{dim = 2 : i64}> : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

// -----

func.func @f() -> tensor<4xf32> {
  // expected-error@+1 {{'ttir.arange' op Step value cannot be zero}}
  %r = "ttir.arange"() <{start = 0 : si64, end = 4 : si64, step = 0 : si64, arange_dimension = 0 : i64}> : () -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

func.func @f() -> tensor<4xf32> {
  // expected-error@+1 {{'ttir.arange' op Invalid range: start=4, end=0, step=1}}
  %r = "ttir.arange"() <{start = 4 : si64, end = 0 : si64, step = 1 : si64, arange_dimension = 0 : i64}> : () -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

func.func @f() -> tensor<4x5xf32> {
  // expected-error@+1 {{'ttir.arange' op Output tensor shape must be 4 at dim 1 (since start=0, end=8, step=2), but got 5}}
  %r = "ttir.arange"() <{start = 0 : si64, end = 8 : si64, step = 2 : si64, arange_dimension = 1 : i64}> : () -> tensor<4x5xf32>
  return %r : tensor<4x5xf32>
}

// -----

func.func @f() -> tensor<4xf32> {
  // expected-error@+1 {{'ttir.arange' op dimension 1 is out of range for a tensor of rank 1}}
  %r = "ttir.arange"() <{start = 0 : si64, end = 4 : si64, step = 1 : si64, arange_dimension = 1 : i64}> : () -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

func.func @f(%a: tensor<4x8xf32>, %b: tensor<8x4xf32>) -> tensor<4x4xf32> {
  // expected-error@+1 {{'ttir.dot_general' op 'contract_dims_lhs' names dimension 2 of a tensor of rank 2}}
  %r = "ttir.dot_general"(%a, %b) <{batch_dims_lhs = array<i64>, contract_dims_lhs = array<i64: 2>, batch_dims_rhs = array<i64>, contract_dims_rhs = array<i64: 0>}> : (tensor<4x8xf32>, tensor<8x4xf32>) -> tensor<4x4xf32>
  return %r : tensor<4x4xf32>
}

// -----

func.func @f(%a: tensor<4x8xf32>, %b: tensor<8x4xf32>) -> tensor<4x4xf32> {
  // expected-error@+1 {{'ttir.dot_general' op dimension 0 of rhs is named twice}}
  %r = "ttir.dot_general"(%a, %b) <{batch_dims_lhs = array<i64: 0>, contract_dims_lhs = array<i64: 1>, batch_dims_rhs = array<i64: 0>, contract_dims_rhs = array<i64: 0>}> : (tensor<4x8xf32>, tensor<8x4xf32>) -> tensor<4x4xf32>
  return %r : tensor<4x4xf32>
}

// -----

func.func @f(%a: tensor<4x8xf32>, %b: tensor<8x4xf32>) -> tensor<4x8xf32> {
  // expected-error@+1 {{'ttir.dot_general' op contracted dimensions of lhs (8) and rhs (4) must have the same extents}}
  %r = "ttir.dot_general"(%a, %b) <{batch_dims_lhs = array<i64>, contract_dims_lhs = array<i64: 1>, batch_dims_rhs = array<i64>, contract_dims_rhs = array<i64: 1>}> : (tensor<4x8xf32>, tensor<8x4xf32>) -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

// -----

func.func @f(%a: tensor<4x8xf32>, %b: tensor<8x4xf32>) -> tensor<4x8xf32> {
  // expected-error@+1 {{'ttir.dot_general' op expected result shape (4, 4), got (4, 8)}}
  %r = "ttir.dot_general"(%a, %b) <{batch_dims_lhs = array<i64>, contract_dims_lhs = array<i64: 1>, batch_dims_rhs = array<i64>, contract_dims_rhs = array<i64: 0>}> : (tensor<4x8xf32>, tensor<8x4xf32>) -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

// -----

func.func @f(%a: tensor<8xf32>, %b: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error@+1 {{'ttir.batch_norm_inference' op input tensor must have rank between 2 and 5, got rank 1}}
  %r = "ttir.batch_norm_inference"(%a, %b, %b, %b, %b) <{dimension = 0 : i32, epsilon = 1.0e-05 : f32}> : (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  return %r : tensor<8xf32>
}

// -----

func.func @f(%a: tensor<4x8xf32>, %b: tensor<8xf32>) -> tensor<4x8xf32> {
  // expected-error@+1 {{'ttir.batch_norm_inference' op dimension attribute must be within input rank bounds, got dimension 2 for rank 2}}
  %r = "ttir.batch_norm_inference"(%a, %b, %b, %b, %b) <{dimension = 2 : i32, epsilon = 1.0e-05 : f32}> : (tensor<4x8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

// -----

func.func @f(%a: tensor<4x8xf32>, %b: tensor<8xf32>) -> tensor<4x8xf32> {
  // expected-error@+1 {{'ttir.batch_norm_inference' op scale has 8 elements where the dimension of features has 4}}
  %r = "ttir.batch_norm_inference"(%a, %b, %b, %b, %b) <{dimension = 0 : i32, epsilon = 1.0e-05 : f32}> : (tensor<4x8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}
