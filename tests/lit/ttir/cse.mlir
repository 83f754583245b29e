// RUN: ttmlir-opt --cse --canonicalize %s | FileCheck %s
// RUN: ttmlir-opt --pass-pipeline='builtin.module(func.func(cse),canonicalize{max-iterations=5})' %s | FileCheck %s

// Operations of ttir are pure: duplicate and unused operations are removed.
// CHECK-LABEL: func.func @f
// CHECK-NEXT: %[[R:.*]] = "ttir.relu"(%arg0)
// CHECK-NEXT: %[[S:.*]] = "ttir.add"(%[[R]], %[[R]])
// CHECK-NEXT: return %[[S]]
func.func @f(%a: tensor<64x64xbf16>) -> tensor<64x64xbf16> {
  %0 = "ttir.relu"(%a) : (tensor<64x64xbf16>) -> tensor<64x64xbf16>
  %1 = "ttir.relu"(%a) : (tensor<64x64xbf16>) -> tensor<64x64xbf16>
  %2 = "ttir.neg"(%a) : (tensor<64x64xbf16>) -> tensor<64x64xbf16>
  %3 = "ttir.add"(%0, %1) : (tensor<64x64xbf16>, tensor<64x64xbf16>) -> tensor<64x64xbf16>
  return %3 : tensor<64x64xbf16>
}
