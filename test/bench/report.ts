import { availableParallelism, cpus, loadavg, totalmem } from 'node:os';
import type { Cell, Cells, Kind, Latency, Protocol } from './cells.ts';
import type { CommandTimes, ServedTimes } from './measure-commands.ts';
import { NotMeasured } from './measured-process.ts';
import { spreadOf } from './statistics.ts';
import type { Spread } from './statistics.ts';

const kinds: Readonly<Record<Kind, string>> = { full: 'full connect', stored: 'with stored tokens' };
const protocols: Readonly<Record<Protocol, string>> = { mcp: 'initialize server', stateless: 'stateless server' };

/** The table of one task: requests, round trips, times, memory. */
export function describeCells(cells: Cells): string {
  const rows = cells
    .all()
    .map((cell) => [
      kinds[cell.kind],
      protocols[cell.protocol],
      `${cell.latency} ms`,
      cell.app,
      `${cell.requests.length - cell.streams}${cell.streams > 0 ? ` + ${cell.streams} stream${cell.streams > 1 ? 's' : ''}` : ''}`,
      String(cell.roundTrips),
      describeSpread(spreadOf(cell.inside)),
      describeSpread(spreadOf(cell.fromStart)),
      describePeak(cell),
    ]);
  const head = [
    'task',
    'server',
    'latency',
    'app',
    'requests',
    'trips',
    'after imports',
    'from start',
    'peak (with children)',
  ];
  return align([head, ...rows]);
}

/** Text for a measurement that failed. Unless the machine was too slow for it, the bench ends with exit code 1. */
export function notMeasured(error: unknown): string {
  // Playwright's own timeout errors.
  const isSlow = error instanceof NotMeasured || (error instanceof Error && error.name === 'TimeoutError');
  if (!isSlow) process.exitCode = 1;
  const [first = '', ...rest] = String(error instanceof Error ? error.stack : error).split('\n');
  return [`could not be measured: ${first}`, ...(isSlow ? [] : rest)].join('\n');
}

/** The measurements, or `missing` with an immediate message. */
export async function measured<Figures>(
  what: string,
  measure: () => Promise<Figures>,
  missing: Figures,
): Promise<Figures> {
  try {
    return await measure();
  } catch (error) {
    console.log(`${what} ${notMeasured(error)}`);
    return missing;
  }
}

/** The machine and its load: measurements on a busy machine are unreliable. */
export function describeMachine(): string {
  const [processor] = cpus();
  const [load = 0] = loadavg();
  const cores = availableParallelism();
  const memory = (totalmem() / 1e9).toFixed(0);
  const busy = load > cores ? ' (busy: compare only within one run)' : '';
  return `Node ${process.version}, ${cores} cores (${processor?.model.trim() ?? 'unknown'}), ${memory} GB, load ${load.toFixed(1)}${busy}`;
}

export interface Goal {
  readonly text: string;
  readonly value: number;
  readonly limit: number;
  /** True if `limit` is a minimum. */
  readonly isFloor?: boolean;
  readonly unit?: string;
  /** The same for mcp-remote. */
  readonly beside?: number;
  /** The same without the optimization for it. */
  readonly without?: number;
  /** An optional, stricter target. */
  readonly aim?: number;
}

/** The goals, each with its measurement. */
export function listGoals(cells: Cells, commands: CommandTimes, served: ServedTimes): readonly Goal[] {
  const ours = 'postern';
  const sdk = cells.get('official client', 'full', 50, 'mcp');
  const engine = cells.get("postern's engine", 'full', 50, 'mcp');
  const remote = (latency: Latency): Cell => cells.get('mcp-remote', 'stored', latency, 'mcp');
  const stored = (latency: Latency, protocol: Protocol): Cell => cells.get(ours, 'stored', latency, protocol);
  const besidesStreams = (cell: Cell): number => cell.requests.length - cell.streams;
  return [
    { text: 'full connect: sequential round trips', value: cells.get(ours, 'full', 50, 'mcp').roundTrips, limit: 9 },
    {
      text: "full connect at 50 ms, against the official client, after each one's imports",
      value: ratio(engine.inside, sdk.inside),
      limit: 0.8,
      aim: 0.7,
    },
    {
      text: 'full connect at 0 ms, from process start, against the official client',
      value: ratio(
        cells.get(ours, 'full', 0, 'mcp').fromStart,
        cells.get('official client', 'full', 0, 'mcp').fromStart,
      ),
      limit: 1,
    },
    {
      text: 'stored tokens, initialize server: requests besides the stream',
      value: besidesStreams(stored(50, 'mcp')),
      limit: 3,
    },
    { text: 'stored tokens, stateless server: requests', value: besidesStreams(stored(50, 'stateless')), limit: 2 },
    {
      text: 'stored tokens at 50 ms, from process start, against mcp-remote',
      value: ratio(stored(50, 'mcp').fromStart, remote(50).fromStart),
      limit: 0.42,
    },
    {
      text: 'stored tokens at 0 ms, from process start, against mcp-remote',
      value: ratio(stored(0, 'mcp').fromStart, remote(0).fromStart),
      limit: 0.42,
    },
    {
      text: '`postern list` against a bare `node -e 0`',
      value: commands.list.median / commands.bare.median,
      limit: 2.5,
    },
    {
      text: '`postern token` with a valid access token against a bare `node -e 0`',
      value: commands.token.median / commands.bare.median,
      limit: 3.5,
    },
    {
      text: '`postern list` run by `postern serve`, against a bare `node -e 0`',
      value: served.list.median / served.bare.median,
      limit: 1.5,
    },
    {
      text: '`postern call` run by `postern serve`, 0 ms, against a bare `node -e 0`',
      value: served.call.median / served.bare.median,
      limit: 1.6,
    },
    { text: '`postern call` run by `postern serve`: requests to the server', value: served.requests, limit: 1 },
    {
      text: '`postern import` of 1,000 entries against one of 10',
      value: commands.imports.many.median / commands.imports.few.median,
      limit: 4,
    },
    {
      text: 'peak memory with children, full connect, against mcp-remote',
      value:
        peakOf(cells.get(ours, 'full', 0, 'mcp'), 'tree') / peakOf(cells.get('mcp-remote', 'full', 0, 'mcp'), 'tree'),
      limit: 1,
    },
    {
      text: 'peak memory with children, stored tokens, against mcp-remote',
      value: peakOf(stored(0, 'mcp'), 'tree') / peakOf(remote(0), 'tree'),
      limit: 1,
    },
  ];
}

export function describeGoals(goals: readonly Goal[]): string {
  return align(
    goals.map((goal) => {
      const { text, value, limit, isFloor = false, unit = '', aim, beside, without } = goal;
      if (Number.isNaN(value)) return ['not measured', text, '', '', ''];
      const reached = isReached(goal);
      const further = aim === undefined || !reached ? '' : value <= aim ? ` (aim ${aim} too)` : ` (aim ${aim} not)`;
      const [met, missed] = isFloor ? ['≥', '<'] : ['≤', '>'];
      return [
        reached ? 'reached' : 'NOT REACHED',
        text,
        `${round(value)} ${reached ? met : missed} ${limit} ${unit}${further}`.trimEnd(),
        beside === undefined ? '' : `mcp-remote ${round(beside)} ${unit}`.trimEnd(),
        without === undefined ? '' : `without its optimization ${round(without)} ${unit}`,
      ];
    }),
  );
}

export function isReached({ value, limit, isFloor = false }: Goal): boolean {
  return isFloor ? value >= limit : value <= limit;
}

export function describeSpread({ median, least, most }: Spread): string {
  return Number.isNaN(median) ? '–' : `${median.toFixed(0)} ms (${least.toFixed(0)}–${most.toFixed(0)})`;
}

function ratio(ours: readonly number[], theirs: readonly number[]): number {
  return spreadOf(ours).median / spreadOf(theirs).median;
}

function peakOf({ peaks }: Cell, which: 'own' | 'tree'): number {
  return spreadOf(peaks.map((peak) => peak[which])).median;
}

function describePeak(cell: Cell): string {
  if (cell.peaks.length === 0) return '–';
  const megabytes = (which: 'own' | 'tree'): string => (peakOf(cell, which) / 1_024).toFixed(0);
  return `${megabytes('own')} MB (${megabytes('tree')} MB)`;
}

function round(value: number): string {
  return Number.isInteger(value) ? String(value) : value.toFixed(2);
}

export function align(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
