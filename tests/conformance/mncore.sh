#!/bin/sh
# Runs public MN-Core 2 suites that lie in the given folders: see src/main.rs.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
exec cargo run --quiet --release --manifest-path "$here/Cargo.toml" -- "$@"
