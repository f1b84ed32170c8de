import { describe, expect, it } from 'vitest';
import { browserAddress } from '../../../../../main/address/check-address.ts';
import { createCliInteraction, defaultSignInMode } from '../../../../../main/cli/interaction/cli-interaction.ts';
import { createOutput } from '../../../../../main/cli/output/output.ts';
import { silentSteps } from '../../../../../main/cli/terminal/terminal-output.ts';
import type { LiveSteps } from '../../../../../main/cli/terminal/terminal-output.ts';
import type { PendingAuthorization } from '../../../../../main/engine/sign-in/sign-in-interaction.ts';
import { PosternError } from '../../../../../main/errors/postern-error.ts';
import type { CallbackVerdict } from '../../../../../main/ports.ts';
import { asChecked } from '../../../../support/as-checked.ts';
import { createFakeClock } from '../../../../support/fake-clock.ts';
import { recordedSink } from '../../../../support/recorded-sink.ts';
import { typedStdin } from '../../../../support/typed-stdin.ts';

const never = new AbortController().signal;
const callbackUrl = 'http://127.0.0.1:4711/integration/oauth/callback';
const url = asChecked('https://login.example/authorize?state=s');
const oneTimeLink = browserAddress('http://127.0.0.1:4711/go/word');

function open({
  json = false,
  signIn = 'print' as const,
  canShowBrowser = true,
  openBrowser = async (_url: string) => {},
  steps = silentSteps,
}: {
  canShowBrowser?: boolean;
  json?: boolean;
  signIn?: 'print' | 'browser';
  openBrowser?: (url: string) => Promise<void>;
  steps?: LiveSteps;
} = {}) {
  const stdout = recordedSink();
  const stderr = recordedSink();
  const stdin = typedStdin();
  const submitted: string[] = [];
  const clock = createFakeClock(0);
  const pending: PendingAuthorization = {
    url,
    callbackUrl,
    expiresAt: 600_000,
    openBefore: undefined,
    browserUrl: () => oneTimeLink,
    submit(address): CallbackVerdict {
      submitted.push(address);
      return address.endsWith('state=s') ? 'done' : 'not-valid';
    },
  };
  const interaction = createCliInteraction({
    output: createOutput({ json, stdout, stderr }),
    steps,
    terminal: { stdin: stdin.lines, write: (text) => stderr.write(text) },
    canAsk: false,
    signIn,
    canShowBrowser,
    openBrowser,
    clock,
  });
  return { interaction, pending, clock, stdin, stdout, stderr, submitted };
}

describe('createCliInteraction', () => {
  it('shows the link and opens nothing with print', async () => {
    const opened: string[] = [];
    const { interaction, pending, stderr } = open({ openBrowser: async (address) => void opened.push(address) });
    await interaction.open(pending, never);
    expect(opened).toEqual([]);
    expect(stderr.text).toContain(`\n  ${url}\n`);
    expect(stderr.text).toMatch(/paste/u);
  });

  it('hints once, after a minute, at errors that only the page shows and at Ctrl-C', async () => {
    const { interaction, pending, clock, stderr } = open();
    await interaction.open(pending, never);
    const before = stderr.text;
    clock.advance(59_000);
    expect(stderr.text).toBe(before);
    clock.advance(500_000);
    const hint = stderr.text.slice(before.length);
    expect(hint).toMatch(/^[^\n]*Ctrl-C[^\n]*callback URL[^\n]*\n$/u);
  });

  it.each([
    [true, /register exactly this one in your OAuth app/u],
    [undefined, /contact the owner of the service/u],
  ] as const)(
    'shows the callback URL, and who has to register it (own OAuth app: %s)',
    async (isOwnOAuthApp, words) => {
      const { interaction, pending, stderr } = open();
      await interaction.open({ ...pending, isOwnOAuthApp }, never);
      expect(stderr.text).toContain(`\n  ${callbackUrl}\n`);
      expect(stderr.text).toMatch(words);
      if (!isOwnOAuthApp) expect(stderr.text).not.toMatch(/your OAuth app/u);
    },
  );

  it('shows no hint once the sign-in is over', async () => {
    const { interaction, pending, clock, stderr } = open();
    await interaction.open(pending, never);
    interaction.onEvent({ event: 'state', state: { name: 'exchanging' } });
    const before = stderr.text;
    clock.advance(500_000);
    expect(stderr.text).toBe(before);
    expect(clock.timers).toBe(0);
  });

  it('opens the browser with a one-time link, and shows the reusable link', async () => {
    const opened: string[] = [];
    const { interaction, pending, stderr } = open({
      signIn: 'browser',
      openBrowser: async (address) => void opened.push(address),
    });
    await interaction.open(pending, never);
    expect(opened).toEqual([oneTimeLink]);
    expect(stderr.text).toContain(`\n  ${url}\n`);
    expect(stderr.text).not.toMatch(/paste/u);
  });

  it('does not promise a page that cannot be shown', async () => {
    const { interaction, pending, stderr } = open({ signIn: 'browser', canShowBrowser: false });
    await interaction.open(pending, never);
    expect(stderr.text).toMatch(/^(?:This computer has no display|Postern could not open a browser)/u);
    expect(stderr.text).toContain(`\n  ${url}\n`);
    expect(stderr.text).toMatch(/paste/u);
  });

  it('continues with the link if no browser can be opened', async () => {
    const failure = new PosternError('BROWSER_OPEN_FAILED', { stage: 'authorization' });
    const { interaction, pending, stderr } = open({ signIn: 'browser', openBrowser: () => Promise.reject(failure) });
    await expect(interaction.open(pending, never)).resolves.toBeUndefined();
    expect(stderr.text).toMatch(/^(?:This computer has no display|Postern could not open a browser)/u);
    expect(stderr.text).toContain(`\n  ${url}\n`);
  });

  it('reports nothing if the sign-in finishes before the browser opener does', async () => {
    const gate = Promise.withResolvers<void>();
    const { interaction, pending, stderr } = open({ signIn: 'browser', openBrowser: () => gate.promise });
    const opening = interaction.open(pending, never);
    interaction.onEvent({ event: 'state', state: { name: 'exchanging' } });
    gate.resolve();
    await opening;
    expect(stderr.text).toBe('');
  });

  it('accepts pasted addresses while it waits; reports and ignores a wrong one', async () => {
    const { interaction, pending, stdin, stderr, submitted } = open();
    await interaction.open(pending, never);
    const before = stderr.text;
    stdin.type('\n');
    expect(stderr.text).toBe(before);
    stdin.type('https://wrong.example/\n');
    expect(stderr.text.slice(before.length)).toMatch(/ not .*waiting/u);
    stdin.type(` ${callbackUrl}?code=c&state=s \n`);
    stdin.end();
    expect(submitted).toEqual(['https://wrong.example/', `${callbackUrl}?code=c&state=s`]);
  });

  it('ignores pasted addresses once the sign-in is over', async () => {
    const { interaction, pending, stdin, submitted } = open();
    await interaction.open(pending, never);
    interaction.onEvent({ event: 'state', state: { name: 'exchanging' } });
    stdin.type(`${callbackUrl}?code=c&state=s\n`);
    expect(submitted).toEqual([]);
  });

  it('writes the sign-in address and the verdict on a paste as events, to standard output only', async () => {
    const { interaction, pending, stdin, stdout, stderr } = open({ json: true });
    await interaction.open(pending, never);
    stdin.type('https://wrong.example/\n');
    const events = stdout.text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown);
    expect(events).toEqual([
      { event: 'authorization', url, callbackUrl, expiresAt: 600_000 },
      { event: 'paste', verdict: 'not-valid' },
    ]);
    expect(stderr.text).toBe('');
  });

  it('asks for no credentials without a terminal', async () => {
    const { interaction } = open();
    const request = {
      serverUrl: 'https://mcp.example/',
      callbackUrl,
      issuerKey: 'https://l.example',
      scopes: [],
      otherScopes: [],
    };
    expect(await interaction.askCredentials(request, never)).toBeUndefined();
  });

  it.each([
    [404, 'OAuthWithDCR', true],
    [405, 'OAuth', true],
    [401, 'OAuthWithDCR', false],
    [404, 'NoAuth', false],
  ] as const)('warns about an address that returned %i before a sign-in with %s: %s', (probeStatus, method, doubts) => {
    const { interaction, stdout } = open({ json: true });
    const discovery = { url: asChecked('https://mcp.example/'), method, probeStatus, alternatives: [], notes: [] };
    interaction.onEvent({ event: 'method', discovery: { ...discovery, legacyEndpoints: false } });
    expect(stdout.text.includes(`{"event":"note","note":"address-doubtful","status":${probeStatus}}`)).toBe(doubts);
  });

  it.each([
    ['registers', [{ name: 'registering' }, { name: 'authorizationPending', expiresAt: 0 }], true],
    ['reuses its registration', [{ name: 'authorizationPending', expiresAt: 0 }], false],
    ['fails to register', [{ name: 'registering' }, { name: 'awaitingCredentials' }], false],
  ] as const)('reports a registration only if there was one: %s', (_name, states, registers) => {
    const lines: string[] = [];
    const { interaction } = open({
      steps: { ...silentSteps, end: (mark, text) => void lines.push(`${mark} ${text}`) },
    });
    const discovery = {
      url: asChecked('https://mcp.example/'),
      issuerKey: 'https://as.example',
      alternatives: [],
      notes: [],
    };
    const method = 'OAuthWithDCR' as const;
    interaction.onEvent({ event: 'method', discovery: { ...discovery, method, legacyEndpoints: false } });
    for (const state of states) interaction.onEvent({ event: 'state', state });
    const [place, ...others] = lines;
    expect(place).toMatch(/^done .* as\.example$/u);
    expect(others).toEqual(registers ? [expect.stringMatching(/^done Registered/u)] : []);
  });

  it.each([
    ['the published issuer', 'https://as.example', 'https://as.example'],
    ['no issuer beside a typed token endpoint', 'https://other.example/token', undefined],
  ])('reports %s', (_name, issuerKey, issuer) => {
    const { interaction, stdout } = open({ json: true });
    const address = (path: string) => asChecked(`https://other.example/${path}`);
    const metadata = {
      issuer: 'https://as.example',
      authorization_endpoint: address('authorize'),
      token_endpoint: address('token'),
    };
    const found = { url: asChecked('https://mcp.example/'), method: 'OAuth', legacyEndpoints: false } as const;
    const notes = ['typed-endpoints'] as const;
    interaction.onEvent({ event: 'method', discovery: { ...found, metadata, issuerKey, alternatives: [], notes } });
    expect((JSON.parse(stdout.text.split('\n')[0] ?? '') as { issuer?: string }).issuer).toBe(issuer);
  });

  it('reports the method of a discovery and its reason', () => {
    const { interaction, stdout } = open({ json: true });
    const discovery = {
      url: asChecked('https://mcp.example/'),
      method: 'NoAuth',
      reason: 'ASM_MISSING',
      alternatives: [],
      legacyEndpoints: false,
      notes: [],
    } as const;
    interaction.onEvent({ event: 'method', discovery: { ...discovery, alternatives: [], notes: [] } });
    expect(JSON.parse(stdout.text)).toEqual({ event: 'method', method: 'NoAuth', reason: 'ASM_MISSING' });
  });
});

describe('defaultSignInMode', () => {
  it.each([
    ['linux', {}, 'print'],
    ['linux', { DISPLAY: '', WAYLAND_DISPLAY: '' }, 'print'],
    ['linux', { DISPLAY: ':0' }, 'browser'],
    ['linux', { WAYLAND_DISPLAY: 'wayland-0' }, 'browser'],
    ['linux', { BROWSER: 'firefox' }, 'browser'],
    ['darwin', {}, 'browser'],
    ['win32', {}, 'browser'],
  ] as const)('on %s with %j is %s', (platform, env, mode) => {
    expect(defaultSignInMode(env, platform)).toBe(mode);
  });
});
