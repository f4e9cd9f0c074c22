//! The scalars and semantics as elements: sizes, descriptions, values that come back, algebra against other crates.

use sparse_layout::prelude::*;
use sparse_layout::semantic::{
    ColorRgbRec2020, ColorRgbaRec2020, ColorSrgbRec709, ColorSrgbaRec709, Described, Dual, Mat22, Mat33, Mat34, Mat44,
    Quaternion, Scalar, Semantic,
};

/// One field of each integer and float type of Rust.
#[sparse_layout(axes(x = -8..8, y), pointer(_, 2) > bitmasked(4, 4))]
pub struct Scalars {
    /// 1 byte.
    pub a: i8,
    /// 2 bytes.
    pub b: i16,
    /// 4 bytes.
    pub c: i32,
    /// 8 bytes.
    pub d: i64,
    /// 1 byte.
    pub e: u8,
    /// 2 bytes.
    pub f: u16,
    /// 4 bytes.
    pub g: u32,
    /// 8 bytes.
    pub h: u64,
    /// 4 bytes.
    pub i: f32,
    /// 8 bytes.
    pub j: f64,
}

/// The semantics that need no other crate, over several scalars, in one record.
#[sparse_layout(axes(x), hash() { dense(4) { axis, slope, on }, dense(4, aos) { screen, map, own, spectrum } })]
pub struct Records {
    /// Three lanes in three bytes.
    pub screen: ColorSrgbRec709<u8>,
    /// The same bytes as a vector would have.
    #[field(split)]
    pub axis: [f32; 3],
    /// A background of its own.
    #[field(background = Mat34::from_rows([[1.0, 0.0, 0.0, 7.0], [0.0, 1.0, 0.0, 8.0], [0.0, 0.0, 1.0, 9.0]]))]
    pub map: Mat34<f64>,
    /// Split into lanes.
    #[field(split)]
    pub slope: Dual<f32>,
    /// Not described: a struct of the user's.
    pub own: Own,
    /// Not described as a scalar.
    #[field(bits)]
    pub on: bool,
    /// An array that is no vector.
    pub spectrum: [u16; 7],
}

/// A user's struct.
#[derive(Clone, Copy, PartialEq, Debug, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub struct Own {
    a: u32,
    b: u16,
    c: [u8; 2],
}

#[test]
fn scalars_are_described_and_come_back() {
    let mut grid = Scalars::new();
    macro_rules! each {
        ($($field:ident, $field_mut:ident: $ty:ident, $scalar:ident, $bytes:literal;)+) => {$(
            let info = Scalars::LAYOUT.field(stringify!($field)).unwrap();
            assert_eq!((info.name, info.type_name, info.bytes), (stringify!($field), stringify!($ty), $bytes));
            assert_eq!((info.scalar, info.lanes, info.semantic), (Some(Scalar::$scalar), 1, Semantic::None));
            assert_eq!((Scalar::$scalar.bytes(), Scalar::$scalar.name()), ($bytes, stringify!($ty)));
            grid.$field_mut().set([-8, 0], $ty::MIN);
            grid.$field_mut().set([7, 7], $ty::MAX);
            assert_eq!(grid.$field().get([-8, 0]), Some($ty::MIN));
            assert_eq!(grid.$field().iter().collect::<Vec<_>>(), [([-8, 0], $ty::MIN), ([7, 7], $ty::MAX)]);
        )+};
    }
    each! {
        a, a_mut: i8, I8, 1;
        b, b_mut: i16, I16, 2;
        c, c_mut: i32, I32, 4;
        d, d_mut: i64, I64, 8;
        e, e_mut: u8, U8, 1;
        f, f_mut: u16, U16, 2;
        g, g_mut: u32, U32, 4;
        h, h_mut: u64, U64, 8;
        i, i_mut: f32, F32, 4;
        j, j_mut: f64, F64, 8;
    }
    assert_eq!(Scalars::LAYOUT.field("k"), None);
    assert_eq!(Scalars::LAYOUT.fields().len(), 10);
    grid.internal_validate();
}

#[test]
fn semantics_are_described_and_come_back() {
    let field = |name| Records::LAYOUT.field(name).unwrap();
    let told = |name| (field(name).scalar, field(name).lanes, field(name).semantic, field(name).bytes);
    assert_eq!(told("screen"), (Some(Scalar::U8), 3, Semantic::ColorSrgbRec709, 3));
    assert_eq!(told("axis"), (Some(Scalar::F32), 3, Semantic::Vec3, 12));
    assert_eq!(told("map"), (Some(Scalar::F64), 12, Semantic::Mat34, 96));
    assert_eq!(told("slope"), (Some(Scalar::F32), 2, Semantic::Dual, 8));
    assert_eq!(told("own"), (None, 1, Semantic::None, 8));
    assert_eq!(told("on"), (None, 1, Semantic::None, 1));
    assert_eq!(told("spectrum"), (Some(Scalar::U16), 7, Semantic::None, 14));
    assert_eq!(field("own").type_name, "Own");

    let mut grid = Records::new();
    for x in [i32::MIN, -1, 0, 5] {
        let v = x as f32;
        grid.screen_mut().set([x], ColorSrgbRec709([1, 2, x as u8]));
        grid.slope_mut().set([x], Dual::variable(v) * Dual::variable(v));
        grid.own_mut().set([x], Own { a: x as u32, b: 1, c: [2, 3] });
    }
    assert_eq!(grid.map().value([5]) * [1.0, 2.0, 3.0, 1.0], [8.0, 10.0, 12.0]);
    assert_eq!(grid.slope().get([5]), Some(Dual([25.0, 10.0])));
    assert_eq!(grid.slope().get([-1]), Some(Dual([1.0, -2.0])));
    assert_eq!(grid.screen().get([i32::MIN]), Some(ColorSrgbRec709([1, 2, 0])));
    assert_eq!(grid.own().get([-1]), Some(Own { a: u32::MAX, b: 1, c: [2, 3] }));
    let mut f = grid.fields_mut();
    f.slope.par_for_each(|_, d| *d = *d + Dual::constant(1.0));
    assert_eq!(grid.slope().get([5]), Some(Dual([26.0, 10.0])));
    grid.internal_validate();
}

/// A grid of any element.
#[sparse_layout(axes(x), pointer(4) > bitmasked(4))]
pub struct Any<T: Element> {
    /// The only field.
    pub v: T,
}

/// A grid of `T` tells what it holds, and gives back what was written, bit by bit.
fn holds<T: Described>(semantic: Semantic) {
    let info = Any::<T>::LAYOUT.field("v").unwrap();
    let scalar = <T::Scalar as sparse_layout::semantic::ScalarElement>::SCALAR;
    assert_eq!((info.scalar, info.lanes, info.semantic), (Some(scalar), semantic.lanes(), semantic));
    assert_eq!(info.bytes, scalar.bytes() * semantic.lanes());
    let value = |x: i32| -> T {
        let bytes: Vec<u8> = (0..info.bytes).map(|i| (x * 31 + i as i32 + 1) as u8).collect();
        bytemuck::pod_read_unaligned(&bytes)
    };
    let mut grid = Any::<T>::new();
    for x in [3, 4, 15] {
        grid.v_mut().set([x], value(x));
    }
    let found: Vec<_> = grid.v().iter().map(|(p, v)| (p, bytemuck::bytes_of(&v).to_vec())).collect();
    assert_eq!(found, [3, 4, 15].map(|x| ([x], bytemuck::bytes_of(&value(x)).to_vec())));
    assert!(bytemuck::bytes_of(&grid.v().value([5])).iter().all(|b| *b == 0));
    grid.internal_validate();
}

#[test]
fn a_grid_of_each_semantic() {
    holds::<u16>(Semantic::None);
    holds::<[u16; 2]>(Semantic::Vec2);
    holds::<[u16; 3]>(Semantic::Vec3);
    holds::<[u16; 4]>(Semantic::Vec4);
    holds::<ColorSrgbRec709<u16>>(Semantic::ColorSrgbRec709);
    holds::<ColorSrgbaRec709<u16>>(Semantic::ColorSrgbaRec709);
    holds::<ColorRgbRec2020<u16>>(Semantic::ColorRgbRec2020);
    holds::<ColorRgbaRec2020<u16>>(Semantic::ColorRgbaRec2020);
    holds::<Mat22<u16>>(Semantic::Mat22);
    holds::<Mat33<u16>>(Semantic::Mat33);
    holds::<Mat34<u16>>(Semantic::Mat34);
    holds::<Mat44<u16>>(Semantic::Mat44);
    holds::<Dual<u16>>(Semantic::Dual);
    holds::<Quaternion<u16>>(Semantic::Quaternion);
    #[cfg(feature = "num-complex")]
    holds::<sparse_layout::num_complex::Complex<u16>>(Semantic::Complex);
}

/// Bytes, lanes and semantic as [`Described`] says, checked against the type itself.
fn pair<T: Described>() -> (Scalar, Semantic, usize) {
    assert_eq!(T::LANES * size_of::<T::Scalar>(), size_of::<T>());
    (<T::Scalar as sparse_layout::semantic::ScalarElement>::SCALAR, T::SEMANTIC, size_of::<T>())
}

/// All eleven scalars and fifteen semantics: bytes are lanes times bytes.
#[cfg(all(feature = "half", feature = "num-complex"))]
#[test]
fn a_hundred_and_sixty_five_pairs() {
    use sparse_layout::{half::f16, num_complex::Complex};
    // As the table of requirements lists them.
    let bytes = [1, 2, 4, 8, 1, 2, 4, 8, 2, 4, 8];
    let lanes = [1, 2, 3, 4, 3, 4, 3, 4, 4, 9, 12, 16, 2, 2, 4];
    let mut pairs = Vec::new();
    macro_rules! over {
        ($($ty:ty)+) => {$(
            pairs.extend([
                pair::<$ty>(),
                pair::<[$ty; 2]>(),
                pair::<[$ty; 3]>(),
                pair::<[$ty; 4]>(),
                pair::<ColorSrgbRec709<$ty>>(),
                pair::<ColorSrgbaRec709<$ty>>(),
                pair::<ColorRgbRec2020<$ty>>(),
                pair::<ColorRgbaRec2020<$ty>>(),
                pair::<Mat22<$ty>>(),
                pair::<Mat33<$ty>>(),
                pair::<Mat34<$ty>>(),
                pair::<Mat44<$ty>>(),
                pair::<Complex<$ty>>(),
                pair::<Dual<$ty>>(),
                pair::<Quaternion<$ty>>(),
            ]);
        )+};
    }
    over!(i8 i16 i32 i64 u8 u16 u32 u64 f16 f32 f64);
    assert_eq!(pairs.len(), 165);
    for (i, &(scalar, semantic, size)) in pairs.iter().enumerate() {
        assert_eq!((scalar, semantic), (Scalar::ALL[i / 15], Semantic::ALL[i % 15]));
        assert_eq!(size, bytes[i / 15] * lanes[i % 15], "{scalar} {semantic}");
        assert_eq!((scalar.bytes(), semantic.lanes()), (bytes[i / 15], lanes[i % 15]));
    }
    assert_eq!(pair::<Mat34<f16>>(), (Scalar::F16, Semantic::Mat34, 24));
    assert_eq!(pair::<Mat44<f64>>(), (Scalar::F64, Semantic::Mat44, 128));
    assert_eq!(pair::<ColorSrgbaRec709<u8>>(), (Scalar::U8, Semantic::ColorSrgbaRec709, 4));
}

/// Types of other crates.
#[cfg(all(feature = "half", feature = "glam", feature = "nalgebra", feature = "num-complex"))]
mod foreign {
    use super::*;
    use sparse_layout::{glam, half::f16, nalgebra as na, num_complex::Complex};

    /// Fields of other crates' types.
    #[sparse_layout(axes(x, y, z), pointer(4) > bitmasked(4))]
    pub struct Foreign {
        /// `half`
        pub half: f16,
        /// `num-complex`
        pub wave: Complex<f32>,
        /// `glam`, aligned to 16 bytes.
        pub point: glam::Vec4,
        /// `glam`, one array per lane.
        #[field(split)]
        pub way: glam::DVec3,
        /// `glam`
        pub frame: glam::Affine3,
        /// `nalgebra`
        pub strain: na::Matrix3<f64>,
        /// `nalgebra`, one array per lane.
        #[field(split, background = na::Vector3::new(f16::ONE, f16::ZERO, f16::ZERO))]
        pub flow: na::Vector3<f16>,
        /// Own over `half`.
        pub turn: Quaternion<f16>,
    }

    #[test]
    fn they_are_described() {
        let told = |name| {
            let info = Foreign::LAYOUT.field(name).unwrap();
            (info.scalar.unwrap().name(), info.lanes, info.semantic, info.bytes)
        };
        assert_eq!(told("half"), ("f16", 1, Semantic::None, 2));
        assert_eq!(told("wave"), ("f32", 2, Semantic::Complex, 8));
        assert_eq!(told("point"), ("f32", 4, Semantic::Vec4, 16));
        assert_eq!(told("way"), ("f64", 3, Semantic::Vec3, 24));
        assert_eq!(told("frame"), ("f32", 12, Semantic::Mat34, 48));
        assert_eq!(told("strain"), ("f64", 9, Semantic::Mat33, 72));
        assert_eq!(told("flow"), ("f16", 3, Semantic::Vec3, 6));
        assert_eq!(told("turn"), ("f16", 4, Semantic::Quaternion, 8));
    }

    #[test]
    fn they_come_back() {
        let mut grid = Foreign::new();
        let p = glam::IVec3::new(1, 2, 3);
        grid.half_mut().set(p, f16::MAX);
        assert_eq!(grid.half().value([1, 2, 3]).to_f64(), 65504.0);
        for bits in [0x0001, 0x03ff, 0x7e01, 0x8000, 0xfc00, 0x7bff] {
            grid.half_mut().set(p, f16::from_bits(bits));
            assert_eq!(grid.half().get(p).map(f16::to_bits), Some(bits));
        }
        let i = Complex::new(0.0, 1.0);
        grid.wave_mut().set(na::Vector3::new(1, 2, 3), i);
        grid.wave_mut().modify(na::Point3::new(1, 2, 3), |v| *v *= i);
        assert_eq!(grid.wave().get(na::Point3::new(1, 2, 3)), Some(Complex::new(-1.0, 0.0)));
        grid.point_mut().set([15, 15, 15], glam::Vec4::new(1.0, 2.0, 3.0, 4.0));
        assert_eq!(grid.point().get([15; 3]).unwrap().dot(glam::Vec4::ONE), 10.0);
        grid.way_mut().set(p, glam::DVec3::X);
        grid.fields_mut().way.par_for_each(|_, w| *w += glam::DVec3::Y);
        assert_eq!(grid.way().get(p), Some(glam::DVec3::new(1.0, 1.0, 0.0)));
        grid.frame_mut().set(p, glam::Affine3::from_translation(glam::Vec3::new(7.0, 8.0, 9.0)));
        assert_eq!(grid.flow().get(p), Some(na::Vector3::new(f16::ONE, f16::ZERO, f16::ZERO)));
        grid.strain_mut().set(p, na::Matrix3::new(1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0));

        // The same bytes in the types of this crate: one order of lanes for all.
        let frame: Mat34<f32> = bytemuck::cast(grid.frame().get(p).unwrap());
        assert_eq!(frame.rows(), [[1.0, 0.0, 0.0, 7.0], [0.0, 1.0, 0.0, 8.0], [0.0, 0.0, 1.0, 9.0]]);
        let strain: Mat33<f64> = bytemuck::cast(grid.strain().get(p).unwrap());
        assert_eq!(strain.rows(), [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]]);
        grid.internal_validate();
    }

    #[test]
    fn coordinates_have_one_order() {
        let mut grid = Foreign::new();
        for (p, v) in [([0, 0, 1], 1.0), ([0, 1, 0], 2.0), ([1, 0, 0], 3.0)] {
            grid.half_mut().set(p, f16::from_f32(v));
            assert_eq!(grid.half().get(glam::IVec3::from(p)), grid.half().get(p));
            assert_eq!(grid.half().get(na::Vector3::from(p)), grid.half().get(p));
            assert_eq!(grid.half().get(na::Point3::from(p)), grid.half().get(p));
        }
        assert_eq!(grid.half().get(glam::IVec3::X), Some(f16::from_f32(3.0)));
        assert_eq!(grid.half().get(glam::IVec3::NEG_X), None);
    }

    #[test]
    fn quaternions_and_matrices_multiply_as_elsewhere() {
        let (p, q) = (Quaternion([1.0, -2.0, 3.0, 4.0]), Quaternion([5.0, 6.0, -7.0, 8.0f64]));
        let own = (p * q).0;
        let glams: glam::DQuat = bytemuck::cast::<_, glam::DQuat>(p) * bytemuck::cast::<_, glam::DQuat>(q);
        assert_eq!(own, glams.to_array());
        // `new` takes the real part first.
        assert_eq!(bytemuck::cast::<_, [f64; 4]>(na::Quaternion::new(4.0, 1.0, -2.0, 3.0)), p.0);
        let (a, b) = (Mat22::from_rows([[1.0, 2.0], [3.0, 4.0]]), Mat22::from_rows([[5.0, 6.0], [7.0, 8.0f32]]));
        let glams: glam::Mat2 = glam::Mat2::from_cols_array_2d(&a.0) * glam::Mat2::from_cols_array_2d(&b.0);
        assert_eq!((a * b).0, glams.to_cols_array_2d());
    }
}
