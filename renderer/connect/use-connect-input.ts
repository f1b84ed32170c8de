import { useEffect, useState } from 'react';
import type { ConnectionView } from '../../shared/connection-view.ts';
import type { PlainError } from '../../shared/error-codes.ts';
import type { IntegrationView } from '../../shared/integration-view.ts';
import type { IntegrationOptions } from '../../shared/integration.ts';
import type { IpcOutput } from '../../shared/ipc-contract.ts';
import type { KnownServer } from '../../shared/known-servers/known-server.ts';
import type { Pasted } from '../../shared/pasted/read-command.ts';
import { readPasted } from '../../shared/pasted/read-pasted.ts';
import type { ImportNote } from '../../shared/pasted/read-pasted.ts';
import { useCatalog } from '../catalog/catalog.ts';
import { fillAddress } from '../catalog/service-details.tsx';
import { postern, useCall } from '../postern.ts';
import { useSnapshots } from '../store.ts';
import { show } from '../view.ts';
import type { LinkedAddress } from '../view.ts';
import { words } from '../words.ts';
import { setImported } from './import-list.tsx';
import { captureAddress, pointsElsewhere } from './use-address.ts';
import type { Discover } from './use-address.ts';
import { draftOfEntry, useLocalDraft } from './use-local-draft.ts';

type List = IpcOutput<'import:read'>;

/** What the input led to, if not to a check. */
export type InputNote =
  | { readonly kind: 'known'; readonly integration: IntegrationView; readonly proceed: () => void }
  | { readonly kind: 'several'; readonly urls: readonly string[] }
  | Extract<Pasted, { readonly kind: 'local' }>
  /** A name that several services share. */
  | { readonly kind: 'services'; readonly name: string; readonly servers: readonly KnownServer[] }
  | { readonly kind: 'unknownName'; readonly name: string }
  | { readonly kind: 'text' };

/** The catalog service that the input refers to. `hasMoved`: by an address it has moved away from. */
export interface ChosenService {
  readonly server: KnownServer;
  readonly hasMoved: boolean;
}

export interface ConnectInput {
  readonly chosen: ChosenService | undefined;
  /** Checks the service at once if nothing has to be chosen, filled in or set up first. */
  readonly choose: (chosen: ChosenService | undefined) => void;
  /** Services that a text may name, the best first. */
  readonly findNamed: (text: string) => readonly KnownServer[];
  readonly note: InputNote | undefined;
  readonly busy: boolean;
  /** The catalog is loaded. Input processed earlier would not benefit from it. */
  readonly isReady: boolean;
  /** From reading a pasted list. */
  readonly error: PlainError | undefined;
  /** Interprets typed, pasted or dropped text, and checks the server it points to. */
  readonly submitText: (text: string, options?: Partial<IntegrationOptions>) => void;
  /** Checks the server at a complete address. */
  readonly check: (url: string) => void;
  /** Checks an address from a link as it is, without interpreting it. */
  readonly openLink: (linked: LinkedAddress) => void;
  readonly forget: () => void;
}

export function useConnectInput(discovery: Discover, connection: ConnectionView | undefined): ConnectInput {
  const integrations = useSnapshots((state) => state.integrations);
  const demo = useSnapshots((state) => state.desktop?.demo);
  const [note, setNote] = useState<InputNote>();
  const [chosen, setChosen] = useState<ChosenService>();
  /** Submitted before the catalog was loaded. */
  const [queued, setQueued] = useState<{ readonly text: string; readonly options: Partial<IntegrationOptions> }>();
  const list = useCall<List>();
  const draft = useCall<IpcOutput<'local:draft'>>();
  const [, changeLocal] = useLocalDraft();
  const catalog = useCatalog();

  const forget = (): void => {
    setNote(undefined);
    setChosen(undefined);
    setQueued(undefined);
    list.clear();
    draft.clear();
  };
  const findNamed: ConnectInput['findNamed'] = (text) => {
    const found = catalog?.searchKnownServers(text, undefined, words.catalog.translate) ?? [];
    // Some names look like addresses: Cal.com, monday.com.
    if (found[0]?.name.toLowerCase() === text.trim().toLowerCase()) return found.slice(0, 1);
    return readPasted(text).kind === 'name' ? found : [];
  };
  const discover: Discover['discover'] = (url, options, source) => {
    const proceed = (): void => {
      setNote(undefined);
      const known = catalog?.findKnownServer(url);
      const name = known?.name ?? (url === demo?.url ? words.connect.demoName : undefined);
      discovery.discover(url, options, { ...source, name });
    };
    const address = URL.parse(url)?.href;
    const integration = integrations?.find((each) => each.url === address);
    // Checking the same address again needs no second confirmation.
    if (integration && connection?.url !== address) setNote({ kind: 'known', integration, proceed });
    else proceed();
  };
  const resolve: Discover['discover'] = (url, ...more) => {
    const moved = catalog?.findMoved(url);
    const server = moved ?? catalog?.findByPage(url);
    // Another address than the entered one, so it is shown first.
    if (server) setChosen({ server, hasMoved: server === moved });
    else discover(url, ...more);
  };
  const check = (url: string): void => {
    forget();
    discover(url);
  };
  const choose: ConnectInput['choose'] = (service) => {
    if (service && opensAtOnce(service)) check(service.server.address);
    else setChosen(service);
  };
  const openCommand = async (entry: string): Promise<void> => {
    const read = await draft.run(() => postern.local.draft({ entry }));
    if (read) changeLocal(draftOfEntry(entry, read));
  };
  const submitText: ConnectInput['submitText'] = (text, options = {}) => {
    const read = readPasted(text);
    forget();
    // Checking the address of an entry again leads back to its list; anything else takes the place of the list.
    const isOfList = connection?.importEntry !== undefined && !pointsElsewhere(connection, text);
    if (read.kind !== 'nothing' && !isOfList) setImported({ entries: [] }, connection);
    // Needed to recognize service names and moved addresses.
    if (catalog === undefined) return setQueued({ text, options });
    const [named, ...others] = findNamed(text);
    if (named && others.length > 0)
      return setNote({ kind: 'services', name: text.trim(), servers: [named, ...others] });
    if (named) return choose({ server: named, hasMoved: false });
    switch (read.kind) {
      case 'nothing':
        return;
      case 'address':
        return resolve(read.url, options);
      case 'list': {
        const clearSent = captureAddress(connection);
        return void list
          .run(() => postern.import.read({ text: read.text }))
          .then((result) => {
            if (!result) return;
            setImported(result, connection);
            const only = onlyEntry(result);
            if (only?.url !== undefined) return discover(only.url, options, { importEntry: only.id });
            clearSent();
            show({ name: 'connect' });
            if (only) void openCommand(only.id);
          });
      }
      case 'name':
        return setNote({ kind: 'unknownName', name: read.name });
      default:
        return setNote(read);
    }
  };
  useEffect(() => {
    if (catalog && queued) submitText(queued.text, queued.options);
  });
  const openLink: ConnectInput['openLink'] = (linked) => {
    forget();
    resolve(linked.url, {}, { linked });
  };
  const isReady = catalog !== undefined;
  const busy = list.busy || draft.busy || queued !== undefined;
  const error = list.error ?? draft.error;
  return { chosen, choose, findNamed, note, busy, isReady, error, submitText, check, openLink, forget };
}

/** Nothing to choose, fill in or set up before the check, and nothing to read that the card does not show. */
function opensAtOnce({ server, hasMoved }: ChosenService): boolean {
  const { address, signIn, accepts, otherAddresses = [] } = server;
  const isReady = signIn === 'registers' || signIn === 'none' || signIn === 'unknown';
  return isReady && !hasMoved && !accepts && otherAddresses.length === 0 && fillAddress(address, {}).isComplete;
}

/** Notes that the next step shows as well. */
const selfEvident: ReadonlySet<ImportNote> = new Set([
  'unwrapped-mcp-remote',
  'url-to-fill-in',
  'local-command',
  'command-to-fill-in',
]);

/** The only entry of a list, which then is none: its server is checked, or its command shown. */
export function onlyEntry({ entries, more = 0, unreadable = [] }: List): List['entries'][number] | undefined {
  const [only, ...others] = entries;
  if (!only || others.length + more + unreadable.length > 0) return undefined;
  const hasNextStep = only.url !== undefined || only.command !== undefined;
  return hasNextStep && only.notes.every((note) => selfEvident.has(note)) ? only : undefined;
}
