//! Markdown: an outline of headings, prose and code.

use codegraph_model::ScopeKind;

use crate::table::*;

pub(crate) static LANGUAGE: Language = Language {
    name: "markdown",
    exchanged: "Markdown",
    extensions: &["md", "markdown"],
    grammar: || tree_sitter_md::LANGUAGE.into(),
    rules: &[RULES],
    separator: " > ",
    modules: ModuleScheme::FilePath,
    prose: true,
    ..Language::DEFAULT
};

static RULES: &[Rule] = &[
    on(&["document", "inline", "paragraph"], Act::Prose),
    // The grammar has no sections for underlined headings.
    on(&["atx_heading", "setext_heading"], Act::Heading).field("heading_content", Slot::Name),
    on(&["atx_h1_marker", "setext_h1_underline"], Act::Level(1)),
    on(&["atx_h2_marker", "setext_h2_underline"], Act::Level(2)),
    on(&["atx_h3_marker"], Act::Level(3)),
    on(&["atx_h4_marker"], Act::Level(4)),
    on(&["atx_h5_marker"], Act::Level(5)),
    on(&["atx_h6_marker"], Act::Level(6)),
    on(&["block_quote", "list_item"], Act::Scope(ScopeKind::Block)),
    on(&["code_fence_content", "indented_code_block", "minus_metadata", "plus_metadata"], Act::Raw),
];
