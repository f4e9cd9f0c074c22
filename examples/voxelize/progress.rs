//! Progress bars: on the error stream, and only if that is a terminal.

use indicatif::{ProgressBar, ProgressStyle};

/// A bar of `total` steps named `what`; drop it, or call `finish_and_clear`, when the work is done.
pub(crate) fn bar(what: &'static str, total: usize) -> ProgressBar {
    let style = ProgressStyle::with_template("{msg:<10} {bar:40} {percent:>3} %  {elapsed}").expect("a fixed template");
    ProgressBar::new(total as u64).with_style(style).with_message(what)
}
