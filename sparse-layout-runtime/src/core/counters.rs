//! What tests count: work that must not be done.

use std::cell::Cell;

thread_local! {
    /// Orders of nodes built by this thread.
    static ORDERS: Cell<u64> = const { Cell::new(0) };
    /// Occupancy words of tables read for it.
    static TABLE_WORDS: Cell<u64> = const { Cell::new(0) };
}

pub(crate) fn order_built() {
    ORDERS.set(ORDERS.get() + 1);
}

pub(crate) fn table_words_read(n: u64) {
    TABLE_WORDS.set(TABLE_WORDS.get() + n);
}

/// Orders built, and table words read for them, since this was last asked.
pub(crate) fn taken() -> (u64, u64) {
    (ORDERS.take(), TABLE_WORDS.take())
}
