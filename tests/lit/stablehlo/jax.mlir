// RUN: ttmlir-opt --stablehlo-to-ttir-pipeline --ttir-to-ttnn-runtime-pipeline %S/../../data/stablehlo.mlir -o %t.mlir
// RUN: ttmlir-translate --ttnn-to-flatbuffer %t.mlir -o %t.ttnn
// RUN: ttrt run --device reference --init arange %t.ttnn | FileCheck %S/../../data/stablehlo.mlir
// RUN: ttmlir-opt --stablehlo-to-ttir-pipeline --ttir-to-tensix-pipeline %S/../../data/stablehlo.mlir -o %t.tensix.mlir
// RUN: ttmlir-translate --ttnn-to-flatbuffer %t.tensix.mlir -o %t.tensix.ttnn
// RUN: ttrt run --device tensix --golden %t.tensix.ttnn
// RUN: ttmlir-opt --stablehlo-to-ttir-pipeline --ttir-to-mncore-pipeline %S/../../data/stablehlo.mlir -o %t.mncore.mlir
// RUN: ttmlir-translate --ttnn-to-flatbuffer %t.mncore.mlir -o %t.mncore.ttnn
// RUN: ttrt run --device mncore --golden %t.mncore.ttnn
