import { useLayoutEffect, useRef } from 'react';
import type { ConnectionView } from '../../shared/connection-view.ts';
import type { PlainError } from '../../shared/error-codes.ts';
import type { IntegrationOptions } from '../../shared/integration.ts';
import { readPasted } from '../../shared/pasted/read-pasted.ts';
import { postern, useCall } from '../postern.ts';
import { isCheck, useSnapshots } from '../store.ts';
import { readRetained, forget, moveState, useRetainedState } from '../use-retained-state.ts';
import { show } from '../view.ts';
import type { LinkedAddress } from '../view.ts';

/** Input not sent yet; everything else comes from main. */
interface AddressDraft {
  readonly text?: string;
  readonly local?: boolean;
}

export interface Address {
  readonly text: string;
  readonly local: boolean;
  readonly isTyped: boolean;
  readonly enter: (entered: AddressDraft) => void;
}

const page = 'page';
const stateKey = 'address';
const nothing: AddressDraft = {};

/** A new address and a check share one field; each connection in the sidebar has its own. */
export const ownerOfAddress = (connection: ConnectionView | undefined): string =>
  connection === undefined || (isCheck(connection) && connection.importEntry === undefined) ? page : connection.id;

/** State of the address field. `id`: of the connection shown, even before main has sent it. */
export function useAddress(connection: ConnectionView | undefined, id: string | undefined): Address {
  const owner = ownerOfAddress(connection);
  const [entered, setEntered] = useRetainedState(owner, stateKey, nothing);
  const before = useRef({ id, owner });
  // The user may still be typing when a check reaches its verdict: move the draft along.
  useLayoutEffect(() => {
    const last = before.current;
    before.current = { id, owner };
    if (last.id === id && last.owner !== owner) moveState(stateKey, last.owner, owner);
  }, [id, owner]);
  const text = entered.text ?? connection?.url ?? '';
  // Local access was granted for this host only.
  const granted = connection && hostOf(addressIn(text)) === hostOf(connection.url) ? connection.options.local : false;
  return {
    text,
    local: entered.local ?? granted ?? false,
    isTyped: entered.text !== undefined,
    enter: (changed) => setEntered((earlier) => ({ ...earlier, ...changed })),
  };
}

/** Whether a text points to another address than the connection's. */
export const pointsElsewhere = ({ url }: ConnectionView, text: string): boolean =>
  URL.parse(addressIn(text) ?? '')?.href !== url;

/** The address in a text. */
function addressIn(text: string): string | undefined {
  const read = readPasted(text);
  return read.kind === 'address' || read.kind === 'list' ? read.url : undefined;
}

const hostOf = (url: string | undefined): string | undefined => URL.parse(url ?? '')?.hostname;

export const isAddressTyped = (connection: ConnectionView | undefined): boolean =>
  readRetained(ownerOfAddress(connection), stateKey) !== undefined;

/**
 * Returns a function for when main has accepted the address: it clears the sent text, unless the user has changed it
 * since.
 */
export function captureAddress(connection: ConnectionView | undefined): () => void {
  const from = ownerOfAddress(connection);
  const sent = readRetained(from, stateKey);
  return () => forgetIfUnchanged(from, sent);
}

/** The same for an address that becomes a connection; the sent text stays until that connection is shown. */
function captureForCheck(connection: ConnectionView | undefined, url: string): (connectionId: string) => void {
  const from = ownerOfAddress(connection);
  const sent = readRetained(from, stateKey);
  const old = connection?.url === URL.parse(url)?.href ? undefined : connection?.url;
  return (connectionId) => {
    const settle = (): boolean => {
      const acceptedBy = useSnapshots.getState().connections?.find(({ id }) => id === connectionId);
      if (!acceptedBy || acceptedBy.url === old) return false;
      const to = ownerOfAddress(acceptedBy);
      forgetIfUnchanged(from, sent);
      forgetIfUnchanged(to, sent);
      if (from === page && to !== page) moveState(stateKey, from, to);
      return true;
    };
    if (settle()) return;
    const unsubscribe = useSnapshots.subscribe(() => settle() && unsubscribe());
  };
}

function forgetIfUnchanged(owner: string, sent: unknown): void {
  if (readRetained(owner, stateKey) === sent) forget(owner, stateKey);
}

export const forgetAddress = (connection: ConnectionView): void => forget(ownerOfAddress(connection), stateKey);

/** Where an address that nobody typed comes from. */
interface Source {
  readonly importEntry?: string;
  /** Keeps what the user typed. */
  readonly linked?: LinkedAddress;
  /** Name of the service, if known. */
  readonly name?: string | undefined;
}

export interface Discover {
  readonly busy: boolean;
  readonly error: PlainError | undefined;
  /** Checks how the server handles sign-in and shows the result. Opens nothing unless *Connect at once* is on. */
  readonly discover: (url: string, options?: Partial<IntegrationOptions>, source?: Source) => void;
}

/** A new address replaces the current check, unless a sign-in is in flight there. */
export function useDiscover(connection: ConnectionView | undefined): Discover {
  const call = useCall<{ id: string }>();
  const id = connection?.id;
  const connectAtOnce = useSnapshots((state) => state.desktop?.settings.connectAtOnce ?? false);
  const discover: Discover['discover'] = (url, options = {}, { importEntry, linked, name } = {}) => {
    // Links come from others, so they wait for a click whatever the setting.
    const atOnce = connectAtOnce && !linked && ({ atOnce: true, ...(name !== undefined && { name }) } as const);
    const input = {
      url: url.trim(),
      options,
      ...(id !== undefined && { id }),
      ...(importEntry && { importEntry }),
      ...atOnce,
    };
    const onStarted = linked ? () => {} : captureForCheck(connection, input.url);
    void call
      .run(() => postern.connection.discover(input))
      .then((started) => {
        if (!started) return;
        onStarted(started.id);
        show({ name: 'connect', connectionId: started.id, ...(linked && { linked }) });
      });
  };
  return { busy: call.busy, error: call.error, discover };
}
