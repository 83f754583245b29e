// A sum that is -1 in its last place: -1 - 2^-23 + 1. The matrix unit of Wormhole makes -2^4 of -2^-23, Blackhole's does not. What is beyond its bound
// for that is told.
// RUN: ttmlir-opt --ttir-to-tensix-pipeline %s -o %t.out
// RUN: ttmlir-translate --ttnn-to-flatbuffer %t.out -o %t.ttnn
// RUN: not ttrt run %t.ttnn --init ones --golden 2>&1 | FileCheck %s --check-prefix=WORMHOLE
// RUN: ttrt run %t.ttnn --init ones --golden --device interpreter 2>&1 | FileCheck %s --check-prefix=OTHERS
// RUN: ttmlir-opt --ttir-to-tensix-pipeline="mock-system-desc-arch=blackhole" %s -o %t.blackhole.out
// RUN: ttmlir-translate --ttnn-to-flatbuffer %t.blackhole.out -o %t.blackhole.ttnn
// RUN: ttrt run %t.blackhole.ttnn --init ones --golden 2>&1 | FileCheck %s --check-prefix=OTHERS

// WORMHOLE: output 0: 1x2 bf16: [-16, -16]
// WORMHOLE: FAIL at
// WORMHOLE: hint: a sum that is -1 in its last place leaves the matrix unit of wormhole_b0 2^27 times as large
// OTHERS: output 0: 1x2 bf16: [-1.1920929e-7, -1.1920929e-7]
// OTHERS-NOT: hint
func.func @f(%b: tensor<48x2xbf16>) -> tensor<1x2xbf16> {
  %a = "ttir.constant"() <{value = dense<[[-1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0,
    -1.1920928955078125e-7, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0,
    1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]]> : tensor<1x48xbf16>}> : () -> tensor<1x48xbf16>
  %0 = "ttir.matmul"(%a, %b) : (tensor<1x48xbf16>, tensor<48x2xbf16>) -> tensor<1x2xbf16>
  return %0 : tensor<1x2xbf16>
}
