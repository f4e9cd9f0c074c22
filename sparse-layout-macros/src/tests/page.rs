//! What is made from the table of texts and the file of mistakes: the page of the errors, and the cases that
//! `tests/ui` compiles.

use std::path::{Path, PathBuf};

use super::cases::{Case, cases};
use super::snapshots::compare;
use crate::error::TABLE;

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn first(id: &str) -> Case {
    cases().into_iter().find(|case| case.id == id).unwrap_or_else(|| panic!("no case for {id}"))
}

#[test]
fn page_of_the_errors() {
    let mut page = String::from(
        "# The errors of `#[sparse_layout]`\n\nEach mistake that the attribute knows: what it says, and how the declaration is put right. \
         Words in `{braces}` stand for what was written. All errors of a declaration are reported in one compile.\n\n\
         This page is generated from the table in `sparse-layout-macros/src/error/table.rs` and checked by its tests.\n",
    );
    for text in TABLE {
        let case = first(text.id);
        page.push_str(&format!("\n## {}\n\n```text\n{}\n```\n\n", text.id, text.filled(&[])));
        page.push_str(&format!("Wrong:\n\n```rust,ignore\n{}\n```\n", case.wrong));
        if let Some(right) = case.right {
            page.push_str(&format!("\nRight:\n\n```rust,ignore\n{right}\n```\n"));
        }
    }
    compare(&repository().join("docs/errors.md"), &page);
}

/// A program around a wrong declaration, which uses the grid, so that errors that only follow from the first show.
fn program(case: &Case) -> String {
    let uses = if case.wrong.ends_with("struct Smoke { density: f32 }") && !case.wrong.contains("#[repr") {
        "    let mut smoke = Smoke::new();\n    smoke.density_mut();\n    let _ = smoke.density();\n"
    } else {
        ""
    };
    let bound = if case.wrong.contains("T: Element") { "prelude::*" } else { "sparse_layout" };
    format!("use sparse_layout::{bound};\n\n{}\n\nfn main() {{\n{uses}}}\n", case.wrong)
}

#[test]
fn mistakes_to_compile() {
    for text in TABLE {
        compare(&repository().join(format!("tests/ui/fail/{}.rs", text.id)), &program(&first(text.id)));
    }
}

#[test]
fn cures_to_compile() {
    let mut file = String::from("//! The cure of every mistake on the page of the errors.\n#![allow(dead_code)]\n");
    let mut seen: Vec<String> = Vec::new();
    for case in cases() {
        let Some(right) = case.right.filter(|right| !seen.contains(right)) else { continue };
        seen.push(right.clone());
        let mut head = String::from("    use sparse_layout::prelude::*;\n");
        if right.contains("= N") {
            head.push_str("    const N: usize = 8;\n");
        }
        if right.contains("Mine") {
            head.push_str("    struct Mine;\n    impl sparse_layout::CoordHash for Mine {\n        fn hash(key: &[i32]) -> u64 {\n            key.len() as u64\n        }\n    }\n");
        }
        let body: String = right.lines().map(|line| format!("    {line}\n")).collect();
        file.push_str(&format!("\nmod {}_{} {{\n{head}\n{body}}}\n", case.id.replace('-', "_"), seen.len()));
    }
    file.push_str("\nfn main() {}\n");
    compare(&repository().join("tests/ui/pass/cures.rs"), &file);
}
