//! Types of `glam`.

use super::describe::{Described, Table};
use super::kind::Semantic;
use crate::field::Components;

macro_rules! described {
    ($($name:ident: $scalar:ty, $semantic:ident;)+) => {
        $(
            impl Described for ::glam::$name {
                type Scalar = $scalar;
                const SEMANTIC: Semantic = Semantic::$semantic;
            }
        )+

        pub(super) fn add_types(table: &mut Table) {
            $( table.add::<::glam::$name>(); )+
        }
    };
}

macro_rules! components {
    ($($name:ident: $scalar:ty, $n:literal;)+) => {$(
        impl Components for ::glam::$name {
            type Component = $scalar;
            const COUNT: usize = $n;
        }
    )+};
}

described! {
    Vec2: f32, Vec2; Vec3: f32, Vec3; Vec4: f32, Vec4;
    DVec2: f64, Vec2; DVec3: f64, Vec3; DVec4: f64, Vec4;
    I8Vec2: i8, Vec2; I8Vec3: i8, Vec3; I8Vec4: i8, Vec4;
    I16Vec2: i16, Vec2; I16Vec3: i16, Vec3; I16Vec4: i16, Vec4;
    IVec2: i32, Vec2; IVec3: i32, Vec3; IVec4: i32, Vec4;
    I64Vec2: i64, Vec2; I64Vec3: i64, Vec3; I64Vec4: i64, Vec4;
    U8Vec2: u8, Vec2; U8Vec3: u8, Vec3; U8Vec4: u8, Vec4;
    U16Vec2: u16, Vec2; U16Vec3: u16, Vec3; U16Vec4: u16, Vec4;
    UVec2: u32, Vec2; UVec3: u32, Vec3; UVec4: u32, Vec4;
    U64Vec2: u64, Vec2; U64Vec3: u64, Vec3; U64Vec4: u64, Vec4;
    Mat2: f32, Mat22; Mat3: f32, Mat33; Mat4: f32, Mat44; Affine3: f32, Mat34;
    DMat2: f64, Mat22; DMat3: f64, Mat33; DMat4: f64, Mat44; DAffine3: f64, Mat34;
    Quat: f32, Quaternion; DQuat: f64, Quaternion;
}

components! {
    Vec2: f32, 2; Vec3: f32, 3; Vec4: f32, 4;
    DVec2: f64, 2; DVec3: f64, 3; DVec4: f64, 4;
    I8Vec2: i8, 2; I8Vec3: i8, 3; I8Vec4: i8, 4;
    I16Vec2: i16, 2; I16Vec3: i16, 3; I16Vec4: i16, 4;
    IVec2: i32, 2; IVec3: i32, 3; IVec4: i32, 4;
    I64Vec2: i64, 2; I64Vec3: i64, 3; I64Vec4: i64, 4;
    U8Vec2: u8, 2; U8Vec3: u8, 3; U8Vec4: u8, 4;
    U16Vec2: u16, 2; U16Vec3: u16, 3; U16Vec4: u16, 4;
    UVec2: u32, 2; UVec3: u32, 3; UVec4: u32, 4;
    U64Vec2: u64, 2; U64Vec3: u64, 3; U64Vec4: u64, 4;
}
