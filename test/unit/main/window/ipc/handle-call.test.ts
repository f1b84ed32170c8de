import { describe, expect, it, vi } from 'vitest';
import { PosternError } from '../../../../../main/errors/postern-error.ts';
import { Secret } from '../../../../../main/secret.ts';
import { handleCall, TrustedSenders } from '../../../../../main/window/ipc/handle-call.ts';
import type { IpcCall, IpcHandlers } from '../../../../../shared/ipc-contract.ts';

function ask(
  call: IpcCall,
  input: unknown,
  handle: (input: never) => unknown,
  surface: string | undefined = 'window-1',
) {
  const onFailure = vi.fn();
  const handler = vi.fn(async (given: never) => handle(given));
  const handlers = Promise.resolve({ [call]: handler } as unknown as IpcHandlers);
  const outcome = handleCall({ call, input, surface, handlers, onFailure });
  return { outcome, handler, onFailure };
}

/** Calls without a surface; `ask` cannot, because its default applies. */
async function callUntrusted() {
  const handler = vi.fn();
  const handlers = Promise.resolve({ 'desktop:openLogs': handler } as unknown as IpcHandlers);
  const result = await handleCall({
    call: 'desktop:openLogs',
    input: {},
    surface: undefined,
    handlers,
    onFailure: () => {},
  });
  return { result, handler };
}

function nested(levels: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < levels; level += 1) value = { a: value };
  return value;
}

describe('handleCall', () => {
  it('passes the parsed input to the handler, and the value to the window', async () => {
    const { outcome, handler } = ask('connection:install', { ticketId: 't', name: '  Notes ' }, () => ({
      integrationId: 'a',
    }));
    expect(await outcome).toEqual({ ok: true, value: { integrationId: 'a' } });
    expect(handler).toHaveBeenCalledWith({ ticketId: 't', name: 'Notes' }, { surface: 'window-1' });
  });

  it('treats a call without input as an empty one', async () => {
    expect(await ask('desktop:interactive', undefined, () => null).outcome).toEqual({ ok: true, value: null });
  });

  it('rejects an untrusted sender before anything else (IPC_SENDER)', async () => {
    const { result, handler } = await callUntrusted();
    expect(result).toMatchObject({ ok: false, error: { code: 'IPC_SENDER' } });
    expect(handler).not.toHaveBeenCalled();
  });

  const cyclic: Record<string, unknown> = {};
  cyclic['self'] = cyclic;
  it.each([
    ['another type', 'text'],
    ['a missing field', {}],
    ['an extra field', { id: 'a', extra: 1 }],
    ['a field of another type', { id: 1 }],
    ['an id of 65 characters', { id: 'x'.repeat(65) }],
    ['an inherited field', Object.create({ id: 'a' }) as object],
    ['a prototype in a key', JSON.parse('{"id":"a","__proto__":{"admin":true}}') as object],
    ['a cycle', cyclic],
    ['null', null],
    ['a bigint', { id: 1n }],
    ['three megabytes', { id: 'a', pad: 'x'.repeat(3_000_000) }],
    ['fifty megabytes', { id: 'x'.repeat(50_000_000) }],
    ['ten thousand levels', { id: nested(10_000) }],
    ['not a number', { id: Number.NaN }],
    ['a function', { id: () => 'a' }],
    [
      'a getter that throws',
      {
        get id(): string {
          throw new Error('canary');
        },
      },
    ],
    ['a toJSON method', { id: { toJSON: () => ({ id: 'a' }) } }],
  ])('rejects %s (IPC_SCHEMA, IP-06)', async (_what, input) => {
    const { outcome, handler } = ask('integration:refresh', input, () => null);
    expect(await outcome).toMatchObject({ ok: false, error: { code: 'IPC_SCHEMA' } });
    expect(handler).not.toHaveBeenCalled();
  });

  it('reads a getter once: what was checked is what is used (IP-06)', async () => {
    let reads = 0;
    const input = {
      get id(): string {
        reads += 1;
        return reads === 1 ? 'a' : '../../vault';
      },
    };
    const { outcome, handler } = ask('integration:refresh', input, () => null);
    expect(await outcome).toEqual({ ok: true, value: null });
    expect(handler).toHaveBeenCalledWith({ id: 'a' }, { surface: 'window-1' });
  });

  it('returns an error as data, with its remedy', async () => {
    const error = new PosternError('HOST_BLOCKED', {
      stage: 'address',
      detail: { host: 'nas.local' },
      remedy: { kind: 'allow-local', because: 'blocked' },
    });
    const { outcome, onFailure } = ask('integration:refresh', { id: 'a' }, () => {
      throw error;
    });
    expect(await outcome).toMatchObject({
      ok: false,
      error: { code: 'HOST_BLOCKED', stage: 'address', remedy: { kind: 'allow-local' }, retryable: false },
    });
    expect(onFailure).toHaveBeenCalledWith(expect.objectContaining({ call: 'integration:refresh', thrown: error }));
  });

  it('hides the message of a foreign error, which may come from a server (IP-16)', async () => {
    const { outcome } = ask('integration:refresh', { id: 'a' }, () => {
      throw new Error('canary-token');
    });
    const result = await outcome;
    expect(result).toMatchObject({ ok: false, error: { code: 'INTERNAL' } });
    expect(JSON.stringify(result)).not.toContain('canary');
  });

  it('returns no field that the contract does not define (IP-08)', async () => {
    const { outcome } = ask('connection:install', { ticketId: 't' }, () => ({
      integrationId: 'a',
      accessToken: new Secret('canary'),
    }));
    expect(await outcome).toMatchObject({ ok: false, error: { code: 'INTERNAL' } });
  });
});

const mainFrame = { url: 'app://postern/index.html' };

function eventOf(id: number, url = mainFrame.url, frame: object | null = mainFrame) {
  const senderFrame = frame === mainFrame ? mainFrame : frame && { url };
  return { sender: { id, mainFrame: url === mainFrame.url ? mainFrame : senderFrame }, senderFrame };
}

describe('TrustedSenders', () => {
  const senders = new TrustedSenders('app://postern');
  senders.add(1);

  it('recognizes an added window, and gives it a name', () => {
    expect(senders.surfaceOf(eventOf(1))).toBe('window-1');
  });

  it('rejects other windows, such as a sign-in popup, whatever they show (Electron security list 17)', () => {
    expect(senders.surfaceOf(eventOf(2))).toBeUndefined();
  });

  it('rejects frames inside the window, and a frame that is gone', () => {
    expect(senders.surfaceOf(eventOf(1, mainFrame.url, {}))).toBeUndefined();
    expect(senders.surfaceOf(eventOf(1, mainFrame.url, null))).toBeUndefined();
  });

  it.each([
    'https://example.com/',
    'app://postern.example.com/',
    'app://posternx/index.html',
    'file:///index.html',
    'about:blank',
    '',
  ])('rejects the window while it shows %j', (url) => {
    expect(senders.surfaceOf(eventOf(1, url, {}))).toBeUndefined();
  });

  it('forgets a window that has closed', () => {
    const closing = new TrustedSenders('app://postern');
    closing.add(1);
    closing.remove(1);
    expect(closing.surfaceOf(eventOf(1))).toBeUndefined();
  });
});
