import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { expect, vi } from 'vitest';
import { describeRemedy } from '../../main/cli/output/describe-error.ts';
import { callbackAddress } from '../../main/engine/sign-in/callback-address.ts';
import { PosternError, readDetail, toPlainError } from '../../main/errors/postern-error.ts';
import { describeError, errorCodes, remedyFor, stages } from '../../shared/error-codes.ts';
import type { ErrorCode } from '../../shared/error-codes.ts';
import { checksInput } from '../../shared/error-traits.ts';
import { contains } from './kit/canaries.ts';
import type { Canaries } from './kit/canaries.ts';
import { recordConnections } from './kit/connection-recorder.ts';
import type { HostileEngine } from './kit/hostile-engine.ts';
import { names } from './kit/hostile-world.ts';
import type { HostileWorld } from './kit/hostile-world.ts';

export interface Expectation {
  /** Sign-in pages that were opened in a browser. */
  readonly opened: number;
  /** Kinds of records that may be in the vault afterwards. */
  readonly stored?: readonly string[];
  /** The list records an error that ends a sign-in. */
  readonly noted?: boolean;
  /** Bytes that may have been received in total. */
  readonly bytes?: number;
  /** Hosts named by its documents, besides those of the world. */
  readonly named?: readonly string[];
}

export interface Verdict<Result> {
  readonly code: ErrorCode | 'ok';
  readonly cause: ErrorCode | undefined;
  readonly error: PosternError | undefined;
  readonly result: Result | undefined;
  /** Kinds of the records that are in the vault now. */
  readonly stored: readonly string[];
}

/** `CODE`, or `CODE < CAUSE` if a specific code is behind an outer one. */
export function outcomeOf({ code, cause }: Verdict<unknown>): string {
  return cause === undefined ? code : `${code} < ${cause}`;
}

/** Milliseconds of work in one go: a hostile text must not block the app. CPU time of the thread, not wall time. */
const longestStall = 3_000;
/** Allowance for TLS handshakes and honest responses. */
const ordinaryBytes = 2 * 1024 * 1024;
const handles = /^(?:TCP|TLS|Pipe|Process|TTY)/;

/**
 * Runs one case and checks what every case must satisfy, whatever its outcome: typed error, nothing stored, nothing
 * leaked, no forbidden contact, nothing opened, clean end, alive, own words.
 */
export async function underOracle<Result>(
  world: HostileWorld,
  engine: HostileEngine,
  expected: Expectation,
  work: () => Promise<Result>,
): Promise<Verdict<Result>> {
  const { port } = await callbackAddress(engine.ports);
  const before = { settings: readText(engine, 'config.json'), opened: engine.opened.length, handles: openHandles() };
  const recorder = recordConnections();
  const pulse = takePulse();
  let thrown: unknown;
  let result: Result | undefined;
  try {
    result = await work();
  } catch (error) {
    thrown = error;
  }
  const stall = pulse.stop();
  recorder.stop();

  const error = expectTyped(thrown);
  if (error) {
    if (expected.noted !== true)
      expect(withoutFailures(readText(engine, 'config.json'))).toEqual(withoutFailures(before.settings));
    expectOwnWords(error, world, expected.named);
  }
  const stored = new Set(storedKinds(engine));
  expect([...stored].filter((kind) => !(expected.stored ?? ['registration']).includes(kind))).toEqual([]);

  expectNoLeak(world, engine, thrown);
  expectNoForbiddenContact(world, recorder.attempts, port);
  expectOpened(world, engine.opened.slice(before.opened), expected.opened);

  expect(engine.clock.waiting).toBe(0);
  await expectPortFree(port);
  await engine.close();
  await vi.waitFor(() => expect(openHandles()).toBeLessThanOrEqual(before.handles), { timeout: 120_000, interval: 5 });

  expect(stall).toBeLessThan(longestStall);
  expect(recorder.bytesRead()).toBeLessThan(expected.bytes ?? ordinaryBytes);
  const cause = error?.cause instanceof PosternError ? error.cause.code : undefined;
  return { code: error?.code ?? 'ok', cause, error, result, stored: [...stored] };
}

function expectTyped(thrown: unknown): PosternError | undefined {
  if (thrown === undefined) return undefined;
  if (!(thrown instanceof PosternError)) throw thrown;
  expect(errorCodes).toContain(thrown.code);
  expect(stages).toContain(thrown.stage);
  expect(thrown.code).not.toBe('INTERNAL');
  expect(typeof toPlainError(thrown).retryable).toBe('boolean');
  return thrown;
}

/** The catalog's sentences; their placeholders contain hosts of this case, numbers and Postern's own words. */
function expectOwnWords(error: PosternError, { canaries, origins }: HostileWorld, named: readonly string[] = []): void {
  const hosts = Object.values(origins).flatMap((origin) => [new URL(origin).host, new URL(origin).hostname]);
  for (const [name, value] of Object.entries(readDetail(error))) {
    for (const text of [value].flat()) {
      if (typeof text !== 'string') continue;
      if (name === 'host') expect([...hosts, ...named, '127.0.0.1', '169.254.169.254', '']).toContain(text);
      else expect(text).toMatch(/^[A-Za-z0-9_.:/-]{0,80}$/);
    }
  }
  const plainError = toPlainError(error);
  const { code, blame } = error;
  const described = describeError(code, readDetail(error), blame);
  const { retryable = described.retryable } = error;
  const remedy = remedyFor(code, blame, error.remedy);
  expect(plainError).toMatchObject({ message: described.message, blame, remedy, retryable });
  expect(blame === 'input' || !checksInput(remedy), 'the user is asked to check what others wrote').toBe(true);
  expect(`${plainError.message}${describeRemedy(plainError.remedy, {})}`).not.toContain(canaries.taunt);
}

function expectNoLeak(world: HostileWorld, engine: HostileEngine, thrown: unknown): void {
  const { sites } = world;
  const { taunt, ...secrets } = world.canaries;
  const states = engine.opened.flatMap((url) => new URL(url).searchParams.get('state') ?? []);
  const verifiers = [...sites.auth.received().matchAll(/code_verifier=([\w.~-]+)/g)].map(([, value = '']) => value);
  const texts = [
    engine.profileText(),
    JSON.stringify(engine.events),
    inspect(thrown, { depth: Infinity, showHidden: true }),
    JSON.stringify(thrown === undefined ? null : toPlainError(thrown)),
  ].join('\n');
  for (const secret of [...Object.values(secrets), ...states, ...verifiers]) {
    expect(contains(texts, secret), 'an error contains a secret').toBe(false);
  }
  expect(texts.replace(JSON.stringify(engine.events), '')).not.toContain(taunt);
  expect(engine.profileText()).not.toContain('forged');

  const mayArrive: Readonly<Record<keyof typeof sites, readonly (keyof Canaries)[]>> = {
    mcp: ['accessToken', 'renewedAccessToken'],
    auth: ['accessToken', 'renewedAccessToken', 'refreshToken', 'renewedRefreshToken', 'clientSecret', 'code'],
    elsewhere: [],
  };
  for (const site of ['mcp', 'auth', 'elsewhere'] as const) {
    const received = sites[site].received();
    for (const [name, secret] of Object.entries(secrets)) {
      if (mayArrive[site].includes(name as keyof Canaries)) continue;
      expect(contains(received, secret), `${name} arrived at ${site}`).toBe(false);
    }
    if (site === 'auth') continue;
    for (const secret of [...states, ...verifiers]) {
      expect(contains(received, secret), `state or verifier arrived at ${site}`).toBe(false);
    }
  }
}

function expectNoForbiddenContact(world: HostileWorld, attempts: readonly string[], callback: number): void {
  const { mcp, auth } = world.sites;
  const allowed = new Set([mcp.port, auth.port, callback].map((port) => `127.0.0.1:${port}`));
  expect(attempts.filter((attempt) => !allowed.has(attempt))).toEqual([]);
  expect(world.sites.elsewhere.sockets).toHaveLength(0);
}

function expectOpened({ origins }: HostileWorld, opened: readonly string[], count: number): void {
  expect(opened).toHaveLength(count);
  for (const url of opened) {
    expect(new URL(url).origin).toBe(origins.auth);
    expect(new URL(url).hostname).toBe(names.auth);
  }
}

function storedKinds({ folder }: HostileEngine): readonly string[] {
  const text = readText({ folder }, 'vault');
  if (text === undefined) return [];
  return (JSON.parse(text) as { records: { kind: string }[] }).records.map(({ kind }) => kind);
}

/** A list without observations about servers, which are stored on purpose. */
function withoutFailures(text: string | undefined): unknown {
  return text === undefined
    ? undefined
    : JSON.parse(text, (name, value: unknown) => (name === 'failure' ? undefined : value));
}

function readText({ folder }: Pick<HostileEngine, 'folder'>, file: string): string | undefined {
  try {
    return readFileSync(join(folder, file), 'utf8');
  } catch {
    return undefined;
  }
}

function openHandles(): number {
  return process.getActiveResourcesInfo().filter((name) => handles.test(name)).length;
}

/** The most work between two turns of the event loop, in milliseconds; independent of the machine's load. */
function takePulse(): { stop(): number } {
  let last = process.threadCpuUsage();
  let longest = 0;
  const beat = (): void => {
    const { user, system } = process.threadCpuUsage(last);
    longest = Math.max(longest, (user + system) / 1_000);
    last = process.threadCpuUsage();
  };
  const timer = setInterval(beat, 10);
  return {
    stop() {
      clearInterval(timer);
      beat();
      return longest;
    },
  };
}

async function expectPortFree(port: number): Promise<void> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host: '127.0.0.1', exclusive: true }, resolve);
  });
  await new Promise((resolve) => server.close(resolve));
}
