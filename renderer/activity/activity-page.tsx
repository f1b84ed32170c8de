import { Pause, Play } from 'lucide-react';
import { useCallback, useDeferredValue, useMemo, useState } from 'react';
import { ErrorNotice } from '../errors/error-notice.tsx';
import { Button } from '../components/button.tsx';
import { Choice, TextInput } from '../components/field.tsx';
import { postern, useCall } from '../postern.ts';
import { useSnapshots } from '../store.ts';
import { useRetainedState } from '../use-retained-state.ts';
import { flash, show } from '../view.ts';
import { locale, words } from '../words.ts';
import './activity.css';
import { CallDialog, CallList } from './call-list.tsx';
import {
  allCalls,
  filterCalls,
  filterKey,
  nameOfApp,
  appOf,
  serverOf,
  useActivity,
  useTitles,
} from './use-activity.ts';
import type { CallFilter, NumberedCall } from './use-activity.ts';

/** Live log of which app called what. */
export function ActivityPage() {
  const { activity } = words;
  const [isLive, setIsLive] = useState(true);
  const [filter, setFilter] = useRetainedState('page', filterKey, allCalls);
  const [opened, setOpened] = useState<NumberedCall>();
  const calls = useActivity(isLive);
  const deferredFilter = useDeferredValue(filter);
  const titleOf = useTitles();
  const found = useMemo(() => filterCalls(calls ?? [], deferredFilter, titleOf), [calls, deferredFilter, titleOf]);
  const integrations = useSnapshots((state) => state.integrations);
  const names = useMemo(() => new Map(integrations?.map(({ id, name }) => [id, name])), [integrations]);
  const nameOfServer = useCallback(
    ({ integration, server }: NumberedCall) => names.get(integration ?? '') ?? server,
    [names],
  );
  const saving = useCall<{ readonly saved: boolean }>();
  const save = async (): Promise<void> => {
    const numbers = found.map(({ number }) => number);
    const result = await saving.run(() => postern.activity.export({ calls: numbers }));
    if (result?.saved === true) flash(() => [words.activity.exported]);
  };
  return (
    <div className="page wide activity">
      <div className="stack-tight">
        <h1>{activity.title}</h1>
        <p className="soft">{activity.intro}</p>
      </div>
      {calls === undefined && <p role="status">{activity.loading}</p>}
      {calls?.length === 0 && <NoCalls />}
      {calls !== undefined && calls.length > 0 && (
        <>
          <CallFilters
            calls={calls}
            nameOfServer={nameOfServer}
            filter={filter}
            onFilter={setFilter}
            isLive={isLive}
            onLive={setIsLive}
          />
          {saving.error && (
            <ErrorNotice error={saving.error} actions={{ retry: () => void save(), dismiss: saving.clear }} />
          )}
          <div className="row">
            <p className="call-count faint small">
              {activity.count(found.length, calls.length)}
              {!isLive && `. ${activity.paused}`}
            </p>
            <Button
              kind="quiet"
              className="push"
              disabled={found.length === 0}
              busy={saving.busy}
              onClick={() => void save()}
            >
              {activity.export}
            </Button>
          </div>
          {found.length > 0 ? (
            <CallList calls={found} nameOfServer={nameOfServer} onOpen={setOpened} />
          ) : (
            <div className="stack-tight">
              <p role="status">{activity.noMatch}</p>
              <div>
                <Button onClick={() => setFilter(allCalls)}>{activity.showAll}</Button>
              </div>
            </div>
          )}
        </>
      )}
      {opened && <CallDialog call={opened} server={nameOfServer(opened)} onClose={() => setOpened(undefined)} />}
    </div>
  );
}

interface CallFiltersProps {
  readonly calls: readonly NumberedCall[];
  readonly nameOfServer: (call: NumberedCall) => string;
  readonly filter: CallFilter;
  readonly onFilter: (filter: CallFilter) => void;
  readonly isLive: boolean;
  readonly onLive: (isLive: boolean) => void;
}

function CallFilters({ calls, nameOfServer, filter, onFilter, isLive, onLive }: CallFiltersProps) {
  const { activity } = words;
  const apps = useMemo(() => namesOf(calls, appOf, nameOfApp), [calls]);
  const servers = useMemo(() => namesOf(calls, serverOf, nameOfServer), [calls, nameOfServer]);
  const outcomes = (['all', 'failed'] as const).map((value) => ({ value, label: activity.outcomes[value] }));
  return (
    <div className="call-filters" role="group" aria-label={activity.filters}>
      <Choice
        aria-label={activity.app}
        value={filter.app}
        options={[{ value: '', label: activity.allApps }, ...apps]}
        onChoose={(app) => onFilter({ ...filter, app })}
      />
      <Choice
        aria-label={activity.server}
        value={filter.server}
        options={[{ value: '', label: activity.allServers }, ...servers]}
        onChoose={(server) => onFilter({ ...filter, server })}
      />
      <Choice
        aria-label={activity.outcome}
        value={filter.outcome}
        options={outcomes}
        onChoose={(outcome) => onFilter({ ...filter, outcome })}
      />
      <TextInput
        type="search"
        aria-label={activity.tool}
        placeholder={activity.toolPlaceholder}
        value={filter.tool}
        onChange={(event) => onFilter({ ...filter, tool: event.target.value })}
        onKeyDown={(event) => event.key === 'Escape' && onFilter({ ...filter, tool: '' })}
      />
      <Button icon={isLive ? Pause : Play} onClick={() => onLive(!isLive)}>
        {isLive ? activity.pause : activity.resume}
      </Button>
    </div>
  );
}

/** One option per distinct key, sorted by name. Calls are newest first, so the newest call supplies the label. */
function namesOf(
  calls: readonly NumberedCall[],
  keyOf: (call: NumberedCall) => string,
  nameOf: (call: NumberedCall) => string,
): { value: string; label: string }[] {
  const names = new Map<string, string>();
  for (const call of calls) if (!names.has(keyOf(call))) names.set(keyOf(call), nameOf(call));
  return [...names]
    .map(([value, label]) => ({ value, label }))
    .toSorted((one, other) => one.label.localeCompare(other.label, locale));
}

/** Explains why the log is empty, with a button that changes that. */
function NoCalls() {
  const { activity } = words;
  const isOff = useSnapshots((state) => state.desktop?.settings.activity === 'off');
  const call = useCall<null>();
  return (
    <div className="stack-tight">
      <p>{isOff ? activity.off : activity.none}</p>
      <p className="soft">{isOff ? activity.offNext : activity.noneNext}</p>
      <div>
        {isOff ? (
          <Button kind="primary" onClick={() => void call.run(() => postern.settings.update({ activity: 'on' }))}>
            {activity.switchOn}
          </Button>
        ) : (
          <Button kind="primary" onClick={() => show({ name: 'apps' })}>
            {activity.toApps}
          </Button>
        )}
      </div>
      {call.error && <ErrorNotice error={call.error} actions={{ dismiss: call.clear }} />}
    </div>
  );
}
