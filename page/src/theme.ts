// Light, dark, or what the system says.
export type Theme = "system" | "light" | "dark";

const KEY = "codegraph-theme";
const system = matchMedia("(prefers-color-scheme: dark)");

export function theme(): Theme {
  const kept = localStorage.getItem(KEY);
  return kept === "light" || kept === "dark" ? kept : "system";
}

export function isDark(): boolean {
  return theme() === "dark" || (theme() === "system" && system.matches);
}

export function setTheme(next: Theme): void {
  if (next === "system") localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, next);
  apply();
}

export function apply(): void {
  document.documentElement.dataset.theme = isDark() ? "dark" : "light";
  dispatchEvent(new Event("themechange"));
}

system.addEventListener("change", apply);
