// RUN: ttmlir-opt --ttir-to-ttnn-backend-pipeline --convert-ttnn-to-pto=target=mncore --split-input-file %s | FileCheck %s
// RUN: ttmlir-opt --ttir-to-mncore-pipeline --split-input-file %s | FileCheck %s --check-prefix=MNCORE

// Kernels of a chip that takes f32 as it is: nothing is rounded.

// CHECK-LABEL: pto.func @product_
// CHECK: pto.tload %{{.*}} : memref<64x64xf32> -> <tensor<32x32xf32>, mat>
// CHECK: pto.tmatmul
// CHECK-SAME: <tensor<32x32xf32>, mat>, <tensor<32x32xf32>, mat> -> <tensor<32x32xf32>, acc>
// CHECK-NOT: pto.tcvt
// CHECK: pto.tstore %{{.*}} : <tensor<32x32xf32>, acc> -> memref<64x64xf32>

// MNCORE-LABEL: mncore.kernel @product_
// MNCORE: mncore.pipeline "multiply"
func.func @product(%a: tensor<64x64xf32>, %b: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %0 = "ttir.matmul"(%a, %b) : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}

// -----

// Values that are not widened are moved to the unit that computes with them.

// CHECK-LABEL: pto.func @sign_
// CHECK: %[[GIVEN:.*]] = pto.tload %{{.*}} -> <tensor<32x32xf32>, mat>
// CHECK: %[[MOVED:.*]] = pto.tmove %[[GIVEN]] : <tensor<32x32xf32>, mat> -> <tensor<32x32xf32>, acc>
// CHECK: pto.trelu %[[MOVED]]

// MNCORE-LABEL: mncore.kernel @sign_
// MNCORE: mncore.alu "frelu"
func.func @sign(%a: tensor<32x32xf32>) -> tensor<32x32xf32> {
  %0 = "ttir.relu"(%a) : (tensor<32x32xf32>) -> tensor<32x32xf32>
  return %0 : tensor<32x32xf32>
}
