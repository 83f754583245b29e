// RUN: ttmlir-opt --split-input-file --verify-diagnostics --convert-stablehlo-to-ttir %s

func.func @f(%a: tensor<4x3xf32>, %i: tensor<2x1xi32>) -> tensor<2x3xf32> {
  // expected-error@+1 {{'stablehlo.gather' op has its index vectors along dimension 3 of indices of rank 2}}
  %0 = "stablehlo.gather"(%a, %i) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 3>, slice_sizes = array<i64: 1, 3>} : (tensor<4x3xf32>, tensor<2x1xi32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

func.func @f(%a: tensor<4x3xf32>, %i: tensor<2x1xi32>) -> tensor<2x3xf32> {
  // expected-error@+1 {{'stablehlo.gather' op attribute 'slice_sizes' must have sizes from 0 to the operand's extents}}
  %0 = "stablehlo.gather"(%a, %i) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 4>} : (tensor<4x3xf32>, tensor<2x1xi32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

func.func @f(%a: tensor<4x3xf32>, %i: tensor<2x1xi32>) -> tensor<2x3xf32> {
  // expected-error@+1 {{'stablehlo.gather' op has 2 offset dimensions for slices of 1 dimensions}}
  %0 = "stablehlo.gather"(%a, %i) {dimension_numbers = #stablehlo.gather<offset_dims = [0, 1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 3>} : (tensor<4x3xf32>, tensor<2x1xi32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

func.func @f(%a: tensor<4x3xf32>, %i: tensor<2x1xi32>) -> tensor<2x3x1xf32> {
  // expected-error@+1 {{'stablehlo.gather' op has a result of another rank than its slices}}
  %0 = "stablehlo.gather"(%a, %i) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 3>} : (tensor<4x3xf32>, tensor<2x1xi32>) -> tensor<2x3x1xf32>
  return %0 : tensor<2x3x1xf32>
}

// -----

func.func @f(%a: tensor<2x4x3xf32>, %i: tensor<2x1xi32>) -> tensor<2x3xf32> {
  // expected-error@+1 {{'stablehlo.gather' op has different numbers of batching dimensions of the operand and of the indices}}
  %0 = "stablehlo.gather"(%a, %i) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [1], operand_batching_dims = [0], start_index_map = [1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1, 3>} : (tensor<2x4x3xf32>, tensor<2x1xi32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

func.func @f(%a: tensor<2x4x3xf32>, %i: tensor<3x1xi32>) -> tensor<3x3xf32> {
  // expected-error@+1 {{'stablehlo.gather' op has a batching dimension 0 that does not fit the indices, or slices of several elements along it}}
  %0 = "stablehlo.gather"(%a, %i) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1, 3>} : (tensor<2x4x3xf32>, tensor<3x1xi32>) -> tensor<3x3xf32>
  return %0 : tensor<3x3xf32>
}

// -----

func.func @f(%a: tensor<2x4x3xf32>, %i: tensor<2x1xi32>) -> tensor<2x3xf32> {
  // expected-error@+1 {{'stablehlo.gather' op has a batching dimension 0 that does not fit the indices, or slices of several elements along it}}
  %0 = "stablehlo.gather"(%a, %i) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 1>, slice_sizes = array<i64: 2, 1, 3>} : (tensor<2x4x3xf32>, tensor<2x1xi32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

func.func @f(%a: tensor<2x4x3xf32>, %i: tensor<2x1xi32>) -> tensor<2x1x3xf32> {
  // expected-error@+1 {{'stablehlo.gather' op indexes dimension 0 of the operand twice}}
  %0 = "stablehlo.gather"(%a, %i) {dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1, 3>} : (tensor<2x4x3xf32>, tensor<2x1xi32>) -> tensor<2x1x3xf32>
  return %0 : tensor<2x1x3xf32>
}

// -----

func.func @f(%a: tensor<3000000000x1xf32>, %i: tensor<2x1xi32>) -> tensor<2x1xf32> {
  // expected-error@+1 {{'stablehlo.gather' op needs the position 2999999999, which does not fit 32 bits; split the tensor}}
  %0 = "stablehlo.gather"(%a, %i) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1>} : (tensor<3000000000x1xf32>, tensor<2x1xi32>) -> tensor<2x1xf32>
  return %0 : tensor<2x1xf32>
}

// -----

func.func @f() -> tensor<f32> {
  // expected-error@+1 {{'stablehlo.dynamic_slice' op needs an operand}}
  %0 = "stablehlo.dynamic_slice"() {slice_sizes = array<i64>} : () -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

func.func @f(%a: tensor<4x3xf32>) -> tensor<4x3xf32> {
  // expected-error@+1 {{'stablehlo.dynamic_update_slice' op needs an operand and an update}}
  %0 = "stablehlo.dynamic_update_slice"(%a) : (tensor<4x3xf32>) -> tensor<4x3xf32>
  return %0 : tensor<4x3xf32>
}

// -----

func.func @f(%a: tensor<4x3xf32>, %u: tensor<5x3xf32>, %i: tensor<i32>) -> tensor<4x3xf32> {
  // expected-error@+1 {{'stablehlo.dynamic_update_slice' op has an update of type 'tensor<5x3xf32>' for an operand of type 'tensor<4x3xf32>'}}
  %0 = "stablehlo.dynamic_update_slice"(%a, %u, %i, %i) : (tensor<4x3xf32>, tensor<5x3xf32>, tensor<i32>, tensor<i32>) -> tensor<4x3xf32>
  return %0 : tensor<4x3xf32>
}

// -----

func.func @f(%a: tensor<4x3xf32>, %u: tensor<2x3xbf16>, %i: tensor<i32>) -> tensor<4x3xf32> {
  // expected-error@+1 {{'stablehlo.dynamic_update_slice' op has an update of type 'tensor<2x3xbf16>' for an operand of type 'tensor<4x3xf32>'}}
  %0 = "stablehlo.dynamic_update_slice"(%a, %u, %i, %i) : (tensor<4x3xf32>, tensor<2x3xbf16>, tensor<i32>, tensor<i32>) -> tensor<4x3xf32>
  return %0 : tensor<4x3xf32>
}

// -----

func.func @f(%a: tensor<4x3xf32>, %u: tensor<2x3xf32>, %i: tensor<i32>) -> tensor<4x3xf32> {
  // expected-error@+1 {{'stablehlo.dynamic_update_slice' op needs 2 start indices of rank 0, one for each dimension}}
  %0 = "stablehlo.dynamic_update_slice"(%a, %u, %i) : (tensor<4x3xf32>, tensor<2x3xf32>, tensor<i32>) -> tensor<4x3xf32>
  return %0 : tensor<4x3xf32>
}

// -----

func.func @f(%a: tensor<4x3xf32>, %i: tensor<2x1xi32>, %u: tensor<2x3xf32>) -> tensor<4x3xf32> {
  // expected-error@+1 {{'stablehlo.scatter' op needs a region of two arguments}}
  %0 = "stablehlo.scatter"(%a, %i, %u) ({
  ^bb0(%x: tensor<f32>):
    "stablehlo.return"(%x) : (tensor<f32>) -> ()
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>} : (tensor<4x3xf32>, tensor<2x1xi32>, tensor<2x3xf32>) -> tensor<4x3xf32>
  return %0 : tensor<4x3xf32>
}

// -----

func.func @f(%a: tensor<4x3xf32>, %i: tensor<2x1xi32>, %u: tensor<2x2xf32>) -> tensor<4x3xf32> {
  // expected-error@+1 {{'stablehlo.scatter' op has windows of several elements along an indexed dimension, or of a part of another one, which is not supported}}
  %0 = "stablehlo.scatter"(%a, %i, %u) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    "stablehlo.return"(%y) : (tensor<f32>) -> ()
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>} : (tensor<4x3xf32>, tensor<2x1xi32>, tensor<2x2xf32>) -> tensor<4x3xf32>
  return %0 : tensor<4x3xf32>
}

// -----

func.func @f(%a: tensor<4x3xf32>, %i: tensor<2x1xi32>, %u: tensor<2x1x3xf32>) -> tensor<4x3xf32> {
  // expected-error@+1 {{'stablehlo.scatter' op has windows of several elements along an indexed dimension, or of a part of another one, which is not supported}}
  %0 = "stablehlo.scatter"(%a, %i, %u) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    "stablehlo.return"(%y) : (tensor<f32>) -> ()
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>} : (tensor<4x3xf32>, tensor<2x1xi32>, tensor<2x1x3xf32>) -> tensor<4x3xf32>
  return %0 : tensor<4x3xf32>
}
