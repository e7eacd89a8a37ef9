// Where the page is: a path and its parameters, both in the address, so that every view can be sent and reloaded.
import { useEffect, useState } from "preact/hooks";

export type Params = Record<string, string | number | boolean | string[] | undefined | null>;

export interface Place {
  path: string;
  params: URLSearchParams;
  hash: string;
}

const listeners = new Set<() => void>();

function here(): Place {
  return { path: location.pathname, params: new URLSearchParams(location.search), hash: location.hash.slice(1) };
}

let place = here();

function moved(): void {
  place = here();
  for (const tell of listeners) tell();
}

addEventListener("popstate", moved);

/** An address of the page. What is empty is left out. */
export function href(path: string, params: Params = {}, hash = ""): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) {
    if (Array.isArray(value)) for (const one of value) query.append(name, one);
    else if (value !== undefined && value !== null && value !== "" && value !== false) query.set(name, String(value));
  }
  const text = query.toString();
  return path + (text ? `?${text}` : "") + (hash ? `#${hash}` : "");
}

/** Goes somewhere. Something typed replaces what was typed before: nobody goes back letter by letter. */
export function go(to: string, replace = false): void {
  if (replace) history.replaceState(null, "", to);
  else {
    history.pushState(null, "", to);
    if (!to.includes("#")) scrollTo(0, 0);
  }
  moved();
}

/** Changes some parameters of the view that is shown. */
export function change(params: Params, replace = true): void {
  const all: Params = {};
  for (const name of new Set(place.params.keys())) {
    const values = place.params.getAll(name);
    all[name] = values.length > 1 ? values : values[0];
  }
  go(href(place.path, { ...all, ...params }), replace);
}

export function usePlace(): Place {
  const [, again] = useState(0);
  useEffect(() => {
    const tell = () => again((n) => n + 1);
    listeners.add(tell);
    return () => void listeners.delete(tell);
  }, []);
  return place;
}

/** Links of the page stay in it. */
document.addEventListener("click", (event) => {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  const link = (event.target as Element).closest?.("a[href]");
  if (!(link instanceof HTMLAnchorElement) || link.origin !== location.origin || link.hasAttribute("download")) return;
  if (link.pathname.startsWith("/api")) return;
  event.preventDefault();
  go(link.pathname + link.search + link.hash);
});
