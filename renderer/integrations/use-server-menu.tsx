import { useCallback, useState } from 'react';
import type { FormEvent, ReactNode } from 'react';
import { flushSync } from 'react-dom';
import type { IntegrationView } from '../../shared/integration-view.ts';
import type { SidebarChange } from '../../shared/sidebar.ts';
import { ErrorNotice } from '../errors/error-notice.tsx';
import { Button } from '../parts/button.tsx';
import { RadioChoice } from '../parts/check-box.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Field, TextInput } from '../parts/field.tsx';
import { Menu } from '../parts/menu.tsx';
import type { MenuEntry, MenuPlace } from '../parts/menu.tsx';
import { postern, useCall } from '../postern.ts';
import { useSnapshots } from '../store.ts';
import { forget, useKept } from '../use-kept.ts';
import { beginRemoval, beginUse, flash, flashError, show, showIntegration } from '../view.ts';
import { words } from '../words.ts';
import { compareNames } from './arrange-rows.ts';
import { arrangeSidebar } from './sidebar-fold.ts';

interface Opened {
  readonly of: Opening;
  readonly at: MenuPlace;
}

/** What a menu is for: a server, several, or a group of the side bar. */
export type Opening =
  | {
      readonly kind: 'servers';
      readonly servers: readonly IntegrationView[];
      /** Its page is in sight: there is nothing to open. */
      readonly isShown?: boolean;
    }
  | { readonly kind: 'group'; readonly group: string; readonly servers: readonly IntegrationView[] };

interface ServerMenu {
  readonly open: (of: Opening, at: MenuPlace) => void;
  readonly isOpen: boolean;
  /** Another name for a group. */
  readonly nameGroup: (group: string) => void;
  /** To be drawn. */
  readonly part: ReactNode;
}

/** What can be done with a server, from its row and from its page, with several at once, and with a group. */
export function useServerMenu(): ServerMenu {
  const [opened, setOpened] = useState<Opened>();
  const [grouping, setGrouping] = useState<Grouping>();
  const pinned = useSnapshots((state) => state.app?.sidebar.pinned);
  const open = useCallback((of: Opening, at: MenuPlace) => setOpened({ of, at }), []);
  const close = useCallback(() => setOpened(undefined), []);
  const part = (
    <>
      {opened && (
        <Menu
          label={labelOf(opened.of)}
          at={opened.at}
          entries={entriesOf(opened.of, pinned ?? [], setGrouping)}
          onClose={close}
        />
      )}
      {grouping && <GroupDialog grouping={grouping} onClose={() => setGrouping(undefined)} />}
    </>
  );
  return {
    open,
    isOpen: opened !== undefined,
    nameGroup: useCallback((group: string) => setGrouping({ kind: 'rename', group }), []),
    part,
  };
}

function labelOf(of: Opening): string {
  return of.kind === 'group' ? of.group : nameOfAll(of.servers);
}

const nameOfAll = (servers: readonly IntegrationView[]): string =>
  servers.length === 1 ? (servers[0]?.name ?? '') : words.arrange.chosen(servers.length);

type Ask = (grouping: Grouping) => void;

function entriesOf(of: Opening, pinned: readonly string[], ask: Ask): MenuEntry[] {
  const { arrange } = words;
  const ids = of.servers.map(({ id }) => id);
  if (of.kind === 'group') {
    const { group } = of;
    return [
      { label: arrange.rename, onChoose: () => ask({ kind: 'rename', group }) },
      { label: arrange.ungroup, onChoose: () => arrangeSidebar({ do: 'ungroup', group }) },
    ];
  }
  const isPinned = ids.every((id) => pinned.includes(id));
  const placing: MenuEntry[] = [
    {
      label: isPinned ? arrange.unpin : arrange.pin,
      onChoose: () => arrangeSidebar({ do: 'pin', ids, isPinned: !isPinned }),
    },
    { label: arrange.move, onChoose: () => ask({ kind: 'move', ids, name: nameOfAll(of.servers) }) },
  ];
  const removal: MenuEntry = {
    label: words.integration.menu.remove,
    isDanger: true,
    onChoose: () => beginRemoval(ids),
  };
  const [only] = of.servers;
  const alone = only && of.servers.length === 1 ? serverActions(only).slice(of.isShown ? 1 : 0) : undefined;
  if (alone) {
    const leaving = alone.filter(({ isDanger }) => isDanger);
    return [...alone.filter(({ isDanger }) => !isDanger), ...placing, ...leaving, removal];
  }
  const use: MenuEntry = { label: arrange.use, onChoose: () => beginUse(ids) };
  const signedIn = of.servers.filter(isSignedIn).map(({ id }) => id);
  const signOutAll: MenuEntry = {
    label: words.account.signOut,
    isDanger: true,
    isApart: true,
    onChoose: () => void signOut(signedIn),
  };
  return [use, ...placing, ...(signedIn.length > 0 ? [signOutAll] : []), removal];
}

/** `signInHost`: also of a sign-in that an open server does not use. */
const isSignedIn = ({ method, state, options, signInHost }: IntegrationView): boolean =>
  state === 'integrated' && (method !== 'NoAuth' || options.headerName !== undefined || signInHost !== undefined);

/** All but its removal, which shows what goes with it. */
export function serverActions(server: IntegrationView): MenuEntry[] {
  const { id, method, state } = server;
  const { menu } = words.integration;
  const signsIn = method !== 'NoAuth';
  return [
    { label: menu.open, onChoose: () => showIntegration(id) },
    { label: menu.check, onChoose: () => void check(server) },
    ...(signsIn
      ? [{ label: state === 'signedOut' ? menu.signIn : menu.signInAgain, onChoose: () => void signIn(id) }]
      : []),
    ...(signsIn && state !== 'signedOut'
      ? [{ label: words.account.switchAccount, onChoose: () => void switchAccount(id) }]
      : []),
    { label: menu.use, onChoose: () => showIntegration(id, 'use') },
    { label: menu.rename, onChoose: () => rename(id) },
    { label: menu.copy, onChoose: () => void copyAddress(id) },
    ...(isSignedIn(server)
      ? [{ label: words.account.signOut, isDanger: true, isApart: true, onChoose: () => void signOut([id]) }]
      : []),
  ];
}

/** Asks the server itself, which also renews what is due. */
async function check({ id, name }: IntegrationView): Promise<void> {
  const result = await postern.integration.tools({ id });
  if (result.ok) flash(() => [words.integration.menu.answers(name)]);
  else flashError(result.error);
}

async function signIn(id: string): Promise<void> {
  showIntegration(id);
  const result = await postern.integration.signInAgain({ id });
  if (!result.ok) flashError(result.error);
}

async function switchAccount(id: string): Promise<void> {
  showIntegration(id);
  const result = await postern.integration.switchAccount({ id });
  if (!result.ok) flashError(result.error);
}

async function signOut(ids: string[]): Promise<void> {
  const result = await postern.integration.signOut({ ids });
  if (!result.ok) flashError(result.error);
}

async function copyAddress(id: string): Promise<void> {
  const result = await postern.app.copy({ kind: 'serverAddress', id });
  if (result.ok) flash(() => [words.integration.menu.copied]);
  else flashError(result.error);
}

/** Leads to the field with its name. */
export function rename(id: string): void {
  flushSync(() => show({ name: 'integration', id, tab: 'settings' }));
  const name = document.querySelector<HTMLInputElement>('#server-name');
  name?.focus();
  name?.select();
}

/** Servers that go into a group, or a group that gets another name. */
type Grouping =
  | { readonly kind: 'move'; readonly ids: readonly string[]; readonly name: string }
  | { readonly kind: 'rename'; readonly group: string };

interface GroupDialogProps {
  readonly grouping: Grouping;
  readonly onClose: () => void;
}

const [none, fresh] = ['none', 'new'] as const;

function GroupDialog({ grouping, onClose }: GroupDialogProps) {
  const groups = useSnapshots((state) => state.app?.sidebar.groups) ?? [];
  const ids = grouping.kind === 'move' ? grouping.ids : [];
  const isIn = (servers: readonly string[]): boolean => ids.some((id) => servers.includes(id));
  const names = groups.map(({ name }) => name).toSorted(compareNames);
  const now = groups.find(({ servers }) => ids.length > 0 && ids.every((id) => servers.includes(id)))?.name;
  const [chosen, setChosen] = useState(now === undefined ? fresh : String(names.indexOf(now)));
  const place = grouping.kind === 'rename' ? `group ${grouping.group}` : 'new group';
  const [{ name }, keep] = useKept('page', place, { name: grouping.kind === 'rename' ? grouping.group : '' });
  // Escape leaves it for another time.
  const done = (): void => {
    forget('page', place);
    onClose();
  };
  const isNew = grouping.kind === 'rename' || chosen === fresh;
  const typed = name.trim();
  const arranging = useCall<null>();
  // It closes on what is kept, so that no name that was typed is lost.
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (arranging.busy || (isNew && typed === '')) return;
    const group = isNew ? typed : chosen === none ? null : (names[Number(chosen)] ?? null);
    const change: SidebarChange =
      grouping.kind === 'move'
        ? { do: 'move', ids: [...ids], group }
        : { do: 'rename', group: grouping.group, name: typed };
    if ((await arranging.run(() => postern.settings.arrange(change))) !== undefined) done();
  };
  const options = [
    ...names.map((each, index) => ({ value: String(index), label: each })),
    { value: fresh, label: words.arrange.newGroup },
    ...(groups.some(({ servers }) => isIn(servers)) ? [{ value: none, label: words.arrange.noGroup }] : []),
  ];
  const { arrange } = words;
  return (
    <Dialog
      open
      title={grouping.kind === 'rename' ? arrange.renameTitle(grouping.group) : arrange.moveTitle(grouping.name)}
      onClose={onClose}
      footer={
        <>
          <Button onClick={done}>{words.common.cancel}</Button>
          <Button kind="primary" type="submit" form="group-form" busy={arranging.busy} disabled={isNew && typed === ''}>
            {grouping.kind === 'rename' ? arrange.renameButton : arrange.moveButton}
          </Button>
        </>
      }
    >
      <form id="group-form" className="stack" onSubmit={(event) => void submit(event)}>
        {grouping.kind === 'move' && names.length > 0 && (
          <RadioChoice label={arrange.group} value={chosen} options={options} onChoose={setChosen} />
        )}
        {isNew && (
          <Field label={arrange.groupName}>
            {(control) => (
              <TextInput
                {...control}
                maxLength={80}
                value={name}
                onChange={(event) => keep({ name: event.target.value })}
              />
            )}
          </Field>
        )}
        {arranging.error && <ErrorNotice error={arranging.error} actions={{ dismiss: arranging.clear }} />}
      </form>
    </Dialog>
  );
}
