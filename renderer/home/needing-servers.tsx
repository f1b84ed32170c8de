import { useMemo, useState } from 'react';
import type { IntegrationView } from '../../shared/integration-view.ts';
import { needsPerson } from '../../shared/needs-person.ts';
import { MendButton, MendError, useMend } from '../integration/mend.tsx';
import { describeStatus } from '../integrations/describe-status.ts';
import { sortIntegrations } from '../integrations/filter-integrations.ts';
import { ServerIcon } from '../integrations/server-icon.tsx';
import { StatusMark } from '../integrations/status-mark.tsx';
import { Button } from '../parts/button.tsx';
import { useSnapshots } from '../store.ts';
import { showIntegration } from '../view.ts';
import { words } from '../words.ts';

/** A thousand rows at once would hold the window up. */
const first = 20;

/** The servers that wait for the person, each with the step that its own page offers. */
export function NeedingServers() {
  const integrations = useSnapshots((state) => state.integrations);
  const needing = useMemo(() => sortIntegrations(integrations ?? []).filter(needsPerson), [integrations]);
  const [isWhole, setWhole] = useState(false);
  const isAskedElse = useSnapshots(
    ({ approvals = [], connections = [] }) => approvals.length > 0 || connections.some(({ turn }) => turn === 'person'),
  );
  if (needing.length === 0) return isAskedElse ? null : <p className="soft">{words.home.nothing}</p>;
  return (
    <section className="section" aria-labelledby="needing-title">
      <h2 id="needing-title">{words.sidebar.needYou(needing.length)}</h2>
      <ul className="home-list">
        {needing.slice(0, isWhole ? undefined : first).map((integration) => (
          // What was said of a step is over with the state that it was for.
          <NeedingServer key={`${integration.id} ${integration.state}`} integration={integration} />
        ))}
      </ul>
      {!isWhole && needing.length > first && (
        <div>
          <Button onClick={() => setWhole(true)}>{words.sidebar.showAll}</Button>
        </div>
      )}
    </section>
  );
}

function NeedingServer({ integration }: { readonly integration: IntegrationView }) {
  const { id, name, status, busy } = integration;
  // How a sign-in goes on is seen on the page of the server.
  const mend = useMend(integration, () => showIntegration(id));
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
      {busy === undefined && <MendButton integration={integration} mend={mend} />}
      <MendError integration={integration} mend={mend} />
    </li>
  );
}
