import { useEffect, useState } from 'react';
import type { ConnectionView } from '../../shared/connection-view.ts';
import type { PlainError } from '../../shared/error-codes.ts';
import type { IntegrationView } from '../../shared/integration-view.ts';
import type { IntegrationOptions } from '../../shared/integration.ts';
import type { IpcOutput } from '../../shared/ipc-contract.ts';
import type { KnownServer } from '../../shared/known-servers/known-server.ts';
import type { Pasted } from '../../shared/pasted/read-command.ts';
import { readPasted } from '../../shared/pasted/read-pasted.ts';
import { useCatalog } from '../catalog/catalog.ts';
import { postern, useCall } from '../postern.ts';
import { useSnapshots } from '../store.ts';
import { show } from '../view.ts';
import type { LinkedAddress } from '../view.ts';
import { words } from '../words.ts';
import { setImported } from './import-list.tsx';
import { captureAddress } from './use-address.ts';
import type { Discover } from './use-address.ts';

type List = IpcOutput<'import:read'>;

/** What the input led to, if not to a check. */
export type InputNote =
  | { readonly kind: 'known'; readonly integration: IntegrationView; readonly proceed: () => void }
  | { readonly kind: 'several'; readonly urls: readonly string[] }
  | Extract<Pasted, { readonly kind: 'local' }>
  | { readonly kind: 'unknownName'; readonly name: string }
  | { readonly kind: 'text' };

/** The catalog service that the input refers to. `hasMoved`: by an address it has moved away from. */
export interface ChosenService {
  readonly server: KnownServer;
  readonly hasMoved: boolean;
}

export interface ConnectInput {
  readonly chosen: ChosenService | undefined;
  readonly choose: (chosen: ChosenService | undefined) => void;
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
  const [chosen, choose] = useState<ChosenService>();
  /** Submitted before the catalog was loaded. */
  const [queued, setQueued] = useState<{ readonly text: string; readonly options: Partial<IntegrationOptions> }>();
  const list = useCall<List>();
  const catalog = useCatalog();

  const forget = (): void => {
    setNote(undefined);
    choose(undefined);
    setQueued(undefined);
    list.clear();
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
    if (server) choose({ server, hasMoved: server === moved });
    else discover(url, ...more);
  };
  const submitText: ConnectInput['submitText'] = (text, options = {}) => {
    const read = readPasted(text);
    forget();
    // Needed to recognize service names and moved addresses.
    if (catalog === undefined) return setQueued({ text, options });
    // Some names look like addresses: Cal.com, monday.com.
    const [named] = catalog.searchKnownServers(text);
    const isName = read.kind === 'name' || named?.name.toLowerCase() === text.trim().toLowerCase();
    if (named && isName) return choose({ server: named, hasMoved: false });
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
            setImported(result);
            const only = onlyServer(result);
            if (only) discover(only.url, options, { importEntry: only.id });
            else {
              clearSent();
              show({ name: 'connect' });
            }
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
  const check = (url: string): void => {
    forget();
    discover(url);
  };
  const openLink: ConnectInput['openLink'] = (linked) => {
    forget();
    resolve(linked.url, {}, { linked });
  };
  const isReady = catalog !== undefined;
  const busy = list.busy || queued !== undefined;
  return { chosen, choose, note, busy, isReady, error: list.error, submitText, check, openLink, forget };
}

/** The only server of a list, if nothing has to be filled in first. */
function onlyServer({ entries, unread = [] }: List): { readonly id: string; readonly url: string } | undefined {
  const [{ id, url, notes } = { id: '', url: undefined, notes: [] }] = entries;
  const isReady = notes.every((note) => note === 'unwrapped-mcp-remote');
  return entries.length === 1 && unread.length === 0 && url !== undefined && isReady ? { id, url } : undefined;
}
