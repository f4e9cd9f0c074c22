//! Sizes that are no powers of two: nothing is padded, nothing is visited that is not there.

use sparse_layout::prelude::*;

/// 1170 cells.
#[sparse_layout(axes(x, y), dense(18, 65))]
pub struct Packed {
    /// A number.
    pub a: i32,
}

/// The same in 32 x 128 cells, of which 1170 exist: the last level is rounded up.
#[sparse_layout(axes(x, y), dense(1) > dense(18, 65), padded)]
pub struct Padded {
    /// A number.
    pub a: i32,
}

#[test]
fn eighteen_by_sixty_five() {
    let packed = Packed::new();
    assert_eq!(packed.count(), 1170);
    assert_eq!(packed.a().iter().count(), 1170);
    assert_eq!(packed.a().as_slice().map(<[i32]>::len), Some(1170));
    // 4680 bytes; the one node is rounded up to whole lines of 64.
    assert_eq!(Packed::LAYOUT.offset("a", &[17, 64]), Some(4680 - 4));
    assert_eq!(packed.memory().values, 4736);
    let padded = Padded::new();
    assert_eq!(padded.count(), 1170);
    assert_eq!(padded.a().iter().count(), 1170);
    assert_eq!(padded.memory().values, 16_384);
    assert_eq!((padded.a().get([18, 0]), padded.a().get([0, 65])), (None, None));
    assert_eq!(padded.a().get([17, 64]), Some(0));
}

/// 24 x 24 cells in blocks of 8 x 8.
#[sparse_layout(axes(x, y), block: pointer(3, 3) > dense(8, 8))]
pub struct Blocks {
    /// A number.
    pub a: u8,
}

#[test]
fn a_struct_for_skips_nothing() {
    let mut blocks = Blocks::new();
    blocks.a_mut().set([7, 7], 1);
    let cells: Vec<_> = blocks.a().par_iter().collect();
    assert_eq!(cells.len(), 64);
    assert!(cells.contains(&([7, 7], 1)));
    assert_eq!(cells.iter().filter(|c| c.1 == 0).count(), 63);
    // Blocks one by one: 64 more cells each.
    for (i, block) in Region::new([0, 0], [3, 3]).iter().enumerate() {
        blocks.block_mut().activate(block);
        let mut seen = 0;
        blocks.a().iter().for_each(|_| seen += 1);
        assert_eq!(seen, 64 * (i + 1));
        assert_eq!(blocks.count(), seen as u64);
    }
    assert_eq!(blocks.count(), 576);
    let mut counted = Blocks::new();
    for n in [1, 2, 3, 5, 7] {
        counted.clear();
        counted.block_mut().activate_all(Region::new([0, 0], [3, 3]).iter().take(n));
        assert_eq!(counted.block().len(), n as u64);
        assert_eq!(counted.a().par_iter().count(), 64 * n);
    }
}

/// 15 cells.
#[sparse_layout(axes(i), dense(3) > dense(5), allow(non_power_of_two))]
pub struct Odd {
    /// A number.
    pub a: u8,
}

/// 320 cells, the rule kept: 105 is (3, 9).
#[sparse_layout(axes(i), dense(10) > dense(32))]
pub struct Kept {
    /// A number.
    pub a: u8,
}

/// 300 cells, the rule broken: 105 is (3, 15).
#[sparse_layout(axes(i), dense(10) > dense(30), allow(non_power_of_two))]
pub struct Broken {
    /// A number.
    pub a: u8,
}

#[test]
fn digits_of_lines() {
    let digits = |digits: Option<sparse_layout::Digits>| digits.map(|d| [d.digit(0, 0), d.digit(1, 0)]);
    assert_eq!(digits(Odd::LAYOUT.digits("a", &[7])), Some([1, 2]));
    assert_eq!(digits(Kept::LAYOUT.digits("a", &[105])), Some([3, 9]));
    assert_eq!(digits(Broken::LAYOUT.digits("a", &[105])), Some([3, 15]));
    assert_eq!(digits(Broken::LAYOUT.digits("a", &[300])), None);
    assert_eq!((Odd::new().count(), Kept::new().count(), Broken::new().count()), (15, 320, 300));
    let mut broken = Broken::new();
    broken.a_mut().iter_mut().for_each(|([i], a)| *a = i as u8);
    assert!((0..300).all(|i| broken.a().get([i]) == Some(i as u8)));
}

macro_rules! squares {
    ($($name:ident $n:literal $count:literal)*) => { $(
        #[test]
        fn $name() {
            #[sparse_layout(axes(x, y), cells: bitmasked($n, $n))]
            struct Square { a: u32 }
            let mut square = Square::new();
            square.cells_mut().activate_all(Region::new([0, 0], [$n, $n]).iter());
            assert_eq!(square.count(), $count);
            assert_eq!(square.a().par_iter().count(), $count);
            square.internal_validate();
        }
    )* };
}
squares! { five_by_five 5 25  six_by_six 6 36  ten_by_ten 10 100 }
