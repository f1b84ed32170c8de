import { useMemo } from 'react';
import type { AppView } from '../../shared/app-view.ts';
import type { IntegrationView } from '../../shared/integration-view.ts';
import { levelOf } from '../../shared/tool-permissions.ts';
import type { ToolPreset } from '../../shared/tool-permissions.ts';
import { allCalls, appOf, filterCalls, useActivity } from '../activity/use-activity.ts';
import { ErrorNotice } from '../errors/error-notice.tsx';
import { CheckBox } from '../components/check-box.tsx';
import { ServiceIcon } from '../components/service-icon.tsx';
import { postern } from '../postern.ts';
import { mayUse, useSnapshots } from '../store.ts';
import { flash } from '../view.ts';
import { formatRelative, useNow, words } from '../words.ts';
import { ServerPermissions } from './app-servers.tsx';
import { PendingPaste, recordApplied } from './applied-changes.tsx';
import { describeNotice } from './preview-dialog.tsx';
import { AppFault, useAppChanges } from './use-app-changes.tsx';
import type { RequestedChange } from './use-app-changes.tsx';
import './apps.css';

/** Milliseconds; nobody waits here for the next call. */
const maxCallInterval = 5_000;

/** The rule for an app that has none yet. */
export const firstRule = 'ask-changes' satisfies ToolPreset;

interface ServerAppsProps {
  readonly integration: IntegrationView;
  readonly apps: readonly AppView[];
}

/** Apps with a switch each for whether they use this server, their rule and last call. Changes can be undone. */
export function ServerApps({ integration, apps }: ServerAppsProps) {
  const { id, name, permissions } = integration;
  const now = useNow(60_000);
  const collections = useSnapshots((state) => state.collections) ?? [];
  const calls = useActivity(true, maxCallInterval);
  const lastCalls = useMemo(() => {
    const newestFirst = filterCalls(calls ?? [], { ...allCalls, server: id });
    return new Map(newestFirst.toReversed().map((call) => [appOf(call), call.at]));
  }, [calls, id]);
  const changes = useAppChanges(name, (outcomes, found, [change]) => {
    const [made] = outcomes.made;
    if (!made || !change || made.waits || outcomes.refused.length > 0) return recordApplied([id], outcomes, found);
    recordApplied([id], { made: [], refused: [] }, found);
    const written = outcomes.made.flatMap((each) =>
      each.change === undefined ? [] : [{ app: each.app, name: each.name, change: each.change }],
    );
    flash(
      () => [
        words.apps[change.use ? 'switchedOn' : 'switchedOff'](made.name, name),
        change.preset === undefined ? '' : words.apps.presets[change.preset],
        describeNotice(made),
      ],
      written.length > 0 ? { changes: written, previews: found.previews } : undefined,
    );
  });
  const requestOf = (app: AppView, use: boolean): RequestedChange[] => {
    const isNew = use && Object.keys(levelOf(permissions, app.id)).length === 0;
    return [{ app: app.id, integrations: [id], use, ...(isNew && { preset: firstRule }) }];
  };
  return (
    <>
      <div className="app-list app-rows" role="group" aria-label={words.apps.title}>
        {apps.map((app) => {
          const isOn = mayUse(app, id);
          const through = collections.find((each) => app.uses.includes(each.id) && each.members.includes(id));
          const fault = changes.faults[app.id] ?? app.fault;
          const at = lastCalls.get(app.id);
          return (
            <div className="app-choice" key={app.id}>
              <ServiceIcon name={app.name} brand={{ app: app.id }} size="small" />
              {(isOn || through) && <ServerPermissions integration={integration} app={app.id} label={app.name} />}
              <CheckBox
                role="switch"
                checked={isOn}
                label={app.name}
                hint={[
                  app.isPaused && words.apps.paused,
                  app.waiting?.includes(id) && words.apps.waiting,
                  through && words.apps.through(through.name),
                  app.isRevoked && words.apps.revoked,
                  at !== undefined && words.apps.lastUsed(formatRelative(Math.min(at, now), now)),
                ]
                  .filter(Boolean)
                  .join(' · ')}
                onChange={(use) => changes.apply(requestOf(app, use))}
              />
              <PendingPaste
                isStateShown
                app={app}
                servers={[id]}
                onShow={() => changes.review([{ app: app.id, integrations: [id], use: true }])}
              />
              {fault && <AppFault error={fault} onRetry={() => retry(app)} />}
            </div>
          );
        })}
      </div>
      {changes.error && <ErrorNotice error={changes.error} actions={{ dismiss: changes.clear }} />}
      {changes.dialog}
    </>
  );

  function retry(app: AppView): void {
    // What failed was to switch it; a fault that its file shows anyway is looked for again.
    if (changes.faults[app.id]) changes.apply(requestOf(app, !mayUse(app, id)));
    else void postern.app.find();
  }
}
