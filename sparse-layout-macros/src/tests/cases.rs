//! Reads the file of wrong declarations and their cures.

/// One wrong declaration.
pub(super) struct Case {
    /// The error.
    pub(super) id: String,
    pub(super) wrong: String,
    /// The tokens that the error points at, as bytes of `wrong`; `None`: the attribute.
    pub(super) marks: Vec<(usize, usize)>,
    pub(super) right: Option<String>,
}

/// All of them, in the order of the file.
pub(super) fn cases() -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    let mut id = "";
    for line in include_str!("catalogue.txt").lines() {
        match line.split_at_checked(1) {
            Some(("=", rest)) => id = rest.trim(),
            Some(("-", rest)) => {
                let (wrong, marks) = unmarked(&declaration(rest));
                cases.push(Case { id: id.to_owned(), wrong, marks, right: None });
            }
            Some(("+", rest)) => cases.last_mut().expect("a cure after its mistake").right = Some(declaration(rest)),
            _ => assert!(line.is_empty() || line.starts_with('#'), "{line}"),
        }
    }
    cases
}

fn declaration(line: &str) -> String {
    let (args, item) = line.split_once(" | ").unwrap_or((line, "struct Smoke { density: f32 }"));
    format!("#[sparse_layout({})]\n{}", args.trim(), item.trim())
}

fn unmarked(text: &str) -> (String, Vec<(usize, usize)>) {
    let (mut plain, mut marks, mut start) = (String::new(), Vec::new(), 0);
    for c in text.chars() {
        match c {
            '«' => start = plain.len(),
            '»' => marks.push((start, plain.len())),
            _ => plain.push(c),
        }
    }
    (plain, marks)
}
