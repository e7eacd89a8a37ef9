//! Java, C#, Kotlin and PHP: declared packages, types in files, members written in braces.

use super::{Style, Tongue, indent, is_type, stem};
use crate::world::{Field, Func, Import, Item, Kind, Module};

const PLAIN: Style = Style { this: "this", new: |name| format!("new {name}()"), member: ".", path: ".", sigil: "" };

/// What differs between these languages.
struct Words {
    style: Style,
    package: fn(&str) -> String,
    import: fn(&str, &Import, &str) -> String,
    /// Name of the class that holds functions and variables; none where they stand alone.
    holder: bool,
    face: &'static str,
    class: fn(&str, &[String]) -> String,
    function: fn(&Func, &str) -> String,
    field: fn(&Field, &str) -> String,
    local: fn(&str, &str) -> String,
    outside: fn(&str, &Func, &str) -> String,
}

pub(crate) const JAVA: Tongue = Tongue {
    name: "java",
    places: &[
        "src/main/java/app/Alpha.java", "src/main/java/app/Beta.java", "src/main/java/app/Ant.java",
        "src/main/java/app/part/Gamma.java", "src/main/java/app/part/Delta.java", "src/test/java/app/AlphaTest.java",
        "lib/Util.java",
    ],
    render: |path, places, module| render(path, places, module, &JAVA_WORDS),
    manifests: no_manifest,
    breaks: "class Broken { void ( { ((\n",
};

const JAVA_WORDS: Words = Words {
    style: PLAIN,
    package: |name| format!("package {name};\n"),
    import: |from, import, holder| match import.kind {
        Kind::Named => format!("import {from}.{};\n", if is_type(&import.name) { &import.name } else { holder }),
        Kind::Star => format!("import {from}.*;\n"),
        Kind::Default => format!("import static {from}.{holder}.{};\n", import.name),
        Kind::Whole => format!("import static {from}.{holder}.*;\n"),
        Kind::Part => format!("import {from}.{holder};\n"),
    },
    holder: true,
    face: "interface",
    class: |name, bases| {
        let base = bases.first().map_or(String::new(), |base| format!(" extends {base}"));
        let face = bases.get(1).map_or(String::new(), |face| format!(" implements {face}"));
        format!("class {name}{base}{face}")
    },
    function: |function, body| {
        let params = function.params.iter().enumerate();
        let params = params.map(|(i, ty)| format!("{} {}", ty.as_deref().unwrap_or("int"), ["a", "b", "c"][i % 3]));
        let params: Vec<String> = params.collect();
        let returns = function.returns.as_deref().unwrap_or("Object");
        format!("public {returns} {}({}) {{\n{}}}\n", function.name, params.join(", "), indent(body))
    },
    field: |field, init| format!("static {} {} = {init};\n", field.ty.as_deref().unwrap_or("Object"), field.name),
    local: |name, init| format!("var {name} = {init};\n"),
    outside: |_, _, _| String::new(),
};

pub(crate) const CSHARP: Tongue = Tongue {
    name: "csharp",
    places: &["App/Alpha.cs", "App/Beta.cs", "App/Part/Gamma.cs", "App/Part/Delta.cs", "Lib/Util.cs", "Top.cs"],
    render: |path, places, module| render(path, places, module, &CSHARP_WORDS),
    manifests: no_manifest,
    breaks: "class Broken { void ( { ((\n",
};

const CSHARP_WORDS: Words = Words {
    package: |name| format!("namespace {name};\n"),
    import: |from, import, holder| match import.kind {
        Kind::Named => format!("using {} = {from}.{};\n", import.alias.as_deref().unwrap_or("Thing"), import.name),
        Kind::Default => format!("using static {from}.{holder};\n"),
        _ => format!("using {from};\n"),
    },
    class: |name, bases| {
        let bases = if bases.is_empty() { String::new() } else { format!(" : {}", bases.join(", ")) };
        format!("public partial class {name}{bases}")
    },
    outside: |of, function, body| {
        format!(
            "public static class On{of} {{\n    public static Ant {}(this {of} own) {{\n{body}    }}\n}}\n",
            function.name
        )
    },
    ..JAVA_WORDS
};

pub(crate) const KOTLIN: Tongue = Tongue {
    name: "kotlin",
    places: &["app/Alpha.kt", "app/Beta.kt", "app/part/Gamma.kt", "app/part/Delta.kt", "lib/Util.kt", "Top.kt"],
    render: |path, places, module| render(path, places, module, &KOTLIN_WORDS),
    manifests: no_manifest,
    breaks: "class Broken { fun ( { ((\n",
};

const KOTLIN_WORDS: Words = Words {
    style: Style { new: |name| format!("{name}()"), ..PLAIN },
    package: |name| format!("package {name}\n"),
    import: |from, import, _| match import.kind {
        Kind::Star | Kind::Whole => format!("import {from}.*\n"),
        _ => match &import.alias {
            Some(alias) => format!("import {from}.{} as {alias}\n", import.name),
            None => format!("import {from}.{}\n", import.name),
        },
    },
    holder: false,
    class: |name, bases| {
        let bases = if bases.is_empty() { String::new() } else { format!(" : {}()", bases.join("(), ")) };
        format!("open class {name}{bases}")
    },
    function: kotlin_function,
    field: |field, init| {
        let ty = field.ty.as_ref().map_or(String::new(), |ty| format!(": {ty}"));
        format!("val {}{ty} = {init}\n", field.name)
    },
    local: |name, init| format!("val {name} = {init}\n"),
    outside: |of, function, body| {
        kotlin_function(&Func { name: format!("{of}.{}", function.name), ..function.clone() }, body)
    },
    ..JAVA_WORDS
};

fn kotlin_function(function: &Func, body: &str) -> String {
    let params = function.params.iter().enumerate();
    let params = params.map(|(i, ty)| format!("{}: {}", ["a", "b", "c"][i % 3], ty.as_deref().unwrap_or("Int")));
    let params: Vec<String> = params.collect();
    let returns = function.returns.as_ref().map_or(String::new(), |ty| format!(": {ty}"));
    format!("fun {}({}){returns} {{\n{}}}\n", function.name, params.join(", "), indent(body))
}

pub(crate) const PHP: Tongue = Tongue {
    name: "php",
    places: &["src/Alpha.php", "src/Ant.php", "src/Part/Bee.php", "src/Part/Gamma.php", "lib/Util.php", "top.php"],
    render: |path, places, module| format!("<?php\n{}", render(path, places, module, &PHP_WORDS)),
    manifests: |variant| match variant {
        0 => vec![("composer.json", "{\"name\": \"me/one\", \"autoload\": {\"psr-4\": {\"App\\\\\": \"src/\"}}}")],
        1 => vec![("composer.json", "{\"name\": \"me/one\"}")],
        _ => vec![],
    },
    breaks: "class Broken { function ( { ((\n",
};

const PHP_WORDS: Words = Words {
    style: Style { this: "$this", new: |name| format!("(new {name}())"), member: "->", path: "::", sigil: "$" },
    package: |name| format!("namespace {};\n", name.replace('.', "\\")),
    import: |from, import, _| {
        let from = from.replace('.', "\\");
        let alias = import.alias.as_ref().map_or(String::new(), |alias| format!(" as {alias}"));
        match import.kind {
            Kind::Default => format!("use function {from}\\{}{alias};\n", import.name),
            Kind::Part => format!("require_once __DIR__ . '/../{from}.php';\n"),
            _ => format!("use {from}\\{}{alias};\n", import.name),
        }
    },
    holder: false,
    function: |function, body| {
        let params = function.params.iter().enumerate();
        let params = params.map(|(i, ty)| format!("{} ${}", ty.as_deref().unwrap_or(""), ["a", "b", "c"][i % 3]));
        let params: Vec<String> = params.collect();
        let returns = function.returns.as_ref().map_or(String::new(), |ty| format!(": {ty}"));
        format!("function {}({}){returns} {{\n{}}}\n", function.name, params.join(", "), indent(body))
    },
    field: |field, init| format!("public {} ${} = {init};\n", field.ty.as_deref().unwrap_or(""), field.name),
    local: |name, init| format!("${name} = {init};\n"),
    ..JAVA_WORDS
};

fn no_manifest(_: usize) -> Vec<(&'static str, &'static str)> {
    Vec::new()
}

fn package(path: &str) -> &'static str {
    let path = path.to_lowercase();
    if path.contains("/part/") {
        "app.part"
    } else if path.contains("app/") || path.contains("src/") {
        "app"
    } else {
        ""
    }
}

fn render(path: &str, places: &[&str], module: &Module, words: &Words) -> String {
    let mut text = format!("// Noise {}.\n", module.noise);
    let package = match module.package {
        1 => "other",
        2 => "",
        _ => package(path),
    };
    if !package.is_empty() {
        text.push_str(&(words.package)(package));
    }
    for import in &module.imports {
        let from = places[import.from];
        let package = self::package(from);
        text.push_str(&(words.import)(if package.is_empty() { "other" } else { package }, import, stem(from)));
    }
    let (mut held, mut rest) = (String::new(), String::new());
    for item in &module.items {
        let out = if matches!(item, Item::Func(_) | Item::Variable(_)) { &mut held } else { &mut rest };
        out.push_str(&self::item(item, words));
    }
    text.push_str(&rest);
    if words.holder {
        let bases: Vec<String> = module.default.iter().filter(|name| is_type(name)).cloned().collect();
        text.push_str(&format!("{} {{\n{}}}\n", (words.class)(stem(path), &bases), indent(&held)));
    } else {
        text.push_str(&held);
    }
    text
}

fn item(item: &Item, words: &Words) -> String {
    let function = |one: &Func| (words.function)(one, &body(one, words));
    match item {
        Item::Class { name, bases, fields, methods } => {
            let fields: String = fields.iter().map(|one| (words.field)(one, &words.style.expr(&one.init))).collect();
            let methods: String = methods.iter().map(function).collect();
            format!("{} {{\n{}}}\n", (words.class)(name, bases), indent(&(fields + &methods)))
        }
        Item::Face { name, bases, methods } => {
            let head = bases.first().map_or(String::new(), |base| match words.holder {
                true => format!(" extends {base}"),
                false => format!(" : {base}"),
            });
            let methods: String = methods.iter().map(function).collect();
            format!("{} {name}{head} {{\n{}}}\n", words.face, indent(&methods))
        }
        Item::Outside { of, methods, .. } => {
            methods.iter().map(|one| (words.outside)(of, one, &body(one, words))).collect()
        }
        Item::Func(one) => function(one),
        Item::Variable(one) => (words.field)(one, &words.style.expr(&one.init)),
        Item::Inner { name, items } => {
            let items: String = items.iter().map(|one| self::item(one, words)).collect();
            format!("{} {{\n{}}}\n", (words.class)(name, &[]), indent(&items))
        }
    }
}

fn body(function: &Func, words: &Words) -> String {
    let locals = function.locals.iter().map(|(name, expr)| (words.local)(name, &words.style.expr(expr)));
    let result = format!("return {};\n", words.style.expr(&function.result));
    locals.chain([result]).collect()
}
