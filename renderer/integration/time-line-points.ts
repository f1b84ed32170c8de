import type { IntegrationView } from '../../shared/integration-view.ts';

export type PointName = 'signedIn' | 'refreshed' | 'next' | 'expires';

export interface TimePoint {
  readonly name: PointName;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Percent of the width. */
  readonly x: number;
}

export interface TimeLine {
  readonly points: readonly TimePoint[];
  /** Position of "now", in percent. */
  readonly now: number;
}

type Times = Pick<IntegrationView, 'signedInAt' | 'refreshedAt' | 'nextRefreshAt' | 'expiresAt'>;

/**
 * Places events at equal distances in order, since a sign-in months ago and a refresh in a minute fit no scale. "Now"
 * is interpolated between its neighbors.
 */
export function placeTimePoints(times: Times, now: number): TimeLine {
  const named: [PointName, number | undefined][] = [
    ['signedIn', times.signedInAt],
    ['refreshed', times.refreshedAt],
    ['next', times.nextRefreshAt],
    ['expires', times.expiresAt],
  ];
  const known = named
    .flatMap(([name, at]) => (at === undefined ? [] : [{ name, at }]))
    .toSorted((one, other) => one.at - other.at);
  // A refresh at the moment of the sign-in is redundant.
  const events = known.filter(({ name, at }) => name !== 'refreshed' || at !== times.signedInAt);
  const gap = events.length > 1 ? 100 / (events.length - 1) : 0;
  const points = events.map((event, index) => ({ ...event, x: index * gap }));
  return { points, now: placeNow(points, now) };
}

function placeNow(points: readonly TimePoint[], now: number): number {
  const after = points.findIndex(({ at }) => at > now);
  if (after === -1) return 100;
  const next = points[after];
  const before = points[after - 1];
  if (next === undefined || before === undefined) return 0;
  return before.x + ((now - before.at) / (next.at - before.at)) * (next.x - before.x);
}
