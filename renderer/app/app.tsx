import { useEffect } from 'react';
import { ActivityPage } from '../activity/activity-page.tsx';
import { ServerQuestions } from '../asking/server-question.tsx';
import { ConnectPage } from '../connect/connect-page.tsx';
import { HomePage } from '../home/home-page.tsx';
import { IntegrationPage } from '../integration/integration-page.tsx';
import { Sidebar } from '../integrations/sidebar.tsx';
import { useLanguage } from '../language.ts';
import { Palette } from '../palette/palette.tsx';
import { PageBoundary } from '../parts/page-boundary.tsx';
import { postern } from '../postern.ts';
import { ProgramPage } from '../programs/program-page.tsx';
import { ProgramsPage } from '../programs/programs-page.tsx';
import { UseQuestions } from '../programs/use-question.tsx';
import { UseSeveralDialog } from '../programs/use-several-dialog.tsx';
import { SettingsPage } from '../settings/settings-page.tsx';
import { useSnapshots } from '../store.ts';
import { useView } from '../view.ts';
import { words } from '../words.ts';
import { FinishConnections } from './finish-connections.tsx';
import { Flash } from './flash.tsx';
import { useKeptFocus } from './keep-focus.ts';
import { Removal } from './removal.tsx';
import { SettingsTrouble } from './settings-trouble.tsx';
import { useTheme, useWantedLanguage } from './use-appearance.ts';
import { useDrop } from './use-drop.ts';
import { useShortcuts } from './use-shortcuts.ts';
import './app.css';

/** The list beside the one thing that is looked at. Nothing is drawn before main has said what there is. */
export function App() {
  const ready = useSnapshots((state) => Boolean(state.app && state.integrations && state.connections));
  useTheme();
  const language = useLanguage((state) => state.language);
  useWantedLanguage();
  return ready && language ? <Frame /> : null;
}

function Frame() {
  const view = useView((state) => state.view);
  useShortcuts();
  useKeptFocus();
  const isReadOnly = useSnapshots((state) => state.app?.settingsTrouble !== undefined);
  const isDropOver = useDrop();
  useEffect(() => {
    void postern.app.interactive();
  }, []);
  return (
    <div className="frame">
      <Sidebar />
      <main className="pane" tabIndex={-1} key={'id' in view ? `${view.name} ${view.id}` : view.name}>
        <PageBoundary>
          {isReadOnly && view.name !== 'settings' && <h1 className="bar">{words.settings.unreadable}</h1>}
          <SettingsTrouble />
          {view.name === 'home' && !isReadOnly && <HomePage />}
          {view.name === 'connect' && !isReadOnly && (
            <ConnectPage connectionId={view.connectionId} dropped={view.dropped} linked={view.linked} />
          )}
          {view.name === 'integration' && !isReadOnly && (
            <IntegrationPage
              id={view.id}
              tab={view.tab}
              isNew={view.isNew === true}
              openAdvanced={view.openAdvanced === true}
            />
          )}
          {view.name === 'programs' && !isReadOnly && <ProgramsPage />}
          {view.name === 'program' && !isReadOnly && <ProgramPage id={view.id} />}
          {view.name === 'activity' && !isReadOnly && <ActivityPage />}
          {view.name === 'settings' && <SettingsPage section={view.section} />}
        </PageBoundary>
      </main>
      <Flash />
      <FinishConnections />
      <Removal />
      <UseSeveralDialog />
      <Palette />
      <UseQuestions />
      <ServerQuestions />
      {isDropOver && (
        <div className="drop-veil" aria-hidden="true">
          {words.connect.dropHere}
        </div>
      )}
    </div>
  );
}
