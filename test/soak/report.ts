import type { Evidence } from './judge-losses.ts';
import type { Troubles } from './make-trouble.ts';
import type { SoakServer } from './soak-server.ts';
import type { Tally } from './tally.ts';

export interface SoakResult {
  readonly integrations: number;
  readonly server: SoakServer;
  readonly tally: Tally;
  readonly troubles: Troubles;
  readonly evidence: Evidence;
  /** For each grant that ended because a used refresh token came again. */
  readonly losses: readonly ('cut' | 'killed' | undefined)[];
  readonly crashes: number;
}

/** Errors that such faults may cause; any other one is a bug of the app. */
const expectedCodes = new Set([
  'REFRESH_TRANSIENT',
  'REFRESH_REVOKED',
  'SIGN_IN_REQUIRED',
  'CONNECT_FAIL',
  'DEADLINE',
  'TOKEN_REJECTED late',
]);
const mebibyte = 1_024 * 1_024;

/** Prints the counts and each guarantee with its verdict. */
export function printReport(result: SoakResult): { checks: number; failed: number } {
  const { server, tally, troubles, evidence, losses, crashes, integrations } = result;
  const count = (cause: string | undefined) => losses.filter((loss) => loss === cause).length;
  const [before, after] = heapAtEnds(tally.heap);
  const rotated = evidence.requests.filter(({ hasRotated }) => hasRotated).length;

  console.log(
    `used            ${tally.used} times, ${evidence.requests.length} refresh requests, ${rotated} rotations`,
  );
  console.log(`troubles        ${troubles.kills} kills, ${troubles.stops} stops, ${troubles.offline} times offline`);
  console.log(
    `faults          ${Object.entries(server.faults)
      .map(([name, times]) => `${name} ${times}`)
      .join(', ')}`,
  );
  console.log(`errors          ${[...tally.codes].map(([code, times]) => `${code} ${times}`).join(', ') || 'none'}`);
  console.log(
    `lost grants     ${losses.length}: ${count('cut')} by a cut, ${count('killed')} by a kill, ${count(undefined)} unexplained`,
  );
  console.log(`signed in again ${tally.signedInAgain} times`);
  console.log(`alive           ${tally.alive} of ${integrations} at the end`);
  console.log(`memory          ${mib(before)} MiB at a quarter, ${mib(after)} MiB at the end`);

  const unexpected = [...tally.codes.keys()].filter((code) => !expectedCodes.has(code));
  const guarantees: readonly (readonly [string, boolean])[] = [
    ['every lost grant is explained by a cut or a kill', count(undefined) === 0],
    ['only what the server had ended was signed in to again', tally.signedInAgain <= losses.length],
    [`no other errors${unexpected.length > 0 ? ` (${unexpected.join(', ')})` : ''}`, unexpected.length === 0],
    ['no process crashed', crashes === 0],
    ['memory is flat', after < before * 1.25 + 4 * mebibyte],
    ['it was put to use', tally.used > 0 && rotated > integrations && troubles.kills > 0],
  ];
  for (const [guarantee, holds] of guarantees) console.log(`${holds ? 'ok ' : 'NOT'} ${guarantee}`);
  return { checks: guarantees.length, failed: guarantees.filter(([, holds]) => !holds).length };
}

/** Median heap in the second quarter of the run, when everything has been loaded, and in the last one. */
function heapAtEnds(heap: readonly number[]): readonly [number, number] {
  const quarter = Math.floor(heap.length / 4);
  return [median(heap.slice(quarter, 2 * quarter)), median(heap.slice(-quarter))];
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

function mib(bytes: number): string {
  return (bytes / mebibyte).toFixed(1);
}
