//! What the borrow checker rejects, so that no loop can race and no reference can dangle.

#[test]
fn what_would_race_or_dangle_is_rejected() {
    let cases = trybuild::TestCases::new();
    cases.compile_fail("tests/ui_borrow/fail/*.rs");
    cases.pass("tests/ui_borrow/pass/*.rs");
}
