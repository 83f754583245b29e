// Element-wise functions of bf16 tensors have shorter code, also between others in a fused kernel. Those of f32 tensors keep
// theirs. The judge applies the bounds of the code that ran.
// RUN: ttmlir-opt --ttir-to-ttnn-backend-pipeline --convert-ttnn-to-pto %s | FileCheck %s
// RUN: ttmlir-opt --ttir-to-tensix-pipeline %s -o %t.tensix.mlir
// RUN: ttmlir-translate --ttnn-to-flatbuffer %t.tensix.mlir -o %t.tensix.ttnn
// RUN: ttrt run %t.tensix.ttnn --seed 3 --golden --program narrow | FileCheck %s --check-prefix=GOLDEN
// RUN: ttrt run %t.tensix.ttnn --seed 3 --golden --program wide | FileCheck %s --check-prefix=GOLDEN
// RUN: ttmlir-opt --ttir-to-mncore-pipeline %s -o %t.mncore.mlir
// RUN: ttmlir-translate --ttnn-to-flatbuffer %t.mncore.mlir -o %t.mncore.ttnn
// RUN: ttrt run %t.mncore.ttnn --device mncore --seed 3 --golden --program narrow | FileCheck %s --check-prefix=GOLDEN
// RUN: ttrt run %t.mncore.ttnn --device mncore --seed 3 --golden --program wide | FileCheck %s --check-prefix=GOLDEN
// GOLDEN: golden: [[COUNT:[0-9]+]] of [[COUNT]] results are within their bounds

// CHECK-LABEL: pto.func @narrow_
// CHECK: pto.tgelu %{{.*}} {precision = #pto.precision<bf16>, unit = #pto.unit<sfpu>}
// CHECK: pto.tneg %{{.*}} {unit = #pto.unit<sfpu>}
// CHECK: pto.texp %{{.*}} {precision = #pto.precision<bf16>, unit = #pto.unit<sfpu>}
func.func @narrow(%a: tensor<64x64xbf16>) -> tensor<64x64xbf16> {
  %0 = "ttir.gelu"(%a) : (tensor<64x64xbf16>) -> tensor<64x64xbf16>
  %1 = "ttir.neg"(%0) : (tensor<64x64xbf16>) -> tensor<64x64xbf16>
  %2 = "ttir.exp"(%1) : (tensor<64x64xbf16>) -> tensor<64x64xbf16>
  return %2 : tensor<64x64xbf16>
}

// CHECK-LABEL: pto.func @wide_
// CHECK: pto.tgelu %{{.*}} {unit = #pto.unit<sfpu>}
func.func @wide(%a: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %0 = "ttir.gelu"(%a) : (tensor<64x64xf32>) -> tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}
