// Tells views that the index has changed. Read with fetch and not as an EventSource, which cannot send a token.
import { useEffect, useState } from "preact/hooks";
import { headers } from "./api";

export interface Change {
  added: string[];
  changed: string[];
  removed: string[];
}

export type Connection = "open" | "lost";

let version = 1;
let connection: Connection = "open";
let last: Change | null = null;
const listeners = new Set<() => void>();

function tell(): void {
  for (const one of listeners) one();
}

function useAgain(): void {
  const [, again] = useState(0);
  useEffect(() => {
    const one = () => again((n) => n + 1);
    listeners.add(one);
    return () => void listeners.delete(one);
  }, []);
}

/** A number that grows when the index changes. */
export function useVersion(): number {
  useAgain();
  return version;
}

export function useConnection(): { connection: Connection; last: Change | null } {
  useAgain();
  return { connection, last };
}

/** All that is known is old: something was written, or the connection was lost for a while. */
export function refresh(): void {
  version += 1;
  tell();
}

function set(now: Connection): void {
  if (now === connection) return;
  connection = now;
  if (now === "open") version += 1;
  tell();
}

async function listen(signal: AbortSignal): Promise<void> {
  const response = await fetch("/api/events", { headers: headers(), signal });
  if (!response.ok || !response.body) throw new Error(String(response.status));
  set("open");
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    text += value;
    const messages = text.split("\n\n");
    text = messages.pop() ?? "";
    for (const message of messages) {
      const lines = message.split("\n");
      if (!lines.includes("event: change")) continue;
      const data = lines.find((line) => line.startsWith("data: "));
      last = data ? (JSON.parse(data.slice(6)) as Change) : null;
      refresh();
    }
  }
}

const AGAIN_AFTER = 2000;

/** A browser opens few connections to one server: tabs that nobody sees give theirs back. */
function untilSeen(): Promise<void> {
  if (!document.hidden) return Promise.resolve();
  return new Promise((done) => {
    const look = () => {
      if (document.hidden) return;
      document.removeEventListener("visibilitychange", look);
      refresh();
      done();
    };
    document.addEventListener("visibilitychange", look);
  });
}

/** Listens for as long as the page is there. */
export async function start(): Promise<never> {
  for (;;) {
    await untilSeen();
    const stop = new AbortController();
    const hide = () => document.hidden && stop.abort();
    document.addEventListener("visibilitychange", hide);
    try {
      await listen(stop.signal);
    } catch {
      // Said below, and tried again.
    }
    document.removeEventListener("visibilitychange", hide);
    if (stop.signal.aborted) continue;
    set("lost");
    await new Promise((done) => setTimeout(done, AGAIN_AFTER));
  }
}
