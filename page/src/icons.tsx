// Icons as strokes on a grid of 20.
const PATHS: Record<string, string> = {
  "/": "M3 10.5 10 4l7 6.5M5.5 9v7.5h9V9M8.5 16.5V12h3v4.5",
  "/search": "M9 15a6 6 0 1 0 0-12 6 6 0 0 0 0 12zM17 17l-3.7-3.7",
  "/tree": "M3 4.5h5M3 10h9M3 15.5h7M14 4.5h3M15 10h2M13 15.5h4",
  "/graph": "M5.5 7 9 13M14.5 7 11 13M7 5.5h6M5 7.5a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM15 7.5a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM10 17a2.3 2.3 0 1 0 0-4.6 2.3 2.3 0 0 0 0 4.6z",
  "/impact": "M10 12.2a2.2 2.2 0 1 0 0-4.4 2.2 2.2 0 0 0 0 4.4zM5.7 14.3a6 6 0 0 1 0-8.6M14.3 5.7a6 6 0 0 1 0 8.6M3 17a10 10 0 0 1 0-14M17 3a10 10 0 0 1 0 14",
  "/map": "M3 5.5 8 3.5l4 2 5-2v11l-5 2-4-2-5 2zM8 3.5v11M12 5.5v11",
  "/sql": "M10 7.5c3.6 0 6-1 6-2.2S13.600 3 10 3 4 4 4 5.300s2.400 2.200 6 2.200zM4 5.300v9.400C4 16 6.400 17 10 17s6-1 6-2.300V5.300M4 10c0 1.300 2.400 2.300 6 2.300s6-1 6-2.300",
  "/docs": "M5 3h7l3.500 3.500V17H5zM12 3v3.500h3.500M7.500 10h5M7.500 13h5",
  "theme-system": "M3 4.500h14v9H3zM8 17h4M10 13.500V17",
  "theme-light": "M10 13a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM10 2.500v1.800M10 15.700v1.800M2.500 10h1.800M15.700 10h1.800M4.700 4.700 6 6M14 14l1.300 1.300M15.300 4.700 14 6M6 14l-1.300 1.300",
  "theme-dark": "M16.500 12A7 7 0 0 1 8 3.500 7 7 0 1 0 16.500 12z",
};

export function Icon({ name }: { name: string }) {
  return (
    <svg class="glyph" viewBox="0 0 20 20" width="18" height="18" fill="none" stroke="currentColor" stroke-width="1.5" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">
      <path d={PATHS[name] ?? ""} />
    </svg>
  );
}
