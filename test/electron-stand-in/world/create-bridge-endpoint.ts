import type { createValueCodec } from './create-value-codec.ts';

type Callable = (...values: unknown[]) => unknown;

export interface BridgeEndpoint {
  encode(value: unknown): unknown;
  decode(encoded: unknown): unknown;
  /** Calls the other world and returns its result synchronously. */
  request(message: Readonly<Record<string, unknown>>): unknown;
}

/**
 * One endpoint of the context bridge. Worlds share only the DOM, so endpoints communicate with document events that have
 * secret names and JSON details; an event has been handled when `dispatchEvent` returns.
 */
export function createBridgeEndpoint(
  createCodec: typeof createValueCodec,
  ownName: string,
  otherName: string,
  handleRequest: (message: Record<string, unknown>) => unknown,
): BridgeEndpoint {
  // Saved before the page's scripts can replace them.
  const { stringify, parse } = JSON;
  const dispatch = document.dispatchEvent.bind(document);
  const Custom = CustomEvent;
  const functions = new Map<number, object>();
  const pending = new Map<number, { resolve: (value: unknown) => void; reject: (error: unknown) => void }>();
  let next = 1;
  let reply: string | undefined;

  const codec = createCodec({
    register(value, kind) {
      const id = next++;
      if (kind === 'function') functions.set(id, value);
      else {
        const settle = (part: Record<string, unknown>): void => void request({ settle: id, ...part });
        (value as Promise<unknown>).then(
          (result) => settle({ value: codec.encode(result) }),
          (error: unknown) => settle({ error: codec.encode(error) }),
        );
      }
      return id;
    },
    resolve(id, kind) {
      if (kind === 'promise') return new Promise((resolve, reject) => pending.set(id, { resolve, reject }));
      return (...values: unknown[]) => request({ call: id, values: values.map(codec.encode) });
    },
  });

  function request(message: Readonly<Record<string, unknown>>): unknown {
    reply = undefined;
    dispatch(new Custom(otherName, { detail: stringify(message) }));
    const response = reply as string | undefined;
    if (response === undefined) throw new Error('the other world does not respond');
    const { value, error } = parse(response) as Record<string, unknown>;
    // Only an error's message crosses worlds.
    if (error !== undefined) throw new Error((codec.decode(error) as Error).message);
    return codec.decode(value);
  }

  function handle(message: Record<string, unknown>): unknown {
    const { call, settle, values, value, error } = message;
    if (typeof call === 'number') return (functions.get(call) as Callable)(...(values as unknown[]).map(codec.decode));
    if (typeof settle === 'number') {
      const promise = pending.get(settle);
      pending.delete(settle);
      if (error === undefined) promise?.resolve(codec.decode(value));
      else promise?.reject(codec.decode(error));
      return undefined;
    }
    return handleRequest(message);
  }

  const respond = (part: Record<string, unknown>): void =>
    void dispatch(new Custom(`${otherName}-reply`, { detail: stringify(part) }));
  document.addEventListener(ownName, (event) => {
    event.stopImmediatePropagation();
    try {
      respond({ value: codec.encode(handle(parse((event as CustomEvent<string>).detail) as Record<string, unknown>)) });
    } catch (error) {
      respond({ error: codec.encode(error instanceof Error ? error : new Error(String(error))) });
    }
  });
  document.addEventListener(`${ownName}-reply`, (event) => {
    event.stopImmediatePropagation();
    reply = (event as CustomEvent<string>).detail;
  });
  return { encode: codec.encode, decode: codec.decode, request };
}
