/** Above zero: `left` is the newer one (semver 2.0.0, 11). Build metadata does not count. Not a version: the oldest. */
export function compareVersions(left: string, right: string): number {
  const [a, b] = [parse(left), parse(right)];
  if (!a || !b) return (a ? 1 : 0) - (b ? 1 : 0);
  for (const [index, number] of a.core.entries()) {
    const difference = number - (b.core[index] ?? 0);
    if (difference !== 0) return difference;
  }
  // A version without a pre-release part is newer than one with.
  if (a.pre.length === 0 || b.pre.length === 0) return b.pre.length - a.pre.length;
  for (let index = 0; index < Math.max(a.pre.length, b.pre.length); index += 1) {
    const difference = comparePart(a.pre[index], b.pre[index]);
    if (difference !== 0) return difference;
  }
  return 0;
}

function parse(text: string): { readonly core: readonly number[]; readonly pre: readonly string[] } | undefined {
  const match = /^(\d{1,15})\.(\d{1,15})\.(\d{1,15})(?:-([0-9A-Za-z.-]+))?(?:\+[0-9A-Za-z.-]+)?$/.exec(text);
  if (!match) return undefined;
  return { core: match.slice(1, 4).map(Number), pre: match[4]?.split('.') ?? [] };
}

function comparePart(left: string | undefined, right: string | undefined): number {
  if (left === undefined || right === undefined) return (left === undefined ? -1 : 0) + (right === undefined ? 1 : 0);
  const [a, b] = [/^\d+$/.test(left), /^\d+$/.test(right)];
  if (a && b) return Number(left) - Number(right);
  if (a !== b) return a ? -1 : 1;
  return left === right ? 0 : left < right ? -1 : 1;
}
