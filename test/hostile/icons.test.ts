import { existsSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import path from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { connectServer } from '../../main/engine/connect/connect-server.ts';
import { connectWithKey } from '../../main/engine/connect/connect-with-key.ts';
import { inspectServer } from '../../main/engine/connect/inspect-server.ts';
import type { EnginePorts } from '../../main/engine/engine-ports.ts';
import { Secret } from '../../main/secret.ts';
import { openIconStore } from '../../main/storage/profile/icon-store.ts';
import { chooseIcons, iconBounds } from '../../main/window/icons/choose-icons.ts';
import { ServerIcons } from '../../main/window/icons/server-icons.ts';
import { afterTest } from '../support/after-test.ts';
import { anIntegration } from '../support/an-integration.ts';
import { asChecked } from '../support/as-checked.ts';
import { startPair } from '../support/demo-pair.ts';
import { file, startIconServer } from '../support/icon-server.ts';
import type { Files } from '../support/icon-server.ts';
import { localOptions } from '../support/local-options.ts';
import { serveHttp } from '../support/loopback-server.ts';
import { aGif, aJpeg, aPng, aWebp } from '../support/pictures.ts';
import { createTestDesktop } from '../support/test-desktop.ts';
import { createTestEngine } from '../support/test-engine.ts';

const { signal } = new AbortController();
const honest = aPng(48, 48);
const script = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
const inside = (type: string, bytes: Buffer): string => `data:${type};base64,${bytes.toString('base64')}`;
const sources = (icons: unknown) => chooseIcons(asChecked('https://mcp.example/mcp'), icons).light;

/** What the window shows of a server with a hostile icon, followed by an honest one. */
async function shown(hostile: readonly unknown[] | ((origin: string) => readonly unknown[]), files: Files = {}) {
  const server = await startIconServer(
    (origin) => [...(typeof hostile === 'function' ? hostile(origin) : hostile), { src: `${origin}/honest.png` }],
    { '/honest.png': file('image/png', honest), ...files },
  );
  const desktop = await createTestDesktop();
  const { url } = server;
  const entry = anIntegration({ url, method: 'NoAuth', options: localOptions, protocol: 'session' });
  await desktop.engine.ports.store.write(entry);
  await desktop.call('integration:tools', { id: entry.id });
  const mark = await desktop.waitFor(({ integrations }) => integrations?.[0]?.icons?.light);
  const { data } = await desktop.call('integration:icon', { id: entry.id, mark });
  return { server, bytes: Buffer.from(data ?? '', 'base64') };
}

describe('a server icon', () => {
  it.each([
    ['SVG', 'image/svg+xml', script],
    ['SVG labeled as PNG', 'image/png', script],
    ['a page', 'text/html', Buffer.from('<!doctype html><script>alert(1)</script>')],
    ['a program', 'image/png', Buffer.from('7f454c4602010100', 'hex')],
    ['a GIF', 'image/gif', aGif(48, 48)],
    ['nothing', 'image/png', Buffer.alloc(0)],
  ])('IC-01 that is %s is rejected, from the server or from a data: URI', async (_what, type, bytes) => {
    const { bytes: taken } = await shown((origin) => [{ src: `${origin}/evil` }, { src: inside('image/png', bytes) }], {
      '/evil': file(type, bytes),
    });
    expect(taken.equals(honest)).toBe(true);
    expect(sources([{ src: inside(type, bytes), mimeType: type }])).toHaveLength(
      type === 'image/png' && bytes.length > 0 ? 1 : 0,
    );
  });

  it.each([
    ['PNG', aPng(60_000, 60_000)],
    ['JPEG', aJpeg(60_000, 60_000)],
    ['WebP', aWebp('VP8X', 16_000, 16_000)],
    ['a side of PNG', aPng(1_025, 1)],
  ])('IC-02 of a few bytes and too many pixels, as %s, is rejected', async (_what, bytes) => {
    const { bytes: taken } = await shown([{ src: inside('image/png', bytes), sizes: ['64x64'] }]);
    expect(taken.equals(honest)).toBe(true);
  });

  it('IC-03 without end, or above the size limit, is rejected', async () => {
    const large = Buffer.concat([aPng(48, 48), Buffer.alloc(1_048_576)]);
    const endless = (response: ServerResponse): void => {
      response.writeHead(200, { 'content-type': 'image/png' });
      response.write(aPng(48, 48));
      const more = (): void => void (response.destroyed || response.write(Buffer.alloc(65_536), more));
      more();
    };
    const { bytes } = await shown((origin) => [{ src: `${origin}/endless` }, { src: `${origin}/large` }], {
      '/endless': endless,
      '/large': file('image/png', large),
    });
    expect(bytes.equals(honest)).toBe(true);
    expect(sources([{ src: inside('image/png', large) }])).toEqual([]);
  });

  it.each([
    'https://evil.example/i.png',
    'https://mcp.example.evil.example/i.png',
    'https://mcp.example:8443/i.png',
    'http://mcp.example/i.png',
    'https://user:pass@mcp.example/i.png',
    'https://127.0.0.1/i.png',
    '//evil.example/i.png',
    '/i.png',
    'javascript:alert(1)',
    'file:///etc/passwd',
    'blob:https://mcp.example/1',
    'data:image/svg+xml;base64,PHN2Zz4=',
    'data:image/png,plain',
    'data:text/html;base64,PGI+',
  ])('IC-04 at %s is never requested', (src) => {
    expect(sources([{ src }])).toEqual([]);
  });

  it('IC-04 at an endless address is never requested', () => {
    expect(sources([{ src: `https://mcp.example/${'x'.repeat(200_000)}` }])).toEqual([]);
  });

  it('IC-04 at another origin is not requested', async () => {
    const other = await serveHttp((_request, response) => response.writeHead(200).end(honest));
    afterTest(() => other[Symbol.asyncDispose]());
    const { bytes } = await shown([{ src: `${other.origin}/i.png` }]);
    expect(bytes.equals(honest)).toBe(true);
    expect(other.received()).toBe('');
  });

  it('IC-05 that redirects to another origin is not followed there', async () => {
    const other = await serveHttp((_request, response) => response.writeHead(200).end(aPng(12, 12)));
    afterTest(() => other[Symbol.asyncDispose]());
    const { bytes } = await shown((origin) => [{ src: `${origin}/leads` }], {
      '/leads': (response) => void response.writeHead(302, { location: `${other.origin}/i.png` }).end(),
    });
    expect(bytes.equals(honest)).toBe(true);
    expect(other.received()).toBe('');
  });

  it('is deleted with its server', async () => {
    const server = await startIconServer((origin) => [{ src: `${origin}/honest.png` }], {
      '/honest.png': file('image/png', honest),
    });
    const desktop = await createTestDesktop();
    const entry = anIntegration({ url: server.url, method: 'NoAuth', options: localOptions, protocol: 'session' });
    const { store } = desktop.engine.ports;
    await store.write(entry);
    await desktop.call('integration:tools', { id: entry.id });
    await desktop.waitFor(({ integrations }) => integrations?.[0]?.icons);
    const pictures = openIconStore(desktop.engine.folder);
    expect((await pictures.list()).size).toBe(1);
    await store.delete(entry.id);
    const icons = new ServerIcons({ ...desktop.engine.ports, store: pictures, list: store, onChange: () => {} });
    await icons.load();
    await icons.removeUnlisted();
    expect((await pictures.list()).size).toBe(0);
  });

  it('is not requested before its server is added', async () => {
    const server = await startIconServer((origin) => [{ src: `${origin}/honest.png` }]);
    const { ports, interaction } = createTestEngine();
    const onServerIcons = vi.fn<NonNullable<EnginePorts['onServerIcons']>>();
    const portsWithIcons = { ...ports, onServerIcons };
    const target = { url: server.url, options: localOptions };
    const inspection = await inspectServer(portsWithIcons, target, () => {}, signal);
    expect(inspection.open?.tools).toEqual([]);
    expect(onServerIcons).not.toHaveBeenCalled();
    await connectServer(portsWithIcons, { ...target, inspection, surface: 'test' }, interaction, signal);
    const named = [{ src: `${server.origin}/honest.png` }];
    expect(onServerIcons.mock.calls).toEqual([[expect.objectContaining(target), named]]);
  });

  it('is not requested before its server has accepted the key', async () => {
    const server = await startIconServer((origin) => [{ src: `${origin}/honest.png` }]);
    const { ports } = createTestEngine();
    const storedUrls = Promise.withResolvers<readonly string[]>();
    const onServerIcons = (): void =>
      void ports.store.list().then((list) => storedUrls.resolve(list.map(({ url }) => url)));
    const request = { url: server.url, options: { ...localOptions, headerName: 'X-API-Key' }, key: new Secret('k') };
    await connectWithKey({ ...ports, onServerIcons }, request, signal);
    expect(await storedUrls.promise).toEqual([server.url]);
  });

  it('is not requested before its server is added after a sign-in', async () => {
    const { mcp } = await startPair();
    const { ports, interaction } = createTestEngine();
    const listed = Promise.withResolvers<void>();
    const greeted = Promise.withResolvers<readonly string[]>();
    const portsWithIcons: EnginePorts = {
      ...ports,
      // The server has described itself; its tools are listed later.
      http: {
        ...ports.http,
        stream: (request) => {
          if (Buffer.from(request.body ?? '').includes('tools/list')) listed.resolve();
          return ports.http.stream(request);
        },
      },
      // The server is added only after its tools were listed.
      locks: {
        ...ports.locks,
        hold: async (name, work) => {
          if (name === 'names') await listed.promise;
          return await ports.locks.hold(name, work);
        },
      },
      onServerIcons: () => void ports.store.list().then((list) => greeted.resolve(list.map(({ url }) => url))),
    };
    await connectServer(portsWithIcons, { url: mcp.url, options: localOptions, surface: 'test' }, interaction, signal);
    expect(await greeted.promise).toEqual([mcp.url]);
  });

  // Half of the icon timeout.
  it('is not stored if all data was deleted while it loaded', { timeout: iconBounds.deadline / 2 }, async () => {
    const requested = Promise.withResolvers<void>();
    const closed = Promise.withResolvers<void>();
    const server = await startIconServer((origin) => [{ src: `${origin}/slow.png` }], {
      '/slow.png': (response) => {
        response.once('close', closed.resolve);
        requested.resolve();
      },
    });
    const desktop = await createTestDesktop();
    const entry = anIntegration({ url: server.url, method: 'NoAuth', options: localOptions, protocol: 'session' });
    await desktop.engine.ports.store.write(entry);
    await desktop.call('integration:tools', { id: entry.id });
    await requested.promise;
    await desktop.call('storage:deleteEverything', {});
    await closed.promise;
    expect(existsSync(path.join(desktop.engine.folder, 'icons'))).toBe(false);
  });

  it('IC-06 is requested without a key, a token or a cookie', async () => {
    const server = await startIconServer((origin) => [{ src: `${origin}/honest.png` }], {
      '/honest.png': file('image/png', honest),
    });
    const desktop = await createTestDesktop();
    const options = { ...localOptions, headerName: 'X-API-Key' };
    const entry = anIntegration({ url: server.url, method: 'NoAuth', options, protocol: 'session' });
    await desktop.engine.ports.store.write(entry);
    const value = { 'X-API-Key': 'canary-key' };
    await desktop.engine.vault.write({ kind: 'header', owner: entry.id, server: entry.url }, value['X-API-Key']);
    await desktop.call('integration:tools', { id: entry.id }).catch(() => {});
    await desktop.waitFor(({ integrations }) => integrations?.[0]?.icons);
    const [request] = server.requests;
    expect(Object.keys(request?.headers ?? {}).toSorted()).toEqual(
      expect.not.arrayContaining(['authorization', 'cookie', 'x-api-key', 'referer', 'mcp-session-id']),
    );
    expect(JSON.stringify(request)).not.toMatch(/canary/u);
  });

  it('IC-07 with a wrong type, or a status other than 200, is rejected', async () => {
    const { bytes } = await shown((origin) => [{ src: `${origin}/webp` }, { src: `${origin}/gone` }], {
      '/webp': file('image/png', aWebp('VP8L', 48, 48)),
      '/gone': file('image/png', aPng(12, 12), 404),
    });
    expect(bytes.equals(honest)).toBe(true);
  });

  it.each([
    ['a number', 5],
    ['text', 'https://mcp.example/i.png'],
    ['an object', { src: 'https://mcp.example/i.png' }],
    ['entries that are none', [null, 5, 'x', [], {}, { src: 5 }, { src: {} }]],
    ['another type', [{ src: 'https://mcp.example/i.png', mimeType: 'image/svg+xml' }]],
    ['a type that is a number', [{ src: 'https://mcp.example/i.png', mimeType: 5 }]],
  ])('IC-08 is not used from %s', (_what, icons) => {
    expect(sources(icons)).toEqual([]);
  });

  it('IC-08 is one of a few, however many there are', () => {
    const many = Array.from({ length: 5_000 }, (_, index) => ({ src: `https://mcp.example/${index}.png` }));
    expect(sources(many).length).toBeLessThanOrEqual(3);
  });
});
