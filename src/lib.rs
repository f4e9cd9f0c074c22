//! Sparse spatial data: declare the layout, write the loop.
