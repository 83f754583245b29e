// Reductions and spreads along other dimensions than the last two, and tensors without dimensions, of elements ? in place of which tests put a type.

func.func @outermost(%a: tensor<3x33x5x?>) -> tensor<33x5x?> {
  %0 = "ttir.sum"(%a) <{dim_arg = [0 : i32], keep_dim = false}> : (tensor<3x33x5x?>) -> tensor<33x5x?>
  return %0 : tensor<33x5x?>
}

func.func @outer(%a: tensor<2x3x7x65x?>) -> tensor<2x1x7x65x?> {
  %0 = "ttir.max"(%a) <{dim_arg = [1 : i32], keep_dim = true}> : (tensor<2x3x7x65x?>) -> tensor<2x1x7x65x?>
  return %0 : tensor<2x1x7x65x?>
}

func.func @two_outer(%a: tensor<2x3x7x65x?>) -> tensor<7x65x?> {
  %0 = "ttir.min"(%a) <{dim_arg = [0 : i32, 1 : i32], keep_dim = false}> : (tensor<2x3x7x65x?>) -> tensor<7x65x?>
  return %0 : tensor<7x65x?>
}

func.func @three_inner(%a: tensor<2x3x7x65x?>) -> tensor<2x?> {
  %0 = "ttir.sum"(%a) <{dim_arg = [1 : i32, 2 : i32, 3 : i32], keep_dim = false}> : (tensor<2x3x7x65x?>) -> tensor<2x?>
  return %0 : tensor<2x?>
}

func.func @all(%a: tensor<2x3x7x65x?>) -> tensor<?> {
  %0 = "ttir.max"(%a) <{keep_dim = false}> : (tensor<2x3x7x65x?>) -> tensor<?>
  return %0 : tensor<?>
}

func.func @rows_of_several(%a: tensor<2x33x65x?>) -> tensor<2x33x?> {
  %0 = "ttir.sum"(%a) <{dim_arg = [2 : i32], keep_dim = false}> : (tensor<2x33x65x?>) -> tensor<2x33x?>
  return %0 : tensor<2x33x?>
}

func.func @columns_of_several(%a: tensor<2x33x65x?>) -> tensor<2x65x?> {
  %0 = "ttir.min"(%a) <{dim_arg = [1 : i32], keep_dim = false}> : (tensor<2x33x65x?>) -> tensor<2x65x?>
  return %0 : tensor<2x65x?>
}

func.func @around_one(%a: tensor<2x1x7x65x?>) -> tensor<1x65x?> {
  %0 = "ttir.sum"(%a) <{dim_arg = [0 : i32, 2 : i32], keep_dim = false}> : (tensor<2x1x7x65x?>) -> tensor<1x65x?>
  return %0 : tensor<1x65x?>
}

func.func @one_of_each(%a: tensor<2x3x7x65x?>, %b: tensor<2x1x7x65x?>) -> tensor<2x3x7x65x?> {
  %0 = "ttir.add"(%a, %b) : (tensor<2x3x7x65x?>, tensor<2x1x7x65x?>) -> tensor<2x3x7x65x?>
  return %0 : tensor<2x3x7x65x?>
}

func.func @some_matrices(%a: tensor<3x1x1x?>, %b: tensor<2x3x7x65x?>, %c: tensor<2x3x7x65x?>) -> tensor<2x3x7x65x?> {
  %0 = "ttir.where"(%a, %b, %c) : (tensor<3x1x1x?>, tensor<2x3x7x65x?>, tensor<2x3x7x65x?>) -> tensor<2x3x7x65x?>
  return %0 : tensor<2x3x7x65x?>
}

func.func @no_dimensions(%a: tensor<?>) -> tensor<?> {
  %0 = "ttir.abs"(%a) : (tensor<?>) -> tensor<?>
  return %0 : tensor<?>
}

func.func @no_dimensions_spread(%a: tensor<33x65x?>, %b: tensor<?>) -> tensor<33x65x?> {
  %0 = "ttir.maximum"(%a, %b) : (tensor<33x65x?>, tensor<?>) -> tensor<33x65x?>
  return %0 : tensor<33x65x?>
}
