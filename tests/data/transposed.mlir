// Products of transposed factors, of elements ? in place of which tests put a type.

func.func @transposed_right(%a: tensor<33x70x?>, %b: tensor<47x70x?>) -> tensor<33x47x?> {
  %0 = "ttir.matmul"(%a, %b) <{transpose_a = false, transpose_b = true}> : (tensor<33x70x?>, tensor<47x70x?>) -> tensor<33x47x?>
  return %0 : tensor<33x47x?>
}

func.func @transposed_right_of_several(%a: tensor<2x33x70x?>, %b: tensor<2x47x70x?>) -> tensor<2x33x47x?> {
  %0 = "ttir.matmul"(%a, %b) <{transpose_a = false, transpose_b = true}> : (tensor<2x33x70x?>, tensor<2x47x70x?>) -> tensor<2x33x47x?>
  return %0 : tensor<2x33x47x?>
}

func.func @transposed_left(%a: tensor<70x33x?>, %b: tensor<70x47x?>) -> tensor<33x47x?> {
  %0 = "ttir.matmul"(%a, %b) <{transpose_a = true, transpose_b = false}> : (tensor<70x33x?>, tensor<70x47x?>) -> tensor<33x47x?>
  return %0 : tensor<33x47x?>
}

func.func @transposed_left_of_several(%a: tensor<2x70x33x?>, %b: tensor<2x70x47x?>) -> tensor<2x33x47x?> {
  %0 = "ttir.matmul"(%a, %b) <{transpose_a = true, transpose_b = false}> : (tensor<2x70x33x?>, tensor<2x70x47x?>) -> tensor<2x33x47x?>
  return %0 : tensor<2x33x47x?>
}

func.func @transposed_left_right(%a: tensor<70x33x?>, %b: tensor<47x70x?>) -> tensor<33x47x?> {
  %0 = "ttir.matmul"(%a, %b) <{transpose_a = true, transpose_b = true}> : (tensor<70x33x?>, tensor<47x70x?>) -> tensor<33x47x?>
  return %0 : tensor<33x47x?>
}

func.func @transposed_left_right_of_several(%a: tensor<2x70x33x?>, %b: tensor<2x47x70x?>) -> tensor<2x33x47x?> {
  %0 = "ttir.matmul"(%a, %b) <{transpose_a = true, transpose_b = true}> : (tensor<2x70x33x?>, tensor<2x47x70x?>) -> tensor<2x33x47x?>
  return %0 : tensor<2x33x47x?>
}

func.func @transposed_with_bias(%a: tensor<33x70x?>, %b: tensor<47x70x?>, %c: tensor<47x?>) -> tensor<33x47x?> {
  %0 = "ttir.linear"(%a, %b, %c) <{transpose_b = true}> : (tensor<33x70x?>, tensor<47x70x?>, tensor<47x?>) -> tensor<33x47x?>
  return %0 : tensor<33x47x?>
}

func.func @vector_is_not_transposed(%a: tensor<70x?>, %b: tensor<47x70x?>) -> tensor<47x?> {
  %0 = "ttir.matmul"(%a, %b) <{transpose_a = true, transpose_b = true}> : (tensor<70x?>, tensor<47x70x?>) -> tensor<47x?>
  return %0 : tensor<47x?>
}
