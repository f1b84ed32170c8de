import { describe, expect, it } from 'vitest';
import { readExport, renderExport } from '../../../../../main/engine/records/exported-list.ts';
import { systemClock } from '../../../../../main/host/system-ports.ts';
import { importList } from '../../../../../main/operations/lists.ts';
import type { Locks } from '../../../../../main/ports.ts';
import { createLocks, profileLock } from '../../../../../main/storage/files/kernel-locks.ts';
import { openIntegrationStore } from '../../../../../main/storage/settings/integration-store.ts';
import { anIntegration } from '../../../../support/an-integration.ts';
import { temporaryFolder } from '../../../../support/temporary-folder.ts';

describe('an exported list', () => {
  it('survives export and import, without any sign-in data', () => {
    const integration = anIntegration({ scope: 'a', resource: 'https://mcp.example/mcp', signedInAt: 5 });
    const text = renderExport([integration]);
    expect(text).not.toMatch(/as\.example|signedInAt|"scope"|resource"/u);
    const { name, url, method, options } = integration;
    expect(readExport(text)).toEqual({
      collections: [],
      entries: [{ name, url, method, options, leftOut: 0 }],
      unreadable: [],
    });
  });

  it('imports no endpoint or permission from a file, and counts the dropped ones', () => {
    const { options } = anIntegration();
    const endpoints = { authorization: 'https://as.example/authorize', token: 'https://foreign.example/token' };
    const loosened = {
      ...options,
      local: true,
      allowedHosts: ['10.0.0.1'],
      allowHttp: true,
      legacyEndpoints: true,
      sendResource: false,
      clientMetadataUrl: 'https://foreign.example/client.json',
      endpoints,
    };
    const harmless = { scope: 'notes', pkce: 'required', headerName: 'X-API-Key', signInSurface: 'browser' } as const;
    const text = renderExport([anIntegration({ options: { ...loosened, ...harmless } })]);
    expect(readExport(text)?.entries).toMatchObject([{ options: { ...options, ...harmless }, leftOut: 7 }]);
    expect(readExport(text)?.entries[0]?.options).toEqual({ ...options, ...harmless });
  });

  it('rejects a header name that a user could not enter', () => {
    const { options } = anIntegration();
    const text = renderExport([anIntegration({ options: { ...options, headerName: 'Host' } })]);
    expect(readExport(text)).toEqual({
      entries: [],
      collections: [],
      unreadable: [{ list: 'integrations', index: 0, name: 'One', member: 'options.headerName' }],
    });
  });

  it('drops the query of an address, which may contain a key', () => {
    const text = renderExport([anIntegration({ url: 'https://mcp.example/mcp?apiKey=CANARY&CANARY2' })]);
    expect(text).not.toContain('CANARY');
    expect(readExport(text)?.entries[0]?.url).toBe('https://mcp.example/mcp');
  });

  it('reports each invalid entry with its member, and imports the others', () => {
    const document = JSON.parse(renderExport([anIntegration()])) as { integrations: unknown[] };
    const good = document.integrations[0] as { options: object };
    document.integrations.push(
      { name: 'bad' },
      7,
      { ...good, token: 'canary' },
      { ...good, name: 'worse', options: { ...good.options, pkce: 3 } },
      { ...good, name: 'nowhere', url: 'javascript:alert(1)' },
    );
    expect(readExport(JSON.stringify(document))).toMatchObject({
      entries: [{ name: 'One' }],
      unreadable: [
        { index: 1, name: 'bad', member: 'url' },
        { index: 2 },
        { index: 3, name: 'One', member: 'token' },
        { index: 4, name: 'worse', member: 'options.pkce' },
        { index: 5, name: 'nowhere', member: 'url' },
      ],
    });
  });

  it.each(['', '{}', '[]', '{"format":"postern-integrations","version":2,"integrations":[]}', '{"mcpServers":{}}'])(
    'is not recognized in %j',
    (text) => {
      expect(readExport(text)).toBeUndefined();
    },
  );
});

describe('importList', () => {
  it('adds 5,000 servers in one write, each with a unique name and alias', async () => {
    const folder = temporaryFolder();
    const locks = createLocks(folder);
    let writes = 0;
    const counting: Locks = {
      hold: (name, work, signal) => {
        if (name === profileLock) writes += 1;
        return locks.hold(name, work, signal);
      },
    };
    const store = openIntegrationStore({ folder, locks: counting });
    const ports = { store, locks, clock: systemClock, collections: store.collections, changed: async () => {} };
    const all = Array.from({ length: 5_000 }, (_, index) =>
      anIntegration({ name: 'One of many servers here', url: `https://mcp-${index}.example/mcp` }),
    );
    expect((await importList(ports, renderExport(all)))?.added).toHaveLength(5_000);
    expect(writes).toBe(1);
    const listed = await store.list();
    expect(new Set(listed.map(({ name }) => name)).size).toBe(5_000);
    expect(new Set(listed.map(({ alias }) => alias)).size).toBe(5_000);
    expect(await importList(ports, renderExport(listed))).toMatchObject({ added: [], skipped: 5_000 });
  });
});
