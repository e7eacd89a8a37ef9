// The visible nodes of a syntax tree as a flat list, in the order of the text.
//
// Compiled against the parser's own headers, so that it always fits the version that is linked. Says exactly what a
// tree cursor would say; a cursor finds its way again at every step, which costs a third of what parsing costs.

#include "language.h"
#include "subtree.h"
#include "tree.h"

// The same as `Node` in nodes.rs.
typedef struct {
  uint32_t start;
  uint32_t end;
  uint32_t children;
  uint32_t descendants;
  uint16_t kind;
  uint16_t field;
  bool missing;
} FlatNode;

// A node whose children are being listed.
typedef struct {
  const Subtree *next;
  const Subtree *end;
  // Where the next child begins.
  uint32_t position;
  // Number of the next child, those left out that may stand anywhere.
  uint32_t structural_index;
  const TSSymbol *aliases;
  const TSFieldMapEntry *fields;
  const TSFieldMapEntry *fields_end;
  // The field of a hidden node is that of its children.
  TSFieldId hidden_field;
} Level;

static inline Level level_of(const TSLanguage *language, Subtree subtree, uint32_t start, TSFieldId hidden_field) {
  Level level = {
    .next = ts_subtree_children(subtree),
    .position = start,
    .aliases = ts_language_alias_sequence(language, subtree.ptr->production_id),
    .hidden_field = hidden_field,
  };
  level.end = level.next + subtree.ptr->child_count;
  ts_language_field_map(language, subtree.ptr->production_id, &level.fields, &level.fields_end);
  return level;
}

static inline TSFieldId field_of(const Level *level) {
  for (const TSFieldMapEntry *entry = level->fields; entry < level->fields_end; entry++) {
    if (!entry->inherited && entry->child_index == level->structural_index) return entry->field_id;
  }
  return level->hidden_field;
}

static inline FlatNode flat_node(const TSLanguage *language, Subtree subtree, TSSymbol alias, TSFieldId field, uint32_t start) {
  TSSymbol symbol = alias ? alias : ts_subtree_symbol(subtree);
  return (FlatNode) {
    .start = start,
    .end = start + ts_subtree_size(subtree).bytes,
    .children = ts_subtree_visible_child_count(subtree),
    .descendants = ts_subtree_visible_descendant_count(subtree),
    .kind = symbol == ts_builtin_sym_error ? symbol : language->public_symbol_map[symbol],
    .field = field,
    .missing = ts_subtree_missing(subtree),
  };
}

// Writes at most `capacity` nodes, the root first, and returns how many.
uint32_t codegraph_list_nodes(TSNode root, FlatNode *out, uint32_t capacity) {
  const TSLanguage *language = root.tree->language;
  Subtree subtree = *(const Subtree *)root.id;
  if (capacity == 0) return 0;
  uint32_t count = 0;
  out[count++] = flat_node(language, subtree, root.context[3], 0, root.context[0]);
  if (ts_subtree_visible_child_count(subtree) == 0) return count;
  Level level = level_of(language, subtree, root.context[0], 0);
  // Not recursive, because code may be nested without end.
  Array(Level) outer = array_new();
  while (count < capacity) {
    if (level.next == level.end) {
      if (outer.size == 0) break;
      level = array_pop(&outer);
      continue;
    }
    Subtree child = *level.next++;
    uint32_t start = level.position;
    level.position += ts_subtree_size(child).bytes;
    if (level.next < level.end) level.position += ts_subtree_padding(*level.next).bytes;
    TSSymbol alias = 0;
    TSFieldId field = 0;
    if (!ts_subtree_extra(child)) {
      if (level.aliases) alias = level.aliases[level.structural_index];
      field = field_of(&level);
      level.structural_index++;
    }
    bool visible = alias || ts_subtree_visible(child);
    if (visible) out[count++] = flat_node(language, child, alias, field, start);
    if (ts_subtree_visible_child_count(child) > 0) {
      if (level.next < level.end) array_push(&outer, level);
      level = level_of(language, child, start, visible ? 0 : field);
    }
  }
  array_delete(&outer);
  return count;
}
