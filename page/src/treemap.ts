// Rectangles whose areas are weights, as square as they can be (Bruls, Huizing, van Wijk).

export interface Box {
  x: number;
  y: number;
  w: number;
  h: number;
}

/** Places all items with a weight; the same items give the same places. */
export function squarified<T>(items: T[], weight: (item: T) => number, room: Box): { item: T; box: Box }[] {
  const sorted = items.filter((item) => weight(item) > 0).sort((a, b) => weight(b) - weight(a));
  const all = sorted.reduce((sum, item) => sum + weight(item), 0);
  const scale = (room.w * room.h) / (all || 1);
  const placed: { item: T; box: Box }[] = [];
  let free = { ...room };
  let start = 0;
  while (start < sorted.length) {
    const side = Math.min(free.w, free.h);
    let end = start + 1;
    let sum = weight(sorted[start]!) * scale;
    let worst = ratio(sum, sum, sum, side);
    while (end < sorted.length) {
      const next = weight(sorted[end]!) * scale;
      const with_ = ratio(sum + next, weight(sorted[start]!) * scale, next, side);
      if (with_ > worst) break;
      worst = with_;
      sum += next;
      end++;
    }
    free = row(sorted.slice(start, end), weight, scale, sum, free, placed);
    start = end;
  }
  return placed;
}

/** How far the worst of a row is from a square. */
function ratio(sum: number, largest: number, smallest: number, side: number): number {
  const square = side * side;
  return Math.max((square * largest) / (sum * sum), (sum * sum) / (square * smallest));
}

/** Places a row along the shorter side, and says what is left. */
function row<T>(items: T[], weight: (item: T) => number, scale: number, sum: number, free: Box, placed: { item: T; box: Box }[]): Box {
  const wide = free.w >= free.h;
  const depth = sum / ((wide ? free.h : free.w) || 1);
  let at = wide ? free.y : free.x;
  for (const item of items) {
    const length = (weight(item) * scale) / (depth || 1);
    placed.push({ item, box: wide ? { x: free.x, y: at, w: depth, h: length } : { x: at, y: free.y, w: length, h: depth } });
    at += length;
  }
  return wide ? { x: free.x + depth, y: free.y, w: free.w - depth, h: free.h } : { x: free.x, y: free.y + depth, w: free.w, h: free.h - depth };
}
