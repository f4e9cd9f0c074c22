//! The same programs, in the order that is allowed.
use sparse_layout::prelude::*;

#[sparse_layout(axes(x, y), hash() > tile: bitmasked(8) { a, b, flag, dynamic(i, max = 9) { item } })]
struct Heat {
    a: f32,
    b: f32,
    #[field(bits)]
    flag: bool,
    item: u32,
}

fn main() {
    let mut grid = Heat::new();
    grid.a_mut().set([0, 0], 1.0);
    let mut accessor = grid.a().accessor();
    accessor.get([1, 1]);
    let (a, b) = (grid.a(), grid.b());
    println!("{:?} {:?} {:?}", a.get([1, 1]), b.get([1, 1]), a.get_ref([0, 0]));
    grid.tile_mut().deactivate([0, 0]);

    let mut f = grid.fields_mut();
    f.a.par_for_each(|[x, y], a| *a += f.b.value([x + 1, y]));
    (&mut f.a, &f.b).par_for_each(|_, (a, b)| *a += b);
    f.flag.par_for_each(|[x, y], flag| *flag = f.a.value([x + 1, y]) > 0.0);
    let (one, two) = (f.a.get_mut([0, 0]), f.b.get_mut([0, 0]));
    println!("{one:?} {two:?}");
    f.a.iter_mut().zip(f.b.iter_mut()).for_each(drop);
    let item = f.a.iter_mut().next();
    println!("{item:?}");

    let block = grid.tile().block([0, 0]);
    println!("{block:?}");
    grid.clear();
    grid.item_mut().push([0, 0], 3).unwrap();
    println!("{}", grid.item().list([0, 0]).len());
    println!("{}", grid.raw_bytes("a").unwrap().len());
    grid.a_mut().set([1, 1], 2.0);

    let shared = grid.concurrent();
    let add = || shared.a().fetch_add([0, 0], 1.0).map(drop);
    println!("{:?} {:?}", rayon::join(add, || shared.item().push([0, 0], 4)), shared.tile().is_active([0, 0]));
    let mut f = grid.fields_mut();
    let (a, flag) = (f.a.atomic(), f.flag.atomic());
    f.b.par_for_each(|p, b| {
        *b = a.swap(p, 0.0).unwrap_or(0.0);
        flag.store(p, true).unwrap();
    });
}
