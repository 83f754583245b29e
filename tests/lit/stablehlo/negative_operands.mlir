// RUN: ttmlir-opt --split-input-file --verify-diagnostics --convert-stablehlo-to-ttir %s

func.func @f(%a: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // expected-error@+1 {{'stablehlo.exponential' op has 2 results where one is needed}}
  %0:2 = "stablehlo.exponential"(%a) : (tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>)
  return %0#0 : tensor<2x3xf32>
}

// -----

func.func @f(%a: f32) -> f32 {
  // expected-error@+1 {{'stablehlo.exponential' op has 'f32' where a tensor is needed}}
  %0 = "stablehlo.exponential"(%a) : (f32) -> f32
  return %0 : f32
}

// -----

func.func @f() -> tensor<2xi32> {
  // expected-error@+1 {{'stablehlo.iota' op requires attribute 'iota_dimension'}}
  %0 = "stablehlo.iota"() : () -> tensor<2xi32>
  return %0 : tensor<2xi32>
}

// -----

func.func @f() -> tensor<2xi32> {
  // expected-error@+1 {{'stablehlo.iota' op attribute 'iota_dimension' must be an integer, not '"first"'}}
  %0 = "stablehlo.iota"() {iota_dimension = "first"} : () -> tensor<2xi32>
  return %0 : tensor<2xi32>
}

// -----

func.func @f(%a: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // expected-error@+1 {{'stablehlo.reverse' op attribute 'dimensions' must be an array of integers, not '1 : i64'}}
  %0 = "stablehlo.reverse"(%a) {dimensions = 1 : i64} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

func.func @f(%a: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // expected-error@+1 {{'stablehlo.reverse' op attribute 'dimensions' names dimension 1, which is out of range or repeated; the tensor has rank 2}}
  %0 = "stablehlo.reverse"(%a) {dimensions = array<i64: 1, 1>} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

func.func @f(%a: tensor<2x4x5xf32>, %b: tensor<3x5x6xf32>) -> tensor<2x4x6xf32> {
  // expected-error@+1 {{'stablehlo.dot_general' op has batch dimensions of extents [2] and [3], which must be equal}}
  %0 = "stablehlo.dot_general"(%a, %b) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>} : (tensor<2x4x5xf32>, tensor<3x5x6xf32>) -> tensor<2x4x6xf32>
  return %0 : tensor<2x4x6xf32>
}

// -----

func.func @f(%a: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // expected-error@+1 {{'stablehlo.composite' op requires attribute 'decomposition', the function that computes the composite}}
  %0 = "stablehlo.composite"(%a) {name = "my.function"} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

func.func @f(%a: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // expected-error@+1 {{'stablehlo.add' op has 2 results where its operands and attributes give 1}}
  %0:2 = "stablehlo.add"(%a, %a) : (tensor<2x3xf32>, tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>)
  return %0#0 : tensor<2x3xf32>
}

// -----

func.func @f(%a: tensor<4xf32>, %b: tensor<f32>) -> tensor<5xf32> {
  // expected-error@+1 {{'stablehlo.pad' op}}
  %0 = "stablehlo.pad"(%a, %b) {edge_padding_low = array<i64: -9223372036854775808>, edge_padding_high = array<i64: 0>, interior_padding = array<i64: 0>} : (tensor<4xf32>, tensor<f32>) -> tensor<5xf32>
  return %0 : tensor<5xf32>
}

// -----

func.func @f(%a: tensor<4xf32>, %b: tensor<f32>) -> tensor<5xf32> {
  // expected-error@+1 {{'stablehlo.pad' op}}
  %0 = "stablehlo.pad"(%a, %b) {edge_padding_low = array<i64: 9223372036854775807>, edge_padding_high = array<i64: 9223372036854775807>, interior_padding = array<i64: 9223372036854775807>} : (tensor<4xf32>, tensor<f32>) -> tensor<5xf32>
  return %0 : tensor<5xf32>
}

// -----

func.func @f(%a: tensor<4xf32>, %b: tensor<2xf32>) -> tensor<f32> {
  // expected-error@+1 {{'stablehlo.reduce' op has an initial value of type 'tensor<2xf32>', which must have rank 0}}
  %0 = "stablehlo.reduce"(%a, %b) <{dimensions = array<i64: 0>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %1 = "stablehlo.add"(%x, %y) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%1) : (tensor<f32>) -> ()
  }) : (tensor<4xf32>, tensor<2xf32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

func.func @f(%a: tensor<0x0xf32>, %b: tensor<3xf32>) -> tensor<3xf32> {
  // expected-error@+1 {{'stablehlo.concatenate' op concatenates tensors of different ranks}}
  %0 = "stablehlo.concatenate"(%a, %b) <{dimension = 0 : i64}> : (tensor<0x0xf32>, tensor<3xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

func.func @f(%a: tensor<0xf32>, %b: tensor<0xf32>) -> tensor<3xf32> {
  // expected-error@+1 {{'stablehlo.concatenate' op has a result of type 'tensor<3xf32>' where its operands and attributes give 'tensor<0xf32>'}}
  %0 = "stablehlo.concatenate"(%a, %b) <{dimension = 0 : i64}> : (tensor<0xf32>, tensor<0xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

func.func @f(%a: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error@+1 {{'my.function' op is not an operation of StableHLO; replace it by such}}
  %0 = "my.function"(%a) ({
  ^bb0(%x: tensor<f32>):
    "stablehlo.return"(%x) : (tensor<f32>) -> ()
  }) : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
