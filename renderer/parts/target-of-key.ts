/**
 * Where a key leads in a list of `count`, from the one that is chosen (-1: none); `page`: rows in sight, where the list
 * turns pages.
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
