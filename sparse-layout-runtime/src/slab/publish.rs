//! How a node comes to be seen.

use super::handles::Handles;
use crate::sync::{AtomicU32, yield_now};
use std::sync::atomic::Ordering::{AcqRel, Acquire};

/// The node of an entry.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Published {
    /// This thread made it.
    Made(u32),
    /// It was there, or another thread was faster.
    There(u32),
}

impl Published {
    /// The node's handle.
    pub fn handle(self) -> u32 {
        match self {
            Published::Made(handle) | Published::There(handle) => handle,
        }
    }
}

/// The node of an entry, made and published where there is none. Any number of threads may do so: one of them publishes.
///
/// `make` takes a handle from `handles` and makes its node: what it writes is seen by everyone who reads the entry. A node
/// that came too late is handed to `lose`, which keeps it.
///
/// # Errors
/// If `make` failed, nobody else made the node, and no handle is left that might become it.
pub fn publish<E>(
    entry: &AtomicU32,
    handles: &Handles,
    mut make: impl FnMut() -> Result<u32, E>,
    mut lose: impl FnMut(u32),
) -> Result<Published, E> {
    loop {
        let there = entry.load(Acquire);
        if there != 0 {
            return Ok(Published::There(there));
        }
        match make() {
            Ok(made) => {
                let published = match entry.compare_exchange(0, made, AcqRel, Acquire) {
                    Ok(_) => Published::Made(made),
                    Err(winner) => {
                        lose(made);
                        Published::There(winner)
                    }
                };
                handles.landed();
                return Ok(published);
            }
            Err(e) if handles.is_spent() && entry.load(Acquire) == 0 => return Err(e),
            Err(_) => yield_now(),
        }
    }
}
