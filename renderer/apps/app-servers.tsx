import { useDeferredValue, useMemo } from 'react';
import type { IntegrationView } from '../../shared/integration-view.ts';
import type { AppView } from '../../shared/app-view.ts';
import {
  holdsChanges,
  isExposed,
  levelOf,
  capabilities,
  toolPresets,
  withChangedToolRule,
} from '../../shared/tool-permissions.ts';
import { filterIntegrations, sortIntegrations } from '../integrations/arrange-rows.ts';
import { ServerIcon } from '../integrations/server-icon.tsx';
import { Button } from '../components/button.tsx';
import { CheckBox } from '../components/check-box.tsx';
import { TextInput } from '../components/field.tsx';
import { maxRows, searchThreshold } from '../components/use-visible-rows.ts';
import { mayUse, useSnapshots, useAppUses } from '../store.ts';
import type { ServerOrCollection } from '../store.ts';
import { viewStateKey, useRetainedState } from '../use-retained-state.ts';
import { show, showPermissions } from '../view.ts';
import { words } from '../words.ts';
import { PendingPaste } from './applied-changes.tsx';

interface AppServersProps {
  readonly app: AppView;
  readonly onUse: (server: ServerOrCollection, use: boolean) => void;
}

const noFilter = { search: '' };

/** Servers with a switch each for whether the app may use it. */
export function AppServers({ app, onUse }: AppServersProps) {
  const { id, uses, hasProfiles } = app;
  const integrations = useSnapshots((state) => state.integrations);
  const isUsed = useAppUses();
  const collections = useSnapshots((state) => state.collections) ?? [];
  const [{ search }, setFilter] = useRetainedState('page', viewStateKey(`servers of ${id}`), noFilter);
  const query = useDeferredValue(search);
  const sorted = useMemo(() => {
    const all = sortIntegrations(integrations ?? []);
    // Servers that the app uses come first, so the limit never hides them.
    return all.length > maxRows ? all.toSorted((one, other) => rank(app, one) - rank(app, other)) : all;
  }, [integrations, app]);
  const found = filterIntegrations(sorted, query);
  if (sorted.length === 0)
    return (
      <div className="stack-tight">
        <p>{words.apps.noServers}</p>
        <div>
          <Button onClick={() => show({ name: 'connect' })}>{words.apps.connect}</Button>
        </div>
      </div>
    );
  return (
    <>
      {sorted.length > searchThreshold && (
        <TextInput
          type="search"
          value={search}
          placeholder={words.sidebar.search}
          aria-label={words.sidebar.search}
          onChange={(event) => setFilter({ search: event.target.value })}
        />
      )}
      {found.length > 0 ? (
        <div className="app-list">
          {query === '' &&
            collections.map((collection) => (
              <div className="app-server" key={collection.id}>
                <CheckBox
                  role="switch"
                  checked={mayUse(app, collection.id)}
                  label={collection.name}
                  hint={words.apps.collections.state(collection.members.length, [])}
                  onChange={(use) => onUse(collection, use)}
                />
                <PendingPaste app={app} servers={[collection.id]} onShow={() => onUse(collection, true)} />
              </div>
            ))}
          {found.slice(0, maxRows).map((integration) => (
            <div className="app-server" key={integration.id}>
              <ServerIcon integration={integration} size="small" />
              <CheckBox
                role="switch"
                checked={mayUse(app, integration.id)}
                label={integration.name}
                hint={integration.host}
                onChange={(use) => onUse(integration, use)}
              />
              <PendingPaste app={app} servers={[integration.id]} onShow={() => onUse(integration, true)} />
              {hasProfiles && uses.includes(integration.id) && (
                <Button
                  kind="quiet"
                  aria-label={`${words.apps.anotherProfile} ${integration.name}`}
                  onClick={() => onUse(integration, true)}
                >
                  {words.apps.anotherProfile}
                </Button>
              )}
              {isUsed({ uses }, integration.id) && (
                <div className="app-server-permissions">
                  <ServerPermissions integration={integration} app={id} label={integration.name} />
                </div>
              )}
            </div>
          ))}
        </div>
      ) : (
        <p className="soft">{words.sidebar.nothingFound(query)}</p>
      )}
      {found.length > maxRows && <p className="soft small">{words.tools.shownOf(maxRows, found.length)}</p>}
    </>
  );
}

const rank = (app: AppView, { id }: IntegrationView): number => (mayUse(app, id) ? 0 : 1);

interface ServerPermissionsProps {
  readonly integration: IntegrationView;
  /** App ID. */
  readonly app: string;
  /** Which of the two the button is named after. */
  readonly label: string;
}

/** Summary of what the app may call on this server; links to the rules. */
export function ServerPermissions({ integration: { id, permissions }, app, label }: ServerPermissionsProps) {
  const { summary, summaryOf } = words.permits;
  const defaultRule = useSnapshots((state) => state.desktop?.settings.changedTools);
  const levels = [permissions ?? {}, levelOf(permissions, app)];
  const strictest = toolPresets.findLast((preset) => levels.some((level) => level.preset === preset)) ?? 'everything';
  const countRules = (rule: 'ask' | 'deny'): number =>
    new Set(levels.flatMap(({ rules = [] }) => rules.flatMap((each) => (each.rule === rule ? [each.tool] : [])))).size;
  const summaryText = [
    summary.preset[strictest],
    ...(countRules('deny') > 0 ? [summary.denied(countRules('deny'))] : []),
    ...(countRules('ask') > 0 ? [summary.asking(countRules('ask'))] : []),
    ...capabilities.flatMap((offer) => (isExposed(permissions, app, offer) ? [] : [summary.without[offer]])),
    ...(holdsChanges(withChangedToolRule(permissions, defaultRule)) ? [summary.holds] : []),
  ].join(', ');
  return (
    <Button
      kind="quiet"
      className="app-rule at-edge"
      aria-label={summaryOf(label, summaryText)}
      onClick={() => showPermissions(id, app)}
    >
      {summaryText}
    </Button>
  );
}
