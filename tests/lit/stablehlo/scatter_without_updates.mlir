// A scatter without updates returns its operand.
// RUN: ttmlir-opt --stablehlo-to-ttir-pipeline %s | FileCheck %s

// CHECK-LABEL: func.func @main(
// CHECK-NEXT: return %arg0
"func.func"() <{function_type = (tensor<5x4xf32>, tensor<0x1xi32>, tensor<0x4xf32>) -> tensor<5x4xf32>, sym_name = "main"}> ({
^bb0(%a: tensor<5x4xf32>, %i: tensor<0x1xi32>, %u: tensor<0x4xf32>):
  %0 = "stablehlo.scatter"(%a, %i, %u) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    "stablehlo.return"(%y) : (tensor<f32>) -> ()
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>} : (tensor<5x4xf32>, tensor<0x1xi32>, tensor<0x4xf32>) -> tensor<5x4xf32>
  "func.return"(%0) : (tensor<5x4xf32>) -> ()
}) : () -> ()
