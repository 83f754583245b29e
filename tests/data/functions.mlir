// Every element-wise function, reduction and movement, of elements ? in place of which tests put a type.

func.func @abs(%a: tensor<33x65x?>) -> tensor<33x65x?> {
  %0 = "ttir.abs"(%a) : (tensor<33x65x?>) -> tensor<33x65x?>
  return %0 : tensor<33x65x?>
}

func.func @exp(%a: tensor<33x65x?>) -> tensor<33x65x?> {
  %0 = "ttir.exp"(%a) : (tensor<33x65x?>) -> tensor<33x65x?>
  return %0 : tensor<33x65x?>
}

func.func @log(%a: tensor<33x65x?>) -> tensor<33x65x?> {
  %0 = "ttir.log"(%a) : (tensor<33x65x?>) -> tensor<33x65x?>
  return %0 : tensor<33x65x?>
}

func.func @floor(%a: tensor<33x65x?>) -> tensor<33x65x?> {
  %0 = "ttir.floor"(%a) : (tensor<33x65x?>) -> tensor<33x65x?>
  return %0 : tensor<33x65x?>
}

func.func @log1p(%a: tensor<33x65x?>) -> tensor<33x65x?> {
  %0 = "ttir.log1p"(%a) : (tensor<33x65x?>) -> tensor<33x65x?>
  return %0 : tensor<33x65x?>
}

func.func @sin(%a: tensor<33x65x?>) -> tensor<33x65x?> {
  %0 = "ttir.sin"(%a) : (tensor<33x65x?>) -> tensor<33x65x?>
  return %0 : tensor<33x65x?>
}

func.func @cos(%a: tensor<33x65x?>) -> tensor<33x65x?> {
  %0 = "ttir.cos"(%a) : (tensor<33x65x?>) -> tensor<33x65x?>
  return %0 : tensor<33x65x?>
}

func.func @pow(%a: tensor<33x65x?>, %b: tensor<65x?>) -> tensor<33x65x?> {
  %0 = "ttir.pow"(%a, %b) : (tensor<33x65x?>, tensor<65x?>) -> tensor<33x65x?>
  return %0 : tensor<33x65x?>
}

func.func @sqrt(%a: tensor<33x65x?>) -> tensor<33x65x?> {
  %0 = "ttir.sqrt"(%a) : (tensor<33x65x?>) -> tensor<33x65x?>
  return %0 : tensor<33x65x?>
}

func.func @rsqrt(%a: tensor<33x65x?>) -> tensor<33x65x?> {
  %0 = "ttir.rsqrt"(%a) : (tensor<33x65x?>) -> tensor<33x65x?>
  return %0 : tensor<33x65x?>
}

func.func @reciprocal(%a: tensor<33x65x?>) -> tensor<33x65x?> {
  %0 = "ttir.reciprocal"(%a) : (tensor<33x65x?>) -> tensor<33x65x?>
  return %0 : tensor<33x65x?>
}

func.func @sigmoid(%a: tensor<33x65x?>) -> tensor<33x65x?> {
  %0 = "ttir.sigmoid"(%a) : (tensor<33x65x?>) -> tensor<33x65x?>
  return %0 : tensor<33x65x?>
}

func.func @tanh(%a: tensor<33x65x?>) -> tensor<33x65x?> {
  %0 = "ttir.tanh"(%a) : (tensor<33x65x?>) -> tensor<33x65x?>
  return %0 : tensor<33x65x?>
}

func.func @erf(%a: tensor<33x65x?>) -> tensor<33x65x?> {
  %0 = "ttir.erf"(%a) : (tensor<33x65x?>) -> tensor<33x65x?>
  return %0 : tensor<33x65x?>
}

func.func @gelu(%a: tensor<33x65x?>) -> tensor<33x65x?> {
  %0 = "ttir.gelu"(%a) : (tensor<33x65x?>) -> tensor<33x65x?>
  return %0 : tensor<33x65x?>
}

func.func @silu(%a: tensor<33x65x?>) -> tensor<33x65x?> {
  %0 = "ttir.silu"(%a) : (tensor<33x65x?>) -> tensor<33x65x?>
  return %0 : tensor<33x65x?>
}

func.func @ceil(%a: tensor<33x65x?>) -> tensor<33x65x?> {
  %0 = "ttir.ceil"(%a) : (tensor<33x65x?>) -> tensor<33x65x?>
  return %0 : tensor<33x65x?>
}

func.func @trunc(%a: tensor<33x65x?>) -> tensor<33x65x?> {
  %0 = "ttir.trunc"(%a) : (tensor<33x65x?>) -> tensor<33x65x?>
  return %0 : tensor<33x65x?>
}

func.func @round(%a: tensor<33x65x?>) -> tensor<33x65x?> {
  %0 = "ttir.round"(%a) : (tensor<33x65x?>) -> tensor<33x65x?>
  return %0 : tensor<33x65x?>
}

func.func @frac(%a: tensor<33x65x?>) -> tensor<33x65x?> {
  %0 = "ttir.frac"(%a) : (tensor<33x65x?>) -> tensor<33x65x?>
  return %0 : tensor<33x65x?>
}

func.func @sign(%a: tensor<33x65x?>) -> tensor<33x65x?> {
  %0 = "ttir.sign"(%a) : (tensor<33x65x?>) -> tensor<33x65x?>
  return %0 : tensor<33x65x?>
}

func.func @signbit(%a: tensor<33x65x?>) -> tensor<33x65x?> {
  %0 = "ttir.signbit"(%a) : (tensor<33x65x?>) -> tensor<33x65x?>
  return %0 : tensor<33x65x?>
}

func.func @isfinite(%a: tensor<33x65x?>) -> tensor<33x65x?> {
  %0 = "ttir.isfinite"(%a) : (tensor<33x65x?>) -> tensor<33x65x?>
  return %0 : tensor<33x65x?>
}

func.func @exp2(%a: tensor<33x65x?>) -> tensor<33x65x?> {
  %0 = "ttir.exp2"(%a) : (tensor<33x65x?>) -> tensor<33x65x?>
  return %0 : tensor<33x65x?>
}

func.func @expm1(%a: tensor<33x65x?>) -> tensor<33x65x?> {
  %0 = "ttir.expm1"(%a) : (tensor<33x65x?>) -> tensor<33x65x?>
  return %0 : tensor<33x65x?>
}

func.func @cbrt(%a: tensor<33x65x?>) -> tensor<33x65x?> {
  %0 = "ttir.cbrt"(%a) : (tensor<33x65x?>) -> tensor<33x65x?>
  return %0 : tensor<33x65x?>
}

func.func @tan(%a: tensor<33x65x?>) -> tensor<33x65x?> {
  %0 = "ttir.tan"(%a) : (tensor<33x65x?>) -> tensor<33x65x?>
  return %0 : tensor<33x65x?>
}

func.func @asin(%a: tensor<33x65x?>) -> tensor<33x65x?> {
  %0 = "ttir.asin"(%a) : (tensor<33x65x?>) -> tensor<33x65x?>
  return %0 : tensor<33x65x?>
}

func.func @acos(%a: tensor<33x65x?>) -> tensor<33x65x?> {
  %0 = "ttir.acos"(%a) : (tensor<33x65x?>) -> tensor<33x65x?>
  return %0 : tensor<33x65x?>
}

func.func @atan(%a: tensor<33x65x?>) -> tensor<33x65x?> {
  %0 = "ttir.atan"(%a) : (tensor<33x65x?>) -> tensor<33x65x?>
  return %0 : tensor<33x65x?>
}

func.func @asinh(%a: tensor<33x65x?>) -> tensor<33x65x?> {
  %0 = "ttir.asinh"(%a) : (tensor<33x65x?>) -> tensor<33x65x?>
  return %0 : tensor<33x65x?>
}

func.func @erfc(%a: tensor<33x65x?>) -> tensor<33x65x?> {
  %0 = "ttir.erfc"(%a) : (tensor<33x65x?>) -> tensor<33x65x?>
  return %0 : tensor<33x65x?>
}

func.func @square(%a: tensor<33x65x?>) -> tensor<33x65x?> {
  %0 = "ttir.square"(%a) : (tensor<33x65x?>) -> tensor<33x65x?>
  return %0 : tensor<33x65x?>
}

func.func @relu6(%a: tensor<33x65x?>) -> tensor<33x65x?> {
  %0 = "ttir.relu6"(%a) : (tensor<33x65x?>) -> tensor<33x65x?>
  return %0 : tensor<33x65x?>
}

func.func @hardsigmoid(%a: tensor<33x65x?>) -> tensor<33x65x?> {
  %0 = "ttir.hardsigmoid"(%a) : (tensor<33x65x?>) -> tensor<33x65x?>
  return %0 : tensor<33x65x?>
}

func.func @softsign(%a: tensor<33x65x?>) -> tensor<33x65x?> {
  %0 = "ttir.softsign"(%a) : (tensor<33x65x?>) -> tensor<33x65x?>
  return %0 : tensor<33x65x?>
}

func.func @softplus(%a: tensor<33x65x?>) -> tensor<33x65x?> {
  %0 = "ttir.softplus"(%a) : (tensor<33x65x?>) -> tensor<33x65x?>
  return %0 : tensor<33x65x?>
}

func.func @mish(%a: tensor<33x65x?>) -> tensor<33x65x?> {
  %0 = "ttir.mish"(%a) : (tensor<33x65x?>) -> tensor<33x65x?>
  return %0 : tensor<33x65x?>
}

func.func @selu(%a: tensor<33x65x?>) -> tensor<33x65x?> {
  %0 = "ttir.selu"(%a) <{alpha = 1.5 : f32, scale = 1.25 : f32}> : (tensor<33x65x?>) -> tensor<33x65x?>
  return %0 : tensor<33x65x?>
}

func.func @logical_not(%a: tensor<33x65x?>) -> tensor<33x65x?> {
  %0 = "ttir.logical_not"(%a) : (tensor<33x65x?>) -> tensor<33x65x?>
  return %0 : tensor<33x65x?>
}

func.func @div(%a: tensor<33x65x?>, %b: tensor<33x65x?>) -> tensor<33x65x?> {
  %0 = "ttir.div"(%a, %b) : (tensor<33x65x?>, tensor<33x65x?>) -> tensor<33x65x?>
  return %0 : tensor<33x65x?>
}

func.func @remainder(%a: tensor<33x65x?>, %b: tensor<33x65x?>) -> tensor<33x65x?> {
  %0 = "ttir.remainder"(%a, %b) : (tensor<33x65x?>, tensor<33x65x?>) -> tensor<33x65x?>
  return %0 : tensor<33x65x?>
}

func.func @atan2(%a: tensor<33x65x?>, %b: tensor<65x?>) -> tensor<33x65x?> {
  %0 = "ttir.atan2"(%a, %b) : (tensor<33x65x?>, tensor<65x?>) -> tensor<33x65x?>
  return %0 : tensor<33x65x?>
}

func.func @maximum(%a: tensor<33x65x?>, %b: tensor<33x65x?>) -> tensor<33x65x?> {
  %0 = "ttir.maximum"(%a, %b) : (tensor<33x65x?>, tensor<33x65x?>) -> tensor<33x65x?>
  return %0 : tensor<33x65x?>
}

func.func @minimum(%a: tensor<33x65x?>, %b: tensor<33x65x?>) -> tensor<33x65x?> {
  %0 = "ttir.minimum"(%a, %b) : (tensor<33x65x?>, tensor<33x65x?>) -> tensor<33x65x?>
  return %0 : tensor<33x65x?>
}

func.func @eq(%a: tensor<33x65x?>, %b: tensor<33x65x?>) -> tensor<33x65x?> {
  %0 = "ttir.eq"(%a, %b) : (tensor<33x65x?>, tensor<33x65x?>) -> tensor<33x65x?>
  return %0 : tensor<33x65x?>
}

func.func @ne(%a: tensor<33x65x?>, %b: tensor<33x65x?>) -> tensor<33x65x?> {
  %0 = "ttir.ne"(%a, %b) : (tensor<33x65x?>, tensor<33x65x?>) -> tensor<33x65x?>
  return %0 : tensor<33x65x?>
}

func.func @gt(%a: tensor<33x65x?>, %b: tensor<33x65x?>) -> tensor<33x65x?> {
  %0 = "ttir.gt"(%a, %b) : (tensor<33x65x?>, tensor<33x65x?>) -> tensor<33x65x?>
  return %0 : tensor<33x65x?>
}

func.func @ge(%a: tensor<33x65x?>, %b: tensor<33x65x?>) -> tensor<33x65x?> {
  %0 = "ttir.ge"(%a, %b) : (tensor<33x65x?>, tensor<33x65x?>) -> tensor<33x65x?>
  return %0 : tensor<33x65x?>
}

func.func @lt(%a: tensor<33x65x?>, %b: tensor<33x65x?>) -> tensor<33x65x?> {
  %0 = "ttir.lt"(%a, %b) : (tensor<33x65x?>, tensor<33x65x?>) -> tensor<33x65x?>
  return %0 : tensor<33x65x?>
}

func.func @le(%a: tensor<33x65x?>, %b: tensor<33x65x?>) -> tensor<33x65x?> {
  %0 = "ttir.le"(%a, %b) : (tensor<33x65x?>, tensor<33x65x?>) -> tensor<33x65x?>
  return %0 : tensor<33x65x?>
}

func.func @logical_and(%a: tensor<33x65x?>, %b: tensor<33x65x?>) -> tensor<33x65x?> {
  %0 = "ttir.logical_and"(%a, %b) : (tensor<33x65x?>, tensor<33x65x?>) -> tensor<33x65x?>
  return %0 : tensor<33x65x?>
}

func.func @logical_or(%a: tensor<33x65x?>, %b: tensor<33x65x?>) -> tensor<33x65x?> {
  %0 = "ttir.logical_or"(%a, %b) : (tensor<33x65x?>, tensor<33x65x?>) -> tensor<33x65x?>
  return %0 : tensor<33x65x?>
}

func.func @logical_xor(%a: tensor<33x65x?>, %b: tensor<33x65x?>) -> tensor<33x65x?> {
  %0 = "ttir.logical_xor"(%a, %b) : (tensor<33x65x?>, tensor<33x65x?>) -> tensor<33x65x?>
  return %0 : tensor<33x65x?>
}

func.func @spread_left(%a: tensor<33x65x?>, %row: tensor<65x?>, %column: tensor<33x1x?>) -> tensor<33x65x?> {
  %0 = "ttir.div"(%row, %a) : (tensor<65x?>, tensor<33x65x?>) -> tensor<33x65x?>
  %1 = "ttir.gt"(%column, %0) : (tensor<33x1x?>, tensor<33x65x?>) -> tensor<33x65x?>
  %2 = "ttir.logical_xor"(%1, %row) : (tensor<33x65x?>, tensor<65x?>) -> tensor<33x65x?>
  return %2 : tensor<33x65x?>
}

func.func @chain(%a: tensor<33x65x?>, %b: tensor<33x65x?>, %column: tensor<33x1x?>) -> tensor<33x65x?> {
  %0 = "ttir.subtract"(%column, %a) : (tensor<33x1x?>, tensor<33x65x?>) -> tensor<33x65x?>
  %1 = "ttir.sigmoid"(%0) : (tensor<33x65x?>) -> tensor<33x65x?>
  %2 = "ttir.maximum"(%b, %1) : (tensor<33x65x?>, tensor<33x65x?>) -> tensor<33x65x?>
  %3 = "ttir.div"(%b, %2) : (tensor<33x65x?>, tensor<33x65x?>) -> tensor<33x65x?>
  %4 = "ttir.relu"(%3) : (tensor<33x65x?>) -> tensor<33x65x?>
  return %4 : tensor<33x65x?>
}

func.func @numbers(%a: tensor<33x65x?>) -> tensor<33x65x?> {
  %0 = "ttir.leaky_relu"(%a) <{parameter = 0.01 : f32}> : (tensor<33x65x?>) -> tensor<33x65x?>
  %1 = "ttir.clamp_scalar"(%0) <{max = 0.5 : f32, min = -0.005 : f32}> : (tensor<33x65x?>) -> tensor<33x65x?>
  return %1 : tensor<33x65x?>
}

func.func @clamped(%a: tensor<33x65x?>, %row: tensor<65x?>, %column: tensor<33x1x?>) -> tensor<33x65x?> {
  %0 = "ttir.clamp_tensor"(%a, %row, %column) : (tensor<33x65x?>, tensor<65x?>, tensor<33x1x?>) -> tensor<33x65x?>
  return %0 : tensor<33x65x?>
}

func.func @chosen(%a: tensor<33x65x?>, %row: tensor<65x?>, %column: tensor<33x1x?>) -> tensor<33x65x?> {
  %0 = "ttir.lt"(%a, %column) : (tensor<33x65x?>, tensor<33x1x?>) -> tensor<33x65x?>
  %1 = "ttir.where"(%0, %row, %a) : (tensor<33x65x?>, tensor<65x?>, tensor<33x65x?>) -> tensor<33x65x?>
  %2 = "ttir.where"(%row, %1, %column) : (tensor<65x?>, tensor<33x65x?>, tensor<33x1x?>) -> tensor<33x65x?>
  return %2 : tensor<33x65x?>
}

func.func @sum_of_rows(%a: tensor<33x65x?>) -> tensor<33x1x?> {
  %0 = "ttir.sum"(%a) <{dim_arg = [1 : i32], keep_dim = true}> : (tensor<33x65x?>) -> tensor<33x1x?>
  %1 = "ttir.neg"(%0) : (tensor<33x1x?>) -> tensor<33x1x?>
  return %1 : tensor<33x1x?>
}

func.func @sum_of_columns(%a: tensor<2x33x65x?>) -> tensor<2x1x65x?> {
  %0 = "ttir.sum"(%a) <{dim_arg = [-2 : i32], keep_dim = true}> : (tensor<2x33x65x?>) -> tensor<2x1x65x?>
  return %0 : tensor<2x1x65x?>
}

func.func @sum_of_all(%a: tensor<33x65x?>) -> tensor<1x1x?> {
  %0 = "ttir.sum"(%a) <{keep_dim = true}> : (tensor<33x65x?>) -> tensor<1x1x?>
  return %0 : tensor<1x1x?>
}

func.func @max_of_rows(%a: tensor<33x65x?>) -> tensor<33x1x?> {
  %0 = "ttir.max"(%a) <{dim_arg = [1 : i32], keep_dim = true}> : (tensor<33x65x?>) -> tensor<33x1x?>
  %1 = "ttir.neg"(%0) : (tensor<33x1x?>) -> tensor<33x1x?>
  return %1 : tensor<33x1x?>
}

func.func @max_of_columns(%a: tensor<2x33x65x?>) -> tensor<2x1x65x?> {
  %0 = "ttir.max"(%a) <{dim_arg = [-2 : i32], keep_dim = true}> : (tensor<2x33x65x?>) -> tensor<2x1x65x?>
  return %0 : tensor<2x1x65x?>
}

func.func @max_of_all(%a: tensor<33x65x?>) -> tensor<1x1x?> {
  %0 = "ttir.max"(%a) <{keep_dim = true}> : (tensor<33x65x?>) -> tensor<1x1x?>
  return %0 : tensor<1x1x?>
}

func.func @min_of_rows(%a: tensor<33x65x?>) -> tensor<33x1x?> {
  %0 = "ttir.min"(%a) <{dim_arg = [1 : i32], keep_dim = true}> : (tensor<33x65x?>) -> tensor<33x1x?>
  %1 = "ttir.neg"(%0) : (tensor<33x1x?>) -> tensor<33x1x?>
  return %1 : tensor<33x1x?>
}

func.func @min_of_columns(%a: tensor<2x33x65x?>) -> tensor<2x1x65x?> {
  %0 = "ttir.min"(%a) <{dim_arg = [-2 : i32], keep_dim = true}> : (tensor<2x33x65x?>) -> tensor<2x1x65x?>
  return %0 : tensor<2x1x65x?>
}

func.func @min_of_all(%a: tensor<33x65x?>) -> tensor<1x1x?> {
  %0 = "ttir.min"(%a) <{keep_dim = true}> : (tensor<33x65x?>) -> tensor<1x1x?>
  return %0 : tensor<1x1x?>
}

func.func @mean_of_rows(%a: tensor<33x65x?>) -> tensor<33x1x?> {
  %0 = "ttir.mean"(%a) <{dim_arg = [1 : i32], keep_dim = true}> : (tensor<33x65x?>) -> tensor<33x1x?>
  %1 = "ttir.neg"(%0) : (tensor<33x1x?>) -> tensor<33x1x?>
  return %1 : tensor<33x1x?>
}

func.func @mean_of_columns(%a: tensor<2x33x65x?>) -> tensor<2x1x65x?> {
  %0 = "ttir.mean"(%a) <{dim_arg = [-2 : i32], keep_dim = true}> : (tensor<2x33x65x?>) -> tensor<2x1x65x?>
  return %0 : tensor<2x1x65x?>
}

func.func @mean_of_all(%a: tensor<33x65x?>) -> tensor<1x1x?> {
  %0 = "ttir.mean"(%a) <{keep_dim = true}> : (tensor<33x65x?>) -> tensor<1x1x?>
  return %0 : tensor<1x1x?>
}

func.func @sum_without_rows(%a: tensor<33x65x?>) -> tensor<65x?> {
  %0 = "ttir.sum"(%a) <{dim_arg = [0 : i32], keep_dim = false}> : (tensor<33x65x?>) -> tensor<65x?>
  return %0 : tensor<65x?>
}

func.func @mean_without_columns(%a: tensor<33x65x?>) -> tensor<33x?> {
  %0 = "ttir.mean"(%a) <{dim_arg = [1 : i32], keep_dim = false}> : (tensor<33x65x?>) -> tensor<33x?>
  %1 = "ttir.neg"(%0) : (tensor<33x?>) -> tensor<33x?>
  return %1 : tensor<33x?>
}

func.func @sum_of_exponentials(%a: tensor<33x65x?>, %b: tensor<33x65x?>) -> tensor<33x1x?> {
  %0 = "ttir.subtract"(%a, %b) : (tensor<33x65x?>, tensor<33x65x?>) -> tensor<33x65x?>
  %1 = "ttir.exp"(%0) : (tensor<33x65x?>) -> tensor<33x65x?>
  %2 = "ttir.sum"(%1) <{dim_arg = [1 : i32], keep_dim = true}> : (tensor<33x65x?>) -> tensor<33x1x?>
  %3 = "ttir.log"(%2) : (tensor<33x1x?>) -> tensor<33x1x?>
  return %3 : tensor<33x1x?>
}

func.func @softmax(%a: tensor<33x65x?>) -> tensor<33x65x?> {
  %0 = "ttir.softmax"(%a) <{dimension = -1 : si32}> : (tensor<33x65x?>) -> tensor<33x65x?>
  return %0 : tensor<33x65x?>
}

func.func @softmax_of_columns(%a: tensor<33x65x?>) -> tensor<33x65x?> {
  %0 = "ttir.softmax"(%a) <{dimension = 0 : si32}> : (tensor<33x65x?>) -> tensor<33x65x?>
  return %0 : tensor<33x65x?>
}

func.func @layer_norm(%a: tensor<33x65x?>, %weight: tensor<65x?>, %bias: tensor<65x?>) -> tensor<33x65x?> {
  %0 = "ttir.layer_norm"(%a, %weight, %bias) <{normalized_shape = array<i64: 65>, epsilon = 1.0e-05 : f32, operandSegmentSizes = array<i32: 1, 1, 1>}> : (tensor<33x65x?>, tensor<65x?>, tensor<65x?>) -> tensor<33x65x?>
  return %0 : tensor<33x65x?>
}

func.func @rms_norm(%a: tensor<33x65x?>, %bias: tensor<65x?>) -> tensor<33x65x?> {
  %0 = "ttir.rms_norm"(%a, %bias) <{normalized_shape = array<i64: 65>, epsilon = 1.0e-02 : f32, operandSegmentSizes = array<i32: 1, 0, 1>}> : (tensor<33x65x?>, tensor<65x?>) -> tensor<33x65x?>
  return %0 : tensor<33x65x?>
}

func.func @transpose(%a: tensor<2x33x65x?>) -> tensor<2x65x33x?> {
  %0 = "ttir.exp"(%a) : (tensor<2x33x65x?>) -> tensor<2x33x65x?>
  %1 = "ttir.transpose"(%0) <{dim0 = -1 : si32, dim1 = 1 : si32}> : (tensor<2x33x65x?>) -> tensor<2x65x33x?>
  %2 = "ttir.relu"(%1) : (tensor<2x65x33x?>) -> tensor<2x65x33x?>
  return %2 : tensor<2x65x33x?>
}

func.func @permute(%a: tensor<33x65x?>, %b: tensor<33x65x?>) -> tensor<33x33x?> {
  %0 = "ttir.permute"(%a) <{permutation = array<i64: 1, 0>}> : (tensor<33x65x?>) -> tensor<65x33x?>
  %1 = "ttir.matmul"(%b, %0) : (tensor<33x65x?>, tensor<65x33x?>) -> tensor<33x33x?>
  return %1 : tensor<33x33x?>
}

func.func @reshape(%a: tensor<33x65x?>) -> tensor<65x33x?> {
  %0 = "ttir.reshape"(%a) <{shape = [65 : i32, -1 : i32]}> : (tensor<33x65x?>) -> tensor<65x33x?>
  %1 = "ttir.exp"(%0) : (tensor<65x33x?>) -> tensor<65x33x?>
  return %1 : tensor<65x33x?>
}

func.func @concat(%a: tensor<33x65x?>, %b: tensor<33x2x?>, %c: tensor<67x33x?>) -> tensor<33x33x?> {
  %0 = "ttir.exp"(%a) : (tensor<33x65x?>) -> tensor<33x65x?>
  %1 = "ttir.concat"(%0, %b) <{dim = 1 : si32}> : (tensor<33x65x?>, tensor<33x2x?>) -> tensor<33x67x?>
  %2 = "ttir.matmul"(%1, %c) : (tensor<33x67x?>, tensor<67x33x?>) -> tensor<33x33x?>
  return %2 : tensor<33x33x?>
}

func.func @product_of_exponentials(%a: tensor<33x65x?>, %b: tensor<65x33x?>) -> tensor<33x33x?> {
  %0 = "ttir.exp"(%a) : (tensor<33x65x?>) -> tensor<33x65x?>
  %1 = "ttir.matmul"(%0, %b) : (tensor<33x65x?>, tensor<65x33x?>) -> tensor<33x33x?>
  %2 = "ttir.gelu"(%1) : (tensor<33x33x?>) -> tensor<33x33x?>
  return %2 : tensor<33x33x?>
}
