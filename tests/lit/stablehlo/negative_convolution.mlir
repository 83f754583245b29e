// RUN: ttmlir-opt --split-input-file --verify-diagnostics --convert-stablehlo-to-ttir %s

func.func @f(%a: tensor<1x4x4x1xf32>, %b: tensor<2x2x1x1xf32>) -> tensor<1x3x3x1xf32> {
  // expected-error@+1 {{'stablehlo.convolution' op attribute 'dimension_numbers' is for tensors of ranks [3, 3, 3], but they have [4, 4, 4]}}
  %0 = "stablehlo.convolution"(%a, %b) {dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<1x4x4x1xf32>, tensor<2x2x1x1xf32>) -> tensor<1x3x3x1xf32>
  return %0 : tensor<1x3x3x1xf32>
}

// -----

func.func @f(%a: tensor<1x4x4x4x1xf32>, %b: tensor<2x2x2x1x1xf32>) -> tensor<1x3x3x3x1xf32> {
  // expected-error@+1 {{'stablehlo.convolution' op has 3 spatial dimensions; 1 and 2 are supported}}
  %0 = "stablehlo.convolution"(%a, %b) {dimension_numbers = #stablehlo.conv<[b, 0, 1, 2, f]x[0, 1, 2, i, o]->[b, 0, 1, 2, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<1x4x4x4x1xf32>, tensor<2x2x2x1x1xf32>) -> tensor<1x3x3x3x1xf32>
  return %0 : tensor<1x3x3x3x1xf32>
}

// -----

func.func @f(%a: tensor<1x4x4x1xf32>, %b: tensor<2x2x1x1xf32>) -> tensor<1x3x3x1xf32> {
  // expected-error@+1 {{'stablehlo.convolution' op has strides, dilations or groups that are not positive, or groups of both features and batch}}
  %0 = "stablehlo.convolution"(%a, %b) {dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, window_strides = array<i64: 0, 1>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<1x4x4x1xf32>, tensor<2x2x1x1xf32>) -> tensor<1x3x3x1xf32>
  return %0 : tensor<1x3x3x1xf32>
}

// -----

func.func @f(%a: tensor<1x4x4x1xf32>, %b: tensor<2x2x1x1xf32>) -> tensor<1x3x3x1xf32> {
  // expected-error@+1 {{'stablehlo.convolution' op has strides, dilations or groups that are not positive, or groups of both features and batch}}
  %0 = "stablehlo.convolution"(%a, %b) {dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, rhs_dilation = array<i64: 1, -1>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<1x4x4x1xf32>, tensor<2x2x1x1xf32>) -> tensor<1x3x3x1xf32>
  return %0 : tensor<1x3x3x1xf32>
}

// -----

func.func @f(%a: tensor<1x4x4x1xf32>, %b: tensor<2x2x1x1xf32>) -> tensor<1x3x3x1xf32> {
  // expected-error@+1 {{'stablehlo.convolution' op has strides, dilations or groups that are not positive, or groups of both features and batch}}
  %0 = "stablehlo.convolution"(%a, %b) {dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 0 : i64, batch_group_count = 1 : i64} : (tensor<1x4x4x1xf32>, tensor<2x2x1x1xf32>) -> tensor<1x3x3x1xf32>
  return %0 : tensor<1x3x3x1xf32>
}

// -----

func.func @f(%a: tensor<2x4x4x2xf32>, %b: tensor<2x2x1x2xf32>) -> tensor<1x3x3x2xf32> {
  // expected-error@+1 {{'stablehlo.convolution' op has strides, dilations or groups that are not positive, or groups of both features and batch}}
  %0 = "stablehlo.convolution"(%a, %b) {dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 2 : i64, batch_group_count = 2 : i64} : (tensor<2x4x4x2xf32>, tensor<2x2x1x2xf32>) -> tensor<1x3x3x2xf32>
  return %0 : tensor<1x3x3x2xf32>
}

// -----

func.func @f(%a: tensor<3x4x4x1xf32>, %b: tensor<2x2x1x2xf32>) -> tensor<1x3x3x2xf32> {
  // expected-error@+1 {{'stablehlo.convolution' op has a batch of 3, which 2 groups do not divide}}
  %0 = "stablehlo.convolution"(%a, %b) {dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = 2 : i64} : (tensor<3x4x4x1xf32>, tensor<2x2x1x2xf32>) -> tensor<1x3x3x2xf32>
  return %0 : tensor<1x3x3x2xf32>
}

// -----

func.func @f(%a: tensor<1x4x4x1xf32>, %b: tensor<2x2x1x1xf32>) -> tensor<1x3x3x1xf32> {
  // expected-error@+1 {{'stablehlo.convolution' op attribute 'window_reversal' must be an array of 2 booleans, not 'array<i1: true>'}}
  %0 = "stablehlo.convolution"(%a, %b) {dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, window_reversal = array<i1: true>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<1x4x4x1xf32>, tensor<2x2x1x1xf32>) -> tensor<1x3x3x1xf32>
  return %0 : tensor<1x3x3x1xf32>
}

// -----

// An empty window.
func.func @f(%a: tensor<2x6x3xf32>, %b: tensor<0x3x4xf32>) -> tensor<2x6x4xf32> {
  // expected-error@+1 {{'stablehlo.convolution' op The effective kernel size (1, 0) cannot be greater than the padded input size per channel (1, 8).}}
  %0 = "stablehlo.convolution"(%a, %b) {batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64, padding = dense<1> : tensor<1x2xi64>} : (tensor<2x6x3xf32>, tensor<0x3x4xf32>) -> tensor<2x6x4xf32>
  return %0 : tensor<2x6x4xf32>
}
