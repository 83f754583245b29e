// Equal operations share a kernel. A trap is reported at the operation that executed the kernel.
// RUN: ttmlir-opt --ttir-to-mncore-pipeline --mlir-print-debuginfo %s -o %t.mlir
// RUN: FileCheck %s --check-prefix=IR --input-file %t.mlir
// RUN: ttmlir-translate --ttnn-to-flatbuffer %t.mlir -o %t.ttnn
// RUN: ttrt run %t.ttnn --device reference --program constants -o %t.ones.npy -o %t.zeros.npy
// RUN: not ttrt run %t.ttnn --device mncore --program twice --input %t.ones.npy --input %t.zeros.npy 2>&1 | FileCheck %s --check-prefix=SECOND
// RUN: not ttrt run %t.ttnn --device mncore --program twice --input %t.zeros.npy --input %t.ones.npy 2>&1 | FileCheck %s --check-prefix=FIRST
// RUN: ttrt run %t.ttnn --device mncore --program twice --input %t.ones.npy --input %t.ones.npy | FileCheck %s

// IR: func.func @twice
// IR-COUNT-2: kernel = @twice_rsqrt_multiply_0
// IR-NOT: mncore.kernel @twice_rsqrt_multiply_1

func.func @constants() -> (tensor<64x64xf32>, tensor<64x64xf32>) {
  %0 = "ttir.ones"() <{shape = array<i32: 64, 64>}> : () -> tensor<64x64xf32>
  %1 = "ttir.zeros"() <{shape = array<i32: 64, 64>}> : () -> tensor<64x64xf32>
  return %0, %1 : tensor<64x64xf32>, tensor<64x64xf32>
}

// CHECK: output 0: 64x64 f32
// FIRST: of its listing at {{[^ ]*}}shared_kernel.mlir:[[# @LINE + 4]]: {{.*}}infinity
// SECOND: of its listing at {{[^ ]*}}shared_kernel.mlir:[[# @LINE + 5]]: {{.*}}infinity
func.func @twice(%a: tensor<64x64xf32>, %b: tensor<64x64xf32>) -> (tensor<64x64xf32>, tensor<64x64xf32>) {
  %0 = "ttir.rsqrt"(%a) : (tensor<64x64xf32>) -> tensor<64x64xf32>
  %1 = "ttir.multiply"(%0, %a) : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %2 = "ttir.rsqrt"(%b) : (tensor<64x64xf32>) -> tensor<64x64xf32>
  %3 = "ttir.multiply"(%2, %b) : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  return %1, %3 : tensor<64x64xf32>, tensor<64x64xf32>
}
