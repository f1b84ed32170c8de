import { describe, expect, it } from 'vitest';
import { commandAt, wordCount } from '../../../../../main/cli/options/command-spec.ts';
import { optionNames } from '../../../../../main/cli/options/option-specs.ts';
import { parseArguments } from '../../../../../main/cli/options/parse-arguments.ts';
import { describeRemedy, npmCommand, toCommandError } from '../../../../../main/cli/output/describe-error.ts';
import { addressedServer } from '../../../../../main/cli/output/write-command.ts';
import type { AdviceContext } from '../../../../../main/cli/output/write-command.ts';
import { commandTable } from '../../../../../main/cli/table/command-table.ts';
import { PosternError } from '../../../../../main/errors/postern-error.ts';
import { errorCatalog, errorCodes } from '../../../../../shared/error-codes.ts';
import type { Remedy } from '../../../../../shared/remedy.ts';
import { remediesOf } from '../../../../support/error-details.ts';

describe('toCommandError', () => {
  it('names the help of the command with the usage error', () => {
    const error = new PosternError('USAGE', { stage: 'postern' });
    expect(toCommandError(error, { command: 'call' }).nextStep).toContain('`postern call --help`');
    expect(toCommandError(error, {}).nextStep).toContain('`postern --help`');
  });

  it('has the next step as text, even with --json', () => {
    const reported = toCommandError(new PosternError('NOT_FOUND', { stage: 'postern' }), {});
    expect(Object.keys(reported).toSorted()).toEqual(['blame', 'code', 'message', 'nextStep', 'retryable', 'stage']);
  });

  it('includes the callback URL if the user has to obtain a client ID (spec 2.11)', () => {
    const callbackUrl = 'http://127.0.0.1:4711/integration/oauth/callback';
    expect(
      toCommandError(
        new PosternError('CREDENTIALS_REQUIRED', {
          stage: 'credentials',
          remedy: { kind: 'type-credentials', callbackUrl, documents: false },
        }),
        {},
      ).callbackUrl,
    ).toBe(callbackUrl);
  });

  it.each([
    ['invalid_client', 'invalid_client'],
    ['unknown', undefined],
    ['canary from the server', undefined],
  ])('includes the error of an authorization server only if its name is known: %s', (error, name) => {
    const reported = toCommandError(
      new PosternError('TOKEN_ERROR', { stage: 'token', detail: { error, status: 401 } }),
      {},
    );
    expect(reported.oauthError).toBe(name);
  });
});

const words = [
  ...['connect', 'http://localhost:3000/mcp', '--local', '--name', 'My notes', '--legacy-endpoints', '--json'],
  ...['--scope', 'a b', '--client-id=-id', '--client-secret-stdin', '--memory'],
  ...['--allow-host', 'x', '--allow-host', 'y'],
];
const server = addressedServer(parseArguments(commandTable, words));
const contexts: readonly AdviceContext[] = [
  {},
  { command: 'connect', server },
  ...(['connect', 'tools', 'call', 'token', 'refresh'] as const).map((command) => ({
    command,
    name: 'My notes',
    server,
  })),
];

/** The command lines quoted in a text, split as a shell would. */
function quoted(text: string): string[][] {
  return [...text.matchAll(/`postern ([^`]+)`/gu)].map(([, line = '']) =>
    [...line.matchAll(/(?:"[^"]*"|\S)+/gu)].map(([word]) => word.replaceAll('"', '')),
  );
}

describe.each(errorCodes)('%s', (code) => {
  it('has a next step whose commands and options exist', () => {
    for (const remedy of remediesOf(code)) {
      for (const at of contexts) {
        const text = describeRemedy(remedy, at);
        expect(text).toMatch(/^\S.{10,}$/);
        expect(text).not.toMatch(/undefined|NaN|\[object|\n| {2}/);
        for (const [, option] of text.matchAll(/--([a-z][a-z-]*)/gu)) expect(optionNames).toContain(option);
        for (const typed of quoted(text)) {
          const command = commandAt(commandTable, typed);
          const rest = typed.slice(command === undefined ? 0 : wordCount(command));
          if (command === undefined) expect(typed).toEqual(['--help']);
          else if (rest.length > 0 && rest[0]?.startsWith('--') !== true)
            expect(parseArguments(commandTable, typed).command).toBe(command);
        }
      }
    }
  });

  it('reuses the address and options of the failed command', () => {
    for (const remedy of remediesOf(code)) {
      const text = describeRemedy(remedy, { command: 'connect', server });
      for (const [command, url, ...more] of quoted(text)) {
        if (command !== 'connect' || url === undefined || remedy.kind === 'give-address' || url === '--help') continue;
        expect(url).toBe('http://localhost:3000/mcp');
        expect(more).toEqual(expect.arrayContaining(['--local', '--legacy-endpoints', 'My notes']));
        expect(more).not.toContain('--json');
      }
    }
  });
});

const reached = 'http://localhost:3000/mcp --local --name "My notes" --legacy-endpoints';
const hosts = '--allow-host x --allow-host y';

describe('a next step that connects', () => {
  it.each<[Remedy, string]>([
    [errorCatalog.DCR_REJECTED.remedy, `${reached} --scope "a b" --memory ${hosts} --client-id ID`],
    [{ kind: 'ask-other-scopes' }, `${reached} --client-id=-id --client-secret-stdin --memory ${hosts} --scope SCOPES`],
    [
      errorCatalog.KC_UNAVAILABLE.remedy,
      `${reached} --scope "a b" --client-id=-id --client-secret-stdin ${hosts} --memory`,
    ],
  ])('has each option once: %j', (remedy, line) => {
    expect(describeRemedy(remedy, { command: 'connect', server })).toContain(`\`postern connect ${line}\``);
  });

  it.each(['https://mcp.example/mcp?key=canary', `https://mcp.example/${'x'.repeat(400)}`])(
    'writes URL instead of an address that must not be shown: %s',
    (url) => {
      const at = { server: addressedServer(parseArguments(commandTable, ['connect', url, '--local'])) };
      expect(describeRemedy(errorCatalog.DCR_REJECTED.remedy, at)).toContain(
        '`postern connect URL --local --client-id ID`',
      );
    },
  );
});

it('suggests a passphrase and a key file, with the full command, if there is no keychain', () => {
  const advice = describeRemedy(errorCatalog.KC_UNAVAILABLE.remedy, { command: 'connect', server });
  expect(advice).toMatch(/`postern connect http:\/\/localhost:3000\/mcp [^`]*--vault passphrase`/u);
  expect(advice).toMatch(/`postern connect http:\/\/localhost:3000\/mcp [^`]*--vault file --key-file FILE`/u);
});

describe('a next step that signs in', () => {
  it.each([
    ['token', '`postern refresh Demo --sign-in browser`'],
    ['refresh', '`postern refresh Demo --sign-in browser`'],
    ['tools', '`postern tools Demo --sign-in browser`'],
    ['connect', '`postern tools Demo --sign-in browser`'],
    ['call', '`postern call` with --sign-in browser'],
  ] as const)('fits the command that failed: after %s, %s', (command, line) => {
    expect(commandTable.specs.token.options).not.toContain('sign-in');
    for (const code of ['SCOPE_REQUIRED', 'SIGN_IN_REQUIRED', 'TOKEN_REJECTED', 'ADDRESS_CHANGED'] as const)
      expect(describeRemedy(errorCatalog[code].remedy, { command, name: 'Demo' })).toContain(line);
  });
});

describe('npmCommand', () => {
  it.each([
    ['/usr/local/lib/node_modules/postern/dist/cli', '/usr/local'],
    ['/home/a b/.local/lib/node_modules/postern/dist/cli', '"/home/a b/.local"'],
    ['/home/ada/.nvm/versions/node/v24.1.0/lib/node_modules/postern/dist/cli', '/home/ada/.nvm/versions/node/v24.1.0'],
    [
      String.raw`C:\Users\ada\AppData\Roaming\npm\node_modules\postern\dist\cli`,
      String.raw`C:\Users\ada\AppData\Roaming\npm`,
    ],
  ])('installs the library where Postern in %s finds it', (folder, prefix) => {
    expect(npmCommand('install', folder)).toBe(`npm install --global --prefix ${prefix} keytar`);
    expect(npmCommand('rebuild', folder)).toBe(`npm rebuild --global --prefix ${prefix} keytar`);
  });

  it('is undefined for the packaged app, which includes the library', () => {
    expect(npmCommand('install', '/opt/Postern/resources/app.asar/dist/cli')).toBeUndefined();
  });

  it('uses the dependencies of the source tree, in its own folder', () => {
    expect(npmCommand('install', '/home/ada/postern/main/cli/output')).toBe('npm install');
    expect(npmCommand('rebuild', '/home/ada/postern/dist/cli')).toBe('npm rebuild keytar');
  });
});
