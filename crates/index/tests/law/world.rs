//! Small random projects, and random edits of them, without a language: names that meet by chance, imports that may
//! lead nowhere, types that are declared or not.

/// A small generator of random numbers, so that a failure can be repeated.
#[derive(Clone)]
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    pub(crate) fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % sides.max(1)
    }

    /// True once in so many rolls.
    pub(crate) fn once_in(&mut self, sides: usize) -> bool {
        self.roll(sides) == 0
    }

    pub(crate) fn pick<T: Clone>(&mut self, from: &[T]) -> T {
        from[self.roll(from.len())].clone()
    }

    fn some(&mut self, from: &[&str]) -> Option<String> {
        (!self.once_in(3)).then(|| self.pick(from).to_owned())
    }
}

const CLASSES: &[&str] = &["Ant", "Bee", "Cat", "Dog", "Elk"];
const FACES: &[&str] = &["Face", "Gate"];
const FUNCTIONS: &[&str] = &["make", "open", "find", "load", "take"];
const METHODS: &[&str] = &["run", "next", "make", "show"];
const FIELDS: &[&str] = &["left", "right", "owner"];
const VARIABLES: &[&str] = &["one", "two", "three"];
const LOCALS: &[&str] = &["a", "b", "one", "make"];

#[derive(Clone, Debug)]
pub(crate) enum Expr {
    Name(String),
    New(String),
    Call(Box<Expr>, usize),
    Member(Box<Expr>, String),
    This,
}

#[derive(Clone, Debug)]
pub(crate) struct Func {
    pub(crate) name: String,
    /// Parameters with or without a type.
    pub(crate) params: Vec<Option<String>>,
    pub(crate) returns: Option<String>,
    pub(crate) locals: Vec<(String, Expr)>,
    pub(crate) result: Expr,
}

#[derive(Clone, Debug)]
pub(crate) struct Field {
    pub(crate) name: String,
    pub(crate) ty: Option<String>,
    pub(crate) init: Expr,
}

#[derive(Clone, Debug)]
pub(crate) enum Item {
    Class {
        name: String,
        bases: Vec<String>,
        fields: Vec<Field>,
        methods: Vec<Func>,
    },
    /// An interface or trait.
    Face {
        name: String,
        bases: Vec<String>,
        methods: Vec<Func>,
    },
    /// Members of a type that are written outside of it.
    Outside {
        of: String,
        face: Option<String>,
        methods: Vec<Func>,
    },
    Func(Func),
    Variable(Field),
    /// A namespace inside the file.
    Inner {
        name: String,
        items: Vec<Item>,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Named,
    Star,
    Whole,
    Default,
    /// A declaration that another file is part of this one.
    Part,
}

#[derive(Clone, Debug)]
pub(crate) struct Import {
    pub(crate) kind: Kind,
    pub(crate) from: usize,
    pub(crate) name: String,
    pub(crate) alias: Option<String>,
    /// Handed on to those who import this file.
    pub(crate) again: bool,
    /// Written in a way that depends on where the file is.
    pub(crate) relative: bool,
}

#[derive(Clone, Debug)]
pub(crate) struct Module {
    pub(crate) place: usize,
    pub(crate) imports: Vec<Import>,
    pub(crate) items: Vec<Item>,
    pub(crate) default: Option<String>,
    pub(crate) broken: bool,
    pub(crate) package: usize,
    pub(crate) noise: usize,
}

#[derive(Clone, Debug)]
pub(crate) struct World {
    pub(crate) places: usize,
    pub(crate) modules: Vec<Module>,
    pub(crate) manifest: usize,
}

impl World {
    pub(crate) fn new(dice: &mut Dice, places: usize) -> World {
        let mut world = World { places, modules: Vec::new(), manifest: 0 };
        for place in 0..places {
            if !dice.once_in(4) {
                world.modules.push(Module::new(dice, place, places));
            }
        }
        world
    }

    /// Changes something. Says what.
    pub(crate) fn edit(&mut self, dice: &mut Dice) -> &'static str {
        let at = dice.roll(self.modules.len());
        match dice.roll(24) {
            _ if self.modules.len() < 3 => self.add(dice),
            0 => self.add(dice),
            1 => {
                self.modules.remove(at);
                "a file removed"
            }
            2 => self.relocate(dice, at),
            3 => {
                self.manifest = dice.roll(4);
                "the manifest"
            }
            4 => {
                let (from, to) = self.two_names(dice);
                self.modules.iter_mut().for_each(|module| module.rename(&from, &to));
                "a name everywhere"
            }
            5 => {
                let (from, to) = self.two_names(dice);
                self.modules[at].rename(&from, &to);
                "a name in one file"
            }
            _ => {
                let places = self.places;
                self.modules[at].edit(dice, places)
            }
        }
    }

    fn two_names(&self, dice: &mut Dice) -> (String, String) {
        let pool = dice.pick(&[CLASSES, FUNCTIONS, METHODS, FIELDS, VARIABLES]);
        (dice.pick(pool).to_owned(), dice.pick(pool).to_owned())
    }

    fn add(&mut self, dice: &mut Dice) -> &'static str {
        let place = dice.roll(self.places);
        self.modules.retain(|module| module.place != place);
        self.modules.push(Module::new(dice, place, self.places));
        "a file added or replaced"
    }

    fn relocate(&mut self, dice: &mut Dice, at: usize) -> &'static str {
        let place = dice.roll(self.places);
        if self.modules.iter().all(|module| module.place != place) {
            self.modules[at].place = place;
        }
        "a file moved"
    }
}

impl Module {
    fn new(dice: &mut Dice, place: usize, places: usize) -> Module {
        Module {
            place,
            imports: (0..dice.roll(5)).map(|_| Import::new(dice, places)).collect(),
            items: (0..=dice.roll(5)).map(|_| Item::new(dice, 0)).collect(),
            default: dice.some(&[CLASSES, FUNCTIONS].concat()),
            broken: false,
            package: if dice.once_in(5) { dice.roll(3) } else { 0 },
            noise: 0,
        }
    }

    fn edit(&mut self, dice: &mut Dice, places: usize) -> &'static str {
        match dice.roll(18) {
            0 => {
                self.broken = !self.broken;
                "syntax broken or repaired"
            }
            1 => {
                self.default = dice.some(&[CLASSES, FUNCTIONS].concat());
                "the default"
            }
            2 => {
                self.noise = dice.roll(9);
                "a comment"
            }
            3 => {
                self.package = dice.roll(3);
                "the package"
            }
            4..=7 => edit_list(dice, &mut self.imports, |dice| Import::new(dice, places), "an import"),
            _ => edit_items(dice, &mut self.items, 0),
        }
    }

    /// Gives what has a name another one, here and where it is used.
    fn rename(&mut self, from: &str, to: &str) {
        for import in &mut self.imports {
            swap(&mut import.name, from, to);
        }
        self.items.iter_mut().for_each(|item| item.rename(from, to));
    }
}

fn swap(name: &mut String, from: &str, to: &str) {
    if name == from {
        *name = to.to_owned();
    }
}

/// Adds, removes, replaces or moves an entry.
fn edit_list<T>(dice: &mut Dice, list: &mut Vec<T>, new: impl Fn(&mut Dice) -> T, what: &'static str) -> &'static str {
    let at = dice.roll(list.len());
    match dice.roll(4) {
        _ if list.is_empty() => list.push(new(dice)),
        0 => list.insert(at, new(dice)),
        1 => {
            list.remove(at);
        }
        2 => list[at] = new(dice),
        _ => {
            let to = dice.roll(list.len());
            list.swap(at, to);
        }
    }
    what
}

fn edit_items(dice: &mut Dice, items: &mut Vec<Item>, depth: usize) -> &'static str {
    if items.is_empty() || dice.once_in(3) {
        return edit_list(dice, items, |dice| Item::new(dice, depth), "an item");
    }
    let at = dice.roll(items.len());
    match &mut items[at] {
        Item::Class { name, bases, fields, methods } => match dice.roll(6) {
            0 => {
                *name = dice.pick(CLASSES).to_owned();
                "the name of a class"
            }
            1 => {
                edit_list(dice, bases, |dice| dice.pick(&[CLASSES, FACES].concat()).to_owned(), "the bases of a class")
            }
            2 => edit_list(dice, fields, Field::new, "a field"),
            _ => edit_functions(dice, methods),
        },
        Item::Face { name, bases, methods } => match dice.roll(4) {
            0 => {
                *name = dice.pick(FACES).to_owned();
                "the name of an interface"
            }
            1 => edit_list(dice, bases, |dice| dice.pick(FACES).to_owned(), "the bases of an interface"),
            _ => edit_functions(dice, methods),
        },
        Item::Outside { of, face, methods } => match dice.roll(4) {
            0 => {
                *of = dice.pick(CLASSES).to_owned();
                "what a block is about"
            }
            1 => {
                *face = dice.some(FACES);
                "what a block implements"
            }
            _ => edit_functions(dice, methods),
        },
        Item::Func(function) => function.edit(dice),
        Item::Variable(field) => {
            *field = Field { name: dice.pick(VARIABLES).to_owned(), ..Field::new(dice) };
            "a variable"
        }
        Item::Inner { items, .. } => edit_items(dice, items, depth + 1),
    }
}

fn edit_functions(dice: &mut Dice, functions: &mut Vec<Func>) -> &'static str {
    if functions.is_empty() || dice.once_in(3) {
        return edit_list(dice, functions, |dice| Func::new(dice, METHODS), "a method");
    }
    let at = dice.roll(functions.len());
    functions[at].edit(dice)
}

impl Func {
    fn new(dice: &mut Dice, names: &[&str]) -> Func {
        Func {
            name: dice.pick(names).to_owned(),
            params: (0..dice.roll(3)).map(|_| dice.some(&[CLASSES, FACES].concat())).collect(),
            returns: if dice.once_in(2) { dice.some(&[CLASSES, FACES].concat()) } else { None },
            locals: (0..dice.roll(3)).map(|_| local(dice)).collect(),
            result: expr(dice, 0),
        }
    }

    fn edit(&mut self, dice: &mut Dice) -> &'static str {
        match dice.roll(7) {
            0 => {
                self.name = dice.pick(&[FUNCTIONS, METHODS].concat()).to_owned();
                "the name of a function"
            }
            1 => edit_list(dice, &mut self.params, |dice| dice.some(CLASSES), "a parameter"),
            2 => {
                self.returns = dice.some(&[CLASSES, FACES].concat());
                "a return type"
            }
            3 | 4 => edit_list(dice, &mut self.locals, local, "a body"),
            _ => {
                self.result = expr(dice, 0);
                "a result"
            }
        }
    }

    fn rename(&mut self, from: &str, to: &str) {
        swap(&mut self.name, from, to);
        self.params.iter_mut().chain([&mut self.returns]).flatten().for_each(|name| swap(name, from, to));
        self.locals.iter_mut().for_each(|(_, expr)| expr.rename(from, to));
        self.result.rename(from, to);
    }
}

impl Field {
    fn new(dice: &mut Dice) -> Field {
        let ty = if dice.once_in(2) { dice.some(&[CLASSES, FACES].concat()) } else { None };
        Field { name: dice.pick(FIELDS).to_owned(), ty, init: expr(dice, 1) }
    }

    fn rename(&mut self, from: &str, to: &str) {
        swap(&mut self.name, from, to);
        self.ty.iter_mut().for_each(|name| swap(name, from, to));
        self.init.rename(from, to);
    }
}

impl Item {
    fn new(dice: &mut Dice, depth: usize) -> Item {
        let methods = |dice: &mut Dice| (0..dice.roll(4)).map(|_| Func::new(dice, METHODS)).collect();
        match dice.roll(if depth == 0 { 13 } else { 12 }) {
            0..=3 => Item::Class {
                name: dice.pick(CLASSES).to_owned(),
                bases: (0..dice.roll(3)).map(|_| dice.pick(&[CLASSES, CLASSES, FACES].concat()).to_owned()).collect(),
                fields: (0..dice.roll(3)).map(|_| Field::new(dice)).collect(),
                methods: methods(dice),
            },
            4 => Item::Face {
                name: dice.pick(FACES).to_owned(),
                bases: (0..dice.roll(2)).map(|_| dice.pick(FACES).to_owned()).collect(),
                methods: methods(dice),
            },
            5 | 6 => {
                Item::Outside { of: dice.pick(CLASSES).to_owned(), face: dice.some(FACES), methods: methods(dice) }
            }
            7 | 8 => Item::Variable(Field { name: dice.pick(VARIABLES).to_owned(), ..Field::new(dice) }),
            12 => Item::Inner {
                name: dice.pick(&["inner", "part"]).to_owned(),
                items: (0..dice.roll(3)).map(|_| Item::new(dice, depth + 1)).collect(),
            },
            _ => Item::Func(Func::new(dice, FUNCTIONS)),
        }
    }

    fn rename(&mut self, from: &str, to: &str) {
        match self {
            Item::Class { name, bases, fields, methods } => {
                bases.iter_mut().chain([name]).for_each(|name| swap(name, from, to));
                fields.iter_mut().for_each(|field| field.rename(from, to));
                methods.iter_mut().for_each(|method| method.rename(from, to));
            }
            Item::Face { name, bases, methods } => {
                bases.iter_mut().chain([name]).for_each(|name| swap(name, from, to));
                methods.iter_mut().for_each(|method| method.rename(from, to));
            }
            Item::Outside { of, face, methods } => {
                face.iter_mut().chain([of]).for_each(|name| swap(name, from, to));
                methods.iter_mut().for_each(|method| method.rename(from, to));
            }
            Item::Func(function) => function.rename(from, to),
            Item::Variable(field) => field.rename(from, to),
            Item::Inner { items, .. } => items.iter_mut().for_each(|item| item.rename(from, to)),
        }
    }
}

impl Import {
    fn new(dice: &mut Dice, places: usize) -> Import {
        use Kind::*;
        let kind = dice.pick(&[Named, Named, Named, Star, Whole, Default, Part, Part]);
        Import {
            kind,
            from: dice.roll(places),
            name: dice.pick(&[CLASSES, CLASSES, FACES, FUNCTIONS, FUNCTIONS, VARIABLES].concat()).to_owned(),
            alias: dice.once_in(4).then(|| dice.pick(&[CLASSES, FUNCTIONS, &["thing"]].concat()).to_owned()),
            again: dice.once_in(3),
            relative: dice.once_in(2),
        }
    }
}

impl Expr {
    fn rename(&mut self, from: &str, to: &str) {
        match self {
            Expr::Name(name) | Expr::New(name) => swap(name, from, to),
            Expr::Call(inner, _) => inner.rename(from, to),
            Expr::Member(inner, name) => {
                swap(name, from, to);
                inner.rename(from, to);
            }
            Expr::This => {}
        }
    }
}

fn local(dice: &mut Dice) -> (String, Expr) {
    (dice.pick(LOCALS).to_owned(), expr(dice, 0))
}

fn expr(dice: &mut Dice, depth: usize) -> Expr {
    let inner = |dice: &mut Dice| Box::new(expr(dice, depth + 1));
    match dice.roll(if depth < 4 { 12 } else { 6 }) {
        0 | 1 => Expr::New(dice.pick(CLASSES).to_owned()),
        2 => Expr::Name(dice.pick(VARIABLES).to_owned()),
        3 => Expr::Name(dice.pick(LOCALS).to_owned()),
        4 => Expr::This,
        5 | 6 => Expr::Call(Box::new(Expr::Name(dice.pick(FUNCTIONS).to_owned())), dice.roll(3)),
        7 => {
            // Through a module or a type.
            let of = dice.pick(&[CLASSES, &["thing", "inner", "part", "alpha", "beta", "gamma"]].concat());
            let name = dice.pick(&[FUNCTIONS, METHODS, VARIABLES].concat()).to_owned();
            Expr::Call(Box::new(Expr::Member(Box::new(Expr::Name(of.to_owned())), name)), dice.roll(2))
        }
        8 | 9 => Expr::Member(inner(dice), dice.pick(FIELDS).to_owned()),
        _ => Expr::Call(Box::new(Expr::Member(inner(dice), dice.pick(METHODS).to_owned())), dice.roll(3)),
    }
}
