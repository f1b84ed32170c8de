/** Whether a JSON value has more levels of arrays and objects than that. Without recursion, which such a value ends. */
export function isDeeperThan(value: unknown, levels: number): boolean {
  let level = containers([value]);
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth === levels) return true;
    level = containers(level.flatMap((container): unknown[] => Object.values(container)));
  }
  return false;
}

function containers(values: readonly unknown[]): readonly object[] {
  return values.filter((value): value is object => typeof value === 'object' && value !== null);
}
