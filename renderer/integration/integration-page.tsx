import type { IntegrationView } from '../../shared/integration-view.ts';
import { ConnectionPanel } from '../connect/connection-panel.tsx';
import { Button } from '../parts/button.tsx';
import { Notice } from '../parts/notice.tsx';
import { Tabs } from '../parts/tabs.tsx';
import { OfferPrograms } from '../programs/offer-programs.tsx';
import { useIntegration, useSnapshots } from '../store.ts';
import { integrationTabs, show, showIntegration } from '../view.ts';
import type { IntegrationTab } from '../view.ts';
import { words } from '../words.ts';
import { IntegrationHeader } from './integration-header.tsx';
import { OverviewTab } from './overview-tab.tsx';
import { RemoveTab } from './remove-tab.tsx';
import { ServerActivityTab } from './server-activity-tab.tsx';
import { SettingsTab } from './settings-tab.tsx';
import { ToolsTab } from './tools-tab.tsx';
import { UseTab } from './use-tab.tsx';
import './integration-page.css';

interface IntegrationPageProps {
  readonly id: string;
  readonly tab: IntegrationTab;
  /** It has just been connected. */
  readonly isNew: boolean;
}

export function IntegrationPage({ id, tab, isNew }: IntegrationPageProps) {
  const integration = useIntegration(id);
  if (integration === undefined) {
    return (
      <div className="page">
        <Notice
          title={words.integration.gone}
          actions={<Button onClick={() => show({ name: 'connect' })}>{words.connect.title}</Button>}
        />
      </div>
    );
  }
  return (
    <div className="page wide">
      <IntegrationHeader key={integration.state} integration={integration} />
      <SignInPart integration={integration} />
      {isNew && tab !== 'use' && <OfferPrograms integration={integration} onLater={() => showIntegration(id, tab)} />}
      <Tabs
        label={words.integration.tabs}
        value={tab}
        onChange={(next) => show({ name: 'integration', id, tab: next, isNew })}
        tabs={integrationTabs.map((name) => ({
          name,
          label: words.integration[name],
          content: () => contentOf(name, integration),
        }))}
      />
    </div>
  );
}

function contentOf(tab: IntegrationTab, integration: IntegrationView) {
  switch (tab) {
    case 'overview':
      // What was said of a sign-in is over with it.
      return <OverviewTab key={integration.state} integration={integration} />;
    case 'tools':
      return <ToolsTab integration={integration} />;
    case 'use':
      return <UseTab integration={integration} />;
    case 'activity':
      return <ServerActivityTab integration={integration} />;
    case 'settings':
      return <SettingsTab integration={integration} />;
    case 'remove':
      return <RemoveTab integration={integration} />;
  }
}

/** A sign-in of this integration that is under way, or how it ended. */
function SignInPart({ integration }: { readonly integration: IntegrationView }) {
  const connection = useSnapshots((state) =>
    state.connections?.find(
      ({ id, integrationId }) => id === integration.connectionId || integrationId === integration.id,
    ),
  );
  if (connection === undefined || (connection.state.name === 'integrated' && !connection.state.warning)) return null;
  return <ConnectionPanel connection={connection} />;
}
