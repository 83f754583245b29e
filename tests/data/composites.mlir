// Composites of movements, reductions and products, of elements ? in place of which tests put a type.

func.func @prod(%a: tensor<5x33x7x?>) -> tensor<5x7x?> {
  %0 = "ttir.prod"(%a) <{dim_arg = [1 : i32], keep_dim = false}> : (tensor<5x33x7x?>) -> tensor<5x7x?>
  return %0 : tensor<5x7x?>
}

func.func @prod_of_all(%a: tensor<3x5x?>) -> tensor<?> {
  %0 = "ttir.prod"(%a) <{keep_dim = false}> : (tensor<3x5x?>) -> tensor<?>
  return %0 : tensor<?>
}

func.func @reduce_and(%a: tensor<33x40x?>, %b: tensor<33x40x?>) -> tensor<33x1x?> {
  %0 = "ttir.ge"(%a, %b) : (tensor<33x40x?>, tensor<33x40x?>) -> tensor<33x40x?>
  %1 = "ttir.reduce_and"(%0) <{dim_arg = [1 : i32], keep_dim = true}> : (tensor<33x40x?>) -> tensor<33x1x?>
  return %1 : tensor<33x1x?>
}

func.func @reduce_or(%a: tensor<3x33x40x?>) -> tensor<33x?> {
  %0 = "ttir.reduce_or"(%a) <{dim_arg = [0 : i32, 2 : i32], keep_dim = false}> : (tensor<3x33x40x?>) -> tensor<33x?>
  return %0 : tensor<33x?>
}

func.func @cumsum_of_rows(%a: tensor<33x65x?>) -> tensor<33x65x?> {
  %0 = "ttir.cumsum"(%a) <{dim = 1 : i64}> : (tensor<33x65x?>) -> tensor<33x65x?>
  return %0 : tensor<33x65x?>
}

func.func @cumsum_of_matrices(%a: tensor<5x33x7x?>) -> tensor<5x33x7x?> {
  %0 = "ttir.cumsum"(%a) <{dim = -3 : i64}> : (tensor<5x33x7x?>) -> tensor<5x33x7x?>
  return %0 : tensor<5x33x7x?>
}

func.func @argmax_of_rows(%a: tensor<33x300x?>) -> tensor<33x1xi32> {
  %0 = "ttir.argmax"(%a) <{dim_arg = [1 : i32], keep_dim = true}> : (tensor<33x300x?>) -> tensor<33x1xi32>
  return %0 : tensor<33x1xi32>
}

func.func @argmax_of_matrices(%a: tensor<5x33x7x?>) -> tensor<33x7xi32> {
  %0 = "ttir.argmax"(%a) <{dim_arg = [0 : i32], keep_dim = false}> : (tensor<5x33x7x?>) -> tensor<33x7xi32>
  return %0 : tensor<33x7xi32>
}

func.func @argmax_of_all(%a: tensor<33x40x?>) -> tensor<i32> {
  %0 = "ttir.argmax"(%a) <{keep_dim = false}> : (tensor<33x40x?>) -> tensor<i32>
  return %0 : tensor<i32>
}

func.func @arange(%a: tensor<33x40x?>) -> tensor<33x40x?> {
  %0 = "ttir.arange"() <{start = -3 : si64, end = 77 : si64, step = 2 : si64, arange_dimension = 1 : i64}> : () -> tensor<33x40x?>
  %1 = "ttir.add"(%a, %0) : (tensor<33x40x?>, tensor<33x40x?>) -> tensor<33x40x?>
  return %1 : tensor<33x40x?>
}

func.func @dot_general(%a: tensor<2x33x3x40x?>, %b: tensor<3x40x50x2x?>) -> tensor<3x2x33x50x?> {
  %0 = "ttir.dot_general"(%a, %b) <{batch_dims_lhs = array<i64: 2, 0>, contract_dims_lhs = array<i64: 3>, batch_dims_rhs = array<i64: 0, 3>, contract_dims_rhs = array<i64: 1>}> : (tensor<2x33x3x40x?>, tensor<3x40x50x2x?>) -> tensor<3x2x33x50x?>
  return %0 : tensor<3x2x33x50x?>
}

func.func @dot_general_by_columns(%a: tensor<40x33x?>, %b: tensor<50x40x?>) -> tensor<33x50x?> {
  %0 = "ttir.dot_general"(%a, %b) <{batch_dims_lhs = array<i64>, contract_dims_lhs = array<i64: 0>, batch_dims_rhs = array<i64>, contract_dims_rhs = array<i64: 1>}> : (tensor<40x33x?>, tensor<50x40x?>) -> tensor<33x50x?>
  return %0 : tensor<33x50x?>
}

func.func @dot_general_of_vectors(%a: tensor<70x?>, %b: tensor<70x?>) -> tensor<?> {
  %0 = "ttir.dot_general"(%a, %b) <{batch_dims_lhs = array<i64>, contract_dims_lhs = array<i64: 0>, batch_dims_rhs = array<i64>, contract_dims_rhs = array<i64: 0>}> : (tensor<70x?>, tensor<70x?>) -> tensor<?>
  return %0 : tensor<?>
}

func.func @softmax_of_matrices(%a: tensor<3x33x7x?>) -> tensor<3x33x7x?> {
  %0 = "ttir.softmax"(%a) <{dimension = 0 : si32}> : (tensor<3x33x7x?>) -> tensor<3x33x7x?>
  return %0 : tensor<3x33x7x?>
}

func.func @max_pool2d(%a: tensor<2x9x11x40x?>) -> tensor<2x5x6x40x?> {
  %0 = "ttir.max_pool2d"(%a) <{kernel = 3 : i32, stride = 2 : i32, dilation = 1 : i32, padding = 1 : i32, ceil_mode = false}> : (tensor<2x9x11x40x?>) -> tensor<2x5x6x40x?>
  return %0 : tensor<2x5x6x40x?>
}

func.func @avg_pool2d(%a: tensor<1x8x9x5x?>) -> tensor<1x4x5x5x?> {
  %0 = "ttir.avg_pool2d"(%a) <{kernel = array<i32: 2, 3>, stride = array<i32: 2, 2>, dilation = array<i32: 1, 1>, padding = array<i32: 0, 1>, ceil_mode = false, count_include_pad = false}> : (tensor<1x8x9x5x?>) -> tensor<1x4x5x5x?>
  return %0 : tensor<1x4x5x5x?>
}

func.func @avg_pool2d_of_all(%a: tensor<2x7x7x40x?>) -> tensor<2x1x1x40x?> {
  %0 = "ttir.avg_pool2d"(%a) <{kernel = 7 : i32, stride = 1 : i32, dilation = 1 : i32, padding = 0 : i32, ceil_mode = true}> : (tensor<2x7x7x40x?>) -> tensor<2x1x1x40x?>
  return %0 : tensor<2x1x1x40x?>
}

func.func @conv2d(%a: tensor<1x9x8x3x?>, %weight: tensor<40x3x3x3x?>, %bias: tensor<1x1x1x40x?>) -> tensor<1x5x4x40x?> {
  %0 = "ttir.conv2d"(%a, %weight, %bias) <{stride = 2 : i32, padding = 1 : i32, dilation = 1 : i32, groups = 1 : i32}> : (tensor<1x9x8x3x?>, tensor<40x3x3x3x?>, tensor<1x1x1x40x?>) -> tensor<1x5x4x40x?>
  return %0 : tensor<1x5x4x40x?>
}

func.func @conv2d_of_pixels(%a: tensor<2x5x8x40x?>, %weight: tensor<33x40x1x1x?>) -> tensor<2x5x8x33x?> {
  %0 = "ttir.conv2d"(%a, %weight) <{stride = 1 : i32, padding = 0 : i32, dilation = 1 : i32, groups = 1 : i32}> : (tensor<2x5x8x40x?>, tensor<33x40x1x1x?>) -> tensor<2x5x8x33x?>
  return %0 : tensor<2x5x8x33x?>
}

func.func @conv2d_of_groups(%a: tensor<1x6x7x8x?>, %weight: tensor<6x4x3x2x?>, %bias: tensor<1x1x1x6x?>) -> tensor<1x4x6x6x?> {
  %0 = "ttir.conv2d"(%a, %weight, %bias) <{stride = array<i32: 1, 1>, padding = array<i32: 0, 0, 0, 0>, dilation = array<i32: 1, 1>, groups = 2 : i32}> : (tensor<1x6x7x8x?>, tensor<6x4x3x2x?>, tensor<1x1x1x6x?>) -> tensor<1x4x6x6x?>
  return %0 : tensor<1x4x6x6x?>
}

func.func @conv2d_of_channels(%a: tensor<1x33x6x7x?>, %weight: tensor<33x1x3x3x?>) -> tensor<1x33x6x7x?> {
  %0 = "ttir.conv2d"(%a, %weight) <{stride = 1 : i32, padding = 1 : i32, dilation = 1 : i32, groups = 33 : i32, channel_dim = 1 : i64, height_dim = 2 : i64, width_dim = 3 : i64}> : (tensor<1x33x6x7x?>, tensor<33x1x3x3x?>) -> tensor<1x33x6x7x?>
  return %0 : tensor<1x33x6x7x?>
}

func.func @batch_norm(%a: tensor<2x5x4x7x?>, %scale: tensor<5x?>, %offset: tensor<5x?>, %mean: tensor<5x?>, %b: tensor<5x?>) -> tensor<2x5x4x7x?> {
  %variance = "ttir.abs"(%b) : (tensor<5x?>) -> tensor<5x?>
  %0 = "ttir.batch_norm_inference"(%a, %scale, %offset, %mean, %variance) <{dimension = 1 : i32, epsilon = 1.0e-02 : f32}> : (tensor<2x5x4x7x?>, tensor<5x?>, tensor<5x?>, tensor<5x?>, tensor<5x?>) -> tensor<2x5x4x7x?>
  return %0 : tensor<2x5x4x7x?>
}

func.func @no_dimensions(%a: tensor<1x1x?>, %b: tensor<?>) -> tensor<3x5x?> {
  %0 = "ttir.reshape"(%a) <{shape = []}> : (tensor<1x1x?>) -> tensor<?>
  %1 = "ttir.add"(%0, %b) : (tensor<?>, tensor<?>) -> tensor<?>
  %2 = "ttir.permute"(%1) <{permutation = array<i64>}> : (tensor<?>) -> tensor<?>
  %3 = "ttir.unsqueeze"(%2) <{dim = 0 : si32}> : (tensor<?>) -> tensor<1x?>
  %4 = "ttir.repeat"(%3) <{repeat_dimensions = array<i64: 5>}> : (tensor<1x?>) -> tensor<5x?>
  %5 = "ttir.sum"(%4) <{keep_dim = false}> : (tensor<5x?>) -> tensor<?>
  %6 = "ttir.reshape"(%5) <{shape = [1 : i32, 1 : i32]}> : (tensor<?>) -> tensor<1x1x?>
  %7 = "ttir.broadcast"(%6) <{broadcast_dimensions = array<i64: 3, 5>}> : (tensor<1x1x?>) -> tensor<3x5x?>
  return %7 : tensor<3x5x?>
}

func.func @six_dimensions(%a: tensor<2x1x3x1x5x7x?>, %b: tensor<1x2x1x2x1x7x?>) -> tensor<2x2x3x2x5x7x?> {
  %0 = "ttir.add"(%a, %b) : (tensor<2x1x3x1x5x7x?>, tensor<1x2x1x2x1x7x?>) -> tensor<2x2x3x2x5x7x?>
  return %0 : tensor<2x2x3x2x5x7x?>
}

func.func @matmul_of_six_dimensions(%a: tensor<2x1x3x1x3x40x?>, %b: tensor<1x2x1x2x40x5x?>) -> tensor<2x2x3x2x3x5x?> {
  %0 = "ttir.matmul"(%a, %b) : (tensor<2x1x3x1x3x40x?>, tensor<1x2x1x2x40x5x?>) -> tensor<2x2x3x2x3x5x?>
  return %0 : tensor<2x2x3x2x3x5x?>
}

func.func @matmul_by_a_vector(%a: tensor<2x33x40x?>, %b: tensor<40x?>) -> tensor<2x33x?> {
  %0 = "ttir.matmul"(%a, %b) <{transpose_b = true}> : (tensor<2x33x40x?>, tensor<40x?>) -> tensor<2x33x?>
  return %0 : tensor<2x33x?>
}

func.func @linear_of_a_vector(%a: tensor<40x?>, %b: tensor<2x40x33x?>, %bias: tensor<33x?>) -> tensor<2x33x?> {
  %0 = "ttir.linear"(%a, %b, %bias) : (tensor<40x?>, tensor<2x40x33x?>, tensor<33x?>) -> tensor<2x33x?>
  return %0 : tensor<2x33x?>
}

func.func @linear_of_vectors(%a: tensor<40x?>, %b: tensor<40x?>, %bias: tensor<5x?>) -> tensor<5x?> {
  %0 = "ttir.linear"(%a, %b, %bias) : (tensor<40x?>, tensor<40x?>, tensor<5x?>) -> tensor<5x?>
  return %0 : tensor<5x?>
}

func.func @broadcasts(%a: tensor<33x40x?>, %b: tensor<40x?>) -> tensor<33x40x?> {
  %0 = "ttir.reshape"(%b) <{shape = [1 : i32, 40 : i32]}> : (tensor<40x?>) -> tensor<1x40x?>
  %1 = "ttir.broadcast"(%0) <{broadcast_dimensions = array<i64: 33, 1>}> : (tensor<1x40x?>) -> tensor<33x40x?>
  %2 = "ttir.add"(%a, %1) : (tensor<33x40x?>, tensor<33x40x?>) -> tensor<33x40x?>
  return %2 : tensor<33x40x?>
}

func.func @update_cache(%a: tensor<1x33xf32>, %cache: tensor<1x3x33x40x?>, %input: tensor<1x3x1x40x?>) -> tensor<1x3x33x40x?> {
  %0 = "ttir.argmax"(%a) <{dim_arg = [1 : i32], keep_dim = false}> : (tensor<1x33xf32>) -> tensor<1xi32>
  %1 = "ttir.update_cache"(%cache, %input, %0) <{batch_offset = 0 : i32}> : (tensor<1x3x33x40x?>, tensor<1x3x1x40x?>, tensor<1xi32>) -> tensor<1x3x33x40x?>
  return %1 : tensor<1x3x33x40x?>
}

func.func @update_cache_of_batches(%a: tensor<1x7xf32>, %cache: tensor<5x2x7x33x?>, %input: tensor<1x2x3x33x?>) -> tensor<5x2x7x33x?> {
  %0 = "ttir.argmax"(%a) <{dim_arg = [1 : i32], keep_dim = false}> : (tensor<1x7xf32>) -> tensor<1xi32>
  %1 = "ttir.update_cache"(%cache, %input, %0) <{batch_offset = 1 : i32}> : (tensor<5x2x7x33x?>, tensor<1x2x3x33x?>, tensor<1xi32>) -> tensor<5x2x7x33x?>
  return %1 : tensor<5x2x7x33x?>
}

func.func @fill_cache(%cache: tensor<1x3x65x40x?>, %input: tensor<1x3x33x40x?>) -> tensor<1x3x65x40x?> {
  %0 = "ttir.fill_cache"(%cache, %input) <{batch_offset = 0 : i32}> : (tensor<1x3x65x40x?>, tensor<1x3x33x40x?>) -> tensor<1x3x65x40x?>
  return %0 : tensor<1x3x65x40x?>
}

func.func @fill_cache_of_batches(%cache: tensor<4x2x7x33x?>, %input: tensor<2x2x7x33x?>) -> tensor<4x2x7x33x?> {
  %0 = "ttir.fill_cache"(%cache, %input) <{batch_offset = 1 : i32}> : (tensor<4x2x7x33x?>, tensor<2x2x7x33x?>) -> tensor<4x2x7x33x?>
  return %0 : tensor<4x2x7x33x?>
}

func.func @rotary_embedding(%a: tensor<2x3x33x40x?>, %b: tensor<1x1x65x40x?>, %c: tensor<1x1x65x40x?>) -> tensor<2x3x33x40x?> {
  %0 = "ttir.rotary_embedding"(%a, %b, %c) : (tensor<2x3x33x40x?>, tensor<1x1x65x40x?>, tensor<1x1x65x40x?>) -> tensor<2x3x33x40x?>
  return %0 : tensor<2x3x33x40x?>
}

func.func @rotary_embedding_of_a_token(%a: tensor<1x4x1x64x?>, %b: tensor<1x1x33x64x?>, %c: tensor<1x1x33x64x?>) -> tensor<1x4x1x64x?> {
  %0 = "ttir.rotary_embedding"(%a, %b, %c) <{token_index = 17 : ui32}> : (tensor<1x4x1x64x?>, tensor<1x1x33x64x?>, tensor<1x1x33x64x?>) -> tensor<1x4x1x64x?>
  return %0 : tensor<1x4x1x64x?>
}

func.func @causal_attention(%a: tensor<1x4x33x40x?>, %b: tensor<1x2x33x40x?>, %c: tensor<1x2x33x40x?>) -> tensor<1x4x33x40x?> {
  %0 = "ttir.scaled_dot_product_attention"(%a, %b, %c) : (tensor<1x4x33x40x?>, tensor<1x2x33x40x?>, tensor<1x2x33x40x?>) -> tensor<1x4x33x40x?>
  return %0 : tensor<1x4x33x40x?>
}

func.func @masked_attention(%a: tensor<2x2x7x40x?>, %b: tensor<2x2x33x40x?>, %c: tensor<2x2x33x40x?>, %d: tensor<1x1x7x33x?>) -> tensor<2x2x7x40x?> {
  %0 = "ttir.scaled_dot_product_attention"(%a, %b, %c, %d) <{is_causal = false, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0>, scale = 0.25 : f32}> : (tensor<2x2x7x40x?>, tensor<2x2x33x40x?>, tensor<2x2x33x40x?>, tensor<1x1x7x33x?>) -> tensor<2x2x7x40x?>
  return %0 : tensor<2x2x7x40x?>
}

func.func @windowed_attention_with_sink(%a: tensor<1x2x33x40x?>, %b: tensor<1x1x33x40x?>, %c: tensor<1x1x33x40x?>, %d: tensor<1x2x1x1x?>) -> tensor<1x2x33x40x?> {
  %0 = "ttir.scaled_dot_product_attention"(%a, %b, %c, %d) <{is_causal = true, sliding_window_size = 5 : ui32, operandSegmentSizes = array<i32: 1, 1, 1, 0, 1>}> : (tensor<1x2x33x40x?>, tensor<1x1x33x40x?>, tensor<1x1x33x40x?>, tensor<1x2x1x1x?>) -> tensor<1x2x33x40x?>
  return %0 : tensor<1x2x33x40x?>
}
