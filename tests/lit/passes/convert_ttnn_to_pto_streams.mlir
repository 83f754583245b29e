// What MN-Core 2 cannot stream at once is not put into one kernel: three tensors beside the factors of a product, seven without one.
// RUN: ttmlir-opt --ttir-to-mncore-pipeline %s | grep -o '{kernel = @[a-z_0-9]*' | FileCheck %s

func.func @product(%a: tensor<64x32xf32>, %b: tensor<32x48xf32>, %c: tensor<64x48xf32>, %d: tensor<64x48xf32>, %e: tensor<64x48xf32>,
                   %f: tensor<64x48xf32>) -> tensor<64x48xf32> {
  // CHECK: kernel = @product_matmul_add_add_add_0
  // CHECK-NEXT: kernel = @product_add_1
  %0 = "ttir.matmul"(%a, %b) : (tensor<64x32xf32>, tensor<32x48xf32>) -> tensor<64x48xf32>
  %1 = "ttir.add"(%0, %c) : (tensor<64x48xf32>, tensor<64x48xf32>) -> tensor<64x48xf32>
  %2 = "ttir.add"(%1, %d) : (tensor<64x48xf32>, tensor<64x48xf32>) -> tensor<64x48xf32>
  %3 = "ttir.add"(%2, %e) : (tensor<64x48xf32>, tensor<64x48xf32>) -> tensor<64x48xf32>
  %4 = "ttir.add"(%3, %f) : (tensor<64x48xf32>, tensor<64x48xf32>) -> tensor<64x48xf32>
  return %4 : tensor<64x48xf32>
}

func.func @sums(%a: tensor<64x48xf32>, %b: tensor<64x48xf32>, %c: tensor<64x48xf32>, %d: tensor<64x48xf32>, %e: tensor<64x48xf32>,
                %f: tensor<64x48xf32>, %g: tensor<64x48xf32>, %h: tensor<64x48xf32>) -> tensor<64x48xf32> {
  // CHECK-NEXT: kernel = @sums_add_add_add_add_add_add_0
  // CHECK-NEXT: kernel = @product_add_1
  %0 = "ttir.add"(%a, %b) : (tensor<64x48xf32>, tensor<64x48xf32>) -> tensor<64x48xf32>
  %1 = "ttir.add"(%0, %c) : (tensor<64x48xf32>, tensor<64x48xf32>) -> tensor<64x48xf32>
  %2 = "ttir.add"(%1, %d) : (tensor<64x48xf32>, tensor<64x48xf32>) -> tensor<64x48xf32>
  %3 = "ttir.add"(%2, %e) : (tensor<64x48xf32>, tensor<64x48xf32>) -> tensor<64x48xf32>
  %4 = "ttir.add"(%3, %f) : (tensor<64x48xf32>, tensor<64x48xf32>) -> tensor<64x48xf32>
  %5 = "ttir.add"(%4, %g) : (tensor<64x48xf32>, tensor<64x48xf32>) -> tensor<64x48xf32>
  %6 = "ttir.add"(%5, %h) : (tensor<64x48xf32>, tensor<64x48xf32>) -> tensor<64x48xf32>
  return %6 : tensor<64x48xf32>
}
