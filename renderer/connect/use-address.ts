import { useLayoutEffect, useRef } from 'react';
import type { ConnectionView } from '../../shared/connection-view.ts';
import type { PlainError } from '../../shared/error-codes.ts';
import type { IntegrationOptions } from '../../shared/integration.ts';
import { readPasted } from '../../shared/pasted/read-pasted.ts';
import { postern, useCall } from '../postern.ts';
import { isCheck, useSnapshots } from '../store.ts';
import { findKept, forget, hand, useKept } from '../use-kept.ts';
import { show } from '../view.ts';
import type { LinkedAddress } from '../view.ts';

/** What was entered and not sent yet; everything else is as main says. */
interface Entered {
  readonly text?: string;
  readonly local?: boolean;
}

export interface Address {
  readonly text: string;
  readonly local: boolean;
  readonly isTyped: boolean;
  readonly enter: (entered: Entered) => void;
}

const page = 'page';
const place = 'address';
const nothing: Entered = {};

/** The field is one and the same for a new address and for a check; whatever is in the side bar has one of its own. */
export const ownerOfAddress = (connection: ConnectionView | undefined): string =>
  connection === undefined || (isCheck(connection) && connection.importEntry === undefined) ? page : connection.id;

/** What stands in the address field. `id`: of the connection that is looked at, also before main has shown it. */
export function useAddress(connection: ConnectionView | undefined, id: string | undefined): Address {
  const owner = ownerOfAddress(connection);
  const [entered, keep] = useKept(owner, place, nothing);
  const before = useRef({ id, owner });
  // A check has come to its verdict while somebody went on typing.
  useLayoutEffect(() => {
    const last = before.current;
    before.current = { id, owner };
    if (last.id === id && last.owner !== owner) hand(place, last.owner, owner);
  }, [id, owner]);
  const text = entered.text ?? connection?.url ?? '';
  // A yes to this computer or its network is of the server that it was given for.
  const given = connection && hostOf(addressIn(text)) === hostOf(connection.url) ? connection.options.local : false;
  return {
    text,
    local: entered.local ?? given ?? false,
    isTyped: entered.text !== undefined,
    enter: (changed) => keep((earlier) => ({ ...earlier, ...changed })),
  };
}

/** Whether a text leads elsewhere than to the server of a connection. */
export const leadsElsewhere = ({ url }: ConnectionView, text: string): boolean =>
  URL.parse(addressIn(text) ?? '')?.href !== url;

/** The address that a text leads to. */
function addressIn(text: string): string | undefined {
  const read = readPasted(text);
  return read.kind === 'address' || read.kind === 'list' ? read.url : undefined;
}

const hostOf = (url: string | undefined): string | undefined => URL.parse(url ?? '')?.hostname;

export const isAddressTyped = (connection: ConnectionView | undefined): boolean =>
  findKept(ownerOfAddress(connection), place) !== undefined;

/** For the moment at which main has taken it: forgets what was sent, but nothing that was typed since. */
export function sendAddress(connection: ConnectionView | undefined): () => void {
  const from = ownerOfAddress(connection);
  const sent = findKept(from, place);
  return () => forgetSent(from, sent);
}

/** The same for one that main makes a connection of; what was sent stands there until that one is shown. */
function sendForCheck(connection: ConnectionView | undefined, url: string): (takenBy: string) => void {
  const from = ownerOfAddress(connection);
  const sent = findKept(from, place);
  const old = connection?.url === URL.parse(url)?.href ? undefined : connection?.url;
  return (takenBy) => {
    const settle = (): boolean => {
      const taker = useSnapshots.getState().connections?.find(({ id }) => id === takenBy);
      if (!taker || taker.url === old) return false;
      const to = ownerOfAddress(taker);
      forgetSent(from, sent);
      forgetSent(to, sent);
      if (from === page && to !== page) hand(place, from, to);
      return true;
    };
    if (settle()) return;
    const stop = useSnapshots.subscribe(() => settle() && stop());
  };
}

function forgetSent(owner: string, sent: unknown): void {
  if (findKept(owner, place) === sent) forget(owner, place);
}

export const forgetAddress = (connection: ConnectionView): void => forget(ownerOfAddress(connection), place);

/** Where an address comes from that nobody typed. */
interface Source {
  readonly importEntry?: string;
  /** What the person typed stays. */
  readonly linked?: LinkedAddress;
  /** What the service is called, where it is known. */
  readonly name?: string | undefined;
}

export interface Discover {
  readonly busy: boolean;
  readonly error: PlainError | undefined;
  /** Asks the server how to sign in, and shows what comes of it. Opens nothing, unless *Connect at once* is on. */
  readonly discover: (url: string, options?: Partial<IntegrationOptions>, source?: Source) => void;
}

/** A further address takes the place of the one that is looked at, unless a sign-in is under way there. */
export function useDiscover(connection: ConnectionView | undefined): Discover {
  const call = useCall<{ id: string }>();
  const id = connection?.id;
  const connectAtOnce = useSnapshots((state) => state.app?.settings.connectAtOnce ?? false);
  const discover: Discover['discover'] = (url, options = {}, { importEntry, linked, name } = {}) => {
    // A link is somebody else's word: it waits for a press, whatever is set.
    const atOnce = connectAtOnce && !linked && ({ atOnce: true, ...(name !== undefined && { name }) } as const);
    const input = {
      url: url.trim(),
      options,
      ...(id !== undefined && { id }),
      ...(importEntry && { importEntry }),
      ...atOnce,
    };
    const arrived = linked ? () => {} : sendForCheck(connection, input.url);
    void call
      .run(() => postern.connection.discover(input))
      .then((started) => {
        if (!started) return;
        arrived(started.id);
        show({ name: 'connect', connectionId: started.id, ...(linked && { linked }) });
      });
  };
  return { busy: call.busy, error: call.error, discover };
}
