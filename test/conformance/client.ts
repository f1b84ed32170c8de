import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startProviderFront } from './identity-provider.ts';
import type { ProviderFront } from './identity-provider.ts';

/**
 * Started by the official suite, with the MCP server's URL as the last argument: a user with an empty profile who
 * connects the server with the built command line, lists its tools and calls `test-tool`.
 */

const root = join(import.meta.dirname, '../..');
const url = process.argv.at(-1) ?? '';
const scenario = process.env['MCP_CONFORMANCE_SCENARIO'] ?? '';
const context = JSON.parse(process.env['MCP_CONFORMANCE_CONTEXT'] ?? '{}') as {
  client_id?: string;
  client_secret?: string;
  private_key_pem?: string;
  valid_jwt?: string;
  idp_client_id?: string;
  idp_id_token?: string;
  idp_issuer?: string;
  idp_token_endpoint?: string;
};

/** What a user would have to know about such a server. */
const scenarioOptions: Readonly<Record<string, readonly string[]>> = {
  'auth/basic-cimd': ['--client-metadata-url', 'https://conformance-test.local/client-metadata.json'],
  'auth/2025-03-26-oauth-endpoint-fallback': ['--legacy-endpoints'],
  'auth/client-credentials-jwt': ['--grant', 'client-credentials'],
  'auth/client-credentials-basic': ['--grant', 'client-credentials'],
};

const home = mkdtempSync(join(tmpdir(), 'postern-conformance-'));
const environment: NodeJS.ProcessEnv = {
  ...process.env,
  POSTERN_HOME: home,
  BROWSER: join(root, 'test/conformance/browser.ts'),
  PATH: `${join(root, 'node_modules/.bin')}:${process.env['PATH']}`,
};

const fronts: ProviderFront[] = [];

/** Milliseconds; every response comes from this computer. */
const commandLimit = 20_000;

/** What a third party says about this client, in a file as that party would store it. */
function writeAssertion(jwt: string): readonly string[] {
  const file = join(home, 'assertion');
  writeFileSync(file, jwt, { mode: 0o600 });
  return ['--assertion-file', file];
}

interface Run {
  readonly exitCode: number;
  readonly result: { readonly integration?: { readonly id: string } };
}

/** One command; its output goes to the suite, which stores it beside the checks. */
function runPostern(words: readonly string[], input = ''): Promise<Run> {
  const entry = process.env['POSTERN_TEST_ENTRY'] ?? 'bin/postern.js';
  console.error(`\n> postern ${words.join(' ')}`);
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [entry, ...words, '--json'], { cwd: root, env: environment });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      process.stdout.write(text);
    });
    child.stderr.pipe(process.stderr);
    child.on('error', reject);
    // The suite ends only the shell that it started; what hangs here would hang forever.
    const deadline = setTimeout(() => child.kill('SIGKILL'), commandLimit);
    child.on('close', (code) => {
      clearTimeout(deadline);
      const last = output.trimEnd().split('\n').at(-1) ?? '';
      resolve({ exitCode: code ?? 1, result: code === null ? {} : (JSON.parse(last || '{}') as Run['result']) });
    });
    child.stdin.end(input);
  });
}

/** Signs in to the company's identity provider, whose endpoints are typed, since it publishes no metadata. */
async function connectProvider(): Promise<readonly string[]> {
  const { idp_client_id: clientId, idp_id_token: idToken, idp_issuer: issuer, idp_token_endpoint: endpoint } = context;
  if (!clientId || !idToken || !issuer || !endpoint) return [];
  const front = await startProviderFront({ clientId, idToken, issuer, tokenEndpoint: endpoint });
  fronts.push(front);
  const typed = ['--authorization-endpoint', front.authorizationEndpoint, '--token-endpoint', front.tokenEndpoint];
  const words = [
    'connect',
    issuer,
    '--as-provider',
    '--local',
    '--sign-in',
    'browser',
    '--client-id',
    clientId,
    ...typed,
  ];
  const { result } = await runPostern(words);
  return ['--identity-provider', result.integration?.id ?? ''];
}

async function useServer(): Promise<number> {
  const provider = await connectProvider();
  const credentials = [
    ...(context.client_id === undefined ? [] : ['--client-id', context.client_id]),
    ...provider,
    ...(context.valid_jwt === undefined ? [] : writeAssertion(context.valid_jwt)),
    ...(context.client_secret === undefined ? [] : ['--client-secret-stdin']),
    ...(context.private_key_pem === undefined ? [] : ['--client-key-stdin']),
  ];
  const connected = await runPostern(
    ['connect', url, '--local', '--sign-in', 'browser', ...credentials, ...(scenarioOptions[scenario] ?? [])],
    context.private_key_pem ?? (context.client_secret === undefined ? '' : `${context.client_secret}\n`),
  );
  const id = connected.result.integration?.id;
  if (connected.exitCode !== 0 || id === undefined) return connected.exitCode || 1;
  const listed = await runPostern(['tools', id, '--sign-in', 'browser']);
  if (listed.exitCode !== 0) return listed.exitCode;
  const called = await runPostern(['call', id, 'test-tool', '{}', '--sign-in', 'browser']);
  return called.exitCode;
}

try {
  process.exitCode = await useServer();
} finally {
  for (const front of fronts) front.close();
  rmSync(home, { recursive: true, force: true });
}
