import { describe, expect, it } from 'vitest';
import { localEnvironment, withheldNetworkVariables } from '../../../../main/local/local-environment.ts';

const command = (name: string, variables: readonly string[] = []) => ({
  command: name,
  path: `/usr/bin/${name}`,
  arguments: [],
  variables: [...variables],
});

describe('the environment of a local command', () => {
  it('includes the usual Windows variables in any letter case', () => {
    const env = { Path: 'C:\\bin', SystemRoot: 'C:\\Windows', SECRET: 'ours' };
    expect(localEnvironment(env, { TOKEN: 'its' }, 'win32')).toEqual({
      Path: 'C:\\bin',
      SystemRoot: 'C:\\Windows',
      TOKEN: 'its',
    });
  });
});

describe('proxy variables that a package runner would need', () => {
  const env = { https_proxy: 'http://proxy.example:3128', NODE_EXTRA_CA_CERTS: '/etc/ca.pem', HTTP_PROXY: '' };

  it('are reported if they are set here and not passed on', () => {
    expect(withheldNetworkVariables(env, command('npx'))).toEqual(['https_proxy', 'NODE_EXTRA_CA_CERTS']);
    expect(withheldNetworkVariables(env, command('uvx', ['HTTPS_PROXY']))).toEqual(['NODE_EXTRA_CA_CERTS']);
  });

  it('are not reported for other commands, or if none is set', () => {
    expect(withheldNetworkVariables(env, command('node'))).toEqual([]);
    expect(withheldNetworkVariables({ PATH: '/bin' }, command('npx'))).toEqual([]);
  });
});
