// RUN: ttmlir-opt --ttir-to-tensix-pipeline --mlir-print-debuginfo %s -o %t.mlir
// RUN: ttmlir-translate --ttnn-to-flatbuffer %t.mlir -o %t.ttnn
// RUN: ttmlir-translate --flatbuffer-to-json %t.ttnn | FileCheck %s
// A pipe does as well as files.
// RUN: ttmlir-opt --ttir-to-tensix-pipeline --mlir-print-debuginfo %s | ttmlir-translate --ttnn-to-flatbuffer | ttmlir-translate --flatbuffer-to-json | FileCheck %s

// Two operations that do the same share a kernel, which has the places of the first one. It comes with the kernel over tiles that
// it was made from.
// CHECK: "kernels": [
// CHECK: "arch": "wormhole_b0"
// CHECK: "hash": "{{[0-9a-f]+}}"
// CHECK-NEXT: "inputs": 1
// CHECK-NEXT: "name": "model_add_0_tensix"
// CHECK-NEXT: "outputs": 1
// CHECK-NEXT: "target": "tensix"
// CHECK-NEXT: "tiles": [
// CHECK: flatbuffer.mlir:[[# @LINE + 45]]:8
// CHECK: "core": "T0",
// CHECK-NEXT: "image": "[[T0:[0-9a-f]+]]"
// CHECK: "core": "NC",
// CHECK-NEXT: "image": "[[NC:[0-9a-f]+]]"
// CHECK: "work": 4
// CHECK: "groups": [
// CHECK: "tensor 0: 1x33x40xbf16",
// CHECK: "name": "model_add_0",
// CHECK-NEXT: "target": "pto"
// CHECK-NOT: "name": "model_add_1
// CHECK: "name": "model_linear_2_tensix"
// CHECK: "name": "model_linear_2",
// CHECK-NEXT: "target": "pto"
// CHECK: "mlir": {
// CHECK: "source": "func.func @model(
// The operations that a kernel covers stay, with their places in the source.
// CHECK: "name": "model"
// CHECK: "kernel": 0
// CHECK: "loc": "{{.*}}flatbuffer.mlir:[[# @LINE + 26]]:8"
// CHECK-NEXT: "op": "kernel"
// CHECK: "inputs": [
// CHECK-NEXT: 0,
// CHECK-NEXT: 0
// CHECK: "op": "add"
// CHECK: "op": "deallocate"
// CHECK: "kernel": 0
// CHECK: "loc": "{{.*}}flatbuffer.mlir:[[# @LINE + 19]]:8"
// CHECK: "kernel": 2
// CHECK: "attributes": {
// CHECK-NEXT: "compute_config": {
// CHECK-NEXT: "fp32_dest_acc": true
// CHECK-NEXT: "math_fidelity": "hifi4"
// CHECK: "op": "linear"
// CHECK: "private": false
// CHECK: "data_type": "bf16"
// CHECK-NEXT: "layout": "tile"
// CHECK-NEXT: "memory": "dram"
// CHECK-NEXT: "shape": [
// CHECK-NEXT: 33,
// CHECK-NEXT: 40
// CHECK: "system_desc": {
// CHECK-NEXT: "chips": [
// CHECK-NEXT: "wormhole_b0"
func.func @model(%a: tensor<33x40xbf16>, %w: tensor<40x7xbf16>, %bias: tensor<7xbf16>) -> tensor<33x7xbf16> {
  %0 = "ttir.add"(%a, %a) : (tensor<33x40xbf16>, tensor<33x40xbf16>) -> tensor<33x40xbf16>
  %1 = "ttir.add"(%0, %0) : (tensor<33x40xbf16>, tensor<33x40xbf16>) -> tensor<33x40xbf16>
  %2 = "ttir.linear"(%1, %w, %bias) : (tensor<33x40xbf16>, tensor<40x7xbf16>, tensor<7xbf16>) -> tensor<33x7xbf16>
  return %2 : tensor<33x7xbf16>
}
