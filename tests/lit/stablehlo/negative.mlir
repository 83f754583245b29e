// RUN: ttmlir-opt --split-input-file --verify-diagnostics --convert-stablehlo-to-ttir %s

func.func @f(%a: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // expected-error@+1 {{'stablehlo.fancy' op is not supported by 'convert-stablehlo-to-ttir'}}
  %0 = "stablehlo.fancy"(%a) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

func.func @f(%a: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // expected-error@+1 {{'stablehlo.sort' op is not supported by 'convert-stablehlo-to-ttir'; sort on the host}}
  %0 = "stablehlo.sort"(%a) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

func.func @f(%a: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // expected-error@+1 {{'stablehlo.rng_bit_generator' op is not supported by 'convert-stablehlo-to-ttir'; pass random numbers as arguments}}
  %0 = "stablehlo.rng_bit_generator"(%a) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

func.func @f(%a: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // expected-error@+1 {{'stablehlo.dynamic_reshape' op is not supported by 'convert-stablehlo-to-ttir'; export the model with static shapes}}
  %0 = "stablehlo.dynamic_reshape"(%a) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

func.func @f(%a: tensor<2x3xf32>) -> tensor<2x4xf32> {
  // expected-error@+1 {{'stablehlo.exponential' op has a result of type 'tensor<2x4xf32>' where its operands and attributes give 'tensor<2x3xf32>'}}
  %0 = "stablehlo.exponential"(%a) : (tensor<2x3xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

// -----

func.func @f(%a: tensor<2x3xf32>, %b: tensor<3xf32>) -> tensor<2x3xf32> {
  // expected-error@+1 {{'stablehlo.add' op has operands of types 'tensor<2x3xf32>' and 'tensor<3xf32>', which must be the same}}
  %0 = "stablehlo.add"(%a, %b) : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

func.func @f(%a: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // expected-error@+1 {{'stablehlo.add' op takes 2 operands, but has 1}}
  %0 = "stablehlo.add"(%a) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

func.func @f(%a: tensor<2x3xi1>) -> tensor<2x3xi1> {
  // expected-error@+1 {{'stablehlo.subtract' op does not support element type 'i1'; convert to a number first}}
  %0 = "stablehlo.subtract"(%a, %a) : (tensor<2x3xi1>, tensor<2x3xi1>) -> tensor<2x3xi1>
  return %0 : tensor<2x3xi1>
}

// -----

// expected-error@+1 {{'func.func' op has 'tensor<?x3xf32>'; dynamic shapes are not supported; export the model with static shapes}}
func.func @f(%a: tensor<?x3xf32>) -> tensor<?x3xf32> {
  %0 = "stablehlo.exponential"(%a) : (tensor<?x3xf32>) -> tensor<?x3xf32>
  return %0 : tensor<?x3xf32>
}

// -----

// expected-error@+1 {{'func.func' op has 'tensor<*xf32>'; unranked tensors are not supported; export the model with static shapes}}
func.func @f(%a: tensor<*xf32>) {
  return
}

// -----

// expected-error@+1 {{'func.func' op has 'tensor<2xf64>'; element type 'f64' is not supported; export the model in f32}}
func.func @f(%a: tensor<2xf64>) -> tensor<2xf64> {
  return %a : tensor<2xf64>
}

// -----

// expected-error@+1 {{'func.func' op has 'tensor<2xcomplex<f32>>'; its element type is not supported; use bf16, f16, f32, or integers of 1, 8, 16, 32 or 64 bits}}
func.func @f(%a: tensor<2xcomplex<f32>>) -> tensor<2xcomplex<f32>> {
  return %a : tensor<2xcomplex<f32>>
}

// -----

func.func @f(%a: tensor<2xf32>) -> tensor<2xi1> {
  // expected-error@+1 {{'stablehlo.compare' op requires attribute 'comparison_direction': EQ, NE, GE, GT, LE or LT}}
  %0 = "stablehlo.compare"(%a, %a) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
  return %0 : tensor<2xi1>
}

// -----

func.func @f(%a: tensor<2xf32>) -> tensor<2xi1> {
  // expected-error@+1 {{'stablehlo.compare' op attribute 'comparison_direction' must be '#stablehlo<comparison_direction ...>', not '#stablehlo<comparison_type FLOAT>'}}
  %0 = "stablehlo.compare"(%a, %a) {comparison_direction = #stablehlo<comparison_type FLOAT>} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
  return %0 : tensor<2xi1>
}

// -----

func.func @f(%a: tensor<2xf32>) -> tensor<2xi1> {
  // expected-error@+1 {{'stablehlo.compare' op attribute 'compare_type' asks for the total order of floats, which is not supported; use FLOAT}}
  %0 = "stablehlo.compare"(%a, %a) {compare_type = #stablehlo<comparison_type TOTALORDER>, comparison_direction = #stablehlo<comparison_direction EQ>} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
  return %0 : tensor<2xi1>
}

// -----

func.func @f(%c: tensor<3xi1>, %a: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error@+1 {{'stablehlo.select' op has a condition of type 'tensor<3xi1>', which must be 'tensor<i1>' or have the shape of the other operands}}
  %0 = "stablehlo.select"(%c, %a, %a) : (tensor<3xi1>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

func.func @f(%c: tensor<3xf32>, %a: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error@+1 {{'stablehlo.clamp' op has a limit of type 'tensor<3xf32>', which must have rank 0 or the shape of the operand}}
  %0 = "stablehlo.clamp"(%c, %a, %a) : (tensor<3xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

func.func @f(%a: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error@+1 {{'stablehlo.reduce_precision' op does not support 5 bits of exponent with 10 of mantissa; use 8 with 7 (bf16) or with 23 (f32)}}
  %0 = "stablehlo.reduce_precision"(%a) {exponent_bits = 5 : i32, mantissa_bits = 10 : i32} : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

func.func @f() -> tensor<2xf32> {
  // expected-error@+1 {{'stablehlo.constant' op requires attribute 'value'}}
  %0 = "stablehlo.constant"() : () -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

func.func @f() -> tensor<2xf32> {
  // expected-error@+1 {{'stablehlo.constant' op attribute 'value' refers to the resource 'weights', which the input does not hold}}
  %0 = "stablehlo.constant"() {value = dense_resource<weights> : tensor<2xf32>} : () -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

func.func @f() -> tensor<2xi32> {
  // expected-error@+1 {{'stablehlo.iota' op attribute 'iota_dimension' names dimension 1, which is out of range or repeated; the tensor has rank 1}}
  %0 = "stablehlo.iota"() {iota_dimension = 1 : i64} : () -> tensor<2xi32>
  return %0 : tensor<2xi32>
}

// -----

func.func @f(%a: tensor<2xf32>) -> tensor<2x3xf32> {
  // expected-error@+1 {{'stablehlo.broadcast_in_dim' op cannot broadcast an extent of 2 to 3, dimension 1 of the result}}
  %0 = "stablehlo.broadcast_in_dim"(%a) {broadcast_dimensions = array<i64: 1>} : (tensor<2xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

func.func @f(%a: tensor<2xf32>) -> tensor<2x3xf32> {
  // expected-error@+1 {{'stablehlo.broadcast_in_dim' op attribute 'broadcast_dimensions' must be an array of 1 integers, not 'array<i64: 0, 1>'}}
  %0 = "stablehlo.broadcast_in_dim"(%a) {broadcast_dimensions = array<i64: 0, 1>} : (tensor<2xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

func.func @f(%a: tensor<4xf32>) -> tensor<2xf32> {
  // expected-error@+1 {{'stablehlo.slice' op takes elements 3 to 5 by 1 of dimension 0, whose extent is 4}}
  %0 = "stablehlo.slice"(%a) {start_indices = array<i64: 3>, limit_indices = array<i64: 5>, strides = array<i64: 1>} : (tensor<4xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

func.func @f(%a: tensor<4xf32>) -> tensor<5xf32> {
  %b = "stablehlo.constant"() {value = dense<0.0> : tensor<f32>} : () -> tensor<f32>
  // expected-error@+1 {{'stablehlo.pad' op attribute 'interior_padding' must not be negative}}
  %0 = "stablehlo.pad"(%a, %b) {edge_padding_low = array<i64: 1>, edge_padding_high = array<i64: 0>, interior_padding = array<i64: -1>} : (tensor<4xf32>, tensor<f32>) -> tensor<5xf32>
  return %0 : tensor<5xf32>
}

// -----

func.func @f(%a: tensor<4x5xf32>, %b: tensor<5x6xf32>) -> tensor<4x6xf32> {
  // expected-error@+1 {{'stablehlo.dot_general' op attribute 'dot_dimension_numbers' must be '#stablehlo.dot<...>' with lhs_batching_dimensions, rhs_batching_dimensions, lhs_contracting_dimensions, rhs_contracting_dimensions, not '#stablehlo.dot<left = [1]>'}}
  %0 = "stablehlo.dot_general"(%a, %b) {dot_dimension_numbers = #stablehlo.dot<left = [1]>} : (tensor<4x5xf32>, tensor<5x6xf32>) -> tensor<4x6xf32>
  return %0 : tensor<4x6xf32>
}

// -----

func.func @f(%a: tensor<4x5xf32>, %b: tensor<4x6xf32>) -> tensor<4x6xf32> {
  // expected-error@+1 {{'stablehlo.dot_general' op has contracted dimensions of extents [5] and [4], which must be equal}}
  %0 = "stablehlo.dot_general"(%a, %b) {dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>} : (tensor<4x5xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
  return %0 : tensor<4x6xf32>
}

// -----

func.func @f(%a: tensor<4xf32>, %z: tensor<f32>) -> tensor<f32> {
  // expected-error@+1 {{'stablehlo.reduce' op has a region that is not supported; it must return the sum, product, maximum, minimum, conjunction or disjunction of its arguments}}
  %0 = "stablehlo.reduce"(%a, %z) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %1 = "stablehlo.subtract"(%x, %y) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%1) : (tensor<f32>) -> ()
  }) {dimensions = array<i64: 0>} : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

func.func @f(%a: tensor<4xf32>, %z: tensor<f32>) -> tensor<f32> {
  // expected-error@+1 {{'stablehlo.reduce' op needs one region of one block}}
  %0 = "stablehlo.reduce"(%a, %z) {dimensions = array<i64: 0>} : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

func.func @f(%a: tensor<4xf32>, %z: tensor<f32>) -> tensor<4xf32> {
  // expected-error@+1 {{'stablehlo.reduce_window' op has an initial value that is not the identity of its region, which is not supported}}
  %0 = "stablehlo.reduce_window"(%a, %z) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %1 = "stablehlo.add"(%x, %y) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%1) : (tensor<f32>) -> ()
  }) {window_dimensions = array<i64: 1>} : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @f(%a: tensor<4000xf32>) -> tensor<3001xf32> {
  %z = "stablehlo.constant"() {value = dense<0.0> : tensor<f32>} : () -> tensor<f32>
  // expected-error@+1 {{'stablehlo.reduce_window' op has a window of 1000 elements; at most 256 are supported, but for cumulative sums}}
  %0 = "stablehlo.reduce_window"(%a, %z) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %1 = "stablehlo.add"(%x, %y) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%1) : (tensor<f32>) -> ()
  }) {window_dimensions = array<i64: 1000>} : (tensor<4000xf32>, tensor<f32>) -> tensor<3001xf32>
  return %0 : tensor<3001xf32>
}

// -----

func.func @f(%a: tensor<1x4x4x1xf32>, %b: tensor<2x2x1x1xf32>) -> tensor<1x3x3x1xf32> {
  // expected-error@+1 {{'stablehlo.convolution' op attribute 'dimension_numbers' must be '#stablehlo.conv<[...]x[...]->[...]>', not '#stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]>'}}
  %0 = "stablehlo.convolution"(%a, %b) {dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<1x4x4x1xf32>, tensor<2x2x1x1xf32>) -> tensor<1x3x3x1xf32>
  return %0 : tensor<1x3x3x1xf32>
}

// -----

func.func @f(%a: tensor<4x3xf32>, %i: tensor<2x2xi32>) -> tensor<2x3xf32> {
  // expected-error@+1 {{'stablehlo.gather' op has indices of 2 components for 1 dimensions}}
  %0 = "stablehlo.gather"(%a, %i) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 3>} : (tensor<4x3xf32>, tensor<2x2xi32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

func.func @f(%a: tensor<4x3xf32>, %i: tensor<i32>) -> tensor<1x3xf32> {
  // expected-error@+1 {{'stablehlo.dynamic_slice' op needs 2 start indices of rank 0, one for each dimension}}
  %0 = "stablehlo.dynamic_slice"(%a, %i) {slice_sizes = array<i64: 1, 3>} : (tensor<4x3xf32>, tensor<i32>) -> tensor<1x3xf32>
  return %0 : tensor<1x3xf32>
}

// -----

func.func @f(%a: tensor<4x3xf32>, %i: tensor<2x1xi32>, %u: tensor<2x3xf32>) -> tensor<4x3xf32> {
  // expected-error@+1 {{'stablehlo.scatter' op has a region that neither adds nor replaces, which is not supported}}
  %0 = "stablehlo.scatter"(%a, %i, %u) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %1 = "stablehlo.multiply"(%x, %y) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%1) : (tensor<f32>) -> ()
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>} : (tensor<4x3xf32>, tensor<2x1xi32>, tensor<2x3xf32>) -> tensor<4x3xf32>
  return %0 : tensor<4x3xf32>
}

// -----

func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{'stablehlo.custom_call' op calls 'lapack_sgeqrf', which is outside of the program; express it by other operations}}
  %0 = "stablehlo.custom_call"(%a) {call_target_name = "lapack_sgeqrf"} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// expected-error@+1 {{'builtin.module' op has 8 as 'mhlo.num_partitions'; export the program for one device}}
module attributes {mhlo.num_partitions = 8 : i32} {
}

// -----

"func.func"() <{function_type = (tensor<2x3xf32>) -> tensor<2x3xf32>, sym_name = "f"}> ({
^bb0(%a: tensor<2x3xf32>):
  // expected-error@+1 {{'stablehlo.negate' op ends a function, which must end with 'func.return'}}
  %0 = "stablehlo.negate"(%a) : (tensor<2x3xf32>) -> tensor<2x3xf32>
}) : () -> ()

// -----

func.func @f(%a: tensor<2147483648xf32>) -> tensor<1x2147483648xf32> {
  // expected-error@+1 {{'stablehlo.broadcast_in_dim' op needs 'tensor<1x2147483648xf32>', of which an extent does not fit 32 bits; split the tensor}}
  %0 = "stablehlo.broadcast_in_dim"(%a) <{broadcast_dimensions = array<i64: 1>}> : (tensor<2147483648xf32>) -> tensor<1x2147483648xf32>
  return %0 : tensor<1x2147483648xf32>
}

// -----

func.func @f(%a: tensor<2xf32>, %b: tensor<f32>) -> tensor<7xf32> {
  // expected-error@+1 {{'stablehlo.pad' op needs numbers in 'padding' of 'ttir.pad' that do not fit 32 bits; split the tensor}}
  %0 = "stablehlo.pad"(%a, %b) {edge_padding_low = array<i64: 9223372036854775807>, edge_padding_high = array<i64: 9223372036854775807>, interior_padding = array<i64: 9223372036854775807>} : (tensor<2xf32>, tensor<f32>) -> tensor<7xf32>
  return %0 : tensor<7xf32>
}

// -----

func.func @f(%a: tensor<2147483648xf32>, %b: tensor<f32>) -> tensor<5xf32> {
  // expected-error@+1 {{'stablehlo.pad' op needs 'tensor<2147483648xf32>', of which an extent does not fit 32 bits; split the tensor}}
  %0 = "stablehlo.pad"(%a, %b) {edge_padding_low = array<i64: -9223372036854775808>, edge_padding_high = array<i64: 0>, interior_padding = array<i64: 0>} : (tensor<2147483648xf32>, tensor<f32>) -> tensor<5xf32>
  return %0 : tensor<5xf32>
}

// -----

func.func @f() -> tensor<8xf32> {
  // expected-error@+1 {{'stablehlo.constant' op attribute 'value' has type 'tensor<64xf32>', but the result has type 'tensor<8xf32>'}}
  %0 = "stablehlo.constant"() <{value = dense<1.0> : tensor<64xf32>}> : () -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// expected-error@+1 {{'func.func' op has 'tensor<4611686018427387904x4xf32>'; its number of elements does not fit 64 bits; split the tensor}}
func.func @f(%a: tensor<4611686018427387904x4xf32>) -> tensor<4611686018427387904x4xf32> {
  return %a : tensor<4611686018427387904x4xf32>
}
