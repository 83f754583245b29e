func.func @f() -> (tensor<2xf32>, tensor<3xf32>) {
  %0 = "ttir.constant"() <{value = dense<[1.0, 2.0]> : tensor<2xf32>}> : () -> tensor<2xf32>
  %1 = "ttir.constant"() <{value = dense<[1.0, 2.0, 3.0]> : tensor<3xf32>}> : () -> tensor<3xf32>
  return %0, %1 : tensor<2xf32>, tensor<3xf32>
}
