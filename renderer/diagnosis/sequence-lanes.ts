import type { TraceEntry } from '../../shared/trace.ts';

export interface Lane {
  readonly key: string;
  readonly kind: 'browser' | 'postern' | 'host';
  /** Host in punycode. */
  readonly host?: string;
}

export interface LaneStep {
  readonly entry: TraceEntry;
  readonly from: number;
  readonly to: number;
  /** Lane of the response; for an authorization it returns to Postern. */
  readonly back: number;
}

const browser: Lane = { key: 'browser', kind: 'browser' };
const postern: Lane = { key: 'postern', kind: 'postern' };

/** Participants in order of appearance, and who talks to whom in each request. */
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
