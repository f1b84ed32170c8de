import type { IntegrationView } from '../../shared/integration-view.ts';
import { ConnectionPanel } from '../connect/connection-panel.tsx';
import { Button } from '../parts/button.tsx';
import { Notice } from '../parts/notice.tsx';
import { Tabs } from '../parts/tabs.tsx';
import { OfferPrograms } from '../programs/offer-programs.tsx';
import { useIntegration, useSnapshots } from '../store.ts';
import { useKept } from '../use-kept.ts';
import { integrationTabs, show, showIntegration } from '../view.ts';
import type { IntegrationTab } from '../view.ts';
import { words } from '../words.ts';
import { IntegrationHeader } from './integration-header.tsx';
import { ProcessTab } from './process-tab.tsx';
import { PageBoundary } from '../parts/page-boundary.tsx';
import { OverviewTab } from './overview-tab.tsx';
import { PermissionsTab } from '../permissions/permissions-tab.tsx';
import { ServerActivityTab } from './server-activity-tab.tsx';
import { changedChoices, isTyped, noApp } from './settings-draft.ts';
import type { SettingsDraft, TypedApp } from './settings-draft.ts';
import { SettingsTab } from './settings-tab.tsx';
import { ToolsTab } from './tools-tab.tsx';
import { UseTab } from './use-tab.tsx';
import './integration-page.css';

interface IntegrationPageProps {
  readonly id: string;
  readonly tab: IntegrationTab;
  /** It has just been connected. */
  readonly isNew: boolean;
  /** The person was led to settings that do not stand in sight. */
  readonly openAdvanced: boolean;
}

const nothingChanged: SettingsDraft = {};

export function IntegrationPage({ id, tab, isNew, openAdvanced }: IntegrationPageProps) {
  const integration = useIntegration(id);
  const [draft, setDraft] = useKept(id, 'settings', nothingChanged);
  const [app, setApp] = useKept<TypedApp>(id, 'app', noApp);
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
  const isUnsaved = isTyped(app) || changedChoices(integration, draft).length > 0;
  const hasChanged = integration.toolReview?.changedAt !== undefined;
  const settings = (
    <SettingsTab
      integration={integration}
      draft={draft}
      onDraft={setDraft}
      app={app}
      onApp={setApp}
      openAdvanced={openAdvanced}
    />
  );
  return (
    <div className="page wide">
      <IntegrationHeader key={integration.state} integration={integration} tab={tab} isNew={isNew} />
      <SignInPart integration={integration} />
      {hasChanged && tab !== 'permissions' && (
        <Notice
          tone="ask"
          title={words.permits.changedNotice}
          actions={<Button onClick={() => showIntegration(id, 'permissions')}>{words.permits.review}</Button>}
        />
      )}
      {isNew && tab !== 'use' && <OfferPrograms integration={integration} onLater={() => showIntegration(id, tab)} />}
      <Tabs
        label={words.integration.tabs}
        value={tabsOf(integration).includes(tab) ? tab : 'overview'}
        onChange={(next) => show({ name: 'integration', id, tab: next, isNew })}
        tabs={tabsOf(integration).map((name) => ({
          name,
          label: words.integration[name],
          mark:
            name === 'settings' && isUnsaved
              ? words.integration.unsaved
              : name === 'permissions' && hasChanged
                ? words.permits.changedMark
                : undefined,
          // One that cannot be drawn leaves the others to go to.
          content: () => (
            <PageBoundary key={name}>{name === 'settings' ? settings : contentOf(name, integration)}</PageBoundary>
          ),
        }))}
      />
    </div>
  );
}

/** One that runs here has a process. */
function tabsOf({ command }: IntegrationView): readonly IntegrationTab[] {
  return integrationTabs.filter((name) => command !== undefined || name !== 'process');
}

function contentOf(tab: Exclude<IntegrationTab, 'settings'>, integration: IntegrationView) {
  switch (tab) {
    case 'overview':
      // What was said of a sign-in is over with it.
      return <OverviewTab key={integration.state} integration={integration} />;
    case 'tools':
      return <ToolsTab integration={integration} />;
    case 'permissions':
      return <PermissionsTab integration={integration} />;
    case 'use':
      return <UseTab integration={integration} />;
    case 'process':
      return integration.command && <ProcessTab id={integration.id} command={integration.command} />;
    case 'activity':
      return <ServerActivityTab integration={integration} />;
  }
}

/** This integration's sign-in: under way, or how it ended. */
function SignInPart({ integration }: { readonly integration: IntegrationView }) {
  const connection = useSnapshots((state) =>
    state.connections?.find(
      ({ id, integrationId }) => id === integration.connectionId || integrationId === integration.id,
    ),
  );
  return connection && <ConnectionPanel connection={connection} />;
}
