//! The crates in `tests/crates` compile: other editions, a renamed dependency, a re-export.

use std::path::Path;
use std::process::Command;

#[test]
fn crates_compile() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("crates");
    // The same versions as here, so that nothing is fetched.
    std::fs::copy(root.join("Cargo.lock"), root.join("tests/crates/Cargo.lock")).expect("a lock file");
    let status = Command::new(env!("CARGO"))
        .args(["check", "--workspace", "--offline", "--manifest-path"])
        .arg(root.join("tests/crates/Cargo.toml"))
        .env("CARGO_TARGET_DIR", target)
        .status()
        .expect("cargo runs");
    assert!(status.success());
}
