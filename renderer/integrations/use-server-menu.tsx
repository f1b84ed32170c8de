import { useCallback, useState } from 'react';
import type { ReactNode } from 'react';
import { flushSync } from 'react-dom';
import type { IntegrationView } from '../../shared/integration-view.ts';
import type { MenuEntry, MenuPlace } from '../parts/menu.tsx';
import { Menu } from '../parts/menu.tsx';
import { postern } from '../postern.ts';
import { beginRemoval, flash, show, showIntegration } from '../view.ts';
import { words } from '../words.ts';

interface Opened {
  readonly server: IntegrationView;
  readonly at: MenuPlace;
}

interface ServerMenu {
  readonly open: (server: IntegrationView, at: MenuPlace) => void;
  readonly isOpen: boolean;
  /** To be drawn. */
  readonly part: ReactNode;
}

/** What can be done with a server, from its row and from its page. */
export function useServerMenu(): ServerMenu {
  const [opened, setOpened] = useState<Opened>();
  const open = useCallback((server: IntegrationView, at: MenuPlace) => setOpened({ server, at }), []);
  const close = useCallback(() => setOpened(undefined), []);
  const part = opened && (
    <Menu label={opened.server.name} at={opened.at} entries={entriesOf(opened.server)} onClose={close} />
  );
  return { open, isOpen: opened !== undefined, part };
}

function entriesOf(server: IntegrationView): MenuEntry[] {
  return [
    ...serverActions(server),
    { label: words.integration.menu.remove, isDanger: true, onChoose: () => beginRemoval(server.id) },
  ];
}

/** All but its removal, which shows what goes with it. */
export function serverActions(server: IntegrationView): MenuEntry[] {
  const { id, method, state, options } = server;
  const { menu } = words.integration;
  const signsIn = method !== 'NoAuth';
  const isSignedIn = state === 'integrated' && (signsIn || options.headerName !== undefined);
  return [
    { label: menu.open, onChoose: () => showIntegration(id) },
    { label: menu.check, onChoose: () => void check(server) },
    ...(signsIn
      ? [{ label: state === 'signedOut' ? menu.signIn : menu.signInAgain, onChoose: () => void signIn(id) }]
      : []),
    { label: menu.use, onChoose: () => showIntegration(id, 'use') },
    { label: menu.rename, onChoose: () => rename(id) },
    { label: menu.copy, onChoose: () => void copyAddress(id) },
    ...(isSignedIn
      ? [{ label: words.account.signOut, isDanger: true, isApart: true, onChoose: () => void signOut(id) }]
      : []),
  ];
}

/** Asks the server itself, which also renews what is due. */
async function check({ id, name }: IntegrationView): Promise<void> {
  const result = await postern.integration.tools({ id });
  flash(result.ok ? words.integration.menu.answers(name) : result.error.message);
}

async function signIn(id: string): Promise<void> {
  showIntegration(id);
  const result = await postern.integration.signInAgain({ id });
  if (!result.ok) flash(result.error.message);
}

async function signOut(id: string): Promise<void> {
  const result = await postern.integration.signOut({ ids: [id] });
  if (!result.ok) flash(result.error.message);
}

async function copyAddress(id: string): Promise<void> {
  const result = await postern.app.copy({ kind: 'serverAddress', id });
  flash(result.ok ? words.integration.menu.copied : result.error.message);
}

/** Leads to the field with its name. */
export function rename(id: string): void {
  flushSync(() => show({ name: 'integration', id, tab: 'settings' }));
  const name = document.querySelector<HTMLInputElement>('#server-name');
  name?.focus();
  name?.select();
}
