//! How a language writes types in documentation comments: its tags, and words that are no names of types.

/// The tags and words of documentation comments.
#[derive(Clone, Copy, Debug)]
pub struct DocTypes {
    pub order: DocOrder,
    pub tags: &'static [(&'static str, DocTag)],
    /// What analysers put before their own variants of a tag.
    pub prefixes: &'static [&'static str],
    /// Types that are words of the language.
    pub basics: &'static [&'static str],
    /// Types that hold items of their last argument.
    pub lists: &'static [&'static str],
}

/// What stands after a tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DocOrder {
    /// `@param Type $name`
    TypeThenName,
    /// `@param name [Type]` or `@param [Type] name`
    Bracketed,
    /// `@param {Type} name` or `@param {Type} [name=default]`
    Braced,
}

/// What a tag says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DocTag {
    Param,
    Returns,
    Variable,
    /// A field that is defined nowhere else.
    Property,
    /// A method that is defined nowhere else.
    Method,
    /// A type whose members the type has too.
    Mixin,
    /// A type parameter.
    Template,
    /// A type that is defined nowhere else, with its members in tags of their own.
    Typedef,
    /// A type of functions that is defined nowhere else.
    Callback,
    /// Names that only comments use, from another file.
    Import,
}
