//! Every error of the table: reported for its wrong declarations, at the marked tokens, alone, and not for the cure.

use proc_macro2::Span;

use super::cases::{Case, cases};
use super::expand;
use crate::error::{Problem, TABLE};

/// The byte of the source where a span begins, or ends.
fn byte(code: &str, line: usize, column: usize) -> usize {
    let before: usize = code.split_inclusive('\n').take(line - 1).map(str::len).sum();
    before + code[before..].chars().take(column).map(char::len_utf8).sum::<usize>()
}

fn start(code: &str, span: Span) -> usize {
    byte(code, span.start().line, span.start().column)
}

fn end(code: &str, span: Span) -> usize {
    byte(code, span.end().line, span.end().column)
}

fn shown(code: &str, problems: &[Problem]) -> String {
    let each = problems.iter().map(|problem| {
        let (from, to) = (start(code, problem.at.start), end(code, problem.at.end));
        format!("{} at `{}`: {}", problem.code.text().id, &code[from..to.max(from)], problem.text)
    });
    format!("{code}\n{}", each.collect::<Vec<_>>().join("\n"))
}

fn complaint(case: &Case) -> Option<String> {
    let expansion = expand(&case.wrong);
    let problems = expansion.errors.list();
    let output = expansion.tokens.to_string();
    let spans: Vec<(usize, usize)> = problems
        .iter()
        .map(|problem| (start(&case.wrong, problem.at.start), end(&case.wrong, problem.at.end)))
        .collect();
    let at_attribute = case.marks.is_empty() && problems.len() == 1;
    if problems.iter().any(|problem| problem.code.text().id != case.id) || problems.is_empty() {
        return Some("another error".to_owned());
    }
    if !at_attribute && spans != case.marks {
        return Some(format!("at {spans:?}, not {:?}", case.marks));
    }
    if problems.iter().any(|problem| {
        ["{axis}", "{level}", "{kind}", "{name}", "{help}", "{why}"].iter().any(|place| problem.text.contains(place))
    }) {
        return Some("a place was not filled".to_owned());
    }
    if output.matches("compile_error").count() != problems.len() || syn::parse2::<syn::File>(expansion.tokens).is_err()
    {
        return Some("the output is no list of items with the errors".to_owned());
    }
    None
}

#[test]
fn every_mistake_is_reported_at_its_token() {
    let mut failed = Vec::new();
    for case in cases() {
        if let Some(complaint) = complaint(&case) {
            let expansion = expand(&case.wrong);
            failed.push(format!("{}: {complaint}: {}", case.id, shown(&case.wrong, expansion.errors.list())));
        }
        if let Some(right) = &case.right {
            let expansion = expand(right);
            if !expansion.errors.list().is_empty() {
                failed.push(format!("the cure of {}: {}", case.id, shown(right, expansion.errors.list())));
            }
        }
    }
    assert!(failed.is_empty(), "{} wrong:\n\n{}", failed.len(), failed.join("\n\n"));
}

#[test]
fn every_error_has_a_case_in_the_order_of_the_table() {
    let mut ids: Vec<String> = cases().into_iter().map(|case| case.id).collect();
    ids.dedup();
    let table: Vec<&str> = TABLE.iter().map(|text| text.id).collect();
    assert_eq!(ids, table);
}
