//! A crate outside the workspace runs the README's examples: see `outside/Cargo.toml`.

use std::path::Path;
use std::process::Command;

#[test]
fn the_readme_is_all_a_user_needs() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let target = root.join("target/outside");
    std::fs::create_dir_all(&target).unwrap();
    let status = Command::new(env!("CARGO"))
        .args(["test", "--quiet", "--doc", "--manifest-path"])
        .arg(root.join("tests/outside/Cargo.toml"))
        .arg("--target-dir")
        .arg(&target)
        .env_remove("RUSTFLAGS")
        .status()
        .unwrap();
    assert!(status.success());
}
