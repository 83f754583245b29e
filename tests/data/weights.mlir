func.func @layer(%x: tensor<64x32xf32>, %w: tensor<48x32xf32> {ttcore.argument_type = #ttcore.argument_type<parameter>}) -> tensor<64x48xf32> {
  %0 = "ttir.permute"(%w) <{permutation = array<i64: 1, 0>}> : (tensor<48x32xf32>) -> tensor<32x48xf32>
  %1 = "ttir.exp"(%0) : (tensor<32x48xf32>) -> tensor<32x48xf32>
  %2 = "ttir.matmul"(%x, %1) : (tensor<64x32xf32>, tensor<32x48xf32>) -> tensor<64x48xf32>
  return %2 : tensor<64x48xf32>
}
