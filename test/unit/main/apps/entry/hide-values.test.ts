import { expect, it } from 'vitest';
import { hideValues } from '../../../../../main/apps/plan/planned-change.ts';

it('keeps the keys of an entry and hides its secrets', () => {
  const entry = {
    type: 'http',
    serverUrl: 'https://person:canary@mcp.example/mcp?key=canary',
    headers: { Authorization: 'Bearer canary', url: 'canary' },
    env: { TOKEN: 'canary', PORT: 12_345 },
    disabled: false,
    requestOptions: { headers: ['canary'] },
  };
  expect(hideValues(entry)).toEqual({
    type: 'http',
    serverUrl: 'https://mcp.example/mcp',
    headers: { Authorization: '…', url: '…' },
    env: { TOKEN: '…', PORT: '…' },
    disabled: false,
    requestOptions: { headers: ['…'] },
  });
  expect(hideValues({ command: ['npx', 'canary'], args: ['canary'] })).toEqual({ command: ['npx', '…'], args: ['…'] });
  expect(hideValues({ command: { path: 'canary', env: { TOKEN: 'canary' } } })).toEqual({
    command: { path: '…', env: { TOKEN: '…' } },
  });
  expect(hideValues('canary')).toBe('…');
});

it("shows a command that starts Postern's pipe in full", () => {
  const entry = { command: '/x/pipe', args: ['--profile-folder', '/p', 'notes', '--app', '0123456789abcdef'] };
  expect(hideValues({ ...entry, env: { TOKEN: 'canary' } })).toEqual({ ...entry, env: { TOKEN: '…' } });
});
