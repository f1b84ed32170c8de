import { describe, expect, it } from 'vitest';
import { readExport, renderExport } from '../../../../../main/desktop/lists/exported-list.ts';
import { anIntegration } from '../../../../support/an-integration.ts';

describe('exported list', () => {
  it('comes back as it went, without anything of the sign-in', () => {
    const integration = anIntegration({ scope: 'a', resource: 'https://mcp.example/mcp', signedInAt: 5 });
    const text = renderExport([integration]);
    expect(text).not.toMatch(/as\.example|signedInAt|"scope"|resource"/u);
    const { name, url, method, options } = integration;
    expect(readExport(text)).toEqual({
      collections: [],
      entries: [{ name, url, method, options, leftOut: 0 }],
      refused: 0,
    });
  });

  it('brings no endpoint and no permission from a file, and counts what was left out', () => {
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

  it('takes no header name that could not be typed', () => {
    const { options } = anIntegration();
    const text = renderExport([anIntegration({ options: { ...options, headerName: 'Host' } })]);
    expect(readExport(text)).toEqual({ entries: [], collections: [], refused: 1 });
  });

  it('leaves out what stands in the query of an address: it may be a key', () => {
    const text = renderExport([anIntegration({ url: 'https://mcp.example/mcp?apiKey=CANARY&CANARY2' })]);
    expect(text).not.toContain('CANARY');
    expect(readExport(text)?.entries[0]?.url).toBe('https://mcp.example/mcp');
  });

  it('counts entries that do not fit, and takes the others', () => {
    const document = JSON.parse(renderExport([anIntegration()])) as { integrations: unknown[] };
    document.integrations.push({ name: 'bad' }, 7, { ...(document.integrations[0] as object), token: 'canary' });
    expect(readExport(JSON.stringify(document))).toMatchObject({ refused: 3, entries: [{ name: 'One' }] });
  });

  it.each(['', '{}', '[]', '{"format":"postern-integrations","version":2,"integrations":[]}', '{"mcpServers":{}}'])(
    'is no such list: %j',
    (text) => {
      expect(readExport(text)).toBeUndefined();
    },
  );
});
