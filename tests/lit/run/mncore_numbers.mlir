// Kernels of MN-Core 2 compute with numbers that fill tensors. Padding, where there are none, takes part in no sum.
// RUN: ttmlir-opt --ttir-to-mncore-pipeline=fusion=all %s -o %t.mlir
// RUN: FileCheck %s --check-prefix=KERNELS --input-file %t.mlir
// RUN: ttmlir-translate --ttnn-to-flatbuffer %t.mlir -o %t.ttnn
// RUN: ttrt run --device mncore --seed 1 --golden %t.ttnn | FileCheck %s
// CHECK-COUNT-5: golden: [[COUNT:[0-9]+]] of [[COUNT]] results are within their bounds

// KERNELS: pto.tfill 2.5
func.func @chain(%x: tensor<33x70xf32>, %y: tensor<33x70xf32>) -> tensor<33x70xf32> {
  %two = "ttir.full"() <{shape = array<i32: 33, 70>, fill_value = 2.5 : f32}> : () -> tensor<33x70xf32>
  %three = "ttir.full"() <{shape = array<i32: 33, 70>, fill_value = 3.25 : f32}> : () -> tensor<33x70xf32>
  %0 = "ttir.multiply"(%two, %x) : (tensor<33x70xf32>, tensor<33x70xf32>) -> tensor<33x70xf32>
  %1 = "ttir.subtract"(%three, %0) : (tensor<33x70xf32>, tensor<33x70xf32>) -> tensor<33x70xf32>
  %2 = "ttir.div"(%1, %two) : (tensor<33x70xf32>, tensor<33x70xf32>) -> tensor<33x70xf32>
  %3 = "ttir.where"(%y, %2, %three) : (tensor<33x70xf32>, tensor<33x70xf32>, tensor<33x70xf32>) -> tensor<33x70xf32>
  return %3 : tensor<33x70xf32>
}

// In bf16, in which a tenth is rounded.
func.func @narrow(%x: tensor<5x130xbf16>) -> tensor<5x130xbf16> {
  %tenth = "ttir.full"() <{shape = array<i32: 5, 130>, fill_value = 0.1 : f32}> : () -> tensor<5x130xbf16>
  %0 = "ttir.add"(%x, %tenth) : (tensor<5x130xbf16>, tensor<5x130xbf16>) -> tensor<5x130xbf16>
  %1 = "ttir.maximum"(%0, %tenth) : (tensor<5x130xbf16>, tensor<5x130xbf16>) -> tensor<5x130xbf16>
  return %1 : tensor<5x130xbf16>
}

// Sums of rows and of columns.
func.func @sums(%x: tensor<50x70xf32>) -> (tensor<50x1xf32>, tensor<1x70xf32>) {
  %four = "ttir.full"() <{shape = array<i32: 50, 70>, fill_value = 4.0 : f32}> : () -> tensor<50x70xf32>
  %0 = "ttir.add"(%x, %four) : (tensor<50x70xf32>, tensor<50x70xf32>) -> tensor<50x70xf32>
  %1 = "ttir.sum"(%0) <{dim_arg = [1 : i32], keep_dim = true}> : (tensor<50x70xf32>) -> tensor<50x1xf32>
  %2 = "ttir.add"(%x, %four) : (tensor<50x70xf32>, tensor<50x70xf32>) -> tensor<50x70xf32>
  %3 = "ttir.sum"(%2) <{dim_arg = [0 : i32], keep_dim = true}> : (tensor<50x70xf32>) -> tensor<1x70xf32>
  return %1, %3 : tensor<50x1xf32>, tensor<1x70xf32>
}

// A factor of a product that is computed, and one that is a number: that is loaded.
func.func @factors(%x: tensor<20x30xf32>, %y: tensor<30x40xf32>) -> tensor<20x40xf32> {
  %half = "ttir.full"() <{shape = array<i32: 20, 30>, fill_value = 0.5 : f32}> : () -> tensor<20x30xf32>
  %ones = "ttir.full"() <{shape = array<i32: 20, 30>, fill_value = 1.0 : f32}> : () -> tensor<20x30xf32>
  %0 = "ttir.add"(%x, %half) : (tensor<20x30xf32>, tensor<20x30xf32>) -> tensor<20x30xf32>
  %1 = "ttir.matmul"(%0, %y) : (tensor<20x30xf32>, tensor<30x40xf32>) -> tensor<20x40xf32>
  %2 = "ttir.matmul"(%ones, %y) : (tensor<20x30xf32>, tensor<30x40xf32>) -> tensor<20x40xf32>
  %3 = "ttir.add"(%1, %2) : (tensor<20x40xf32>, tensor<20x40xf32>) -> tensor<20x40xf32>
  return %3 : tensor<20x40xf32>
}

// A number that is rounded and reshaped first.
// KERNELS: pto.func @rounded_add_
// KERNELS: pto.tfill 0.10009765625
func.func @rounded(%x: tensor<6x5xf32>) -> tensor<6x5xf32> {
  %tenth = "ttir.full"() <{shape = array<i32: 5>, fill_value = 0.1 : f32}> : () -> tensor<5xf32>
  %0 = "ttir.typecast"(%tenth) : (tensor<5xf32>) -> tensor<5xbf16>
  %1 = "ttir.typecast"(%0) : (tensor<5xbf16>) -> tensor<5xf32>
  %2 = "ttir.reshape"(%1) <{shape = [1 : i32, 5 : i32]}> : (tensor<5xf32>) -> tensor<1x5xf32>
  %3 = "ttir.add"(%x, %2) : (tensor<6x5xf32>, tensor<1x5xf32>) -> tensor<6x5xf32>
  return %3 : tensor<6x5xf32>
}
