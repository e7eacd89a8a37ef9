// A box to pick a symbol by typing a part of its name.
import { useState } from "preact/hooks";
import { useAsk } from "./api";
import type { Find } from "./types";
import { Kind } from "./ui";

export function Picker({ label, value, onPick, shown }: { label: string; value: string; onPick: (id: string) => void; shown?: string }) {
  const [typed, set] = useState<string | null>(null);
  const [at, setAt] = useState(0);
  const found = useAsk<Find>(typed?.trim() ? "find" : null, { name: typed?.trim() ?? "", mode: "contains", limit: 12 });
  const named = useAsk<{ symbol?: { fqn: string } }>(value && shown === undefined ? "get" : null, { symbol: value });
  const rows = typed?.trim() ? (found.data?.symbols ?? []) : [];
  const list = `pick-${label.replaceAll(" ", "-").toLowerCase()}`;
  const pick = (id: string | undefined) => {
    if (!id) return;
    set(null);
    onPick(id);
  };
  const press = (event: KeyboardEvent) => {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      const step = event.key === "ArrowDown" ? 1 : -1;
      setAt(Math.max(0, Math.min(rows.length - 1, at + step)));
    } else if (event.key === "Enter") {
      event.preventDefault();
      pick(rows[at]?.symbol_id ?? (typed?.trim() || undefined));
    } else if (event.key === "Escape") set(null);
  };
  return (
    <div class="picker">
      <label>{label}{" "}
        <input
          type="text" class="mono" role="combobox" aria-expanded={rows.length > 0} aria-controls={list} aria-autocomplete="list" autocomplete="off" spellcheck={false}
          placeholder="a part of its name" value={typed ?? shown ?? named.data?.symbol?.fqn ?? value}
          onInput={(event) => { set(event.currentTarget.value); setAt(0); }} onKeyDown={press} onBlur={() => setTimeout(() => set(null), 200)}
        />
      </label>
      <ul id={list} role="listbox" aria-label={label} hidden={rows.length === 0}>
        {rows.map((one, i) => (
          <li key={one.symbol_id} role="option" aria-selected={i === at} onMouseDown={() => pick(one.symbol_id)}>
            <Kind kind={one.kind} /><span class="mono">{one.fqn}</span><span class="quiet mono">{one.file}:{one.line_number}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
