import { useEffect } from 'react';
import { ConnectPage } from '../connect/connect-page.tsx';
import { Sidebar } from '../integrations/sidebar.tsx';
import { postern } from '../postern.ts';
import { useSnapshots } from '../store.ts';
import { useView } from '../view.ts';
import { words } from '../words.ts';
import { BackgroundBar } from './background-bar.tsx';
import { FinishConnections } from './finish-connections.tsx';
import { Flash } from './flash.tsx';
import { SandboxBar } from './sandbox-bar.tsx';
import { SettingsTrouble } from './settings-trouble.tsx';
import { StorageBanner } from './storage-banner.tsx';
import { UpdateBar } from './update-bar.tsx';
import { useDrop } from './use-drop.ts';
import { preloadLaterScreens, useLaterScreens } from './use-later-screens.ts';
import { useShortcuts } from './use-shortcuts.ts';
import './app.css';

/** The list beside the one thing that is looked at. Nothing is drawn before main has said what there is. */
export function App() {
  const ready = useSnapshots((state) => Boolean(state.app && state.integrations && state.connections));
  useTheme();
  return ready ? <Frame /> : null;
}

function Frame() {
  const view = useView((state) => state.view);
  useShortcuts();
  const isReadOnly = useSnapshots((state) => state.app?.settingsTrouble !== undefined);
  const isDropOver = useDrop();
  const later = useLaterScreens();
  useEffect(() => {
    void postern.app.interactive();
    preloadLaterScreens();
  }, []);
  return (
    <div className="frame" aria-busy={later === undefined || undefined}>
      <Sidebar />
      <main className="pane" key={'id' in view ? `${view.name} ${view.id}` : view.name}>
        {isReadOnly && view.name !== 'settings' && <h1 className="bar">{words.settings.unreadable}</h1>}
        <SettingsTrouble />
        <StorageBanner />
        <SandboxBar />
        <BackgroundBar />
        <UpdateBar />
        <Flash />
        {view.name === 'connect' && !isReadOnly && (
          <ConnectPage later={later} connectionId={view.connectionId} dropped={view.dropped} />
        )}
        {later && view.name === 'integration' && !isReadOnly && (
          <later.IntegrationPage id={view.id} tab={view.tab} isNew={view.isNew === true} />
        )}
        {later && view.name === 'programs' && !isReadOnly && <later.ProgramsPage />}
        {later && view.name === 'program' && !isReadOnly && <later.ProgramPage id={view.id} />}
        {later && view.name === 'activity' && !isReadOnly && <later.ActivityPage />}
        {later && view.name === 'settings' && <later.SettingsPage section={view.section} />}
      </main>
      <FinishConnections />
      {later && <later.UseQuestions />}
      {isDropOver && (
        <div className="drop-veil" aria-hidden="true">
          {words.connect.dropHere}
        </div>
      )}
    </div>
  );
}

/** The tokens follow the system by themselves; a choice of the person stands above it. */
function useTheme(): void {
  const theme = useSnapshots((state) => state.app?.theme);
  useEffect(() => {
    if (theme === undefined || theme === 'system') delete document.documentElement.dataset['theme'];
    else document.documentElement.dataset['theme'] = theme;
  }, [theme]);
}
