"builtin.module"() <{sym_name = "jit_look_up"}> ({
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<100x32xf32>, tensor<2x8xi32>) -> tensor<2x8x32xf32>, res_attrs = [{jax.result_info = "result"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg2: tensor<100x32xf32>, %arg3: tensor<2x8xi32>):
    %2 = "func.call"(%arg2, %arg3) <{callee = @_take}> : (tensor<100x32xf32>, tensor<2x8xi32>) -> tensor<2x8x32xf32>
    "func.return"(%2) : (tensor<2x8x32xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<100x32xf32>, tensor<2x8xi32>) -> tensor<2x8x32xf32>, res_attrs = [{}], sym_name = "_take", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<100x32xf32>, %arg1: tensor<2x8xi32>):
    %0 = "stablehlo.broadcast_in_dim"(%arg1) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<2x8xi32>) -> tensor<2x8x1xi32>
    %1 = "stablehlo.gather"(%arg0, %0) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 32>}> : (tensor<100x32xf32>, tensor<2x8x1xi32>) -> tensor<2x8x32xf32>
    "func.return"(%1) : (tensor<2x8x32xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
