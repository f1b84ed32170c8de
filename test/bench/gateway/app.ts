/** One app with one server, over any path; the measurements are the same for all. */
export interface App {
  /** Milliseconds until the complete response. Rejects on an error response. */
  ask(method: string, params?: object): Promise<number>;
  /** The process in between, if this app has its own. */
  readonly pid: number | undefined;
  close(): Promise<void>;
}

export const initializeParams = {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'bench', version: '1' },
};

/** Parameters of a call with a response of this many bytes, as one document or an event stream. */
export function callOf(size: number, stream = false): object {
  return { name: 'say', arguments: { size, stream } };
}

/** Finds a response's request ID in its first or last bytes, so that a message of many MB is not parsed. */
export function idOf(head: string, tail: string): number | undefined {
  const found = /"id":(\d+)/u.exec(head) ?? /"id":(\d+)/u.exec(tail);
  return found?.[1] === undefined ? undefined : Number(found[1]);
}

/** Milliseconds after which a request has failed. */
export const longest = 60_000;
