// RUN: ttmlir-opt --ttir-to-ttir-decomposition %s | FileCheck %s

// CHECK-LABEL: @softmax
// CHECK-SAME: (%[[A:[a-z0-9]*]]: tensor<4x8xf32>)
// CHECK-NEXT: %[[MAX:.*]] = "ttir.max"(%[[A]]) <{dim_arg = [0 : i32], keep_dim = true}> : (tensor<4x8xf32>) -> tensor<1x8xf32>
// CHECK-NEXT: %[[BELOW:.*]] = "ttir.subtract"(%[[A]], %[[MAX]]) : (tensor<4x8xf32>, tensor<1x8xf32>) -> tensor<4x8xf32>
// CHECK-NEXT: %[[EXP:.*]] = "ttir.exp"(%[[BELOW]])
// CHECK-NEXT: %[[SUM:.*]] = "ttir.sum"(%[[EXP]]) <{dim_arg = [0 : i32], keep_dim = true}>
// CHECK-NEXT: %[[SHARES:.*]] = "ttir.div"(%[[EXP]], %[[SUM]])
// CHECK-NEXT: return %[[SHARES]]
func.func @softmax(%a: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = "ttir.softmax"(%a) <{dimension = -2 : si32}> : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// The output operand of the older spelling is not an input.
// CHECK-LABEL: @output
// CHECK: "ttir.permute"(%{{.*}}) <{permutation = array<i64: 0, 2, 1>}> : (tensor<2x4x8xi32>) -> tensor<2x8x4xi32>
func.func @output(%a: tensor<2x4x8xi32>) -> tensor<2x8x4xi32> {
  %0 = ttir.empty() : tensor<2x8x4xi32>
  %1 = "ttir.transpose"(%a, %0) <{dim0 = 1 : si32, dim1 = 2 : si32}> : (tensor<2x4x8xi32>, tensor<2x8x4xi32>) -> tensor<2x8x4xi32>
  return %1 : tensor<2x8x4xi32>
}

// CHECK-LABEL: @layer_norm
// CHECK-SAME: (%[[A:[a-z0-9]*]]: tensor<4x8xf32>, %[[WEIGHT:[a-z0-9]*]]: tensor<8xf32>, %[[BIAS:[a-z0-9]*]]: tensor<8xf32>)
// CHECK-NEXT: %[[MEAN:.*]] = "ttir.mean"(%[[A]]) <{dim_arg = [1 : i32], keep_dim = true}> : (tensor<4x8xf32>) -> tensor<4x1xf32>
// CHECK-NEXT: %[[CENTERED:.*]] = "ttir.subtract"(%[[A]], %[[MEAN]])
// CHECK-NEXT: %[[SQUARES:.*]] = "ttir.multiply"(%[[CENTERED]], %[[CENTERED]])
// CHECK-NEXT: %[[VARIANCE:.*]] = "ttir.mean"(%[[SQUARES]]) <{dim_arg = [1 : i32], keep_dim = true}>
// CHECK-NEXT: %[[EPSILON:.*]] = "ttir.full"() <{fill_value = 1.000000e-03 : f32, shape = array<i32: 1, 1>}> : () -> tensor<1x1xf32>
// CHECK-NEXT: %[[SUM:.*]] = "ttir.add"(%[[VARIANCE]], %[[EPSILON]])
// CHECK-NEXT: %[[ROOT:.*]] = "ttir.rsqrt"(%[[SUM]])
// CHECK-NEXT: %[[NORMAL:.*]] = "ttir.multiply"(%[[CENTERED]], %[[ROOT]])
// CHECK-NEXT: %[[WEIGHTED:.*]] = "ttir.multiply"(%[[NORMAL]], %[[WEIGHT]])
// CHECK-NEXT: %[[RESULT:.*]] = "ttir.add"(%[[WEIGHTED]], %[[BIAS]])
// CHECK-NEXT: return %[[RESULT]]
func.func @layer_norm(%a: tensor<4x8xf32>, %weight: tensor<8xf32>, %bias: tensor<8xf32>) -> tensor<4x8xf32> {
  %0 = "ttir.layer_norm"(%a, %weight, %bias) <{normalized_shape = array<i64: 8>, epsilon = 1.0e-03 : f32, operandSegmentSizes = array<i32: 1, 1, 1>}> : (tensor<4x8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// A bias without a weight, along two dimensions, with an output operand; without an epsilon it is 1e-5.
// CHECK-LABEL: @rms_norm
// CHECK-SAME: (%[[A:[a-z0-9]*]]: tensor<2x4x8xf32>, %[[BIAS:[a-z0-9]*]]: tensor<4x8xf32>)
// CHECK: %[[SQUARES:.*]] = "ttir.multiply"(%[[A]], %[[A]])
// CHECK-NEXT: %[[MEAN:.*]] = "ttir.mean"(%[[SQUARES]]) <{dim_arg = [1 : i32, 2 : i32], keep_dim = true}> : (tensor<2x4x8xf32>) -> tensor<2x1x1xf32>
// CHECK-NEXT: %[[EPSILON:.*]] = "ttir.full"() <{fill_value = 9.99999974E-6 : f32, shape = array<i32: 1, 1, 1>}>
// CHECK-NEXT: %[[SUM:.*]] = "ttir.add"(%[[MEAN]], %[[EPSILON]])
// CHECK-NEXT: %[[ROOT:.*]] = "ttir.rsqrt"(%[[SUM]])
// CHECK-NEXT: %[[NORMAL:.*]] = "ttir.multiply"(%[[A]], %[[ROOT]])
// CHECK-NEXT: %[[RESULT:.*]] = "ttir.add"(%[[NORMAL]], %[[BIAS]])
// CHECK-NEXT: return %[[RESULT]]
func.func @rms_norm(%a: tensor<2x4x8xf32>, %bias: tensor<4x8xf32>) -> tensor<2x4x8xf32> {
  %0 = ttir.empty() : tensor<2x4x8xf32>
  %1 = "ttir.rms_norm"(%a, %bias, %0) <{normalized_shape = array<i64: 4, 8>, operandSegmentSizes = array<i32: 1, 0, 1, 1>}> : (tensor<2x4x8xf32>, tensor<4x8xf32>, tensor<2x4x8xf32>) -> tensor<2x4x8xf32>
  return %1 : tensor<2x4x8xf32>
}

// CHECK-LABEL: @plain
// CHECK: %[[NORMAL:.*]] = "ttir.multiply"
// CHECK: %[[RESULT:.*]] = "ttir.multiply"
// CHECK-NEXT: return %[[RESULT]]
func.func @plain(%a: tensor<4x8xbf16>) -> tensor<4x8xbf16> {
  %0 = "ttir.rms_norm"(%a) <{normalized_shape = array<i64: 8>}> : (tensor<4x8xbf16>) -> tensor<4x8xbf16>
  return %0 : tensor<4x8xbf16>
}

// CHECK-LABEL: @square
// CHECK-NEXT: "ttir.multiply"(%[[A:.*]], %[[A]])
// CHECK-NEXT: return
func.func @square(%a: tensor<4x8xi32>) -> tensor<4x8xi32> {
  %0 = "ttir.square"(%a) : (tensor<4x8xi32>) -> tensor<4x8xi32>
  return %0 : tensor<4x8xi32>
}

// CHECK-LABEL: @relu6
// CHECK-NEXT: "ttir.clamp_scalar"(%{{.*}}) <{max = 6.000000e+00 : f32, min = 0.000000e+00 : f32}>
// CHECK-NEXT: return
func.func @relu6(%a: tensor<4x8xi32>) -> tensor<4x8xi32> {
  %0 = "ttir.relu6"(%a) : (tensor<4x8xi32>) -> tensor<4x8xi32>
  return %0 : tensor<4x8xi32>
}

// CHECK-LABEL: @softplus
// CHECK-NEXT: %[[ABS:.*]] = "ttir.abs"(%[[A:.*]]) :
// CHECK-NEXT: %[[NEG:.*]] = "ttir.neg"(%[[ABS]])
// CHECK-NEXT: %[[EXP:.*]] = "ttir.exp"(%[[NEG]])
// CHECK-NEXT: %[[LOG:.*]] = "ttir.log1p"(%[[EXP]])
// CHECK-NEXT: %[[RELU:.*]] = "ttir.relu"(%[[A]])
// CHECK-NEXT: "ttir.add"(%[[RELU]], %[[LOG]])
// CHECK-NEXT: return
func.func @softplus(%a: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = "ttir.softplus"(%a) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// Without attributes, selu has the factors of tt-mlir.
// CHECK-LABEL: @selu
// CHECK: "ttir.full"() <{fill_value = 1.05070102 : f32
// CHECK: %[[MIN:.*]] = "ttir.minimum"
// CHECK: %[[EXP:.*]] = "ttir.expm1"(%[[MIN]])
// CHECK: "ttir.full"() <{fill_value = 1.75809968 : f32
func.func @selu(%a: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = "ttir.selu"(%a) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// CHECK-LABEL: @mish
// CHECK: "ttir.clamp_scalar"(%{{.*}}) <{max = 3.000000e+01 : f32, min = -2.000000e+02 : f32}>
// CHECK: %[[RATIO:.*]] = "ttir.div"
// CHECK: %[[X:.*]] = "ttir.maximum"
// CHECK: "ttir.multiply"(%[[X]], %[[RATIO]])
func.func @mish(%a: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = "ttir.mish"(%a) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// The lookup checks the position.
// CHECK-LABEL: @update_cache
// CHECK-SAME: (%[[CACHE:[a-z0-9]*]]: tensor<2x3x8x4xf32>, %[[INPUT:[a-z0-9]*]]: tensor<1x3x1x4xf32>, %[[INDEX:[a-z0-9]*]]: tensor<1xi32>)
// CHECK-NEXT: %[[WRITTEN:.*]] = "ttir.slice_static"(%[[CACHE]]) <{begins = [1 : i32, 0 : i32, 0 : i32, 0 : i32], ends = [2 : i32, 3 : i32, 8 : i32, 4 : i32]
// CHECK-NEXT: %[[TABLE:.*]] = "ttir.arange"() {{.*}} -> tensor<8x1xsi32>
// CHECK-NEXT: %[[FOUND:.*]] = "ttir.embedding"(%[[INDEX]], %[[TABLE]]) : (tensor<1xi32>, tensor<8x1xsi32>) -> tensor<1x1xsi32>
// CHECK-NEXT: %[[POSITION:.*]] = "ttir.reshape"(%[[FOUND]])
// CHECK-NEXT: %[[ALL:.*]] = "ttir.arange"() {{.*}} -> tensor<1x1x8x1xsi32>
// CHECK-NEXT: %[[MASK:.*]] = "ttir.eq"(%[[ALL]], %[[POSITION]])
// CHECK-NEXT: %[[ROWS:.*]] = "ttir.permute"(%[[INPUT]]) <{permutation = array<i64: 2, 1, 0, 3>}>
// CHECK-NEXT: %[[UPDATED:.*]] = "ttir.where"(%[[MASK]], %[[ROWS]], %[[WRITTEN]])
// CHECK-NEXT: %[[FIRST:.*]] = "ttir.slice_static"(%[[CACHE]])
// CHECK-NEXT: %[[RESULT:.*]] = "ttir.concat"(%[[FIRST]], %[[UPDATED]]) <{dim = 0 : si32}>
// CHECK-NEXT: return %[[RESULT]]
func.func @update_cache(%cache: tensor<2x3x8x4xf32>, %input: tensor<1x3x1x4xf32>, %index: tensor<1xi32>) -> tensor<2x3x8x4xf32> {
  %0 = "ttir.update_cache"(%cache, %input, %index) <{batch_offset = 1 : i32}> : (tensor<2x3x8x4xf32>, tensor<1x3x1x4xf32>, tensor<1xi32>) -> tensor<2x3x8x4xf32>
  return %0 : tensor<2x3x8x4xf32>
}

// CHECK-LABEL: @fill_cache
// CHECK-SAME: (%[[CACHE:[a-z0-9]*]]: tensor<1x3x8x4xf32>, %[[INPUT:[a-z0-9]*]]: tensor<1x3x5x4xf32>)
// CHECK-NEXT: %[[REST:.*]] = "ttir.slice_static"(%[[CACHE]]) <{begins = [0 : i32, 0 : i32, 5 : i32, 0 : i32]
// CHECK-NEXT: %[[RESULT:.*]] = "ttir.concat"(%[[INPUT]], %[[REST]]) <{dim = 2 : si32}>
// CHECK-NEXT: return %[[RESULT]]
func.func @fill_cache(%cache: tensor<1x3x8x4xf32>, %input: tensor<1x3x5x4xf32>) -> tensor<1x3x8x4xf32> {
  %0 = "ttir.fill_cache"(%cache, %input) <{batch_offset = 0 : i32}> : (tensor<1x3x8x4xf32>, tensor<1x3x5x4xf32>) -> tensor<1x3x8x4xf32>
  return %0 : tensor<1x3x8x4xf32>
}

// CHECK-LABEL: @rotary_embedding
// CHECK-SAME: (%[[A:[a-z0-9]*]]: tensor<1x2x8x4xf32>, %[[COS:[a-z0-9]*]]: tensor<1x1x8x4xf32>, %[[SIN:[a-z0-9]*]]: tensor<1x1x8x4xf32>)
// CHECK-NEXT: %[[FIRST:.*]] = "ttir.slice_static"(%[[A]]) <{begins = [0 : i32, 0 : i32, 0 : i32, 0 : i32]
// CHECK-NEXT: %[[SECOND:.*]] = "ttir.slice_static"(%[[A]]) <{begins = [0 : i32, 0 : i32, 0 : i32, 2 : i32]
// CHECK-NEXT: %[[NEGATED:.*]] = "ttir.neg"(%[[SECOND]])
// CHECK-NEXT: %[[SWAPPED:.*]] = "ttir.concat"(%[[NEGATED]], %[[FIRST]])
// CHECK-NEXT: %[[OWN:.*]] = "ttir.multiply"(%[[A]], %[[COS]])
// CHECK-NEXT: %[[OTHER:.*]] = "ttir.multiply"(%[[SWAPPED]], %[[SIN]])
// CHECK-NEXT: %[[SUM:.*]] = "ttir.add"(%[[OWN]], %[[OTHER]])
// CHECK-NEXT: return %[[SUM]]
func.func @rotary_embedding(%a: tensor<1x2x8x4xf32>, %cos: tensor<1x1x8x4xf32>, %sin: tensor<1x1x8x4xf32>) -> tensor<1x2x8x4xf32> {
  %0 = "ttir.rotary_embedding"(%a, %cos, %sin) : (tensor<1x2x8x4xf32>, tensor<1x1x8x4xf32>, tensor<1x1x8x4xf32>) -> tensor<1x2x8x4xf32>
  return %0 : tensor<1x2x8x4xf32>
}

// Query heads that share a key head are rows of one product.
// CHECK-LABEL: @grouped_attention
// CHECK: "ttir.matmul"({{.*}}) <{{{.*}}transpose_b = true}> : (tensor<1x2x16x6xf32>, tensor<1x2x8x6xf32>) -> tensor<1x2x16x8xf32>
// CHECK: "ttir.le"
// CHECK: "ttir.where"({{.*}}) : (tensor<1x1x8x8xf32>, tensor<1x4x8x8xf32>, tensor<1x1x1x1xf32>) -> tensor<1x4x8x8xf32>
// CHECK: "ttir.div"
// CHECK: "ttir.matmul"({{.*}}) {{.*}}: (tensor<1x2x16x8xf32>, tensor<1x2x8x6xf32>) -> tensor<1x2x16x6xf32>
// CHECK-NEXT: "ttir.reshape"({{.*}}) -> tensor<1x4x8x6xf32>
func.func @grouped_attention(%q: tensor<1x4x8x6xf32>, %k: tensor<1x2x8x6xf32>, %v: tensor<1x2x8x6xf32>) -> tensor<1x4x8x6xf32> {
  %0 = "ttir.scaled_dot_product_attention"(%q, %k, %v) : (tensor<1x4x8x6xf32>, tensor<1x2x8x6xf32>, tensor<1x2x8x6xf32>) -> tensor<1x4x8x6xf32>
  return %0 : tensor<1x4x8x6xf32>
}
