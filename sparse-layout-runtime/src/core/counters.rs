//! What tests count: work that must not be done.

use std::cell::Cell;

thread_local! {
    /// Orders of nodes built by this thread.
    static ORDERS: Cell<u64> = const { Cell::new(0) };
    /// Occupancy words of tables read for it.
    static TABLE_WORDS: Cell<u64> = const { Cell::new(0) };
    /// Tables of neighbours built by this thread.
    static NEIGHBOURS: Cell<u64> = const { Cell::new(0) };
}

pub(crate) fn order_built() {
    ORDERS.set(ORDERS.get() + 1);
}

pub(crate) fn table_words_read(n: u64) {
    TABLE_WORDS.set(TABLE_WORDS.get() + n);
}

pub(crate) fn table_built() {
    NEIGHBOURS.set(NEIGHBOURS.get() + 1);
}

/// Tables of neighbours built since this was last asked.
pub(crate) fn tables_taken() -> u64 {
    NEIGHBOURS.take()
}

/// Orders built, and table words read for them, since this was last asked.
pub(crate) fn taken() -> (u64, u64) {
    (ORDERS.take(), TABLE_WORDS.take())
}
