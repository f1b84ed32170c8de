import { describe, expect, it } from 'vitest';
import { readExport, renderExport } from '../../../../main/desktop/exported-list.ts';
import { anIntegration } from '../../../support/an-integration.ts';

describe('exported list', () => {
  it('comes back as it went, without anything of the sign-in', () => {
    const integration = anIntegration({ scope: 'a', resource: 'https://mcp.example/mcp', signedInAt: 5 });
    const text = renderExport([integration]);
    expect(text).not.toMatch(/as\.example|signedInAt|"scope"|resource"/u);
    const { name, url, method, options } = integration;
    expect(readExport(text)).toEqual({ entries: [{ name, url, method, options }], refused: 0 });
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
