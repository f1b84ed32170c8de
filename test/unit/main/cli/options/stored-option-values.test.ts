import { describe, expect, it } from 'vitest';
import { readIntegrationOptions } from '../../../../../main/cli/options/integration-options.ts';
import { parseArguments, storedOptionValues } from '../../../../../main/cli/options/parse-arguments.ts';
import { commandTable } from '../../../../../main/cli/table/command-table.ts';
import { withDefaultOptions } from '../../../../../main/engine/records/integration-policy.ts';

describe('storedOptionValues', () => {
  it('renders the stored choices of an integration as the options that produce them', () => {
    const { options } = parseArguments(commandTable, [
      ...['connect', 'https://mcp.example/mcp', '--local', '--allow-host', 'x', '--allow-http', '--pkce', 'always'],
      ...['--legacy-endpoints', '--no-resource', '--scope', 'a b'],
      ...['--client-metadata-url', 'https://c.example/id.json', '--authorization-server', 'https://a.example'],
      ...['--authorization-endpoint', 'https://a.example/a', '--token-endpoint', 'https://a.example/t'],
      ...['--callback-host', 'localhost', '--client-auth', 'basic'],
    ]);
    const read = readIntegrationOptions({ command: 'connect', positionals: [], options });
    expect(storedOptionValues(withDefaultOptions(read))).toEqual(options);
    const defaults = readIntegrationOptions({ command: 'connect', positionals: [], options: new Map() });
    expect(storedOptionValues(withDefaultOptions(defaults))).toEqual(new Map());
  });
});
