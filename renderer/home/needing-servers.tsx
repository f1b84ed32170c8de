import { memo, useEffect, useMemo, useState } from 'react';
import type { IntegrationView } from '../../shared/integration-view.ts';
import { needsPerson } from '../../shared/needs-person.ts';
import { MendButton, MendError, useMend } from '../integration/mend.tsx';
import { describeStatus } from '../integrations/describe-status.ts';
import { sortIntegrations } from '../integrations/filter-integrations.ts';
import { ServerIcon } from '../integrations/server-icon.tsx';
import { StatusMark } from '../integrations/status-mark.tsx';
import { Button } from '../parts/button.tsx';
import { useSnapshots } from '../store.ts';
import { useLanguage } from '../language.ts';
import { showIntegration } from '../view.ts';
import { words } from '../words.ts';

/** A thousand rows at once would hold the window up: so many come with each frame. */
const first = 20;

/** The servers that wait for the person, each with the step that its own page offers. */
export function NeedingServers() {
  const integrations = useSnapshots((state) => state.integrations);
  const needing = useMemo(() => sortIntegrations(integrations ?? []).filter(needsPerson), [integrations]);
  const [drawn, setDrawn] = useState(first);
  const isWhole = drawn > first;
  useEffect(() => {
    if (!isWhole || drawn >= needing.length) return;
    const frame = requestAnimationFrame(() => setDrawn(drawn + first));
    return () => cancelAnimationFrame(frame);
  }, [isWhole, drawn, needing.length]);
  const isAskedElse = useSnapshots(
    ({ approvals = [], connections = [] }) => approvals.length > 0 || connections.some(({ turn }) => turn === 'person'),
  );
  if (needing.length === 0) return isAskedElse ? null : <p className="soft">{words.home.nothing}</p>;
  return (
    <section className="section" aria-labelledby="needing-title">
      <h2 id="needing-title">{words.sidebar.needYou(needing.length)}</h2>
      <ul className="home-list">
        {needing.slice(0, drawn).map((integration) => (
          // What was said of a step is over with the state that it was for.
          <NeedingServer key={`${integration.id} ${integration.state}`} integration={integration} />
        ))}
      </ul>
      {!isWhole && needing.length > first && (
        <div>
          <Button onClick={() => setDrawn(2 * first)}>{words.sidebar.showAll}</Button>
        </div>
      )}
    </section>
  );
}

const NeedingServer = memo(function NeedingServer({ integration }: { readonly integration: IntegrationView }) {
  useLanguage();
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
});
