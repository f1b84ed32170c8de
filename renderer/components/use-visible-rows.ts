import { useCallback, useLayoutEffect, useRef, useState } from 'react';
import type { RefObject } from 'react';

/** A thousand rows at once would freeze the window; beyond this, the user searches by name. */
export const maxRows = 50;
/** With more rows than this, a search field appears. */
export const searchThreshold = 15;

interface VisibleRows {
  readonly ref: RefObject<HTMLDivElement | null>;
  readonly first: number;
  readonly end: number;
  readonly onScroll: () => void;
  /** Scrolls as little as necessary. */
  readonly reveal: (index: number) => void;
}

/**
 * Renders only the visible rows of a long list, so 1,000 entries cost as much as 20. With `isHorizontal`, the rows are
 * columns and `rowHeight` is their width.
 */
export function useVisibleRows(count: number, rowHeight: number, isHorizontal = false): VisibleRows {
  const ref = useRef<HTMLDivElement | null>(null);
  const [range, setRange] = useState({ first: 0, end: Math.min(count, 30) });
  const measure = useCallback(() => {
    const box = ref.current;
    if (box === null) return;
    const [offset, extent] = isHorizontal ? [box.scrollLeft, box.clientWidth] : [box.scrollTop, box.clientHeight];
    const next = visibleRange(offset, extent, rowHeight, count);
    setRange((now) => (now.first === next.first && now.end === next.end ? now : next));
  }, [count, rowHeight, isHorizontal]);
  useLayoutEffect(() => {
    measure();
    const box = ref.current;
    if (box === null) return;
    const observer = new ResizeObserver(measure);
    observer.observe(box);
    return () => observer.disconnect();
  }, [measure]);
  const reveal = useCallback(
    (index: number) => {
      const box = ref.current;
      if (box === null || index < 0) return;
      const top = index * rowHeight;
      if (top < box.scrollTop) box.scrollTop = top;
      else if (top + rowHeight > box.scrollTop + box.clientHeight) box.scrollTop = top + rowHeight - box.clientHeight;
      measure();
    },
    [measure, rowHeight],
  );
  return { ref, ...range, onScroll: measure, reveal };
}

/** Rows on both sides of the visible ones, so that fast scrolling shows no gaps. */
const extra = 6;

/** Indexes of the visible rows of equal height, with some on both sides. */
export function visibleRange(
  scrollTop: number,
  height: number,
  rowHeight: number,
  count: number,
): { first: number; end: number } {
  const first = Math.max(0, Math.min(count, Math.floor(scrollTop / rowHeight) - extra));
  const end = Math.min(count, Math.ceil((scrollTop + height) / rowHeight) + extra);
  return { first, end: Math.max(first, end) };
}

/**
 * Index that a key moves to in a list of `count`, from `selected` (-1: none). `page`: visible rows, if the list
 * supports Page keys.
 */
export function targetOfKey(
  key: string,
  selected: number,
  page: number | undefined,
  count: number,
): number | undefined {
  const last = count - 1;
  switch (key) {
    case 'ArrowDown':
      return Math.min(last, selected + 1);
    case 'ArrowUp':
      return Math.max(0, selected - 1);
    case 'PageDown':
      return page && Math.min(last, selected + page);
    case 'PageUp':
      return page && Math.max(0, selected - page);
    case 'Home':
      return 0;
    case 'End':
      return last;
    default:
      return undefined;
  }
}
