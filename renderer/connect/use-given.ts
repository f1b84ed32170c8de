import { useEffect, useState } from 'react';
import type { ConnectionView } from '../../shared/connection-view.ts';
import type { PlainError } from '../../shared/error-codes.ts';
import type { IntegrationView } from '../../shared/integration-view.ts';
import type { IntegrationOptions } from '../../shared/integration.ts';
import type { IpcOutput } from '../../shared/ipc-contract.ts';
import type { KnownServer } from '../../shared/known-servers/known-server.ts';
import type { Pasted } from '../../shared/pasted/read-command.ts';
import { readPasted } from '../../shared/pasted/read-pasted.ts';
import { useCatalogue } from '../catalogue/catalogue.ts';
import { postern, useCall } from '../postern.ts';
import { useSnapshots } from '../store.ts';
import { show } from '../view.ts';
import type { LinkedAddress } from '../view.ts';
import { words } from '../words.ts';
import { keepImported } from './import-list.tsx';
import { sendAddress } from './use-address.ts';
import type { Discover } from './use-address.ts';

type List = IpcOutput<'import:read'>;

/** What came of it, where that is no check. */
export type GivenNote =
  | { readonly kind: 'known'; readonly integration: IntegrationView; readonly goOn: () => void }
  | { readonly kind: 'several'; readonly urls: readonly string[] }
  | Extract<Pasted, { readonly kind: 'local' }>
  | { readonly kind: 'unknownName'; readonly name: string }
  | { readonly kind: 'text' };

/** A service of the catalogue was meant; `hasMoved`: by an address that it has left. */
export interface ChosenService {
  readonly server: KnownServer;
  readonly hasMoved: boolean;
}

export interface Given {
  readonly chosen: ChosenService | undefined;
  readonly choose: (chosen: ChosenService | undefined) => void;
  readonly note: GivenNote | undefined;
  readonly busy: boolean;
  /** The known services are loaded: what is looked at earlier goes without what is known of it. */
  readonly isReady: boolean;
  /** Of a list that could not be read. */
  readonly error: PlainError | undefined;
  /** Looks at what a person typed, pasted or dropped, and asks the server that it leads to. */
  readonly give: (text: string, options?: Partial<IntegrationOptions>) => void;
  /** Asks the server at a whole address. */
  readonly check: (url: string) => void;
  /** The same for one that came by a link: taken as it is, with nothing that could be read into it. */
  readonly follow: (linked: LinkedAddress) => void;
  readonly forget: () => void;
}

export function useGiven(discovery: Discover, connection: ConnectionView | undefined): Given {
  const integrations = useSnapshots((state) => state.integrations);
  const demo = useSnapshots((state) => state.app?.demo);
  const [note, setNote] = useState<GivenNote>();
  const [chosen, choose] = useState<ChosenService>();
  /** Given before the known services were loaded. */
  const [early, keepEarly] = useState<{ readonly text: string; readonly options: Partial<IntegrationOptions> }>();
  const list = useCall<List>();
  const catalogue = useCatalogue();

  const forget = (): void => {
    setNote(undefined);
    choose(undefined);
    keepEarly(undefined);
    list.clear();
  };
  const discover: Discover['discover'] = (url, options, source) => {
    const goOn = (): void => {
      setNote(undefined);
      const known = catalogue?.findKnownServer(url);
      const name = known?.name ?? (url === demo?.url ? words.connect.demoName : undefined);
      discovery.discover(url, options, { ...source, name });
    };
    const address = URL.parse(url)?.href;
    const integration = integrations?.find((each) => each.url === address);
    // Whoever checks again has said so before.
    if (integration && connection?.url !== address) setNote({ kind: 'known', integration, goOn });
    else goOn();
  };
  const look: Discover['discover'] = (url, ...more) => {
    const moved = catalogue?.findMoved(url);
    const server = moved ?? catalogue?.findByPage(url);
    if (server) choose({ server, hasMoved: server === moved });
    else discover(url, ...more);
  };
  const give: Given['give'] = (text, options = {}) => {
    const read = readPasted(text);
    forget();
    // Without them a service's name is unknown, and so is that an address has moved.
    if (catalogue === undefined) return keepEarly({ text, options });
    // Some names look like addresses: Cal.com, monday.com.
    const [named] = catalogue.searchKnownServers(text);
    const isName = read.kind === 'name' || named?.name.toLowerCase() === text.trim().toLowerCase();
    if (named && isName) return choose({ server: named, hasMoved: false });
    switch (read.kind) {
      case 'nothing':
        return;
      case 'address':
        return look(read.url, options);
      case 'list': {
        const arrived = sendAddress(connection);
        return void list
          .run(() => postern.import.read({ text: read.text }))
          .then((answer) => {
            if (!answer) return;
            keepImported(answer);
            const alone = serverAlone(answer);
            if (alone) discover(alone.url, options, { importEntry: alone.id });
            else {
              arrived();
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
    if (catalogue && early) give(early.text, early.options);
  });
  const check = (url: string): void => {
    forget();
    discover(url);
  };
  const follow: Given['follow'] = (linked) => {
    forget();
    look(linked.url, {}, { linked });
  };
  const isReady = catalogue !== undefined;
  const busy = list.busy || early !== undefined;
  return { chosen, choose, note, busy, isReady, error: list.error, give, check, follow, forget };
}

/** The one server of a list that holds no other, where nothing has to be filled in first. */
function serverAlone({ entries, unread = [] }: List): { readonly id: string; readonly url: string } | undefined {
  const [{ id, url, notes } = { id: '', url: undefined, notes: [] }] = entries;
  const isReady = notes.every((note) => note === 'unwrapped-mcp-remote');
  return entries.length === 1 && unread.length === 0 && url !== undefined && isReady ? { id, url } : undefined;
}
