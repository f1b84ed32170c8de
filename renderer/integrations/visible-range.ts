/** Which rows of equal height are in sight, with a few before and after, so that fast scrolling shows no gaps. */
export function visibleRange(
  scrollTop: number,
  height: number,
  rowHeight: number,
  count: number,
  extra = 6,
): { first: number; end: number } {
  const first = Math.max(0, Math.min(count, Math.floor(scrollTop / rowHeight) - extra));
  const end = Math.min(count, Math.ceil((scrollTop + height) / rowHeight) + extra);
  return { first, end: Math.max(first, end) };
}
