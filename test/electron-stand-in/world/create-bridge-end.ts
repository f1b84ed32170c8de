import type { createWire } from './create-wire.ts';

type Callable = (...values: unknown[]) => unknown;

export interface BridgeEnd {
  encode(value: unknown): unknown;
  decode(wire: unknown): unknown;
  /** Calls the other world synchronously. */
  ask(message: Readonly<Record<string, unknown>>): unknown;
}

/**
 * One end of the context bridge. Worlds share only the DOM, so the ends communicate with document events that have
 * secret names and JSON details; an event has been handled when `dispatchEvent` returns.
 */
export function createBridgeEnd(
  makeWire: typeof createWire,
  ownName: string,
  otherName: string,
  answer: (message: Record<string, unknown>) => unknown,
): BridgeEnd {
  // Saved before the page's scripts can replace them.
  const { stringify, parse } = JSON;
  const dispatch = document.dispatchEvent.bind(document);
  const Custom = CustomEvent;
  const functions = new Map<number, object>();
  const waiting = new Map<number, { resolve: (value: unknown) => void; reject: (error: unknown) => void }>();
  let next = 1;
  let reply: string | undefined;

  const wire = makeWire({
    keep(value, kind) {
      const id = next++;
      if (kind === 'function') functions.set(id, value);
      else {
        const settle = (part: Record<string, unknown>): void => void ask({ settle: id, ...part });
        (value as Promise<unknown>).then(
          (result) => settle({ value: wire.encode(result) }),
          (error: unknown) => settle({ error: wire.encode(error) }),
        );
      }
      return id;
    },
    refer(id, kind) {
      if (kind === 'promise') return new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
      return (...values: unknown[]) => ask({ call: id, values: values.map(wire.encode) });
    },
  });

  function ask(message: Readonly<Record<string, unknown>>): unknown {
    reply = undefined;
    dispatch(new Custom(otherName, { detail: stringify(message) }));
    const answered = reply as string | undefined;
    if (answered === undefined) throw new Error('the other world does not answer');
    const { value, error } = parse(answered) as Record<string, unknown>;
    // Only an error's message crosses worlds.
    if (error !== undefined) throw new Error((wire.decode(error) as Error).message);
    return wire.decode(value);
  }

  function serve(message: Record<string, unknown>): unknown {
    const { call, settle, values, value, error } = message;
    if (typeof call === 'number') return (functions.get(call) as Callable)(...(values as unknown[]).map(wire.decode));
    if (typeof settle === 'number') {
      const promise = waiting.get(settle);
      waiting.delete(settle);
      if (error === undefined) promise?.resolve(wire.decode(value));
      else promise?.reject(wire.decode(error));
      return undefined;
    }
    return answer(message);
  }

  const respond = (part: Record<string, unknown>): void =>
    void dispatch(new Custom(`${otherName}-reply`, { detail: stringify(part) }));
  document.addEventListener(ownName, (event) => {
    event.stopImmediatePropagation();
    try {
      respond({ value: wire.encode(serve(parse((event as CustomEvent<string>).detail) as Record<string, unknown>)) });
    } catch (error) {
      respond({ error: wire.encode(error instanceof Error ? error : new Error(String(error))) });
    }
  });
  document.addEventListener(`${ownName}-reply`, (event) => {
    event.stopImmediatePropagation();
    reply = (event as CustomEvent<string>).detail;
  });
  return { encode: wire.encode, decode: wire.decode, ask };
}
