import { useCallback, useState } from 'react';
import type { FormEvent, ReactNode } from 'react';
import { flushSync } from 'react-dom';
import type { IntegrationView } from '../../shared/integration-view.ts';
import type { SidebarChange } from '../../shared/sidebar.ts';
import { ErrorNotice } from '../errors/error-notice.tsx';
import { Button } from '../components/button.tsx';
import { RadioChoice } from '../components/radio-choice.tsx';
import { Dialog } from '../components/dialog.tsx';
import { Field, TextInput } from '../components/field.tsx';
import { Menu } from '../components/menu.tsx';
import type { MenuEntry, MenuPosition } from '../components/menu.tsx';
import { postern, useCall } from '../postern.ts';
import { useSnapshots } from '../store.ts';
import { forget, useRetainedState } from '../use-retained-state.ts';
import { beginRemoval, openAppSelection, flash, flashError, show, showIntegration } from '../view.ts';
import { words } from '../words.ts';
import { compareNames } from './arrange-rows.ts';
import { arrangeSidebar } from './sidebar-fold.ts';

interface OpenedMenu {
  readonly of: MenuTarget;
  readonly at: MenuPosition;
}

/** What a menu is for: one or more servers, or a sidebar group. */
export type MenuTarget =
  | {
      readonly kind: 'servers';
      readonly servers: readonly IntegrationView[];
      /** Its page is already open, so the menu omits Open. */
      readonly isShown?: boolean;
    }
  | { readonly kind: 'group'; readonly group: string; readonly servers: readonly IntegrationView[] };

interface ServerMenu {
  readonly open: (of: MenuTarget, at: MenuPosition) => void;
  readonly isOpen: boolean;
  /** Opens the dialog to rename a group. */
  readonly nameGroup: (group: string) => void;
  /** To be rendered by the caller. */
  readonly element: ReactNode;
}

/** Actions for one server (from its row or page), several, or a group. */
export function useServerMenu(): ServerMenu {
  const [opened, setOpened] = useState<OpenedMenu>();
  const [groupAction, setGroupAction] = useState<GroupAction>();
  const pinned = useSnapshots((state) => state.desktop?.sidebar.pinned);
  const open = useCallback((of: MenuTarget, at: MenuPosition) => setOpened({ of, at }), []);
  const close = useCallback(() => setOpened(undefined), []);
  const element = (
    <>
      {opened && (
        <Menu
          label={labelOf(opened.of)}
          at={opened.at}
          entries={entriesOf(opened.of, pinned ?? [], setGroupAction)}
          onClose={close}
        />
      )}
      {groupAction && <GroupDialog groupAction={groupAction} onClose={() => setGroupAction(undefined)} />}
    </>
  );
  return {
    open,
    isOpen: opened !== undefined,
    nameGroup: useCallback((group: string) => setGroupAction({ kind: 'rename', group }), []),
    element,
  };
}

function labelOf(of: MenuTarget): string {
  return of.kind === 'group' ? of.group : describeServers(of.servers);
}

const describeServers = (servers: readonly IntegrationView[]): string =>
  servers.length === 1 ? (servers[0]?.name ?? '') : words.arrange.chosen(servers.length);

type OpenDialog = (groupAction: GroupAction) => void;

function entriesOf(of: MenuTarget, pinned: readonly string[], openDialog: OpenDialog): MenuEntry[] {
  const { arrange } = words;
  const ids = of.servers.map(({ id }) => id);
  if (of.kind === 'group') {
    const { group } = of;
    return [
      { label: arrange.rename, onChoose: () => openDialog({ kind: 'rename', group }) },
      { label: arrange.ungroup, onChoose: () => arrangeSidebar({ do: 'ungroup', group }) },
    ];
  }
  const isPinned = ids.every((id) => pinned.includes(id));
  const placement: MenuEntry[] = [
    {
      label: isPinned ? arrange.unpin : arrange.pin,
      onChoose: () => arrangeSidebar({ do: 'pin', ids, isPinned: !isPinned }),
    },
    { label: arrange.move, onChoose: () => openDialog({ kind: 'move', ids, name: describeServers(of.servers) }) },
  ];
  const removal: MenuEntry = {
    label: words.integration.menu.remove,
    isDanger: true,
    onChoose: () => beginRemoval(ids),
  };
  const [only] = of.servers;
  const single = only && of.servers.length === 1 ? serverActions(only).slice(of.isShown ? 1 : 0) : undefined;
  if (single) {
    const signOutEntries = single.filter(({ isDanger }) => isDanger);
    return [...single.filter(({ isDanger }) => !isDanger), ...placement, ...signOutEntries, removal];
  }
  const use: MenuEntry = { label: arrange.use, onChoose: () => openAppSelection(ids) };
  const signedIn = of.servers.filter(isSignedIn).map(({ id }) => id);
  const signOutAll: MenuEntry = {
    label: words.account.signOut,
    isDanger: true,
    isApart: true,
    onChoose: () => void signOut(signedIn),
  };
  return [use, ...placement, ...(signedIn.length > 0 ? [signOutAll] : []), removal];
}

/** `signInHost`: also a sign-in that an open server does not use. */
const isSignedIn = ({ method, state, options, signInHost }: IntegrationView): boolean =>
  state === 'integrated' && (method !== 'NoAuth' || options.headerName !== undefined || signInHost !== undefined);

/** All actions but removal, which previews its consequences. */
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
    { label: menu.use, onChoose: () => showIntegration(id, 'apps') },
    { label: menu.rename, onChoose: () => rename(id) },
    { label: menu.copy, onChoose: () => void copyAddress(id) },
    ...(isSignedIn(server)
      ? [{ label: words.account.signOut, isDanger: true, isApart: true, onChoose: () => void signOut([id]) }]
      : []),
  ];
}

/** Calls the server itself, which also refreshes a token that is due. */
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
  const result = await postern.desktop.copy({ kind: 'serverAddress', id });
  if (result.ok) flash(() => [words.integration.menu.copied]);
  else flashError(result.error);
}

/** Moves the focus to the name field. */
export function rename(id: string): void {
  flushSync(() => show({ name: 'integration', id, tab: 'settings' }));
  const name = document.querySelector<HTMLInputElement>('#server-name');
  name?.focus();
  name?.select();
}

/** Servers to move into a group, or a group to rename. */
type GroupAction =
  | { readonly kind: 'move'; readonly ids: readonly string[]; readonly name: string }
  | { readonly kind: 'rename'; readonly group: string };

interface GroupDialogProps {
  readonly groupAction: GroupAction;
  readonly onClose: () => void;
}

const [none, newGroup] = ['none', 'new'] as const;

function GroupDialog({ groupAction, onClose }: GroupDialogProps) {
  const groups = useSnapshots((state) => state.desktop?.sidebar.groups) ?? [];
  const ids = groupAction.kind === 'move' ? groupAction.ids : [];
  const isIn = (servers: readonly string[]): boolean => ids.some((id) => servers.includes(id));
  const names = groups.map(({ name }) => name).toSorted(compareNames);
  const now = groups.find(({ servers }) => ids.length > 0 && ids.every((id) => servers.includes(id)))?.name;
  const [chosen, setChosen] = useState(now === undefined ? newGroup : String(names.indexOf(now)));
  const stateKey = groupAction.kind === 'rename' ? `group ${groupAction.group}` : 'new group';
  const [{ name }, setDraft] = useRetainedState('page', stateKey, {
    name: groupAction.kind === 'rename' ? groupAction.group : '',
  });
  // Escape keeps the draft; Save and Cancel discard it.
  const done = (): void => {
    forget('page', stateKey);
    onClose();
  };
  const isNew = groupAction.kind === 'rename' || chosen === newGroup;
  const typed = name.trim();
  const arranging = useCall<null>();
  // Close only after main has saved, so that no typed name is lost.
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (arranging.busy || (isNew && typed === '')) return;
    const group = isNew ? typed : chosen === none ? null : (names[Number(chosen)] ?? null);
    const change: SidebarChange =
      groupAction.kind === 'move'
        ? { do: 'move', ids: [...ids], group }
        : { do: 'rename', group: groupAction.group, name: typed };
    if ((await arranging.run(() => postern.settings.arrange(change))) !== undefined) done();
  };
  const options = [
    ...names.map((each, index) => ({ value: String(index), label: each })),
    { value: newGroup, label: words.arrange.newGroup },
    ...(groups.some(({ servers }) => isIn(servers)) ? [{ value: none, label: words.arrange.noGroup }] : []),
  ];
  const { arrange } = words;
  return (
    <Dialog
      open
      title={
        groupAction.kind === 'rename' ? arrange.renameTitle(groupAction.group) : arrange.moveTitle(groupAction.name)
      }
      onClose={onClose}
      footer={
        <>
          <Button onClick={done}>{words.common.cancel}</Button>
          <Button kind="primary" type="submit" form="group-form" busy={arranging.busy} disabled={isNew && typed === ''}>
            {groupAction.kind === 'rename' ? arrange.renameButton : arrange.moveButton}
          </Button>
        </>
      }
    >
      <form id="group-form" className="stack" onSubmit={(event) => void submit(event)}>
        {groupAction.kind === 'move' && names.length > 0 && (
          <RadioChoice label={arrange.group} value={chosen} options={options} onChoose={setChosen} />
        )}
        {isNew && (
          <Field label={arrange.groupName}>
            {(control) => (
              <TextInput
                {...control}
                maxLength={80}
                value={name}
                onChange={(event) => setDraft({ name: event.target.value })}
              />
            )}
          </Field>
        )}
        {arranging.error && <ErrorNotice error={arranging.error} actions={{ dismiss: arranging.clear }} />}
      </form>
    </Dialog>
  );
}
