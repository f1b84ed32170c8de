import { describe, expect, it } from 'vitest';
import { commandNames, commandSpecs } from '../../../../main/cli/options/command-specs.ts';
import type { CommandName } from '../../../../main/cli/options/command-specs.ts';
import { readIntegrationOptions } from '../../../../main/cli/options/integration-options.ts';
import { addressedServer, nameConnect } from '../../../../main/cli/output/name-connect.ts';
import { nameSignIn } from '../../../../main/cli/output/name-sign-in.ts';
import { optionNames } from '../../../../main/cli/options/option-specs.ts';
import { parseArguments } from '../../../../main/cli/options/parse-arguments.ts';
import { storedOptionValues } from '../../../../main/cli/options/stored-option-values.ts';
import { UsageError } from '../../../../main/cli/options/usage-error.ts';
import { toPlainError } from '../../../../main/plain-error.ts';
import { PosternError } from '../../../../main/postern-error.ts';
import { describeError } from '../../../../shared/error-catalogue.ts';
import { errorCodes } from '../../../../shared/error-codes.ts';
import type { ErrorCode } from '../../../../shared/error-codes.ts';
import { remedies } from '../../../../shared/error-codes.ts';
import { networkFaults } from '../../../../shared/network-fault.ts';
import { wantsSignIn } from '../../../../shared/wants-sign-in.ts';

/** Codes that only some commands end with, which a flag in their next step may then rely on. */
const endsOnly: Readonly<Partial<Record<ErrorCode, readonly CommandName[]>>> = {
  BROWSER_OPEN_FAILED: ['connect', 'tools', 'call', 'refresh'],
  LINK_REUSED: ['connect', 'tools', 'call', 'refresh'],
};

/** Whatever changes the words of a next step. */
const details = [
  {},
  { host: 'mcp.example', callbackUrl: 'http://127.0.0.1:4711/integration/oauth/callback', file: 'vault' },
  { status: 503, retryAfter: 60, from: 'a', to: 'b' },
  ...remedies.map((remedy) => ({ remedy, host: 'idp.corp' })),
  ...networkFaults.flatMap((fault) => [{ fault }, { fault, proxy: 'proxy.example:3128' }]),
  ...['invalid_scope', 'invalid_request', 'invalid_target', 'invalid_client', 'unauthorized_client'].map((error) => ({
    error,
  })),
];

/** Every flag of a text, with the commands that the text says it is for: those named nearest before it. */
function readFlags(text: string, otherwise: readonly CommandName[]): { flag: string; commands: readonly string[] }[] {
  return [...text.matchAll(/--([a-z][a-z-]*)/gu)].map((found) => {
    const before = text.slice(0, found.index);
    const named = [...before.matchAll(/postern ([a-z-]+)|\b(connect)\b/giu)].at(-1);
    const command = (named?.[1] ?? named?.[2])?.toLowerCase();
    return { flag: found[1] ?? '', commands: command === undefined ? otherwise : [command] };
  });
}

function complaints(text: string, otherwise: readonly CommandName[]): string[] {
  return readFlags(text, otherwise).flatMap(({ flag, commands }) =>
    commands
      .filter((name) => {
        const spec = commandNames.find((command) => command === name);
        return spec === undefined || !commandSpecs[spec].options.some((option) => option === flag);
      })
      .map((name) => `${name} has no --${flag}`),
  );
}

/** The command lines that a text quotes. */
const quoted = (text: string): string[] =>
  [...text.matchAll(/`postern ([^`]+)`/gu)].map((found) => found[1] ?? '').filter((words) => !words.startsWith('--'));

describe('the next steps of the catalogue', () => {
  it.each(errorCodes)('name flags and commands that there are: %s', (code) => {
    const everywhere = endsOnly[code] ?? commandNames;
    for (const detail of details) {
      if (code === 'USAGE') continue;
      const { nextStep } = describeError(code, detail);
      expect({ nextStep, complaints: complaints(nextStep, everywhere) }).toEqual({ nextStep, complaints: [] });
      for (const line of quoted(nextStep)) expect(commandNames).toContain(line.split(' ')[0]);
      expect(nextStep).not.toContain('the command with');
    }
  });

  it('are judged by a rule that sees a wrong one', () => {
    expect(complaints('Repeat the command with --sign-in browser.', commandNames)).toContain('token has no --sign-in');
    expect(complaints('Try `postern token NAME --sign-in browser`.', commandNames)).toEqual(['token has no --sign-in']);
    expect(complaints('Connect it with --typo.', commandNames)).toEqual(['connect has no --typo']);
    expect(optionNames).toContain('sign-in');
  });
});

describe('nameConnect', () => {
  const words = [
    ...['connect', 'http://localhost:3000/mcp', '--local', '--name', 'My notes', '--legacy-endpoints', '--json'],
    ...[
      '--scope',
      'a b',
      '--client-id=-id',
      '--client-secret-stdin',
      '--memory',
      '--allow-host',
      'x',
      '--allow-host',
      'y',
    ],
  ];
  const reached = `http://localhost:3000/mcp --local --name "My notes" --legacy-endpoints`;
  const hosts = '--allow-host x --allow-host y';
  const nextStepOf = (error: PosternError, given = words): string =>
    toPlainError(nameConnect(error, addressedServer(parseArguments(given)))).nextStep;

  it.each<[ErrorCode, Record<string, string>, string]>([
    ['DCR_UNSUPPORTED', {}, `${reached} --scope "a b" --memory ${hosts} --client-id ID`],
    ['DCR_REJECTED', {}, `${reached} --scope "a b" --memory ${hosts} --client-id ID`],
    ['DCR_RESPONSE_INVALID', {}, `${reached} --scope "a b" --memory ${hosts} --client-id ID`],
    ['DCR_REDIRECT_CHANGED', {}, `${reached} --scope "a b" --memory ${hosts} --client-id ID`],
    ['CREDENTIALS_REQUIRED', {}, `${reached} --scope "a b" --memory ${hosts} --client-id ID`],
    [
      'AS_ERROR',
      { error: 'invalid_scope' },
      `${reached} --client-id=-id --client-secret-stdin --memory ${hosts} --scope SCOPES`,
    ],
    [
      'TOKEN_ERROR',
      { error: 'invalid_scope' },
      `${reached} --client-id=-id --client-secret-stdin --memory ${hosts} --scope SCOPES`,
    ],
    ['KC_UNAVAILABLE', {}, `${reached} --scope "a b" --client-id=-id --client-secret-stdin ${hosts} --memory`],
  ])('keeps after %s what the server was reached with', (code, detail, line) => {
    const nextStep = nextStepOf(new PosternError(code, { stage: 'registration', detail }));
    expect(quoted(nextStep)).toContain(`connect ${line}`);
  });

  it('leaves no quoted connect of the catalogue without them', () => {
    for (const code of errorCodes) {
      for (const detail of details) {
        const nextStep = code === 'USAGE' ? '' : nextStepOf(new PosternError(code, { stage: 'app', detail }));
        for (const line of quoted(nextStep).filter((found) => found.startsWith('connect'))) {
          expect(line).toContain('http://localhost:3000/mcp --local');
        }
      }
    }
  });

  it.each(['https://mcp.example/mcp?key=canary', `https://mcp.example/${'x'.repeat(400)}`])(
    'writes URL for an address that is not to be shown: %s',
    (url) => {
      const nextStep = nextStepOf(new PosternError('DCR_REJECTED', { stage: 'registration' }), [
        'connect',
        url,
        '--local',
      ]);
      expect(quoted(nextStep)).toContain('connect URL --local --client-id ID');
    },
  );

  it('writes the choices that are kept with an integration as the options that give them', () => {
    const given = [
      ...['--local', '--allow-host', 'x', '--allow-http', '--pkce', 'always', '--legacy-endpoints', '--no-resource'],
      ...[
        '--scope',
        'a b',
        '--client-metadata-url',
        'https://c.example/id.json',
        '--authorization-server',
        'https://a.example',
      ],
      ...['--authorization-endpoint', 'https://a.example/a', '--token-endpoint', 'https://a.example/t'],
    ];
    const { options } = parseArguments(['connect', 'https://mcp.example/mcp', ...given]);
    const read = readIntegrationOptions({ command: 'connect', positionals: [], options });
    expect(storedOptionValues(read)).toEqual(options);
    const defaults = readIntegrationOptions({ command: 'connect', positionals: [], options: new Map() });
    expect(storedOptionValues(defaults)).toEqual(new Map());
  });

  it('leaves a wrong command line, and what is no error of ours, as it is', () => {
    const server = addressedServer(parseArguments(words));
    const usage = new UsageError('Say what to do.');
    const foreign = new TypeError('canary');
    expect([nameConnect(usage, server), nameConnect(foreign, server)]).toEqual([usage, foreign]);
    expect(addressedServer(parseArguments(['list']))).toBeUndefined();
  });
});

describe('nameSignIn', () => {
  const codes = errorCodes.filter((code) => wantsSignIn({ code }));
  const using = commandNames.filter((command) => ['connect', 'tools', 'call', 'token', 'refresh'].includes(command));

  it.each(using.flatMap((command) => codes.map((code) => [command, code] as const)))(
    'says after %s how to sign in, in a way that works: %s',
    (command, code) => {
      const error = nameSignIn(new PosternError(code, { stage: 'connection' }), command, 'My notes');
      const { nextStep } = toPlainError(error);
      expect(complaints(nextStep, [])).toEqual([]);
      expect(nextStep).toContain('--sign-in browser');
      for (const line of quoted(nextStep)) {
        if (!line.includes('--')) continue;
        const words = line.replace('"My notes"', 'My_notes').split(' ');
        expect(parseArguments(words)).toMatchObject({ positionals: [words[0] === 'connect' ? 'URL' : 'My_notes'] });
      }
    },
  );

  it.each([
    ['token', '`postern refresh Demo --sign-in browser`'],
    ['refresh', '`postern refresh Demo --sign-in browser`'],
    ['tools', '`postern tools Demo --sign-in browser`'],
    ['connect', '`postern tools Demo --sign-in browser`'],
    ['call', 'repeat this `postern call` with --sign-in browser'],
  ] as const)('names for %s: %s', (command, words) => {
    const error = nameSignIn(new PosternError('SCOPE_REQUIRED', { stage: 'connection' }), command, 'Demo');
    expect(toPlainError(error).nextStep).toBe(`Grant them: ${words}.`);
  });

  it('leaves other errors, and those of no integration, as they are', () => {
    const other = new PosternError('MCP_FAILED', { stage: 'connection' });
    const nobody = new PosternError('SIGN_IN_REQUIRED', { stage: 'connection' });
    expect(nameSignIn(other, 'tools', 'Demo')).toBe(other);
    expect(nameSignIn(nobody, 'connect', undefined)).toBe(nobody);
  });
});
