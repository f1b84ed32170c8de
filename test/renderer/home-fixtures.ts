import type { Today } from '../../shared/activity.ts';
import type { Snapshots } from '../../shared/ipc-event.ts';
import { todayOf } from './activity-fixtures.ts';
import { aApp } from './app-fixtures.ts';
import { anIntegrationView } from './fixtures.ts';
import { manyIntegrations } from './list-fixtures.ts';
import type { Answers } from './open-renderer.ts';

export function someUses(): Today['uses'] {
  const lastAt = Date.now() - 60_000;
  return [
    { app: 'cursor', integration: 'linear', count: 12, lastAt },
    { app: 'claude-code', integration: 'linear', count: 1_204, lastAt: lastAt - 5_000 },
  ];
}

/** Linear asks before changes. */
export function withAskingServer(): Partial<Snapshots> {
  return { integrations: [anIntegrationView({ permissions: { preset: 'ask-changes' } })], apps: [aApp()] };
}

/** Apps and servers with every kind of use in turn. */
export function matrixOf(
  apps: number,
  servers: number,
): { readonly snapshots: Partial<Snapshots>; readonly answers: Answers } {
  const integrations = manyIntegrations(servers).map((each, index) => ({
    ...each,
    status: index % 4 === 2 ? { name: 'signIn' as const } : { name: 'ready' as const },
    ...(index % 4 === 1 && {
      permissions: { preset: index % 8 === 1 ? ('ask-changes' as const) : ('read-only' as const) },
    }),
  }));
  const ids = integrations.map(({ id }) => id);
  const of = (index: number, part: number) => ids.filter((_id, column) => (column + index) % 5 === part);
  return {
    snapshots: {
      integrations,
      apps: Array.from({ length: apps }, (_app, index) =>
        aApp({
          id: `app-${index}`,
          name: index === 1 ? 'An app with a name that is longer than its column' : `App ${index + 1}`,
          uses: [...of(index, 0), ...of(index, 1), ...of(index, 2)],
          ...(index % 3 === 2 && { waiting: of(index, 3) }),
          isPaused: index === 2,
        }),
      ),
    },
    answers: {
      'activity:today': todayOf({
        uses: ids.map((integration, index) => ({
          app: `app-${index % apps}`,
          integration,
          count: 1 + index * 7,
          lastAt: Date.now() - index * 60_000,
        })),
      }),
    },
  };
}
