import { describe, expect, it } from 'vitest';
import { readIntegrationOptions } from '../../../../../main/cli/options/integration-options.ts';
import { pkceChoices } from '../../../../../main/cli/options/option-specs.ts';
import { parseArguments } from '../../../../../main/cli/options/parse-arguments.ts';
import { commandTable } from '../../../../../main/cli/table/command-table.ts';
import { withDefaultOptions } from '../../../../../main/engine/records/integration-policy.ts';
import { pkcePolicies } from '../../../../../shared/choices.ts';
import { integrationOptionsSchema } from '../../../../../shared/integration.ts';

const read = (...flags: string[]) => readIntegrationOptions(parseArguments(commandTable, ['connect', 'u', ...flags]));

describe('readIntegrationOptions', () => {
  it('is strict by default', () => {
    expect(read()).toEqual({});
    expect(withDefaultOptions(read())).toEqual({
      local: false,
      allowedHosts: [],
      allowHttp: false,
      pkce: 'when-listed',
      legacyEndpoints: false,
      sendResource: true,
    });
  });

  it('reads every flag into the stored options', () => {
    const hosts = ['--allow-host', 'Login.INTERNAL', '--allow-host', '[fd00::1]', '--allow-http'];
    const rest = ['--pkce', 'required', '--scope', ' a  b ', '--legacy-endpoints', '--no-resource'];
    const document = ['--client-metadata-url', 'https://c.example/client.json'];
    const server = ['--authorization-server', 'https://as.example/tenant', '--callback-host', 'localhost'];
    const options = read('--local', ...hosts, ...rest, ...document, ...server, '--client-auth', 'post');
    expect(integrationOptionsSchema.parse(options)).toEqual({
      local: true,
      allowedHosts: ['login.internal', '[fd00::1]'],
      allowHttp: true,
      pkce: 'required',
      scope: 'a b',
      legacyEndpoints: true,
      clientMetadataUrl: 'https://c.example/client.json',
      sendResource: false,
      authorizationServer: 'https://as.example/tenant',
      callbackHost: 'localhost',
      clientAuthentication: 'client_secret_post',
    });
  });

  it.each([
    ['--allow-host', 'https://a.internal/'],
    ['--allow-host', 'a.internal:8443'],
    ['--allow-host', 'a b'],
    ['--allow-host', 'user@a'],
    ['--scope', 'a"b'],
    ['--scope', ' '],
    ['--client-metadata-url', 'http://c.example/client.json'],
    ['--client-metadata-url', 'client.json'],
    ['--authorization-server', 'as.example'],
    ['--token-endpoint', 'https://as.example/token'],
    ['--callback-host', 'evil.example'],
    ['--callback-host', '[::1]'],
    ['--client-auth', 'none'],
    ['--client-auth', 'client_secret_post'],
  ])('refuses %s %j', (flag, value) => {
    expect(() => read(flag, value)).toThrow(expect.objectContaining({ code: 'USAGE' }));
  });

  it('refuses an option that was given twice', () => {
    expect(() => read('--scope', 'a', '--scope', 'b')).toThrow(expect.objectContaining({ code: 'USAGE' }));
  });

  it('has the same PKCE policies as the contract', () => {
    expect(pkceChoices).toEqual(pkcePolicies);
  });
});
