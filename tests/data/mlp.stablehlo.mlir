"builtin.module"() <{sym_name = "jit_mlp"}> ({
  "func.func"() <{function_type = (tensor<8x64xf32>, tensor<64x10xf32>, tensor<10xf32>) -> tensor<8x10xf32>, res_attrs = [{jax.result_info = "result"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%x: tensor<8x64xf32>, %w: tensor<64x10xf32>, %b: tensor<10xf32>):
    %0 = "stablehlo.dot_general"(%x, %w) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<8x64xf32>, tensor<64x10xf32>) -> tensor<8x10xf32> loc("model.py":3:10 to :15)
    %1 = "stablehlo.broadcast_in_dim"(%b) <{broadcast_dimensions = array<i64: 1>}> : (tensor<10xf32>) -> tensor<8x10xf32>
    %2 = "stablehlo.add"(%0, %1) : (tensor<8x10xf32>, tensor<8x10xf32>) -> tensor<8x10xf32>
    %3 = "func.call"(%2) <{callee = @relu}> : (tensor<8x10xf32>) -> tensor<8x10xf32>
    "func.return"(%3) : (tensor<8x10xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<8x10xf32>) -> tensor<8x10xf32>, sym_name = "relu", sym_visibility = "private"}> ({
  ^bb0(%x: tensor<8x10xf32>):
    %0 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x10xf32>
    %2 = "stablehlo.maximum"(%x, %1) : (tensor<8x10xf32>, tensor<8x10xf32>) -> tensor<8x10xf32>
    "func.return"(%2) : (tensor<8x10xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
