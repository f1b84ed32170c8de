/** Approximate JSON overhead of a node. */
const nodeSize = 4;

/**
 * Approximate size of a JSON value in characters, and whether it is nested deeper than `depth` levels. Not recursive: a
 * value may be nested deeper than the stack.
 */
export function measureJson(value: unknown, depth: number): { readonly isTooDeep: boolean; readonly size: number } {
  let size = 0;
  let level: unknown[] = [value];
  for (let levels = 0; level.length > 0; levels += 1) {
    const next: unknown[] = [];
    for (const node of level) {
      size += nodeSize;
      if (typeof node === 'string') size += node.length;
      if (typeof node !== 'object' || node === null) continue;
      if (levels >= depth) return { isTooDeep: true, size };
      if (Array.isArray(node)) {
        for (const member of node) next.push(member);
        continue;
      }
      for (const [name, member] of Object.entries(node)) {
        size += name.length;
        next.push(member);
      }
    }
    level = next;
  }
  return { isTooDeep: false, size };
}
