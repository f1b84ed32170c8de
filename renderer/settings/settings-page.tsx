import { useEffect } from 'react';
import { useSnapshots } from '../store.ts';
import type { SettingsSection } from '../view.ts';
import { words } from '../words.ts';
import { AboutSection } from './about-section.tsx';
import { AppearanceSection } from './appearance-section.tsx';
import { BackgroundSection } from './background-section.tsx';
import { ListSection } from './list-section.tsx';
import { RegistrySection } from './registry-section.tsx';
import { SignInSection } from './sign-in-section.tsx';
import { StorageSection } from './storage-section.tsx';
import { UpdateSection } from './update-section.tsx';
import './settings-page.css';

interface SettingsPageProps {
  /** The part that the person was led to. */
  readonly section: SettingsSection | undefined;
}

export function SettingsPage({ section }: SettingsPageProps) {
  const app = useSnapshots((state) => state.app);
  useEffect(() => {
    if (section === undefined) return;
    const target = document.querySelector<HTMLElement>(`#settings-${section}`);
    target?.scrollIntoView({ block: 'start' });
    target?.focus();
  }, [section]);
  if (app === undefined) return null;
  return (
    <div className="page settings">
      <h1>{words.settings.title}</h1>
      <SignInSection app={app} />
      <BackgroundSection app={app} />
      <AppearanceSection app={app} />
      <StorageSection app={app} />
      <ListSection />
      <RegistrySection app={app} />
      <UpdateSection app={app} />
      <AboutSection app={app} />
    </div>
  );
}
