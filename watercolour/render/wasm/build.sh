#!/bin/sh
# Builds paint.wasm from the C files beside this script, without any library, the same bytes each time.
# Needs clang and lld with the wasm32 target (Debian: apt-get install clang lld). First argument: where to put it.
set -eu
cd "$(dirname "$0")"
exec "${CLANG:-clang}" --target=wasm32 -std=c11 -O3 -ffreestanding -nostdlib -fno-ident -ffp-contract=off -flto \
  -msimd128 -mbulk-memory -mnontrapping-fptoint -Wall -Wextra -Werror \
  -Wl,--no-entry -Wl,--strip-all -Wl,--lto-O3 -Wl,-z,stack-size=65536 \
  memory.c raster.c stroke.c disc.c blend.c spectral.c record.c -o "${1:-../page/paint.wasm}"
