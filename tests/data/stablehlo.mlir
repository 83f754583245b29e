// Programs as JAX exports them, in generic form (JAX 0.10.2). Inputs count from 0; the results are those of JAX.

// CHECK-LABEL: program 'gather_rows'
// CHECK-NEXT: output 0: 2x4x3 f32: [0, 1, 2, 3, 4, 5, 6, 7, …]
"func.func"() <{function_type = (tensor<30x3xf32>, tensor<2x4xi32>) -> tensor<2x4x3xf32>, sym_name = "gather_rows", sym_visibility = "public"}> ({
^bb0(%arg0: tensor<30x3xf32>, %arg1: tensor<2x4xi32>):
  %0 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
  %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2x4xi32>
  %2 = "stablehlo.compare"(%arg1, %1) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<2x4xi32>, tensor<2x4xi32>) -> tensor<2x4xi1>
  %3 = "stablehlo.constant"() <{value = dense<30> : tensor<i32>}> : () -> tensor<i32>
  %4 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2x4xi32>
  %5 = "stablehlo.add"(%arg1, %4) : (tensor<2x4xi32>, tensor<2x4xi32>) -> tensor<2x4xi32>
  %6 = "stablehlo.select"(%2, %5, %arg1) : (tensor<2x4xi1>, tensor<2x4xi32>, tensor<2x4xi32>) -> tensor<2x4xi32>
  %7 = "stablehlo.broadcast_in_dim"(%6) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<2x4xi32>) -> tensor<2x4x1xi32>
  %8 = "stablehlo.gather"(%arg0, %7) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 3>}> : (tensor<30x3xf32>, tensor<2x4x1xi32>) -> tensor<2x4x3xf32>
  "func.return"(%8) : (tensor<2x4x3xf32>) -> ()
}) : () -> ()

// CHECK-LABEL: program 'gather_columns'
// CHECK-NEXT: output 0: 3x5 f32: [0, 1, 2, 3, 4, 9, 10, 11, …]
"func.func"() <{function_type = (tensor<3x9xf32>, tensor<5xi32>) -> tensor<3x5xf32>, sym_name = "gather_columns", sym_visibility = "public"}> ({
^bb0(%arg0: tensor<3x9xf32>, %arg1: tensor<5xi32>):
  %0 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
  %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<5xi32>
  %2 = "stablehlo.compare"(%arg1, %1) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<5xi32>, tensor<5xi32>) -> tensor<5xi1>
  %3 = "stablehlo.constant"() <{value = dense<9> : tensor<i32>}> : () -> tensor<i32>
  %4 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<5xi32>
  %5 = "stablehlo.add"(%arg1, %4) : (tensor<5xi32>, tensor<5xi32>) -> tensor<5xi32>
  %6 = "stablehlo.select"(%2, %5, %arg1) : (tensor<5xi1>, tensor<5xi32>, tensor<5xi32>) -> tensor<5xi32>
  %7 = "stablehlo.broadcast_in_dim"(%6) <{broadcast_dimensions = array<i64: 0>}> : (tensor<5xi32>) -> tensor<5x1xi32>
  %8 = "stablehlo.gather"(%arg0, %7) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [1], start_index_map = [1], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 3, 1>}> : (tensor<3x9xf32>, tensor<5x1xi32>) -> tensor<3x5xf32>
  "func.return"(%8) : (tensor<3x5xf32>) -> ()
}) : () -> ()

// CHECK-LABEL: program 'gather_elements'
// CHECK-NEXT: output 0: 3x2 f32: [0, 1, 11, 12, 22, 23]
"func.func"() <{function_type = (tensor<3x9xf32>, tensor<3x2xi32>) -> tensor<3x2xf32>, sym_name = "gather_elements", sym_visibility = "public"}> ({
^bb0(%arg2: tensor<3x9xf32>, %arg3: tensor<3x2xi32>):
  %9 = "func.call"(%arg2, %arg3) <{callee = @gather_elements_take_along_axis}> : (tensor<3x9xf32>, tensor<3x2xi32>) -> tensor<3x2xf32>
  "func.return"(%9) : (tensor<3x2xf32>) -> ()
}) : () -> ()
"func.func"() <{function_type = (tensor<3x9xf32>, tensor<3x2xi32>) -> tensor<3x2xf32>, sym_name = "gather_elements_take_along_axis", sym_visibility = "private"}> ({
^bb0(%arg0: tensor<3x9xf32>, %arg1: tensor<3x2xi32>):
  %0 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
  %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<3x2xi32>
  %2 = "stablehlo.compare"(%arg1, %1) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<3x2xi32>, tensor<3x2xi32>) -> tensor<3x2xi1>
  %3 = "stablehlo.constant"() <{value = dense<9> : tensor<i32>}> : () -> tensor<i32>
  %4 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<3x2xi32>
  %5 = "stablehlo.add"(%arg1, %4) : (tensor<3x2xi32>, tensor<3x2xi32>) -> tensor<3x2xi32>
  %6 = "stablehlo.select"(%2, %5, %arg1) : (tensor<3x2xi1>, tensor<3x2xi32>, tensor<3x2xi32>) -> tensor<3x2xi32>
  %7 = "stablehlo.reshape"(%6) : (tensor<3x2xi32>) -> tensor<3x2x1xi32>
  %8 = "stablehlo.gather"(%arg0, %7) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1>}> : (tensor<3x9xf32>, tensor<3x2x1xi32>) -> tensor<3x2xf32>
  "func.return"(%8) : (tensor<3x2xf32>) -> ()
}) : () -> ()

// CHECK-LABEL: program 'gather_points'
// CHECK-NEXT: output 0: 6 f32: [0, 6, 12, 18, 19, 19]
"func.func"() <{function_type = (tensor<4x5xf32>, tensor<6xi32>) -> tensor<6xf32>, sym_name = "gather_points", sym_visibility = "public"}> ({
^bb0(%arg0: tensor<4x5xf32>, %arg1: tensor<6xi32>):
  %0 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
  %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<6xi32>
  %2 = "stablehlo.compare"(%arg1, %1) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<6xi32>, tensor<6xi32>) -> tensor<6xi1>
  %3 = "stablehlo.constant"() <{value = dense<4> : tensor<i32>}> : () -> tensor<i32>
  %4 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<6xi32>
  %5 = "stablehlo.add"(%arg1, %4) : (tensor<6xi32>, tensor<6xi32>) -> tensor<6xi32>
  %6 = "stablehlo.select"(%2, %5, %arg1) : (tensor<6xi1>, tensor<6xi32>, tensor<6xi32>) -> tensor<6xi32>
  %7 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
  %8 = "stablehlo.broadcast_in_dim"(%7) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<6xi32>
  %9 = "stablehlo.compare"(%arg1, %8) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<6xi32>, tensor<6xi32>) -> tensor<6xi1>
  %10 = "stablehlo.constant"() <{value = dense<5> : tensor<i32>}> : () -> tensor<i32>
  %11 = "stablehlo.broadcast_in_dim"(%10) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<6xi32>
  %12 = "stablehlo.add"(%arg1, %11) : (tensor<6xi32>, tensor<6xi32>) -> tensor<6xi32>
  %13 = "stablehlo.select"(%9, %12, %arg1) : (tensor<6xi1>, tensor<6xi32>, tensor<6xi32>) -> tensor<6xi32>
  %14 = "stablehlo.broadcast_in_dim"(%6) <{broadcast_dimensions = array<i64: 0>}> : (tensor<6xi32>) -> tensor<6x1xi32>
  %15 = "stablehlo.broadcast_in_dim"(%13) <{broadcast_dimensions = array<i64: 0>}> : (tensor<6xi32>) -> tensor<6x1xi32>
  %16 = "stablehlo.concatenate"(%14, %15) <{dimension = 1 : i64}> : (tensor<6x1xi32>, tensor<6x1xi32>) -> tensor<6x2xi32>
  %17 = "stablehlo.gather"(%arg0, %16) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1>}> : (tensor<4x5xf32>, tensor<6x2xi32>) -> tensor<6xf32>
  "func.return"(%17) : (tensor<6xf32>) -> ()
}) : () -> ()

// CHECK-LABEL: program 'dynamic_slice'
// CHECK-NEXT: output 0: 2x2x3 f32: [45, 46, 47, 51, 52, 53, 63, 64, …]
"func.func"() <{function_type = (tensor<5x3x6xf32>, tensor<i32>) -> tensor<2x2x3xf32>, sym_name = "dynamic_slice", sym_visibility = "public"}> ({
^bb0(%arg0: tensor<5x3x6xf32>, %arg1: tensor<i32>):
  %0 = "stablehlo.constant"() <{value = dense<2> : tensor<i32>}> : () -> tensor<i32>
  %1 = "stablehlo.add"(%arg1, %0) : (tensor<i32>, tensor<i32>) -> tensor<i32>
  %2 = "stablehlo.constant"() <{value = dense<9> : tensor<i32>}> : () -> tensor<i32>
  %3 = "stablehlo.add"(%arg1, %2) : (tensor<i32>, tensor<i32>) -> tensor<i32>
  %4 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
  %5 = "stablehlo.compare"(%1, %4) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %6 = "stablehlo.constant"() <{value = dense<5> : tensor<i32>}> : () -> tensor<i32>
  %7 = "stablehlo.add"(%1, %6) : (tensor<i32>, tensor<i32>) -> tensor<i32>
  %8 = "stablehlo.select"(%5, %7, %1) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
  %9 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
  %10 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
  %11 = "stablehlo.compare"(%9, %10) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %12 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
  %13 = "stablehlo.constant"() <{value = dense<3> : tensor<i32>}> : () -> tensor<i32>
  %14 = "stablehlo.add"(%12, %13) : (tensor<i32>, tensor<i32>) -> tensor<i32>
  %15 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
  %16 = "stablehlo.select"(%11, %14, %15) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
  %17 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
  %18 = "stablehlo.compare"(%3, %17) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %19 = "stablehlo.constant"() <{value = dense<6> : tensor<i32>}> : () -> tensor<i32>
  %20 = "stablehlo.add"(%3, %19) : (tensor<i32>, tensor<i32>) -> tensor<i32>
  %21 = "stablehlo.select"(%18, %20, %3) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
  %22 = "stablehlo.dynamic_slice"(%arg0, %8, %16, %21) <{slice_sizes = array<i64: 2, 2, 3>}> : (tensor<5x3x6xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x2x3xf32>
  "func.return"(%22) : (tensor<2x2x3xf32>) -> ()
}) : () -> ()

// CHECK-LABEL: program 'update_row'
// CHECK-NEXT: output 0: 2x5x4 f32: [0, 1, 2, 3, 4, 5, 6, 7, …]
"func.func"() <{function_type = (tensor<2x5x4xf32>, tensor<2x1x4xf32>, tensor<i32>) -> tensor<2x5x4xf32>, sym_name = "update_row", sym_visibility = "public"}> ({
^bb0(%arg0: tensor<2x5x4xf32>, %arg1: tensor<2x1x4xf32>, %arg2: tensor<i32>):
  %0 = "stablehlo.constant"() <{value = dense<3> : tensor<i32>}> : () -> tensor<i32>
  %1 = "stablehlo.add"(%arg2, %0) : (tensor<i32>, tensor<i32>) -> tensor<i32>
  %2 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
  %3 = "stablehlo.compare"(%1, %2) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %4 = "stablehlo.constant"() <{value = dense<5> : tensor<i32>}> : () -> tensor<i32>
  %5 = "stablehlo.add"(%1, %4) : (tensor<i32>, tensor<i32>) -> tensor<i32>
  %6 = "stablehlo.select"(%3, %5, %1) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
  %7 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
  %8 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
  %9 = "stablehlo.dynamic_update_slice"(%arg0, %arg1, %7, %6, %8) : (tensor<2x5x4xf32>, tensor<2x1x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x5x4xf32>
  "func.return"(%9) : (tensor<2x5x4xf32>) -> ()
}) : () -> ()

// CHECK-LABEL: program 'update_rows'
// CHECK-NEXT: output 0: 5x6 f32: [0, 1, 2, 3, 4, 5, 6, 7, …]
"func.func"() <{function_type = (tensor<5x6xf32>, tensor<2x3xf32>, tensor<i32>) -> tensor<5x6xf32>, sym_name = "update_rows", sym_visibility = "public"}> ({
^bb0(%arg0: tensor<5x6xf32>, %arg1: tensor<2x3xf32>, %arg2: tensor<i32>):
  %0 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
  %1 = "stablehlo.add"(%arg2, %0) : (tensor<i32>, tensor<i32>) -> tensor<i32>
  %2 = "stablehlo.constant"() <{value = dense<2> : tensor<i32>}> : () -> tensor<i32>
  %3 = "stablehlo.add"(%arg2, %2) : (tensor<i32>, tensor<i32>) -> tensor<i32>
  %4 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
  %5 = "stablehlo.compare"(%1, %4) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %6 = "stablehlo.constant"() <{value = dense<5> : tensor<i32>}> : () -> tensor<i32>
  %7 = "stablehlo.add"(%1, %6) : (tensor<i32>, tensor<i32>) -> tensor<i32>
  %8 = "stablehlo.select"(%5, %7, %1) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
  %9 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
  %10 = "stablehlo.compare"(%3, %9) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %11 = "stablehlo.constant"() <{value = dense<6> : tensor<i32>}> : () -> tensor<i32>
  %12 = "stablehlo.add"(%3, %11) : (tensor<i32>, tensor<i32>) -> tensor<i32>
  %13 = "stablehlo.select"(%10, %12, %3) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
  %14 = "stablehlo.dynamic_update_slice"(%arg0, %arg1, %8, %13) : (tensor<5x6xf32>, tensor<2x3xf32>, tensor<i32>, tensor<i32>) -> tensor<5x6xf32>
  "func.return"(%14) : (tensor<5x6xf32>) -> ()
}) : () -> ()

// CHECK-LABEL: program 'scatter_add'
// CHECK-NEXT: output 0: 5x4 f32: [0, 2, 4, 6, 8, 10, 12, 14, …]
"func.func"() <{function_type = (tensor<5x4xf32>, tensor<6xi32>, tensor<6x4xf32>) -> tensor<5x4xf32>, sym_name = "scatter_add", sym_visibility = "public"}> ({
^bb0(%arg0: tensor<5x4xf32>, %arg1: tensor<6xi32>, %arg2: tensor<6x4xf32>):
  %0 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
  %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<6xi32>
  %2 = "stablehlo.compare"(%arg1, %1) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<6xi32>, tensor<6xi32>) -> tensor<6xi1>
  %3 = "stablehlo.constant"() <{value = dense<5> : tensor<i32>}> : () -> tensor<i32>
  %4 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<6xi32>
  %5 = "stablehlo.add"(%arg1, %4) : (tensor<6xi32>, tensor<6xi32>) -> tensor<6xi32>
  %6 = "stablehlo.select"(%2, %5, %arg1) : (tensor<6xi1>, tensor<6xi32>, tensor<6xi32>) -> tensor<6xi32>
  %7 = "stablehlo.broadcast_in_dim"(%6) <{broadcast_dimensions = array<i64: 0>}> : (tensor<6xi32>) -> tensor<6x1xi32>
  %8 = "stablehlo.scatter"(%arg0, %7, %arg2) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
  ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
    %9 = "stablehlo.add"(%arg3, %arg4) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%9) : (tensor<f32>) -> ()
  }) : (tensor<5x4xf32>, tensor<6x1xi32>, tensor<6x4xf32>) -> tensor<5x4xf32>
  "func.return"(%8) : (tensor<5x4xf32>) -> ()
}) : () -> ()

// CHECK-LABEL: program 'scatter_set'
// CHECK-NEXT: output 0: 5x4 f32: [0, 1, 2, 3, 4, 5, 6, 7, …]
"func.func"() <{function_type = (tensor<5x4xf32>, tensor<3xi32>, tensor<3x4xf32>) -> tensor<5x4xf32>, sym_name = "scatter_set", sym_visibility = "public"}> ({
^bb0(%arg0: tensor<5x4xf32>, %arg1: tensor<3xi32>, %arg2: tensor<3x4xf32>):
  %0 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
  %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<3xi32>
  %2 = "stablehlo.compare"(%arg1, %1) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi1>
  %3 = "stablehlo.constant"() <{value = dense<5> : tensor<i32>}> : () -> tensor<i32>
  %4 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<3xi32>
  %5 = "stablehlo.add"(%arg1, %4) : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi32>
  %6 = "stablehlo.select"(%2, %5, %arg1) : (tensor<3xi1>, tensor<3xi32>, tensor<3xi32>) -> tensor<3xi32>
  %7 = "stablehlo.broadcast_in_dim"(%6) <{broadcast_dimensions = array<i64: 0>}> : (tensor<3xi32>) -> tensor<3x1xi32>
  %8 = "stablehlo.scatter"(%arg0, %7, %arg2) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
  ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
    "stablehlo.return"(%arg4) : (tensor<f32>) -> ()
  }) : (tensor<5x4xf32>, tensor<3x1xi32>, tensor<3x4xf32>) -> tensor<5x4xf32>
  "func.return"(%8) : (tensor<5x4xf32>) -> ()
}) : () -> ()

// CHECK-LABEL: program 'scatter_points'
// CHECK-NEXT: output 0: 4x5 f32: [0, 1, 2, 3, 4, 5, 7, 7, …]
"func.func"() <{function_type = (tensor<4x5xf32>, tensor<6xi32>, tensor<6xf32>) -> tensor<4x5xf32>, sym_name = "scatter_points", sym_visibility = "public"}> ({
^bb0(%arg0: tensor<4x5xf32>, %arg1: tensor<6xi32>, %arg2: tensor<6xf32>):
  %0 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
  %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<6xi32>
  %2 = "stablehlo.compare"(%arg1, %1) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<6xi32>, tensor<6xi32>) -> tensor<6xi1>
  %3 = "stablehlo.constant"() <{value = dense<4> : tensor<i32>}> : () -> tensor<i32>
  %4 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<6xi32>
  %5 = "stablehlo.add"(%arg1, %4) : (tensor<6xi32>, tensor<6xi32>) -> tensor<6xi32>
  %6 = "stablehlo.select"(%2, %5, %arg1) : (tensor<6xi1>, tensor<6xi32>, tensor<6xi32>) -> tensor<6xi32>
  %7 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
  %8 = "stablehlo.broadcast_in_dim"(%7) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<6xi32>
  %9 = "stablehlo.compare"(%arg1, %8) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<6xi32>, tensor<6xi32>) -> tensor<6xi1>
  %10 = "stablehlo.constant"() <{value = dense<5> : tensor<i32>}> : () -> tensor<i32>
  %11 = "stablehlo.broadcast_in_dim"(%10) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<6xi32>
  %12 = "stablehlo.add"(%arg1, %11) : (tensor<6xi32>, tensor<6xi32>) -> tensor<6xi32>
  %13 = "stablehlo.select"(%9, %12, %arg1) : (tensor<6xi1>, tensor<6xi32>, tensor<6xi32>) -> tensor<6xi32>
  %14 = "stablehlo.broadcast_in_dim"(%6) <{broadcast_dimensions = array<i64: 0>}> : (tensor<6xi32>) -> tensor<6x1xi32>
  %15 = "stablehlo.broadcast_in_dim"(%13) <{broadcast_dimensions = array<i64: 0>}> : (tensor<6xi32>) -> tensor<6x1xi32>
  %16 = "stablehlo.concatenate"(%14, %15) <{dimension = 1 : i64}> : (tensor<6x1xi32>, tensor<6x1xi32>) -> tensor<6x2xi32>
  %17 = "stablehlo.scatter"(%arg0, %16, %arg2) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false}> ({
  ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
    %18 = "stablehlo.add"(%arg3, %arg4) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%18) : (tensor<f32>) -> ()
  }) : (tensor<4x5xf32>, tensor<6x2xi32>, tensor<6xf32>) -> tensor<4x5xf32>
  "func.return"(%17) : (tensor<4x5xf32>) -> ()
}) : () -> ()

// CHECK-LABEL: program 'conv_nhwc'
// CHECK-NEXT: output 0: 2x3x3x2 f32: [1056, 1092, 1758, 1821, 1208, 1259, 7944, 8340, …]
"func.func"() <{function_type = (tensor<2x5x4x3xf32>, tensor<2x3x3x2xf32>) -> tensor<2x3x3x2xf32>, sym_name = "conv_nhwc", sym_visibility = "public"}> ({
^bb0(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x3x3x2xf32>):
  %0 = "stablehlo.convolution"(%arg0, %arg1) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, lhs_dilation = array<i64: 1, 1>, padding = dense<[[1, 0], [0, 1]]> : tensor<2x2xi64>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>], rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, false>, window_strides = array<i64: 2, 1>}> : (tensor<2x5x4x3xf32>, tensor<2x3x3x2xf32>) -> tensor<2x3x3x2xf32>
  "func.return"(%0) : (tensor<2x3x3x2xf32>) -> ()
}) : () -> ()

// CHECK-LABEL: program 'conv_nchw'
// CHECK-NEXT: output 0: 1x3x5x6 f32: [2420, 3566, 3686, 3806, 3926, 2552, 2924, 4286, …]
"func.func"() <{function_type = (tensor<1x2x5x6xf32>, tensor<3x2x3x3xf32>) -> tensor<1x3x5x6xf32>, sym_name = "conv_nchw", sym_visibility = "public"}> ({
^bb0(%arg0: tensor<1x2x5x6xf32>, %arg1: tensor<3x2x3x3xf32>):
  %0 = "stablehlo.convolution"(%arg0, %arg1) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1]>, feature_group_count = 1 : i64, lhs_dilation = array<i64: 1, 1>, padding = dense<[[2, 2], [1, 1]]> : tensor<2x2xi64>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>], rhs_dilation = array<i64: 2, 1>, window_reversal = array<i1: false, false>, window_strides = array<i64: 1, 1>}> : (tensor<1x2x5x6xf32>, tensor<3x2x3x3xf32>) -> tensor<1x3x5x6xf32>
  "func.return"(%0) : (tensor<1x3x5x6xf32>) -> ()
}) : () -> ()

// CHECK-LABEL: program 'conv_groups'
// CHECK-NEXT: output 0: 1x6x3x3 f32: [440, 468, 496, 552, 580, 608, 664, 692, …]
"func.func"() <{function_type = (tensor<1x4x4x4xf32>, tensor<6x2x2x2xf32>) -> tensor<1x6x3x3xf32>, sym_name = "conv_groups", sym_visibility = "public"}> ({
^bb0(%arg0: tensor<1x4x4x4xf32>, %arg1: tensor<6x2x2x2xf32>):
  %0 = "stablehlo.convolution"(%arg0, %arg1) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1]>, feature_group_count = 2 : i64, lhs_dilation = array<i64: 1, 1>, padding = dense<0> : tensor<2x2xi64>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>], rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, false>, window_strides = array<i64: 1, 1>}> : (tensor<1x4x4x4xf32>, tensor<6x2x2x2xf32>) -> tensor<1x6x3x3xf32>
  "func.return"(%0) : (tensor<1x6x3x3xf32>) -> ()
}) : () -> ()

// CHECK-LABEL: program 'conv_batch_groups'
// CHECK-NEXT: output 0: 2x6x3x3 f32: [440, 468, 496, 552, 580, 608, 664, 692, …]
"func.func"() <{function_type = (tensor<4x2x4x4xf32>, tensor<6x2x2x2xf32>) -> tensor<2x6x3x3xf32>, sym_name = "conv_batch_groups", sym_visibility = "public"}> ({
^bb0(%arg0: tensor<4x2x4x4xf32>, %arg1: tensor<6x2x2x2xf32>):
  %0 = "stablehlo.convolution"(%arg0, %arg1) <{batch_group_count = 2 : i64, dimension_numbers = #stablehlo.conv<[b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1]>, feature_group_count = 1 : i64, lhs_dilation = array<i64: 1, 1>, padding = dense<0> : tensor<2x2xi64>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>], rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, false>, window_strides = array<i64: 1, 1>}> : (tensor<4x2x4x4xf32>, tensor<6x2x2x2xf32>) -> tensor<2x6x3x3xf32>
  "func.return"(%0) : (tensor<2x6x3x3xf32>) -> ()
}) : () -> ()

// CHECK-LABEL: program 'conv_transposed'
// CHECK-NEXT: output 0: 1x6x6x3 f32: [21, 22, 23, 15, 16, 17, 99, 104, …]
"func.func"() <{function_type = (tensor<1x3x3x2xf32>, tensor<2x2x2x3xf32>) -> tensor<1x6x6x3xf32>, sym_name = "conv_transposed", sym_visibility = "public"}> ({
^bb0(%arg0: tensor<1x3x3x2xf32>, %arg1: tensor<2x2x2x3xf32>):
  %0 = "stablehlo.convolution"(%arg0, %arg1) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, lhs_dilation = array<i64: 2, 2>, padding = dense<1> : tensor<2x2xi64>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>], rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, false>, window_strides = array<i64: 1, 1>}> : (tensor<1x3x3x2xf32>, tensor<2x2x2x3xf32>) -> tensor<1x6x6x3xf32>
  "func.return"(%0) : (tensor<1x6x6x3xf32>) -> ()
}) : () -> ()

// CHECK-LABEL: program 'conv_1d'
// CHECK-NEXT: output 0: 2x6x4 f32: [400, 415, 430, 445, 816, 852, 888, 924, …]
"func.func"() <{function_type = (tensor<2x6x3xf32>, tensor<3x3x4xf32>) -> tensor<2x6x4xf32>, sym_name = "conv_1d", sym_visibility = "public"}> ({
^bb0(%arg0: tensor<2x6x3xf32>, %arg1: tensor<3x3x4xf32>):
  %0 = "stablehlo.convolution"(%arg0, %arg1) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64, lhs_dilation = array<i64: 1>, padding = dense<1> : tensor<1x2xi64>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>], rhs_dilation = array<i64: 1>, window_reversal = array<i1: false>, window_strides = array<i64: 1>}> : (tensor<2x6x3xf32>, tensor<3x3x4xf32>) -> tensor<2x6x4xf32>
  "func.return"(%0) : (tensor<2x6x4xf32>) -> ()
}) : () -> ()

// CHECK-LABEL: program 'max_pool'
// CHECK-NEXT: output 0: 2x3x3x2 f32: [14, 15, 18, 19, 22, 23, 38, 39, …]
"func.func"() <{function_type = (tensor<2x6x6x2xf32>) -> tensor<2x3x3x2xf32>, sym_name = "max_pool", sym_visibility = "public"}> ({
^bb0(%arg0: tensor<2x6x6x2xf32>):
  %0 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
  %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<f32>
  %2 = "stablehlo.reduce_window"(%arg0, %1) <{base_dilations = array<i64: 1, 1, 1, 1>, padding = dense<[[0, 0], [1, 1], [0, 0], [0, 0]]> : tensor<4x2xi64>, window_dilations = array<i64: 1, 1, 1, 1>, window_dimensions = array<i64: 1, 3, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
  ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
    %3 = "stablehlo.maximum"(%arg1, %arg2) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%3) : (tensor<f32>) -> ()
  }) : (tensor<2x6x6x2xf32>, tensor<f32>) -> tensor<2x3x3x2xf32>
  "func.return"(%2) : (tensor<2x3x3x2xf32>) -> ()
}) : () -> ()

// CHECK-LABEL: program 'sum_pool'
// CHECK-NEXT: output 0: 2x4x3x2 f32: [28, 32, 44, 48, 60, 64, 76, 80, …]
"func.func"() <{function_type = (tensor<2x5x6x2xf32>) -> tensor<2x4x3x2xf32>, sym_name = "sum_pool", sym_visibility = "public"}> ({
^bb0(%arg0: tensor<2x5x6x2xf32>):
  %0 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
  %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<f32>
  %2 = "stablehlo.reduce_window"(%arg0, %1) <{base_dilations = array<i64: 1, 1, 1, 1>, padding = dense<0> : tensor<4x2xi64>, window_dilations = array<i64: 1, 1, 1, 1>, window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 1, 2, 1>}> ({
  ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
    %3 = "stablehlo.add"(%arg1, %arg2) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%3) : (tensor<f32>) -> ()
  }) : (tensor<2x5x6x2xf32>, tensor<f32>) -> tensor<2x4x3x2xf32>
  "func.return"(%2) : (tensor<2x4x3x2xf32>) -> ()
}) : () -> ()

// CHECK-LABEL: program 'cumulative'
// CHECK-NEXT: output 0: 3x7 f32: [0, 1, 3, 6, 10, 15, 21, 7, …]
// CHECK-NEXT: output 1: 3x7 f32: [21, 24, 27, 30, 33, 36, 39, 21, …]
"func.func"() <{function_type = (tensor<3x7xf32>) -> (tensor<3x7xf32>, tensor<3x7xf32>), sym_name = "cumulative", sym_visibility = "public"}> ({
^bb0(%arg7: tensor<3x7xf32>):
  %9 = "func.call"(%arg7) <{callee = @cumulative_cumsum}> : (tensor<3x7xf32>) -> tensor<3x7xf32>
  %10 = "func.call"(%arg7) <{callee = @cumulative_cumsum_1}> : (tensor<3x7xf32>) -> tensor<3x7xf32>
  "func.return"(%9, %10) : (tensor<3x7xf32>, tensor<3x7xf32>) -> ()
}) : () -> ()
"func.func"() <{function_type = (tensor<3x7xf32>) -> tensor<3x7xf32>, sym_name = "cumulative_cumsum", sym_visibility = "private"}> ({
^bb0(%arg6: tensor<3x7xf32>):
  %8 = "func.call"(%arg6) <{callee = @cumulative_cumsum_0}> : (tensor<3x7xf32>) -> tensor<3x7xf32>
  "func.return"(%8) : (tensor<3x7xf32>) -> ()
}) : () -> ()
"func.func"() <{function_type = (tensor<3x7xf32>) -> tensor<3x7xf32>, sym_name = "cumulative_cumsum_0", sym_visibility = "private"}> ({
^bb0(%arg3: tensor<3x7xf32>):
  %4 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
  %5 = "stablehlo.broadcast_in_dim"(%4) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<f32>
  %6 = "stablehlo.reduce_window"(%arg3, %5) <{base_dilations = array<i64: 1, 1>, padding = dense<[[0, 0], [6, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 1, 7>, window_strides = array<i64: 1, 1>}> ({
  ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
    %7 = "stablehlo.add"(%arg4, %arg5) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%7) : (tensor<f32>) -> ()
  }) : (tensor<3x7xf32>, tensor<f32>) -> tensor<3x7xf32>
  "func.return"(%6) : (tensor<3x7xf32>) -> ()
}) : () -> ()
"func.func"() <{function_type = (tensor<3x7xf32>) -> tensor<3x7xf32>, sym_name = "cumulative_cumsum_1", sym_visibility = "private"}> ({
^bb0(%arg0: tensor<3x7xf32>):
  %0 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
  %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<f32>
  %2 = "stablehlo.reduce_window"(%arg0, %1) <{base_dilations = array<i64: 1, 1>, padding = dense<[[0, 2], [0, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 3, 1>, window_strides = array<i64: 1, 1>}> ({
  ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
    %3 = "stablehlo.add"(%arg1, %arg2) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%3) : (tensor<f32>) -> ()
  }) : (tensor<3x7xf32>, tensor<f32>) -> tensor<3x7xf32>
  "func.return"(%2) : (tensor<3x7xf32>) -> ()
}) : () -> ()

// CHECK-LABEL: program 'argmax'
// CHECK-NEXT: output 0: 3 si32: [8, 8, 8]
// CHECK-NEXT: output 1: 9 si32: [0, 0, 0, 0, 0, 0, 0, 0, …]
"func.func"() <{function_type = (tensor<3x9xf32>) -> (tensor<3xi32>, tensor<9xi32>), sym_name = "argmax", sym_visibility = "public"}> ({
^bb0(%arg10: tensor<3x9xf32>):
  %26 = "func.call"(%arg10) <{callee = @argmax_argmax}> : (tensor<3x9xf32>) -> tensor<3xi32>
  %27 = "func.call"(%arg10) <{callee = @argmax_argmin}> : (tensor<3x9xf32>) -> tensor<9xi32>
  "func.return"(%26, %27) : (tensor<3xi32>, tensor<9xi32>) -> ()
}) : () -> ()
"func.func"() <{function_type = (tensor<3x9xf32>) -> tensor<3xi32>, sym_name = "argmax_argmax", sym_visibility = "private"}> ({
^bb0(%arg5: tensor<3x9xf32>):
  %13 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<3x9xi32>
  %14 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
  %15 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
  %16:2 = "stablehlo.reduce"(%arg5, %13, %14, %15) <{dimensions = array<i64: 1>}> ({
  ^bb0(%arg6: tensor<f32>, %arg7: tensor<i32>, %arg8: tensor<f32>, %arg9: tensor<i32>):
    %17 = "stablehlo.compare"(%arg6, %arg8) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %18 = "stablehlo.compare"(%arg6, %arg6) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %19 = "stablehlo.or"(%17, %18) : (tensor<i1>, tensor<i1>) -> tensor<i1>
    %20 = "stablehlo.compare"(%arg6, %arg8) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %21 = "stablehlo.compare"(%arg7, %arg9) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %22 = "stablehlo.and"(%20, %21) : (tensor<i1>, tensor<i1>) -> tensor<i1>
    %23 = "stablehlo.or"(%19, %22) : (tensor<i1>, tensor<i1>) -> tensor<i1>
    %24 = "stablehlo.select"(%19, %arg6, %arg8) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
    %25 = "stablehlo.select"(%23, %arg7, %arg9) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    "stablehlo.return"(%24, %25) : (tensor<f32>, tensor<i32>) -> ()
  }) : (tensor<3x9xf32>, tensor<3x9xi32>, tensor<f32>, tensor<i32>) -> (tensor<3xf32>, tensor<3xi32>)
  "func.return"(%16#1) : (tensor<3xi32>) -> ()
}) : () -> ()
"func.func"() <{function_type = (tensor<3x9xf32>) -> tensor<9xi32>, sym_name = "argmax_argmin", sym_visibility = "private"}> ({
^bb0(%arg0: tensor<3x9xf32>):
  %0 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<3x9xi32>
  %1 = "stablehlo.constant"() <{value = dense<0x7F800000> : tensor<f32>}> : () -> tensor<f32>
  %2 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
  %3:2 = "stablehlo.reduce"(%arg0, %0, %1, %2) <{dimensions = array<i64: 0>}> ({
  ^bb0(%arg1: tensor<f32>, %arg2: tensor<i32>, %arg3: tensor<f32>, %arg4: tensor<i32>):
    %4 = "stablehlo.compare"(%arg1, %arg3) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %5 = "stablehlo.compare"(%arg1, %arg1) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %6 = "stablehlo.or"(%4, %5) : (tensor<i1>, tensor<i1>) -> tensor<i1>
    %7 = "stablehlo.compare"(%arg1, %arg3) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %8 = "stablehlo.compare"(%arg2, %arg4) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %9 = "stablehlo.and"(%7, %8) : (tensor<i1>, tensor<i1>) -> tensor<i1>
    %10 = "stablehlo.or"(%6, %9) : (tensor<i1>, tensor<i1>) -> tensor<i1>
    %11 = "stablehlo.select"(%6, %arg1, %arg3) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
    %12 = "stablehlo.select"(%10, %arg2, %arg4) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    "stablehlo.return"(%11, %12) : (tensor<f32>, tensor<i32>) -> ()
  }) : (tensor<3x9xf32>, tensor<3x9xi32>, tensor<f32>, tensor<i32>) -> (tensor<9xf32>, tensor<9xi32>)
  "func.return"(%3#1) : (tensor<9xi32>) -> ()
}) : () -> ()

// CHECK-LABEL: program 'reductions'
// CHECK-NEXT: output 0: 4 f32: [330, 405, 480, 555]
// CHECK-NEXT: output 1: 3x5 f32: [15, 16, 17, 18, 19, 35, 36, 37, …]
// CHECK-NEXT: output 2: scalar f32: [0]
// CHECK-NEXT: output 3: 3 bf16: [0, 0, 1]
"func.func"() <{function_type = (tensor<3x4x5xf32>) -> (tensor<4xf32>, tensor<3x5xf32>, tensor<f32>, tensor<3xi1>), sym_name = "reductions", sym_visibility = "public"}> ({
^bb0(%arg0: tensor<3x4x5xf32>):
  %0 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
  %1 = "stablehlo.reduce"(%arg0, %0) <{dimensions = array<i64: 0, 2>}> ({
  ^bb0(%arg7: tensor<f32>, %arg8: tensor<f32>):
    %14 = "stablehlo.add"(%arg7, %arg8) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%14) : (tensor<f32>) -> ()
  }) : (tensor<3x4x5xf32>, tensor<f32>) -> tensor<4xf32>
  %2 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
  %3 = "stablehlo.reduce"(%arg0, %2) <{dimensions = array<i64: 1>}> ({
  ^bb0(%arg5: tensor<f32>, %arg6: tensor<f32>):
    %13 = "stablehlo.maximum"(%arg5, %arg6) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%13) : (tensor<f32>) -> ()
  }) : (tensor<3x4x5xf32>, tensor<f32>) -> tensor<3x5xf32>
  %4 = "stablehlo.constant"() <{value = dense<0x7F800000> : tensor<f32>}> : () -> tensor<f32>
  %5 = "stablehlo.reduce"(%arg0, %4) <{dimensions = array<i64: 0, 1, 2>}> ({
  ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
    %12 = "stablehlo.minimum"(%arg3, %arg4) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%12) : (tensor<f32>) -> ()
  }) : (tensor<3x4x5xf32>, tensor<f32>) -> tensor<f32>
  %6 = "stablehlo.constant"() <{value = dense<4.000000e+01> : tensor<f32>}> : () -> tensor<f32>
  %7 = "stablehlo.broadcast_in_dim"(%6) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x4x5xf32>
  %8 = "stablehlo.compare"(%arg0, %7) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<3x4x5xf32>, tensor<3x4x5xf32>) -> tensor<3x4x5xi1>
  %9 = "stablehlo.constant"() <{value = dense<false> : tensor<i1>}> : () -> tensor<i1>
  %10 = "stablehlo.reduce"(%8, %9) <{dimensions = array<i64: 1, 2>}> ({
  ^bb0(%arg1: tensor<i1>, %arg2: tensor<i1>):
    %11 = "stablehlo.or"(%arg1, %arg2) : (tensor<i1>, tensor<i1>) -> tensor<i1>
    "stablehlo.return"(%11) : (tensor<i1>) -> ()
  }) : (tensor<3x4x5xi1>, tensor<i1>) -> tensor<3xi1>
  "func.return"(%1, %3, %5, %10) : (tensor<4xf32>, tensor<3x5xf32>, tensor<f32>, tensor<3xi1>) -> ()
}) : () -> ()

// CHECK-LABEL: program 'products'
// CHECK-NEXT: output 0: 2x2x3x5 f32: [14, 62, 110, 158, 206, 62, 366, 670, …]
"func.func"() <{function_type = (tensor<2x3x2x4xf32>, tensor<2x5x2x4xf32>) -> tensor<2x2x3x5xf32>, sym_name = "products", sym_visibility = "public"}> ({
^bb0(%arg0: tensor<2x3x2x4xf32>, %arg1: tensor<2x5x2x4xf32>):
  %0 = "stablehlo.dot_general"(%arg0, %arg1) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x3x2x4xf32>, tensor<2x5x2x4xf32>) -> tensor<2x2x3x5xf32>
  "func.return"(%0) : (tensor<2x2x3x5xf32>) -> ()
}) : () -> ()

// CHECK-LABEL: program 'contract_all'
// CHECK-NEXT: output 0: scalar f32: [506]
"func.func"() <{function_type = (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<f32>, sym_name = "contract_all", sym_visibility = "public"}> ({
^bb0(%arg0: tensor<3x4xf32>, %arg1: tensor<3x4xf32>):
  %0 = "stablehlo.reshape"(%arg0) : (tensor<3x4xf32>) -> tensor<12xf32>
  %1 = "stablehlo.reshape"(%arg1) : (tensor<3x4xf32>) -> tensor<12xf32>
  %2 = "stablehlo.dot_general"(%0, %1) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<12xf32>, tensor<12xf32>) -> tensor<f32>
  "func.return"(%2) : (tensor<f32>) -> ()
}) : () -> ()

// CHECK-LABEL: program 'movements'
// CHECK-NEXT: output 0: 6x8 f32: [7, 7, 7, 7, 7, 7, 7, 7, …]
// CHECK-NEXT: output 1: 8x8 f32: [-1, 1, -1, 2, -1, 3, -1, 4, …]
// CHECK-NEXT: output 2: 3x2 f32: [11, 13, 6, 8, 1, 3]
// CHECK-NEXT: output 3: 6x5 f32: [0, 1, 2, 3, 4, 0, 1, 2, …]
// CHECK-NEXT: output 4: 3x5 f32: [3, 4, 0, 1, 2, 8, 9, 5, …]
"func.func"() <{function_type = (tensor<3x5xf32>) -> (tensor<6x8xf32>, tensor<8x8xf32>, tensor<3x2xf32>, tensor<6x5xf32>, tensor<3x5xf32>), sym_name = "movements", sym_visibility = "public"}> ({
^bb0(%arg3: tensor<3x5xf32>):
  %5 = "stablehlo.constant"() <{value = dense<7.000000e+00> : tensor<f32>}> : () -> tensor<f32>
  %6 = "func.call"(%arg3, %5) <{callee = @movements__pad}> : (tensor<3x5xf32>, tensor<f32>) -> tensor<6x8xf32>
  %7 = "stablehlo.constant"() <{value = dense<-1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
  %8 = "stablehlo.pad"(%arg3, %7) <{edge_padding_high = array<i64: 1, 0>, edge_padding_low = array<i64: 0, -1>, interior_padding = array<i64: 2, 1>}> : (tensor<3x5xf32>, tensor<f32>) -> tensor<8x8xf32>
  %9 = "stablehlo.slice"(%arg3) <{limit_indices = array<i64: 3, 5>, start_indices = array<i64: 0, 1>, strides = array<i64: 1, 2>}> : (tensor<3x5xf32>) -> tensor<3x2xf32>
  %10 = "stablehlo.reverse"(%9) <{dimensions = array<i64: 0>}> : (tensor<3x2xf32>) -> tensor<3x2xf32>
  %11 = "stablehlo.broadcast_in_dim"(%arg3) <{broadcast_dimensions = array<i64: 0, 2>}> : (tensor<3x5xf32>) -> tensor<3x2x5xf32>
  %12 = "stablehlo.reshape"(%11) : (tensor<3x2x5xf32>) -> tensor<6x5xf32>
  %13 = "func.call"(%arg3) <{callee = @movements__roll_static}> : (tensor<3x5xf32>) -> tensor<3x5xf32>
  "func.return"(%6, %8, %10, %12, %13) : (tensor<6x8xf32>, tensor<8x8xf32>, tensor<3x2xf32>, tensor<6x5xf32>, tensor<3x5xf32>) -> ()
}) : () -> ()
"func.func"() <{function_type = (tensor<3x5xf32>, tensor<f32>) -> tensor<6x8xf32>, sym_name = "movements__pad", sym_visibility = "private"}> ({
^bb0(%arg1: tensor<3x5xf32>, %arg2: tensor<f32>):
  %3 = "stablehlo.convert"(%arg2) : (tensor<f32>) -> tensor<f32>
  %4 = "stablehlo.pad"(%arg1, %3) <{edge_padding_high = array<i64: 2, 3>, edge_padding_low = array<i64: 1, 0>, interior_padding = array<i64: 0, 0>}> : (tensor<3x5xf32>, tensor<f32>) -> tensor<6x8xf32>
  "func.return"(%4) : (tensor<6x8xf32>) -> ()
}) : () -> ()
"func.func"() <{function_type = (tensor<3x5xf32>) -> tensor<3x5xf32>, sym_name = "movements__roll_static", sym_visibility = "private"}> ({
^bb0(%arg0: tensor<3x5xf32>):
  %0 = "stablehlo.slice"(%arg0) <{limit_indices = array<i64: 3, 5>, start_indices = array<i64: 0, 3>, strides = array<i64: 1, 1>}> : (tensor<3x5xf32>) -> tensor<3x2xf32>
  %1 = "stablehlo.slice"(%arg0) <{limit_indices = array<i64: 3, 3>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>}> : (tensor<3x5xf32>) -> tensor<3x3xf32>
  %2 = "stablehlo.concatenate"(%0, %1) <{dimension = 1 : i64}> : (tensor<3x2xf32>, tensor<3x3xf32>) -> tensor<3x5xf32>
  "func.return"(%2) : (tensor<3x5xf32>) -> ()
}) : () -> ()

// CHECK-LABEL: program 'broadcasts'
// CHECK-NEXT: output 0: 4x3 f32: [0, 0, 0, 0, 1, 2, 0, 2, …]
// CHECK-NEXT: output 1: 4x2 f32: [0, 0, 1, 1, 2, 2, 3, 3]
"func.func"() <{function_type = (tensor<4xf32>, tensor<3xf32>) -> (tensor<4x3xf32>, tensor<4x2xf32>), sym_name = "broadcasts", sym_visibility = "public"}> ({
^bb0(%arg0: tensor<4xf32>, %arg1: tensor<3xf32>):
  %0 = "stablehlo.broadcast_in_dim"(%arg0) <{broadcast_dimensions = array<i64: 0>}> : (tensor<4xf32>) -> tensor<4x1xf32>
  %1 = "stablehlo.broadcast_in_dim"(%arg1) <{broadcast_dimensions = array<i64: 1>}> : (tensor<3xf32>) -> tensor<1x3xf32>
  %2 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<4x1xf32>) -> tensor<4x3xf32>
  %3 = "stablehlo.broadcast_in_dim"(%1) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x3xf32>) -> tensor<4x3xf32>
  %4 = "stablehlo.multiply"(%2, %3) : (tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<4x3xf32>
  %5 = "stablehlo.broadcast_in_dim"(%arg0) <{broadcast_dimensions = array<i64: 1>}> : (tensor<4xf32>) -> tensor<2x4xf32>
  %6 = "stablehlo.transpose"(%5) <{permutation = array<i64: 1, 0>}> : (tensor<2x4xf32>) -> tensor<4x2xf32>
  "func.return"(%4, %6) : (tensor<4x3xf32>, tensor<4x2xf32>) -> ()
}) : () -> ()

// CHECK-LABEL: program 'selects'
// CHECK-NEXT: output 0: 2x6 f32: [-0, -1, -2, -3, -4, -5, -6, -7, …]
// CHECK-NEXT: output 1: 2x6 f32: [2, 2, 2, 3, 4, 5, 6, 7, …]
// CHECK-NEXT: output 2: 2x6 bf16: [0, 0, 0, 0, 1, 1, 1, 1, …]
// CHECK-NEXT: output 3: 2x6 f32: [0, 0, 0, 0, 0, 0, 1, 1, …]
"func.func"() <{function_type = (tensor<2x6xf32>, tensor<2x6xf32>) -> (tensor<2x6xf32>, tensor<2x6xf32>, tensor<2x6xi1>, tensor<2x6xf32>), sym_name = "selects", sym_visibility = "public"}> ({
^bb0(%arg6: tensor<2x6xf32>, %arg7: tensor<2x6xf32>):
  %7 = "stablehlo.compare"(%arg6, %arg7) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<2x6xf32>, tensor<2x6xf32>) -> tensor<2x6xi1>
  %8 = "stablehlo.negate"(%arg7) : (tensor<2x6xf32>) -> tensor<2x6xf32>
  %9 = "func.call"(%7, %arg6, %8) <{callee = @selects__where}> : (tensor<2x6xi1>, tensor<2x6xf32>, tensor<2x6xf32>) -> tensor<2x6xf32>
  %10 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<f32>}> : () -> tensor<f32>
  %11 = "stablehlo.constant"() <{value = dense<9.000000e+00> : tensor<f32>}> : () -> tensor<f32>
  %12 = "func.call"(%arg6, %10, %11) <{callee = @selects_clip}> : (tensor<2x6xf32>, tensor<f32>, tensor<f32>) -> tensor<2x6xf32>
  %13 = "stablehlo.constant"() <{value = dense<3.000000e+00> : tensor<f32>}> : () -> tensor<f32>
  %14 = "stablehlo.broadcast_in_dim"(%13) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x6xf32>
  %15 = "stablehlo.compare"(%arg6, %14) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<2x6xf32>, tensor<2x6xf32>) -> tensor<2x6xi1>
  %16 = "stablehlo.compare"(%arg7, %arg6) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<2x6xf32>, tensor<2x6xf32>) -> tensor<2x6xi1>
  %17 = "stablehlo.xor"(%15, %16) : (tensor<2x6xi1>, tensor<2x6xi1>) -> tensor<2x6xi1>
  %18 = "stablehlo.constant"() <{value = dense<5.000000e+00> : tensor<f32>}> : () -> tensor<f32>
  %19 = "stablehlo.broadcast_in_dim"(%18) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x6xf32>
  %20 = "stablehlo.compare"(%arg6, %19) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<2x6xf32>, tensor<2x6xf32>) -> tensor<2x6xi1>
  %21 = "stablehlo.convert"(%20) : (tensor<2x6xi1>) -> tensor<2x6xf32>
  "func.return"(%9, %12, %17, %21) : (tensor<2x6xf32>, tensor<2x6xf32>, tensor<2x6xi1>, tensor<2x6xf32>) -> ()
}) : () -> ()
"func.func"() <{function_type = (tensor<2x6xi1>, tensor<2x6xf32>, tensor<2x6xf32>) -> tensor<2x6xf32>, sym_name = "selects__where", sym_visibility = "private"}> ({
^bb0(%arg3: tensor<2x6xi1>, %arg4: tensor<2x6xf32>, %arg5: tensor<2x6xf32>):
  %6 = "stablehlo.select"(%arg3, %arg4, %arg5) : (tensor<2x6xi1>, tensor<2x6xf32>, tensor<2x6xf32>) -> tensor<2x6xf32>
  "func.return"(%6) : (tensor<2x6xf32>) -> ()
}) : () -> ()
"func.func"() <{function_type = (tensor<2x6xf32>, tensor<f32>, tensor<f32>) -> tensor<2x6xf32>, sym_name = "selects_clip", sym_visibility = "private"}> ({
^bb0(%arg0: tensor<2x6xf32>, %arg1: tensor<f32>, %arg2: tensor<f32>):
  %0 = "stablehlo.convert"(%arg1) : (tensor<f32>) -> tensor<f32>
  %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x6xf32>
  %2 = "stablehlo.maximum"(%1, %arg0) : (tensor<2x6xf32>, tensor<2x6xf32>) -> tensor<2x6xf32>
  %3 = "stablehlo.convert"(%arg2) : (tensor<f32>) -> tensor<f32>
  %4 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x6xf32>
  %5 = "stablehlo.minimum"(%4, %2) : (tensor<2x6xf32>, tensor<2x6xf32>) -> tensor<2x6xf32>
  "func.return"(%5) : (tensor<2x6xf32>) -> ()
}) : () -> ()

// CHECK-LABEL: program 'integers'
// CHECK-NEXT: output 0: 2x6 si32: [-3, -2, 1, 6, 13, 22, 33, 46, …]
// CHECK-NEXT: output 1: 2x6 si32: [0, 1, 2, 3, 4, 5, 6, 7, …]
// CHECK-NEXT: output 2: 2x6 si32: [1, 5, 9, 13, 17, 21, 25, 29, …]
// CHECK-NEXT: output 3: 2x6 si32: [4, 4, 4, 4, 4, 5, 6, 7, …]
"func.func"() <{function_type = (tensor<2x6xi32>, tensor<2x6xi32>) -> (tensor<2x6xi32>, tensor<2x6xi32>, tensor<2x6xi32>, tensor<2x6xi32>), sym_name = "integers", sym_visibility = "public"}> ({
^bb0(%arg0: tensor<2x6xi32>, %arg1: tensor<2x6xi32>):
  %0 = "stablehlo.multiply"(%arg0, %arg1) : (tensor<2x6xi32>, tensor<2x6xi32>) -> tensor<2x6xi32>
  %1 = "stablehlo.constant"() <{value = dense<3> : tensor<i32>}> : () -> tensor<i32>
  %2 = "stablehlo.broadcast_in_dim"(%1) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2x6xi32>
  %3 = "stablehlo.subtract"(%0, %2) : (tensor<2x6xi32>, tensor<2x6xi32>) -> tensor<2x6xi32>
  %4 = "stablehlo.and"(%arg0, %arg1) : (tensor<2x6xi32>, tensor<2x6xi32>) -> tensor<2x6xi32>
  %5 = "stablehlo.constant"() <{value = dense<2> : tensor<i32>}> : () -> tensor<i32>
  %6 = "stablehlo.broadcast_in_dim"(%5) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2x6xi32>
  %7 = "stablehlo.shift_left"(%arg0, %6) : (tensor<2x6xi32>, tensor<2x6xi32>) -> tensor<2x6xi32>
  %8 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
  %9 = "stablehlo.broadcast_in_dim"(%8) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2x6xi32>
  %10 = "stablehlo.or"(%7, %9) : (tensor<2x6xi32>, tensor<2x6xi32>) -> tensor<2x6xi32>
  %11 = "stablehlo.constant"() <{value = dense<4> : tensor<i32>}> : () -> tensor<i32>
  %12 = "stablehlo.broadcast_in_dim"(%11) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2x6xi32>
  %13 = "stablehlo.maximum"(%arg0, %12) : (tensor<2x6xi32>, tensor<2x6xi32>) -> tensor<2x6xi32>
  "func.return"(%3, %4, %10, %13) : (tensor<2x6xi32>, tensor<2x6xi32>, tensor<2x6xi32>, tensor<2x6xi32>) -> ()
}) : () -> ()

// CHECK-LABEL: program 'calls'
// CHECK-NEXT: output 0: 2x6 f32: [0, 0, 0, 0, 0, 1, 2, 3, …]
"func.func"() <{function_type = (tensor<2x6xf32>) -> tensor<2x6xf32>, sym_name = "calls", sym_visibility = "public"}> ({
^bb0(%arg1: tensor<2x6xf32>):
  %3 = "func.call"(%arg1) <{callee = @calls_relu}> : (tensor<2x6xf32>) -> tensor<2x6xf32>
  %4 = "stablehlo.constant"() <{value = dense<4.000000e+00> : tensor<f32>}> : () -> tensor<f32>
  %5 = "stablehlo.broadcast_in_dim"(%4) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x6xf32>
  %6 = "stablehlo.subtract"(%3, %5) : (tensor<2x6xf32>, tensor<2x6xf32>) -> tensor<2x6xf32>
  %7 = "func.call"(%6) <{callee = @calls_relu}> : (tensor<2x6xf32>) -> tensor<2x6xf32>
  "func.return"(%7) : (tensor<2x6xf32>) -> ()
}) : () -> ()
"func.func"() <{function_type = (tensor<2x6xf32>) -> tensor<2x6xf32>, sym_name = "calls_relu", sym_visibility = "private"}> ({
^bb0(%arg0: tensor<2x6xf32>):
  %0 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
  %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x6xf32>
  %2 = "stablehlo.maximum"(%arg0, %1) : (tensor<2x6xf32>, tensor<2x6xf32>) -> tensor<2x6xf32>
  "func.return"(%2) : (tensor<2x6xf32>) -> ()
}) : () -> ()

// CHECK-LABEL: program 'pool_gradient'
// CHECK-NEXT: output 0: 2x4 f32: [0, 0, 0, 0, 0, 0, 1, 2]
// CHECK-NEXT: output 1: 2x4 f32: [3, 1, 5, 1, 1, 1, 1, 1]
// CHECK-NEXT: output 2: 2x4 f32: [0, 1, 2, 0, 0, 0, 0, 0]
// CHECK-NEXT: output 3: 2x4 f32: [0, 0, 0, 0, 0, 0, 1, 2]
"func.func"() <{function_type = (tensor<2x4xf32>, tensor<1x3xf32>, tensor<2x2xf32>) -> (tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>), sym_name = "pool_gradient", sym_visibility = "public"}> ({
^bb0(%arg0: tensor<2x4xf32>, %arg1: tensor<1x3xf32>, %arg2: tensor<2x2xf32>):
  %0 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
  %1 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
  %2 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<2x4xf32>}> : () -> tensor<2x4xf32>
  %3 = "stablehlo.select_and_scatter"(%arg0, %arg1, %0) <{padding = dense<0> : tensor<2x2xi64>, window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 1, 1>}> ({
  ^bb0(%a3: tensor<f32>, %b3: tensor<f32>):
    %s3 = "stablehlo.compare"(%a3, %b3) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    "stablehlo.return"(%s3) : (tensor<i1>) -> ()
  }, {
  ^bb0(%c3: tensor<f32>, %d3: tensor<f32>):
    %t3 = "stablehlo.add"(%c3, %d3) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%t3) : (tensor<f32>) -> ()
  }) : (tensor<2x4xf32>, tensor<1x3xf32>, tensor<f32>) -> tensor<2x4xf32>
  %4 = "stablehlo.select_and_scatter"(%arg0, %arg2, %1) <{padding = dense<[[1, 0], [0, 0]]> : tensor<2x2xi64>, window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 1, 2>}> ({
  ^bb0(%a4: tensor<f32>, %b4: tensor<f32>):
    %s4 = "stablehlo.compare"(%a4, %b4) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction LE>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    "stablehlo.return"(%s4) : (tensor<i1>) -> ()
  }, {
  ^bb0(%c4: tensor<f32>, %d4: tensor<f32>):
    %t4 = "stablehlo.add"(%c4, %d4) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%t4) : (tensor<f32>) -> ()
  }) : (tensor<2x4xf32>, tensor<2x2xf32>, tensor<f32>) -> tensor<2x4xf32>
  %5 = "stablehlo.select_and_scatter"(%2, %arg1, %0) <{padding = dense<0> : tensor<2x2xi64>, window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 1, 1>}> ({
  ^bb0(%a5: tensor<f32>, %b5: tensor<f32>):
    %s5 = "stablehlo.compare"(%a5, %b5) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    "stablehlo.return"(%s5) : (tensor<i1>) -> ()
  }, {
  ^bb0(%c5: tensor<f32>, %d5: tensor<f32>):
    %t5 = "stablehlo.add"(%c5, %d5) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%t5) : (tensor<f32>) -> ()
  }) : (tensor<2x4xf32>, tensor<1x3xf32>, tensor<f32>) -> tensor<2x4xf32>
  %6 = "stablehlo.select_and_scatter"(%2, %arg1, %0) <{padding = dense<0> : tensor<2x2xi64>, window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 1, 1>}> ({
  ^bb0(%a6: tensor<f32>, %b6: tensor<f32>):
    %s6 = "stablehlo.compare"(%a6, %b6) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    "stablehlo.return"(%s6) : (tensor<i1>) -> ()
  }, {
  ^bb0(%c6: tensor<f32>, %d6: tensor<f32>):
    %t6 = "stablehlo.add"(%c6, %d6) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%t6) : (tensor<f32>) -> ()
  }) : (tensor<2x4xf32>, tensor<1x3xf32>, tensor<f32>) -> tensor<2x4xf32>
  "func.return"(%3, %4, %5, %6) : (tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>) -> ()
}) : () -> ()

// CHECK-LABEL: program 'scan'
// CHECK-NEXT: output 0: 3 f32: [33, 48, 63]
// CHECK-NEXT: output 1: 4x3 f32: [0, -1, -2, -3, -3, -3, -3, -1, …]
"func.func"() <{function_type = (tensor<4x3xf32>) -> (tensor<3xf32>, tensor<4x3xf32>), sym_name = "scan", sym_visibility = "public"}> ({
^bb0(%arg7: tensor<4x3xf32>):
  %11 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
  %12 = "stablehlo.broadcast_in_dim"(%11) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3xf32>
  %13 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
  %14 = "stablehlo.broadcast_in_dim"(%13) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4x3xf32>
  %15 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
  %16:4 = "stablehlo.while"(%arg7, %15, %12, %14) ({
  ^bb0(%arg12: tensor<4x3xf32>, %arg13: tensor<i32>, %arg14: tensor<3xf32>, %arg15: tensor<4x3xf32>):
    %22 = "stablehlo.constant"() <{value = dense<4> : tensor<i32>}> : () -> tensor<i32>
    %23 = "stablehlo.compare"(%arg13, %22) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    "stablehlo.return"(%23) : (tensor<i1>) -> ()
  }, {
  ^bb0(%arg8: tensor<4x3xf32>, %arg9: tensor<i32>, %arg10: tensor<3xf32>, %arg11: tensor<4x3xf32>):
    %17 = "func.call"(%arg8, %arg9) <{callee = @scan_dynamic_index_in_dim}> : (tensor<4x3xf32>, tensor<i32>) -> tensor<3xf32>
    %18:2 = "func.call"(%arg10, %17) <{callee = @scan_closed_call}> : (tensor<3xf32>, tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>)
    %19 = "func.call"(%arg11, %18#1, %arg9) <{callee = @scan_dynamic_update_index_in_dim}> : (tensor<4x3xf32>, tensor<3xf32>, tensor<i32>) -> tensor<4x3xf32>
    %20 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %21 = "stablehlo.add"(%arg9, %20) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    "stablehlo.return"(%arg8, %21, %18#0, %19) : (tensor<4x3xf32>, tensor<i32>, tensor<3xf32>, tensor<4x3xf32>) -> ()
  }) : (tensor<4x3xf32>, tensor<i32>, tensor<3xf32>, tensor<4x3xf32>) -> (tensor<4x3xf32>, tensor<i32>, tensor<3xf32>, tensor<4x3xf32>)
  "func.return"(%16#2, %16#3) : (tensor<3xf32>, tensor<4x3xf32>) -> ()
}) : () -> ()
"func.func"() <{function_type = (tensor<4x3xf32>, tensor<i32>) -> tensor<3xf32>, sym_name = "scan_dynamic_index_in_dim", sym_visibility = "private"}> ({
^bb0(%arg5: tensor<4x3xf32>, %arg6: tensor<i32>):
  %8 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
  %9 = "stablehlo.dynamic_slice"(%arg5, %arg6, %8) <{slice_sizes = array<i64: 1, 3>}> : (tensor<4x3xf32>, tensor<i32>, tensor<i32>) -> tensor<1x3xf32>
  %10 = "stablehlo.reshape"(%9) : (tensor<1x3xf32>) -> tensor<3xf32>
  "func.return"(%10) : (tensor<3xf32>) -> ()
}) : () -> ()
"func.func"() <{function_type = (tensor<3xf32>, tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>), sym_name = "scan_closed_call", sym_visibility = "private"}> ({
^bb0(%arg3: tensor<3xf32>, %arg4: tensor<3xf32>):
  %3 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<f32>}> : () -> tensor<f32>
  %4 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3xf32>
  %5 = "stablehlo.multiply"(%arg3, %4) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  %6 = "stablehlo.add"(%5, %arg4) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  %7 = "stablehlo.subtract"(%arg3, %arg4) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  "func.return"(%6, %7) : (tensor<3xf32>, tensor<3xf32>) -> ()
}) : () -> ()
"func.func"() <{function_type = (tensor<4x3xf32>, tensor<3xf32>, tensor<i32>) -> tensor<4x3xf32>, sym_name = "scan_dynamic_update_index_in_dim", sym_visibility = "private"}> ({
^bb0(%arg0: tensor<4x3xf32>, %arg1: tensor<3xf32>, %arg2: tensor<i32>):
  %0 = "stablehlo.broadcast_in_dim"(%arg1) <{broadcast_dimensions = array<i64: 1>}> : (tensor<3xf32>) -> tensor<1x3xf32>
  %1 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
  %2 = "stablehlo.dynamic_update_slice"(%arg0, %0, %arg2, %1) : (tensor<4x3xf32>, tensor<1x3xf32>, tensor<i32>, tensor<i32>) -> tensor<4x3xf32>
  "func.return"(%2) : (tensor<4x3xf32>) -> ()
}) : () -> ()

// CHECK-LABEL: program 'nested_loops'
// CHECK-NEXT: output 0: 4x3 f32: [18, 22, 26, 18, 21, 24, 15, 17, …]
"func.func"() <{function_type = (tensor<4x3xf32>) -> tensor<4x3xf32>, sym_name = "nested_loops", sym_visibility = "public"}> ({
^bb0(%arg15: tensor<4x3xf32>):
  %32 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
  %33 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
  %34:4 = "stablehlo.while"(%arg15, %33, %32, %arg15) ({
  ^bb0(%arg20: tensor<4x3xf32>, %arg21: tensor<i32>, %arg22: tensor<i32>, %arg23: tensor<4x3xf32>):
    %38 = "stablehlo.constant"() <{value = dense<3> : tensor<i32>}> : () -> tensor<i32>
    %39 = "stablehlo.compare"(%arg21, %38) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    "stablehlo.return"(%39) : (tensor<i1>) -> ()
  }, {
  ^bb0(%arg16: tensor<4x3xf32>, %arg17: tensor<i32>, %arg18: tensor<i32>, %arg19: tensor<4x3xf32>):
    %35:2 = "func.call"(%arg16, %arg18, %arg19) <{callee = @nested_loops_closed_call}> : (tensor<4x3xf32>, tensor<i32>, tensor<4x3xf32>) -> (tensor<i32>, tensor<4x3xf32>)
    %36 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %37 = "stablehlo.add"(%arg17, %36) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    "stablehlo.return"(%arg16, %37, %35#0, %35#1) : (tensor<4x3xf32>, tensor<i32>, tensor<i32>, tensor<4x3xf32>) -> ()
  }) : (tensor<4x3xf32>, tensor<i32>, tensor<i32>, tensor<4x3xf32>) -> (tensor<4x3xf32>, tensor<i32>, tensor<i32>, tensor<4x3xf32>)
  "func.return"(%34#3) : (tensor<4x3xf32>) -> ()
}) : () -> ()
"func.func"() <{function_type = (tensor<4x3xf32>, tensor<i32>, tensor<4x3xf32>) -> (tensor<i32>, tensor<4x3xf32>), sym_name = "nested_loops_closed_call", sym_visibility = "private"}> ({
^bb0(%arg0: tensor<4x3xf32>, %arg1: tensor<i32>, %arg2: tensor<4x3xf32>):
  %0 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
  %1 = "stablehlo.add"(%arg1, %0) : (tensor<i32>, tensor<i32>) -> tensor<i32>
  %2 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
  %3:5 = "stablehlo.while"(%arg1, %arg0, %2, %arg1, %arg2) ({
  ^bb0(%arg10: tensor<i32>, %arg11: tensor<4x3xf32>, %arg12: tensor<i32>, %arg13: tensor<i32>, %arg14: tensor<4x3xf32>):
    %31 = "stablehlo.compare"(%arg12, %arg13) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    "stablehlo.return"(%31) : (tensor<i1>) -> ()
  }, {
  ^bb0(%arg3: tensor<i32>, %arg4: tensor<4x3xf32>, %arg5: tensor<i32>, %arg6: tensor<i32>, %arg7: tensor<4x3xf32>):
    %4 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %5 = "stablehlo.add"(%arg5, %4) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %6 = "stablehlo.convert"(%arg3) : (tensor<i32>) -> tensor<i32>
    %7 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %8 = "stablehlo.compare"(%6, %7) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %9 = "stablehlo.constant"() <{value = dense<4> : tensor<i32>}> : () -> tensor<i32>
    %10 = "stablehlo.add"(%6, %9) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %11 = "stablehlo.select"(%8, %10, %6) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %12 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %13 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %14 = "stablehlo.compare"(%12, %13) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %15 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %16 = "stablehlo.constant"() <{value = dense<3> : tensor<i32>}> : () -> tensor<i32>
    %17 = "stablehlo.add"(%15, %16) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %18 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %19 = "stablehlo.select"(%14, %17, %18) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %20 = "stablehlo.dynamic_slice"(%arg4, %11, %19) <{slice_sizes = array<i64: 1, 3>}> : (tensor<4x3xf32>, tensor<i32>, tensor<i32>) -> tensor<1x3xf32>
    %21 = "stablehlo.reshape"(%20) : (tensor<1x3xf32>) -> tensor<3xf32>
    %22 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %23 = "stablehlo.compare"(%arg5, %22) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %24 = "stablehlo.constant"() <{value = dense<4> : tensor<i32>}> : () -> tensor<i32>
    %25 = "stablehlo.add"(%arg5, %24) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %26 = "stablehlo.select"(%23, %25, %arg5) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %27 = "stablehlo.convert"(%26) : (tensor<i32>) -> tensor<i32>
    %28 = "stablehlo.broadcast_in_dim"(%27) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<1xi32>
    %29 = "stablehlo.scatter"(%arg7, %28, %21) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>, unique_indices = true}> ({
    ^bb0(%arg8: tensor<f32>, %arg9: tensor<f32>):
      %30 = "stablehlo.add"(%arg8, %arg9) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%30) : (tensor<f32>) -> ()
    }) : (tensor<4x3xf32>, tensor<1xi32>, tensor<3xf32>) -> tensor<4x3xf32>
    "stablehlo.return"(%arg3, %arg4, %5, %arg6, %29) : (tensor<i32>, tensor<4x3xf32>, tensor<i32>, tensor<i32>, tensor<4x3xf32>) -> ()
  }) : (tensor<i32>, tensor<4x3xf32>, tensor<i32>, tensor<i32>, tensor<4x3xf32>) -> (tensor<i32>, tensor<4x3xf32>, tensor<i32>, tensor<i32>, tensor<4x3xf32>)
  "func.return"(%1, %3#4) : (tensor<i32>, tensor<4x3xf32>) -> ()
}) : () -> ()

// CHECK-LABEL: program 'branches'
// CHECK-NEXT: output 0: 5 f32: [0, 2, 4, 6, 8]
// CHECK-NEXT: output 1: 5 f32: [-0, -1, -2, -3, -4]
// CHECK-NEXT: output 2: 5 f32: [10, 11, 12, 13, 14]
// CHECK-NEXT: output 3: 5 f32: [-1, 0, 1, 2, 3]
"func.func"() <{function_type = (tensor<4xi32>, tensor<5xf32>) -> (tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>), sym_name = "branches", sym_visibility = "public"}> ({
^bb0(%arg0: tensor<4xi32>, %arg1: tensor<5xf32>):
  %0 = "stablehlo.slice"(%arg0) <{limit_indices = array<i64: 1>, start_indices = array<i64: 0>, strides = array<i64: 1>}> : (tensor<4xi32>) -> tensor<1xi32>
  %1 = "stablehlo.reshape"(%0) : (tensor<1xi32>) -> tensor<i32>
  %2 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
  %3 = "stablehlo.constant"() <{value = dense<2> : tensor<i32>}> : () -> tensor<i32>
  %4 = "stablehlo.clamp"(%2, %1, %3) : (tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<i32>
  %5 = "stablehlo.case"(%4) ({
    %46 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %47 = "stablehlo.broadcast_in_dim"(%46) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<5xf32>
    %48 = "stablehlo.multiply"(%arg1, %47) : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32>
    "stablehlo.return"(%48) : (tensor<5xf32>) -> ()
  }, {
    %45 = "stablehlo.negate"(%arg1) : (tensor<5xf32>) -> tensor<5xf32>
    "stablehlo.return"(%45) : (tensor<5xf32>) -> ()
  }, {
    %42 = "stablehlo.constant"() <{value = dense<1.000000e+01> : tensor<f32>}> : () -> tensor<f32>
    %43 = "stablehlo.broadcast_in_dim"(%42) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<5xf32>
    %44 = "stablehlo.add"(%arg1, %43) : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32>
    "stablehlo.return"(%44) : (tensor<5xf32>) -> ()
  }) : (tensor<i32>) -> tensor<5xf32>
  %6 = "stablehlo.slice"(%arg0) <{limit_indices = array<i64: 2>, start_indices = array<i64: 1>, strides = array<i64: 1>}> : (tensor<4xi32>) -> tensor<1xi32>
  %7 = "stablehlo.reshape"(%6) : (tensor<1xi32>) -> tensor<i32>
  %8 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
  %9 = "stablehlo.constant"() <{value = dense<2> : tensor<i32>}> : () -> tensor<i32>
  %10 = "stablehlo.clamp"(%8, %7, %9) : (tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<i32>
  %11 = "stablehlo.case"(%10) ({
    %39 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %40 = "stablehlo.broadcast_in_dim"(%39) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<5xf32>
    %41 = "stablehlo.multiply"(%arg1, %40) : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32>
    "stablehlo.return"(%41) : (tensor<5xf32>) -> ()
  }, {
    %38 = "stablehlo.negate"(%arg1) : (tensor<5xf32>) -> tensor<5xf32>
    "stablehlo.return"(%38) : (tensor<5xf32>) -> ()
  }, {
    %35 = "stablehlo.constant"() <{value = dense<1.000000e+01> : tensor<f32>}> : () -> tensor<f32>
    %36 = "stablehlo.broadcast_in_dim"(%35) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<5xf32>
    %37 = "stablehlo.add"(%arg1, %36) : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32>
    "stablehlo.return"(%37) : (tensor<5xf32>) -> ()
  }) : (tensor<i32>) -> tensor<5xf32>
  %12 = "stablehlo.slice"(%arg0) <{limit_indices = array<i64: 4>, start_indices = array<i64: 3>, strides = array<i64: 1>}> : (tensor<4xi32>) -> tensor<1xi32>
  %13 = "stablehlo.reshape"(%12) : (tensor<1xi32>) -> tensor<i32>
  %14 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
  %15 = "stablehlo.constant"() <{value = dense<2> : tensor<i32>}> : () -> tensor<i32>
  %16 = "stablehlo.clamp"(%14, %13, %15) : (tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<i32>
  %17 = "stablehlo.case"(%16) ({
    %32 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %33 = "stablehlo.broadcast_in_dim"(%32) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<5xf32>
    %34 = "stablehlo.multiply"(%arg1, %33) : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32>
    "stablehlo.return"(%34) : (tensor<5xf32>) -> ()
  }, {
    %31 = "stablehlo.negate"(%arg1) : (tensor<5xf32>) -> tensor<5xf32>
    "stablehlo.return"(%31) : (tensor<5xf32>) -> ()
  }, {
    %28 = "stablehlo.constant"() <{value = dense<1.000000e+01> : tensor<f32>}> : () -> tensor<f32>
    %29 = "stablehlo.broadcast_in_dim"(%28) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<5xf32>
    %30 = "stablehlo.add"(%arg1, %29) : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32>
    "stablehlo.return"(%30) : (tensor<5xf32>) -> ()
  }) : (tensor<i32>) -> tensor<5xf32>
  %18 = "stablehlo.slice"(%arg1) <{limit_indices = array<i64: 2>, start_indices = array<i64: 1>, strides = array<i64: 1>}> : (tensor<5xf32>) -> tensor<1xf32>
  %19 = "stablehlo.reshape"(%18) : (tensor<1xf32>) -> tensor<f32>
  %20 = "stablehlo.slice"(%arg1) <{limit_indices = array<i64: 3>, start_indices = array<i64: 2>, strides = array<i64: 1>}> : (tensor<5xf32>) -> tensor<1xf32>
  %21 = "stablehlo.reshape"(%20) : (tensor<1xf32>) -> tensor<f32>
  %22 = "stablehlo.compare"(%19, %21) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %23 = "stablehlo.convert"(%22) : (tensor<i1>) -> tensor<i32>
  %24 = "stablehlo.case"(%23) ({
    %25 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %26 = "stablehlo.broadcast_in_dim"(%25) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<5xf32>
    %27 = "stablehlo.subtract"(%arg1, %26) : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32>
    "stablehlo.return"(%27) : (tensor<5xf32>) -> ()
  }, {
    "stablehlo.return"(%arg1) : (tensor<5xf32>) -> ()
  }) : (tensor<i32>) -> tensor<5xf32>
  "func.return"(%5, %11, %17, %24) : (tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>) -> ()
}) : () -> ()

// CHECK-LABEL: program 'hyperbolic'
// CHECK-NEXT: output 0: 8 f32: [0, 1.316958, 1.7627472, 2.063437, 2.2924316, 2.4778888, 2.633916, 2.7686594]
// CHECK-NEXT: output 1: 8 f32: [0, 0.12565722, 0.25541282, 0.3942287, 0.54930615, 0.73316854, 0.9729551, 1.3540251]
// CHECK-NEXT: output 2: 8 f32: [27.308233, 10.067662, 3.7621956, 1.5430806, 1, 1.5430806, 3.7621956, 10.067662]
// CHECK-NEXT: output 3: 8 f32: [-27.289919, -10.017875, -3.6268601, -1.1752012, 0, 1.1752012, 3.6268601, 10.017875]
"func.func"() <{function_type = (tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>), sym_name = "hyperbolic", sym_visibility = "public"}> ({
^bb0(%arg0: tensor<8xf32>):
  %0 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<8xf32>}> : () -> tensor<8xf32>
  %1 = "stablehlo.add"(%arg0, %0) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %2 = "chlo.acosh"(%1) : (tensor<8xf32>) -> tensor<8xf32>
  %3 = "stablehlo.constant"() <{value = dense<1.250000e-01> : tensor<8xf32>}> : () -> tensor<8xf32>
  %4 = "stablehlo.multiply"(%arg0, %3) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %5 = "chlo.atanh"(%4) : (tensor<8xf32>) -> tensor<8xf32>
  %6 = "stablehlo.constant"() <{value = dense<4.000000e+00> : tensor<8xf32>}> : () -> tensor<8xf32>
  %7 = "stablehlo.subtract"(%arg0, %6) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %8 = "chlo.cosh"(%7) : (tensor<8xf32>) -> tensor<8xf32>
  %9 = "chlo.sinh"(%7) : (tensor<8xf32>) -> tensor<8xf32>
  "func.return"(%2, %5, %8, %9) : (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> ()
}) : () -> ()

// CHECK-LABEL: program 'rounded'
// CHECK-NEXT: output 0: 8 f32: [-2, -2, -1, -1, 0, 1, 1, 2]
"func.func"() <{function_type = (tensor<8xf32>) -> tensor<8xf32>, sym_name = "rounded", sym_visibility = "public"}> ({
^bb0(%arg0: tensor<8xf32>):
  %0 = "stablehlo.constant"() <{value = dense<4.000000e+00> : tensor<8xf32>}> : () -> tensor<8xf32>
  %1 = "stablehlo.subtract"(%arg0, %0) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %2 = "stablehlo.constant"() <{value = dense<5.000000e-01> : tensor<8xf32>}> : () -> tensor<8xf32>
  %3 = "stablehlo.multiply"(%1, %2) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %4 = "stablehlo.round_nearest_afz"(%3) : (tensor<8xf32>) -> tensor<8xf32>
  "func.return"(%4) : (tensor<8xf32>) -> ()
}) : () -> ()

// CHECK-LABEL: program 'quotients'
// CHECK-NEXT: output 0: 2x4 si32: [1, 1, 2, -1, 0, 0, 0, 0]
// CHECK-NEXT: output 1: 2x2 si32: [28, 34, 76, 98]
"func.func"() <{function_type = (tensor<2x4xi32>, tensor<4x2xi32>) -> (tensor<2x4xi32>, tensor<2x2xi32>), sym_name = "quotients", sym_visibility = "public"}> ({
^bb0(%arg0: tensor<2x4xi32>, %arg1: tensor<4x2xi32>):
  %0 = "stablehlo.constant"() <{value = dense<4> : tensor<2x4xi32>}> : () -> tensor<2x4xi32>
  %1 = "stablehlo.constant"() <{value = dense<3> : tensor<2x4xi32>}> : () -> tensor<2x4xi32>
  %2 = "stablehlo.subtract"(%arg0, %0) : (tensor<2x4xi32>, tensor<2x4xi32>) -> tensor<2x4xi32>
  %3 = "stablehlo.subtract"(%arg0, %1) : (tensor<2x4xi32>, tensor<2x4xi32>) -> tensor<2x4xi32>
  %4 = "stablehlo.divide"(%2, %3) : (tensor<2x4xi32>, tensor<2x4xi32>) -> tensor<2x4xi32>
  %5 = "stablehlo.dot_general"(%arg0, %arg1) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x4xi32>, tensor<4x2xi32>) -> tensor<2x2xi32>
  "func.return"(%4, %5) : (tensor<2x4xi32>, tensor<2x2xi32>) -> ()
}) : () -> ()

// CHECK-LABEL: program 'windows'
// CHECK-NEXT: output 0: 4x3 f32: [0, 1, 2, 0, 1, 2, 3, 4, …]
// CHECK-NEXT: output 1: 4x3 f32: [0, 2, 2, 3, 8, 5, 6, 14, …]
// CHECK-NEXT: output 2: 4x3 f32: [0, 1, 2, 3, 4, 5, 6, 7, …]
"func.func"() <{function_type = (tensor<4x3xf32>, tensor<2x3xf32>) -> (tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>), sym_name = "windows", sym_visibility = "public"}> ({
^bb0(%arg0: tensor<4x3xf32>, %arg1: tensor<2x3xf32>):
  %0 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
  %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<1xi32>
  %2 = "stablehlo.scatter"(%arg0, %1, %arg1) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0, 1], scatter_dims_to_operand_dims = [0]>, unique_indices = true}> ({
  ^bb0(%arg6: tensor<f32>, %arg7: tensor<f32>):
    "stablehlo.return"(%arg7) : (tensor<f32>) -> ()
  }) : (tensor<4x3xf32>, tensor<1xi32>, tensor<2x3xf32>) -> tensor<4x3xf32>
  %3 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
  %4 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<1xi32>
  %5 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<f32>}> : () -> tensor<f32>
  %6 = "stablehlo.broadcast_in_dim"(%5) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4xf32>
  %7 = "stablehlo.scatter"(%arg0, %4, %6) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [1], scatter_dims_to_operand_dims = [1]>, unique_indices = true}> ({
  ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
    %14 = "stablehlo.multiply"(%arg4, %arg5) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%14) : (tensor<f32>) -> ()
  }) : (tensor<4x3xf32>, tensor<1xi32>, tensor<4xf32>) -> tensor<4x3xf32>
  %8 = "stablehlo.constant"() <{value = dense<9> : tensor<i32>}> : () -> tensor<i32>
  %9 = "stablehlo.broadcast_in_dim"(%8) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<1xi32>
  %10 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
  %11 = "stablehlo.broadcast_in_dim"(%10) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3xf32>
  %12 = "stablehlo.scatter"(%arg0, %9, %11) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>, unique_indices = true}> ({
  ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
    %13 = "stablehlo.add"(%arg2, %arg3) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%13) : (tensor<f32>) -> ()
  }) : (tensor<4x3xf32>, tensor<1xi32>, tensor<3xf32>) -> tensor<4x3xf32>
  "func.return"(%2, %7, %12) : (tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>) -> ()
}) : () -> ()

// CHECK-LABEL: program 'one_window'
// CHECK-NEXT: output 0: 4x3 f32: [0, 1, 2, 3, 4, 5, 6, 7, …]
"func.func"() <{function_type = (tensor<4x3xf32>, tensor<i32>, tensor<3xf32>) -> tensor<4x3xf32>, sym_name = "one_window", sym_visibility = "public"}> ({
^bb0(%arg0: tensor<4x3xf32>, %arg1: tensor<i32>, %arg2: tensor<3xf32>):
  %0 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
  %1 = "stablehlo.compare"(%arg1, %0) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %2 = "stablehlo.constant"() <{value = dense<4> : tensor<i32>}> : () -> tensor<i32>
  %3 = "stablehlo.add"(%arg1, %2) : (tensor<i32>, tensor<i32>) -> tensor<i32>
  %4 = "stablehlo.select"(%1, %3, %arg1) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
  %5 = "stablehlo.broadcast_in_dim"(%4) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<1xi32>
  %6 = "stablehlo.scatter"(%arg0, %5, %arg2) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>, unique_indices = true}> ({
  ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
    %7 = "stablehlo.maximum"(%arg3, %arg4) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%7) : (tensor<f32>) -> ()
  }) : (tensor<4x3xf32>, tensor<1xi32>, tensor<3xf32>) -> tensor<4x3xf32>
  "func.return"(%6) : (tensor<4x3xf32>) -> ()
}) : () -> ()

// CHECK-LABEL: program 'empty_parts'
// CHECK-NEXT: output 0: 3x4 f32: [0, 1, 2, 2, 0, 1, 2, 2, …]
"func.func"() <{function_type = (tensor<2x3xf32>) -> tensor<3x4xf32>, sym_name = "empty_parts", sym_visibility = "public"}> ({
^bb0(%arg2: tensor<2x3xf32>):
  %14 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
  %15 = "func.call"(%arg2, %14) <{callee = @empty_parts__pad}> : (tensor<2x3xf32>, tensor<i32>) -> tensor<3x4xf32>
  "func.return"(%15) : (tensor<3x4xf32>) -> ()
}) : () -> ()
"func.func"() <{function_type = (tensor<2x3xf32>, tensor<i32>) -> tensor<3x4xf32>, sym_name = "empty_parts__pad", sym_visibility = "private"}> ({
^bb0(%arg0: tensor<2x3xf32>, %arg1: tensor<i32>):
  %0 = "stablehlo.slice"(%arg0) <{limit_indices = array<i64: 1, 3>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>}> : (tensor<2x3xf32>) -> tensor<1x3xf32>
  %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64: 0, 2>}> : (tensor<1x3xf32>) -> tensor<1x1x3xf32>
  %2 = "stablehlo.reshape"(%1) : (tensor<1x1x3xf32>) -> tensor<1x3xf32>
  %3 = "stablehlo.slice"(%arg0) <{limit_indices = array<i64: 2, 3>, start_indices = array<i64: 1, 0>, strides = array<i64: 1, 1>}> : (tensor<2x3xf32>) -> tensor<1x3xf32>
  %4 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64: 0, 2>}> : (tensor<1x3xf32>) -> tensor<1x0x3xf32>
  %5 = "stablehlo.reshape"(%4) : (tensor<1x0x3xf32>) -> tensor<0x3xf32>
  %6 = "stablehlo.concatenate"(%2, %arg0, %5) <{dimension = 0 : i64}> : (tensor<1x3xf32>, tensor<2x3xf32>, tensor<0x3xf32>) -> tensor<3x3xf32>
  %7 = "stablehlo.slice"(%6) <{limit_indices = array<i64: 3, 1>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>}> : (tensor<3x3xf32>) -> tensor<3x1xf32>
  %8 = "stablehlo.broadcast_in_dim"(%7) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<3x1xf32>) -> tensor<3x1x0xf32>
  %9 = "stablehlo.reshape"(%8) : (tensor<3x1x0xf32>) -> tensor<3x0xf32>
  %10 = "stablehlo.slice"(%6) <{limit_indices = array<i64: 3, 3>, start_indices = array<i64: 0, 2>, strides = array<i64: 1, 1>}> : (tensor<3x3xf32>) -> tensor<3x1xf32>
  %11 = "stablehlo.broadcast_in_dim"(%10) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<3x1xf32>) -> tensor<3x1x1xf32>
  %12 = "stablehlo.reshape"(%11) : (tensor<3x1x1xf32>) -> tensor<3x1xf32>
  %13 = "stablehlo.concatenate"(%9, %6, %12) <{dimension = 1 : i64}> : (tensor<3x0xf32>, tensor<3x3xf32>, tensor<3x1xf32>) -> tensor<3x4xf32>
  "func.return"(%13) : (tensor<3x4xf32>) -> ()
}) : () -> ()
