import type { TraceEntry } from '../../shared/trace.ts';

export interface Lane {
  readonly key: string;
  readonly kind: 'browser' | 'postern' | 'host';
  /** Of a host, in punycode. */
  readonly host?: string;
}

export interface LaneStep {
  readonly entry: TraceEntry;
  readonly from: number;
  readonly to: number;
  /** Where the answer goes; of an authorization it comes back to Postern. */
  readonly back: number;
}

const browser: Lane = { key: 'browser', kind: 'browser' };
const postern: Lane = { key: 'postern', kind: 'postern' };

/** Who takes part, in the order in which they appear, and who speaks to whom in each request. */
export function layOutSequence(entries: readonly TraceEntry[]): { lanes: readonly Lane[]; steps: readonly LaneStep[] } {
  const hosts = [...new Set(entries.map(hostOf))];
  const isBrowsed = entries.some(({ purpose }) => purpose === 'authorization');
  const lanes = [
    ...(isBrowsed ? [browser] : []),
    postern,
    ...hosts.map((host): Lane => ({ key: host, kind: 'host', host })),
  ];
  const own = lanes.indexOf(postern);
  const steps = entries.map((entry) => ({
    entry,
    from: entry.purpose === 'authorization' ? lanes.indexOf(browser) : own,
    to: own + 1 + hosts.indexOf(hostOf(entry)),
    back: own,
  }));
  return { lanes, steps };
}

function hostOf({ url }: TraceEntry): string {
  return URL.parse(url)?.host ?? url;
}
