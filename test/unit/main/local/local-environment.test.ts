import { describe, expect, it } from 'vitest';
import { localEnvironment, notGivenForNetwork } from '../../../../main/local/local-environment.ts';

const command = (name: string, variables: readonly string[] = []) => ({
  command: name,
  path: `/usr/bin/${name}`,
  arguments: [],
  variables: [...variables],
});

describe('what a command is given', () => {
  it('is a usual variable of Windows in whichever letters it is written', () => {
    const env = { Path: 'C:\\bin', SystemRoot: 'C:\\Windows', SECRET: 'ours' };
    expect(localEnvironment(env, { TOKEN: 'its' }, 'win32')).toEqual({
      Path: 'C:\\bin',
      SystemRoot: 'C:\\Windows',
      TOKEN: 'its',
    });
  });
});

describe('what a command that fetches code would need behind a proxy', () => {
  const env = { https_proxy: 'http://proxy.example:3128', NODE_EXTRA_CA_CERTS: '/etc/ca.pem', HTTP_PROXY: '' };

  it('is named where it is set here and not given', () => {
    expect(notGivenForNetwork(env, command('npx'))).toEqual(['https_proxy', 'NODE_EXTRA_CA_CERTS']);
    expect(notGivenForNetwork(env, command('uvx', ['HTTPS_PROXY']))).toEqual(['NODE_EXTRA_CA_CERTS']);
  });

  it('is nothing for a command that fetches none, and where nothing is set', () => {
    expect(notGivenForNetwork(env, command('node'))).toEqual([]);
    expect(notGivenForNetwork({ PATH: '/bin' }, command('npx'))).toEqual([]);
  });
});
