import type { IpcCall } from '../../shared/ipc-contract.ts';
import type { Snapshots } from '../../shared/ipc-event.ts';
import type { Answers, Call } from './open-renderer.ts';

/** The data of a main made of fixtures. */
export interface Given {
  readonly calls: readonly IpcCall[];
  readonly snapshots: Snapshots;
  readonly answers: Answers;
}

/**
 * Installs a main made of fixtures in place of the preload's, and `fakeMain`, with which a test acts for it. Runs in
 * the page, before its own script. `text`: a `Given` as JSON.
 */
export function installMain(text: string): void {
  const fixture = JSON.parse(text) as Given;
  const listeners = new Set<(event: unknown) => void>();
  const calls: Call[] = [];
  let { snapshots } = fixture;
  // By default no entry is stale, nothing was called, and no tools are known.
  const answers: Partial<Record<IpcCall, unknown>> = {
    'app:previewLeaving': { previews: [], refused: [] },
    'activity:read': { first: 1, last: 0, calls: [] },
    'activity:today': { revision: 1, today: { uses: [], groups: [], unanswered: [] } },
    'integration:events': { events: [] },
    'integration:knownTools': { tools: [] },
    'permission:changes': { changed: [], more: 0, gone: [] },
    ...fixture.answers,
  };
  const send = (event: unknown): void => listeners.forEach((listener) => listener(event));
  const api: Record<string, Record<string, unknown>> = {};
  for (const call of fixture.calls) {
    const [group = '', verb = ''] = call.split(':');
    api[group] = {
      ...api[group],
      [verb]: (input: unknown) => {
        calls.push({ call, input: input ?? {} });
        if (call === 'desktop:snapshots') return Promise.resolve({ ok: true, value: snapshots });
        const result: unknown = answers[call];
        if (result === 'never') return new Promise(() => {});
        const error = typeof result === 'object' && result !== null && 'error' in result ? result.error : undefined;
        return Promise.resolve(error === undefined ? { ok: true, value: result ?? null } : { ok: false, error });
      },
    };
  }
  const onEvent = (listener: (event: unknown) => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  const publish = (slices: object): void => {
    snapshots = { ...snapshots, ...slices };
    send({ event: 'snapshot', slices });
  };
  const answer = (call: IpcCall, value: unknown): void => void (answers[call] = value);
  // Nothing else removes the modules’ window listeners.
  const aborted = new AbortController();
  window.addEventListener = (
    type: string,
    listener: EventListenerOrEventListenerObject,
    options: object | boolean = {},
  ) => {
    const more = typeof options === 'boolean' ? { capture: options } : options;
    EventTarget.prototype.addEventListener.call(window, type, listener, { ...more, signal: aborted.signal });
  };
  const leave = (): void => aborted.abort();
  Object.assign(window, { postern: { ...api, onEvent }, fakeMain: { calls, publish, send, answer, leave } });
}
