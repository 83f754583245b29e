// A factor that is an argument is moved before the product: the move's operand is the function's argument, which is not
// the region's argument of the same number.
// RUN: timeout 300 ttmlir-opt --ttir-to-mncore-pipeline %s | FileCheck %s
// RUN: timeout 300 ttmlir-opt --ttir-to-mncore-pipeline %S/../../data/chains.mlir -o %t.mncore.mlir
// RUN: timeout 300 ttmlir-opt --ttir-to-tensix-pipeline %S/../../data/chains.mlir -o %t.tensix.mlir
// RUN: timeout 300 ttmlir-opt --ttir-to-ttnn-runtime-pipeline %S/../../data/chains.mlir -o %t.ttnn.mlir

// CHECK: mncore.kernel @from_host_matmul_0_mncore implements @from_host_matmul_0
func.func @from_host(%x: tensor<33x40xbf16> {ttcore.argument_type = #ttcore.argument_type<input>}, %w: tensor<40x35xbf16> {ttcore.argument_type = #ttcore.argument_type<input>}) -> tensor<33x35xbf16> {
  %0 = "ttir.matmul"(%x, %w) : (tensor<33x40xbf16>, tensor<40x35xbf16>) -> tensor<33x35xbf16>
  return %0 : tensor<33x35xbf16>
}
