// A tensor that is the factor of a product and read beside it, too, lies in DRAM as the kernel before has left it: it is one argument.
// RUN: ttmlir-opt --ttir-to-mncore-pipeline="fusion=auto" %s -o %t.mlir
// RUN: ttmlir-translate --ttnn-to-flatbuffer %t.mlir -o %t.ttnn
// RUN: ttrt run %t.ttnn --device mncore --golden --seed 1 | FileCheck %s

// CHECK: golden: 2 of 2 results are within their bounds

func.func @forward(%a: tensor<1x48xbf16>, %b: tensor<97x1xbf16>, %c: tensor<48x48xbf16>, %d: tensor<97x48xbf16>) -> tensor<97x48xbf16> {
  %0 = "ttir.matmul"(%b, %a) : (tensor<97x1xbf16>, tensor<1x48xbf16>) -> tensor<97x48xbf16>
  %1 = "ttir.matmul"(%0, %c) : (tensor<97x48xbf16>, tensor<48x48xbf16>) -> tensor<97x48xbf16>
  %2 = "ttir.subtract"(%1, %d) : (tensor<97x48xbf16>, tensor<97x48xbf16>) -> tensor<97x48xbf16>
  %3 = "ttir.lt"(%2, %0) : (tensor<97x48xbf16>, tensor<97x48xbf16>) -> tensor<97x48xbf16>
  return %3 : tensor<97x48xbf16>
}
