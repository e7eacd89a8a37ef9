// Keys that work everywhere, as long as nothing is being typed.
import { useEffect } from "preact/hooks";
import { go } from "./router";

export const VIEWS = [
  ["/", "Overview", "o"],
  ["/search", "Search", "s"],
  ["/tree", "Tree", "t"],
  ["/graph", "Graph", "g"],
  ["/impact", "Impact", "i"],
  ["/map", "Map", "m"],
  ["/sql", "SQL", "q"],
  ["/docs", "Docs", "d"],
] as const;

export function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));
}

/** `g` and a letter goes to a view, `/` to the search, `?` shows the keys. */
export function useKeys(help: () => void): void {
  useEffect(() => {
    let waiting = 0;
    const press = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      const goes = Date.now() - waiting < 1200;
      waiting = 0;
      if (event.key === "/") {
        event.preventDefault();
        document.getElementById("search-box")?.focus();
      } else if (event.key === "?") help();
      else if (goes) {
        const view = VIEWS.find(([, , key]) => key === event.key);
        if (view) go(view[0]);
      } else if (event.key === "g") waiting = Date.now();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, []);
}
