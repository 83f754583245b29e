// A normalisation is one kernel on Tensix, which keeps rows in L1 and may compute half a row of tiles at a time. Its bits are those of
// separate kernels: no size is a multiple of the tile's.
// RUN: ttmlir-opt --ttir-to-tensix-pipeline %s -o %t.mlir
// RUN: FileCheck %s --check-prefix=KERNELS --input-file %t.mlir
// RUN: ttmlir-translate --ttnn-to-flatbuffer %t.mlir -o %t.ttnn
// RUN: ttrt run --device tensix --seed 1 --golden --padding-canaries %t.ttnn --program softmax -o %t.softmax.npy | FileCheck %s
// RUN: ttrt run --device tensix --seed 1 --golden --padding-canaries %t.ttnn --program matrices -o %t.matrices.npy | FileCheck %s
// RUN: ttrt run --device tensix --seed 1 --golden --padding-canaries %t.ttnn --program layer -o %t.layer.npy | FileCheck %s
// RUN: ttrt run --device tensix --seed 1 --golden --padding-canaries %t.ttnn --program layer_f32 -o %t.layer_f32.npy | FileCheck %s
// RUN: ttrt run --device tensix --seed 1 --golden --padding-canaries %t.ttnn --program upper_half -o %t.upper_half.npy | FileCheck %s
// RUN: ttrt run --device tensix --seed 1 --golden --padding-canaries %t.ttnn --program wide -o %t.wide.npy | FileCheck %s
// RUN: ttrt run --device tensix --seed 1 --golden --padding-canaries %t.ttnn --program one_row -o %t.one_row.npy | FileCheck %s
// RUN: ttrt run --device tensix --seed 1 --golden --padding-canaries %t.ttnn --program whole_tiles -o %t.whole_tiles.npy | FileCheck %s
// CHECK: golden: [[COUNT:[0-9]+]] of [[COUNT]] results are within their bounds

// Kernels of their own, with the same roundings.
// RUN: ttmlir-opt --ttir-to-tensix-pipeline="placement=cluster" %s -o %t.apart.mlir
// RUN: ttmlir-translate --ttnn-to-flatbuffer %t.apart.mlir -o %t.apart.ttnn
// RUN: ttrt run --device tensix --seed 1 %t.apart.ttnn --program softmax -o %t.apart.npy
// RUN: cmp %t.softmax.npy %t.apart.npy
// RUN: ttrt run --device tensix --seed 1 %t.apart.ttnn --program matrices -o %t.apart.npy
// RUN: cmp %t.matrices.npy %t.apart.npy
// RUN: ttrt run --device tensix --seed 1 %t.apart.ttnn --program layer -o %t.apart.npy
// RUN: cmp %t.layer.npy %t.apart.npy
// RUN: ttrt run --device tensix --seed 1 %t.apart.ttnn --program layer_f32 -o %t.apart.npy
// RUN: cmp %t.layer_f32.npy %t.apart.npy
// RUN: ttrt run --device tensix --seed 1 %t.apart.ttnn --program upper_half -o %t.apart.npy
// RUN: cmp %t.upper_half.npy %t.apart.npy
// RUN: ttrt run --device tensix --seed 1 %t.apart.ttnn --program wide -o %t.apart.npy
// RUN: cmp %t.wide.npy %t.apart.npy
// RUN: ttrt run --device tensix --seed 1 %t.apart.ttnn --program one_row -o %t.apart.npy
// RUN: cmp %t.one_row.npy %t.apart.npy
// RUN: ttrt run --device tensix --seed 1 %t.apart.ttnn --program whole_tiles -o %t.apart.npy
// RUN: cmp %t.whole_tiles.npy %t.apart.npy

// In other orders of threads and of memory requests, on other tiles: with one piece for each, many, or an odd number.
// RUN: ttrt run --device tensix --seed 1 %t.ttnn --program layer --schedule-seed 3 --order-seed 5 --workers 3 -o %t.seed.npy
// RUN: cmp %t.layer.npy %t.seed.npy
// RUN: ttrt run --device tensix --seed 1 %t.ttnn --program layer --schedule-seed 7 --order-seed 2 --workers 1 -o %t.seed.npy
// RUN: cmp %t.layer.npy %t.seed.npy
// RUN: ttrt run --device tensix --seed 1 %t.ttnn --program matrices --schedule-seed 11 --order-seed 8 --workers 64 -o %t.seed.npy
// RUN: cmp %t.matrices.npy %t.seed.npy
// RUN: ttrt run --device tensix --seed 1 %t.ttnn --program matrices --schedule-seed 4 --order-seed 9 --workers 5 -o %t.seed.npy
// RUN: cmp %t.matrices.npy %t.seed.npy
// RUN: ttrt run --device tensix --seed 1 %t.ttnn --program whole_tiles --schedule-seed 2 --order-seed 3 --workers 30 -o %t.seed.npy
// RUN: cmp %t.whole_tiles.npy %t.seed.npy

// On Blackhole.
// RUN: ttmlir-opt --ttir-to-tensix-pipeline="mock-system-desc-arch=blackhole" %s -o %t.blackhole.mlir
// RUN: ttmlir-translate --ttnn-to-flatbuffer %t.blackhole.mlir -o %t.blackhole.ttnn
// RUN: ttrt run --device tensix --seed 1 --golden --padding-canaries %t.blackhole.ttnn --program layer -o %t.blackhole.npy | FileCheck %s
// RUN: cmp %t.layer.npy %t.blackhole.npy
// RUN: ttrt run --device tensix --seed 1 --golden --padding-canaries %t.blackhole.ttnn --program matrices -o %t.blackhole.npy | FileCheck %s
// RUN: cmp %t.matrices.npy %t.blackhole.npy

// Halves of rows of tiles.
// KERNELS: tensix.program @softmax_max_subtract_exp_sum_divide_0_tensix {{.*}} work 64 unpack
func.func @softmax(%x: tensor<1000x70xbf16>) -> tensor<1000x70xbf16> {
  %0 = "ttir.softmax"(%x) <{dimension = 1 : si32}> : (tensor<1000x70xbf16>) -> tensor<1000x70xbf16>
  return %0 : tensor<1000x70xbf16>
}

// The last rows of each matrix are in the upper half of a tile.
// KERNELS: tensix.program @matrices_max_subtract_exp_sum_divide_0_tensix {{.*}} work 60 unpack
func.func @matrices(%x: tensor<3x300x90xf32>) -> tensor<3x300x90xf32> {
  %0 = "ttir.softmax"(%x) <{dimension = 2 : si32}> : (tensor<3x300x90xf32>) -> tensor<3x300x90xf32>
  return %0 : tensor<3x300x90xf32>
}

// Scale and shift are broadcast rows.
// KERNELS: tensix.program @layer_mean_subtract_multiply_mean_add_rsqrt_multiply_multiply_add_0_tensix {{.*}} work 32 unpack
func.func @layer(%x: tensor<500x200xbf16>, %scale: tensor<200xbf16>, %shift: tensor<200xbf16>) -> tensor<500x200xbf16> {
  %0 = "ttir.layer_norm"(%x, %scale, %shift) <{normalized_shape = array<i64: 200>, epsilon = 1.0e-5 : f32, operandSegmentSizes = array<i32: 1, 1, 1>}> : (tensor<500x200xbf16>, tensor<200xbf16>, tensor<200xbf16>) -> tensor<500x200xbf16>
  return %0 : tensor<500x200xbf16>
}

// KERNELS: tensix.program @layer_f32_mean_subtract_multiply_mean_add_rsqrt_multiply_multiply_add_0_tensix {{.*}} work 32 unpack
func.func @layer_f32(%x: tensor<2x250x70xf32>, %scale: tensor<70xf32>, %shift: tensor<70xf32>) -> tensor<2x250x70xf32> {
  %0 = "ttir.layer_norm"(%x, %scale, %shift) <{normalized_shape = array<i64: 70>, epsilon = 1.0e-5 : f32, operandSegmentSizes = array<i32: 1, 1, 1>}> : (tensor<2x250x70xf32>, tensor<70xf32>, tensor<70xf32>) -> tensor<2x250x70xf32>
  return %0 : tensor<2x250x70xf32>
}

// All rows are in the upper half of a tile, so halves would save nothing.
// KERNELS: tensix.program @upper_half_max_subtract_exp_sum_divide_0_tensix {{.*}} work 1 unpack
func.func @upper_half(%x: tensor<13x60xbf16>) -> tensor<13x60xbf16> {
  %0 = "ttir.softmax"(%x) <{dimension = 1 : si32}> : (tensor<13x60xbf16>) -> tensor<13x60xbf16>
  return %0 : tensor<13x60xbf16>
}

// A row of the input and one of the exponentials do not fit into L1 together, so the input is read twice.
// KERNELS: tensix.program @wide_max_subtract_exp_sum_divide_0_tensix {{.*}} work 20 unpack
func.func @wide(%x: tensor<310x1590xf32>) -> tensor<310x1590xf32> {
  %0 = "ttir.softmax"(%x) <{dimension = 1 : si32}> : (tensor<310x1590xf32>) -> tensor<310x1590xf32>
  return %0 : tensor<310x1590xf32>
}

// A single row, whose maximum and sum are scalars.
func.func @one_row(%x: tensor<1x70xbf16>) -> tensor<1x70xbf16> {
  %0 = "ttir.softmax"(%x) <{dimension = 1 : si32}> : (tensor<1x70xbf16>) -> tensor<1x70xbf16>
  return %0 : tensor<1x70xbf16>
}

// As many rows of tiles as workers.
// KERNELS: tensix.program @whole_tiles_mean_subtract_multiply_mean_add_rsqrt_multiply_multiply_add_0_tensix {{.*}} work 64 unpack
func.func @whole_tiles(%x: tensor<2040x200xbf16>, %scale: tensor<200xbf16>, %shift: tensor<200xbf16>) -> tensor<2040x200xbf16> {
  %0 = "ttir.layer_norm"(%x, %scale, %shift) <{normalized_shape = array<i64: 200>, epsilon = 1.0e-5 : f32, operandSegmentSizes = array<i32: 1, 1, 1>}> : (tensor<2040x200xbf16>, tensor<200xbf16>, tensor<200xbf16>) -> tensor<2040x200xbf16>
  return %0 : tensor<2040x200xbf16>
}
