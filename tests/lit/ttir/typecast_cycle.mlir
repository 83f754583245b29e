// The operations of a module may read themselves; folding them comes to an end.
// RUN: timeout 300 ttmlir-opt --canonicalize %s | FileCheck %s
// CHECK: module
%0 = "ttir.typecast"(%0) : (tensor<2xf32>) -> tensor<2xf32>
%1 = "ttir.typecast"(%2) : (tensor<2xf64>) -> tensor<2xf32>
%2 = "ttir.typecast"(%1) : (tensor<2xf32>) -> tensor<2xf64>
