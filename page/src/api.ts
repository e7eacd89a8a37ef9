// Questions to the server. Each is asked once per state of the index; views that show the same share the answer.
import { useEffect, useRef, useState } from "preact/hooks";
import type { Params } from "./router";
import { useVersion } from "./live";

export class Failure extends Error {
  constructor(message: string, readonly hint: string | null, readonly status: number) {
    super(message);
  }
}

const TOKEN = "codegraph-token";

/** The secret of a server that other machines reach: given once, behind the `#` of the address, or typed in. */
export function token(): string | null {
  const given = new URLSearchParams(location.hash.slice(1)).get("token");
  if (given) {
    sessionStorage.setItem(TOKEN, given);
    history.replaceState(null, "", location.pathname + location.search);
  }
  return sessionStorage.getItem(TOKEN);
}

export function keepToken(value: string): void {
  sessionStorage.setItem(TOKEN, value);
}

export function headers(): HeadersInit {
  const secret = token();
  return secret ? { authorization: `Bearer ${secret}` } : {};
}

function query(params: Params): string {
  const text = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) {
    if (Array.isArray(value)) for (const one of value) text.append(name, one);
    else if (value !== undefined && value !== null && value !== "" && value !== false) text.set(name, String(value));
  }
  return text.toString();
}

/** The frame of the page is drawn before anything is asked: where server and browser share a processor, both would wait. */
const drawn = new Promise<void>((done) => {
  requestAnimationFrame(() => setTimeout(done));
  // Nothing is drawn in a tab that nobody sees.
  setTimeout(done, document.hidden ? 0 : 150);
});

export async function ask<T>(name: string, params: Params = {}, signal?: AbortSignal): Promise<T> {
  await drawn;
  const response = await fetch(`/api/${name}?${query(params)}`, { headers: headers(), signal });
  return read<T>(response);
}

/** Changes something. */
export async function tell<T>(name: string, body: unknown): Promise<T> {
  const kind = { "content-type": "application/json" };
  const response = await fetch(`/api/${name}`, { method: "POST", headers: { ...headers(), ...kind }, body: JSON.stringify(body) });
  return read<T>(response);
}

async function read<T>(response: Response): Promise<T> {
  if (response.ok) return (await response.json()) as T;
  const said = await response.json().catch(() => ({}));
  throw new Failure(said.error ?? `the server said ${response.status}`, said.hint ?? null, response.status);
}

const MOST_KEPT = 80;
const kept = new Map<string, unknown>();
let keptFor = 0;

export interface Asked<T> {
  data?: T;
  error?: Failure;
  loading: boolean;
}

/** Asks, and asks again when the index has changed; what was known stays until the new answer is there. */
export function useAsk<T>(name: string | null, params: Params = {}): Asked<T> {
  const version = useVersion();
  if (keptFor !== version) {
    kept.clear();
    keptFor = version;
  }
  const key = name === null ? "" : `${name}?${query(params)}`;
  const [, again] = useState(0);
  const state = useRef<{ key: string; asked: Asked<T> }>({ key: "", asked: { loading: false } });
  const known = kept.get(key) as T | undefined;
  if (known !== undefined && state.current.asked.data !== known) state.current = { key, asked: { data: known, loading: false } };
  else if (state.current.key !== key) {
    const same = name !== null && state.current.key.split("?")[0] === name;
    state.current = { key, asked: { data: same ? state.current.asked.data : undefined, loading: name !== null } };
  }
  useEffect(() => {
    if (name === null || kept.has(key)) return;
    const stop = new AbortController();
    ask<T>(name, params, stop.signal).then(
      (data) => {
        if (kept.size >= MOST_KEPT) kept.delete(kept.keys().next().value as string);
        kept.set(key, data);
        state.current = { key, asked: { data, loading: false } };
        again((n) => n + 1);
      },
      (error: unknown) => {
        if (stop.signal.aborted) return;
        const failure = error instanceof Failure ? error : new Failure("the server does not answer", "is it still running?", 0);
        state.current = { key, asked: { error: failure, loading: false } };
        again((n) => n + 1);
      },
    );
    return () => stop.abort();
  }, [key, version]);
  return state.current.asked;
}
