import { describe, expect, it } from 'vitest';
import { readIntegrationOptions } from '../../../../../main/cli/options/integration-options.ts';
import { parseArguments, storedOptionValues } from '../../../../../main/cli/options/parse-arguments.ts';
import { commandTable } from '../../../../../main/cli/table/command-table.ts';
import { defaultOptions } from '../../../../../main/engine/kept/integration-policy.ts';

describe('storedOptionValues', () => {
  it('writes the choices that are kept with an integration as the options that give them', () => {
    const { options } = parseArguments(commandTable, [
      ...['connect', 'https://mcp.example/mcp', '--local', '--allow-host', 'x', '--allow-http', '--pkce', 'always'],
      ...['--legacy-endpoints', '--no-resource', '--scope', 'a b'],
      ...['--client-metadata-url', 'https://c.example/id.json', '--authorization-server', 'https://a.example'],
      ...['--authorization-endpoint', 'https://a.example/a', '--token-endpoint', 'https://a.example/t'],
      ...['--callback-host', 'localhost', '--client-auth', 'basic'],
    ]);
    const read = readIntegrationOptions({ command: 'connect', positionals: [], options });
    expect(storedOptionValues(defaultOptions(read))).toEqual(options);
    const defaults = readIntegrationOptions({ command: 'connect', positionals: [], options: new Map() });
    expect(storedOptionValues(defaultOptions(defaults))).toEqual(new Map());
  });
});
