import { memo, useEffect, useLayoutEffect, useMemo, useState } from 'react';
import type { IntegrationView } from '../../shared/integration-view.ts';
import { needsUser } from '../../shared/status-words.ts';
import { RecentCalls } from '../activity/call-list.tsx';
import { useActivity } from '../activity/use-activity.ts';
import { ServerFixButton, ServerFixError, useServerFix } from '../integration/server-fix.tsx';
import { sortIntegrations } from '../integrations/arrange-rows.ts';
import { describeStatus, ServerIcon, StatusMark } from '../integrations/server-icon.tsx';
import { Button } from '../components/button.tsx';
import { AppList } from '../apps/apps-page.tsx';
import { MissedApprovals } from '../apps/approval-dialogs.tsx';
import { useSnapshots, useAppUses } from '../store.ts';
import { redirect, show, showIntegration } from '../view.ts';
import { useLanguage, words } from '../words.ts';
import './home.css';

/** What needs attention, and recent activity. Without servers it redirects to the connect page. */
export function HomePage() {
  const isEmpty = useSnapshots((state) => state.integrations?.length === 0);
  useLayoutEffect(() => {
    // And stays there: a server that arrives by other means must not take away what the user is typing.
    if (isEmpty) redirect({ name: 'connect' });
  }, [isEmpty]);
  if (isEmpty) return null;
  return (
    <div className="page home">
      <h1>{words.home.title}</h1>
      <MissedApprovals />
      <AttentionList />
      <AppsInUse />
      <LatestCalls />
    </div>
  );
}

/** Apps that use at least one server, with their counts. */
function AppsInUse() {
  const apps = useSnapshots((state) => state.apps);
  const integrations = useSnapshots((state) => state.integrations);
  const isUsed = useAppUses();
  if (apps === undefined) return null;
  const used = apps.filter((app) => integrations?.some(({ id }) => isUsed(app, id)) || app.waiting);
  return (
    <section className="section" aria-labelledby="used-title">
      <h2 id="used-title">{words.home.apps}</h2>
      {used.length > 0 ? (
        <AppList apps={used} />
      ) : (
        <div className="home-none">
          <p className="soft">{words.home.noApps}</p>
          <Button onClick={() => show({ name: 'apps' })}>{words.activity.toApps}</Button>
        </div>
      )}
    </section>
  );
}

/** Milliseconds; nobody waits here for the next call. */
const maxInterval = 5_000;

/** The newest calls, with a link to all of them. */
function LatestCalls() {
  const calls = useActivity(true, maxInterval);
  const integrations = useSnapshots((state) => state.integrations);
  const isOff = useSnapshots((state) => state.desktop?.settings.activity === 'off');
  if (calls === undefined) return null;
  const nameOf = (id: string | undefined): string | undefined => integrations?.find((each) => each.id === id)?.name;
  return (
    <section className="section" aria-labelledby="calls-title">
      <h2 id="calls-title">{words.home.calls}</h2>
      {calls.length === 0 ? (
        <p className="soft">{isOff ? words.activity.off : words.activity.none}</p>
      ) : (
        <>
          <RecentCalls calls={calls} nameOfServer={(call) => nameOf(call.integration) ?? call.server} />
          <div>
            <Button onClick={() => show({ name: 'activity' })}>{words.home.allCalls}</Button>
          </div>
        </>
      )}
    </section>
  );
}

/** Rows added per animation frame: a thousand at once would freeze the window. */
const batchSize = 20;

/** Servers that need the user, each with the action from its own page. */
function AttentionList() {
  const integrations = useSnapshots((state) => state.integrations);
  const needingUser = useMemo(() => sortIntegrations(integrations ?? []).filter(needsUser), [integrations]);
  const [drawn, setDrawn] = useState(batchSize);
  const isExpanded = drawn > batchSize;
  useEffect(() => {
    if (!isExpanded || drawn >= needingUser.length) return;
    const frame = requestAnimationFrame(() => setDrawn(drawn + batchSize));
    return () => cancelAnimationFrame(frame);
  }, [isExpanded, drawn, needingUser.length]);
  const isAskedElsewhere = useSnapshots(
    ({ approvals = [], connections = [] }) => approvals.length > 0 || connections.some(({ turn }) => turn === 'user'),
  );
  if (needingUser.length === 0) return isAskedElsewhere ? null : <p className="soft">{words.home.nothing}</p>;
  return (
    <section className="section" aria-labelledby="needing-title">
      <h2 id="needing-title">{words.sidebar.needAttention(needingUser.length)}</h2>
      <ul className="home-list">
        {needingUser.slice(0, drawn).map((integration) => (
          // A new state remounts the row, which drops messages about the previous state.
          <AttentionRow key={`${integration.id} ${integration.state}`} integration={integration} />
        ))}
      </ul>
      {!isExpanded && needingUser.length > batchSize && (
        <div>
          <Button onClick={() => setDrawn(2 * batchSize)}>{words.sidebar.showAll}</Button>
        </div>
      )}
    </section>
  );
}

const AttentionRow = memo(function AttentionRow({ integration }: { readonly integration: IntegrationView }) {
  useLanguage();
  const { id, name, status, busy } = integration;
  // Progress of the sign-in is on the server's page.
  const fix = useServerFix(integration, () => showIntegration(id));
  return (
    <li className="home-server">
      <span className="integration-tile">
        <ServerIcon integration={integration} size="small" />
        <StatusMark status={busy === undefined ? status.name : 'busy'} />
      </span>
      <div className="home-server-text">
        <button type="button" className="home-link" onClick={() => showIntegration(id)}>
          {name}
        </button>
        <span className={`integration-line ${busy ?? status.name}`}>
          {busy === undefined ? describeStatus(integration) : words.busy[busy]}
        </span>
      </div>
      {busy === undefined && <ServerFixButton integration={integration} fix={fix} />}
      <ServerFixError integration={integration} fix={fix} />
    </li>
  );
});
