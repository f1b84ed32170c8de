import type { IntegrationView } from '../../shared/integration-view.ts';
import { words } from '../words.ts';

/** What deleting everything takes, and what it leaves. */
export function DeletionScope({ integrations }: { readonly integrations: readonly IntegrationView[] }) {
  const servers = integrations.length;
  const signIns = integrations.filter(holdsSecret).length;
  return (
    <div className="stack">
      <section className="stack-tight">
        <h3>{words.deletion.goes}</h3>
        <ul className="plain-list">
          <li>{words.deletion.goesServers(servers)}</li>
          <li>{words.deletion.goesSignIns(signIns)}</li>
          <li>{words.deletion.goesSettings}</li>
        </ul>
        <p className="soft">{words.deletion.goesThen}</p>
      </section>
      <section className="stack-tight">
        <h3>{words.deletion.stays}</h3>
        <ul className="plain-list">
          <li>{words.deletion.staysAccounts}</li>
          <li>{words.deletion.staysApps}</li>
        </ul>
      </section>
    </div>
  );
}

function holdsSecret({ method, options, status }: IntegrationView): boolean {
  return (method !== 'NoAuth' && status.name !== 'signIn') || options.headerName !== undefined;
}
