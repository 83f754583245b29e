// Products with vectors, of elements ? in place of which tests put a type.

func.func @by_a_vector(%a: tensor<33x70x?>, %b: tensor<70x?>) -> tensor<33x?> {
  %0 = "ttir.matmul"(%a, %b) : (tensor<33x70x?>, tensor<70x?>) -> tensor<33x?>
  return %0 : tensor<33x?>
}

func.func @several_by_a_vector(%a: tensor<2x33x70x?>, %b: tensor<70x?>) -> tensor<2x33x?> {
  %0 = "ttir.matmul"(%a, %b) : (tensor<2x33x70x?>, tensor<70x?>) -> tensor<2x33x?>
  return %0 : tensor<2x33x?>
}

func.func @vector_by_several(%a: tensor<70x?>, %b: tensor<2x70x47x?>) -> tensor<2x47x?> {
  %0 = "ttir.matmul"(%a, %b) : (tensor<70x?>, tensor<2x70x47x?>) -> tensor<2x47x?>
  return %0 : tensor<2x47x?>
}

func.func @by_a_vector_with_bias(%a: tensor<2x33x70x?>, %b: tensor<70x?>, %c: tensor<33x?>) -> tensor<2x33x?> {
  %0 = "ttir.linear"(%a, %b, %c) : (tensor<2x33x70x?>, tensor<70x?>, tensor<33x?>) -> tensor<2x33x?>
  return %0 : tensor<2x33x?>
}

func.func @by_a_vector_with_one(%a: tensor<33x70x?>, %b: tensor<70x?>, %c: tensor<1x?>) -> tensor<33x?> {
  %0 = "ttir.linear"(%a, %b, %c) : (tensor<33x70x?>, tensor<70x?>, tensor<1x?>) -> tensor<33x?>
  return %0 : tensor<33x?>
}
