/** One program with one server, by whichever way: what is measured of each is the same. */
export interface Program {
  /** Milliseconds until the answer was there whole. Rejects when an error comes in its place. */
  ask(method: string, params?: object): Promise<number>;
  /** The process in between, where there is one of this program alone. */
  readonly pid: number | undefined;
  close(): Promise<void>;
}

export const initializeParams = {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'bench', version: '1' },
};

/** Parameters of a call that is answered with so many bytes, as one document or on an event stream. */
export function callOf(size: number, stream = false): object {
  return { name: 'say', arguments: { size, stream } };
}

/** Which request an answer is to, by its first or last bytes: a message of many MB is not parsed for that. */
export function idOf(head: string, tail: string): number | undefined {
  const found = /"id":(\d+)/u.exec(head) ?? /"id":(\d+)/u.exec(tail);
  return found?.[1] === undefined ? undefined : Number(found[1]);
}

/** Milliseconds after which whatever was asked has failed. */
export const longest = 60_000;
