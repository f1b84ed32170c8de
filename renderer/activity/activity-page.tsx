import { useCallback, useDeferredValue, useMemo, useState } from 'react';
import { Button } from '../parts/button.tsx';
import { ErrorNotice } from '../errors/error-notice.tsx';
import { postern } from '../postern.ts';
import { useCall } from '../use-call.ts';
import { flash } from '../view.ts';
import { useSnapshots } from '../store.ts';
import { lookedAt, useKept } from '../use-kept.ts';
import { words } from '../words.ts';
import { CallDialog } from './call-dialog.tsx';
import { CallFilters } from './call-filters.tsx';
import { CallList } from './call-list.tsx';
import { everyCall, filterCalls } from './filter-calls.ts';
import { NoCalls } from './no-calls.tsx';
import { useActivity } from './use-activity.ts';
import type { NumberedCall } from './use-activity.ts';
import './activity.css';

/** Which program called what, as it happens. */
export function ActivityPage() {
  const { activity } = words;
  const [isLive, setIsLive] = useState(true);
  const [filter, setFilter] = useKept('page', lookedAt('activity'), everyCall);
  const [opened, setOpened] = useState<NumberedCall>();
  const calls = useActivity(isLive);
  const wanted = useDeferredValue(filter);
  const found = useMemo(() => filterCalls(calls ?? [], wanted), [calls, wanted]);
  const integrations = useSnapshots((state) => state.integrations);
  const names = useMemo(() => new Map(integrations?.map(({ id, name }) => [id, name])), [integrations]);
  const nameOfServer = useCallback(
    ({ integration, server }: NumberedCall) => names.get(integration ?? '') ?? server,
    [names],
  );
  const saving = useCall<{ readonly saved: boolean }>();
  const save = async (): Promise<void> => {
    const shown = found.map(({ number }) => number);
    const answer = await saving.run(() => postern.activity.export({ calls: shown }));
    if (answer?.saved === true) flash(() => [words.activity.exported]);
  };
  return (
    <div className="page wide activity">
      <div className="stack-tight">
        <h1>{activity.title}</h1>
        <p className="soft">{activity.intro}</p>
      </div>
      {calls === undefined && <p role="status">{activity.looking}</p>}
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
                <Button onClick={() => setFilter(everyCall)}>{activity.showAll}</Button>
              </div>
            </div>
          )}
        </>
      )}
      {opened && <CallDialog call={opened} server={nameOfServer(opened)} onClose={() => setOpened(undefined)} />}
    </div>
  );
}
