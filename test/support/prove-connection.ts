import { expect } from 'vitest';
import type { ConnectResult } from '../../main/engine/connect/connect-server.ts';
import { PosternError } from '../../main/errors/postern-error.ts';
import type { ConnectOptions, TestEngine } from './test-engine.ts';

/** Proves a working connection: connects to a server with the demo's tools, lists them and calls two. */
export async function proveConnection(
  engine: TestEngine,
  url: string,
  options?: ConnectOptions,
): Promise<ConnectResult> {
  const connected = await engine.connect(url, options);
  expect(connected.warnings).toEqual([]);
  expect(connected.tools.map(({ name }) => name)).toContain('word_count');
  await proveUse(engine, connected.integration);
  return connected;
}

/** The stored connection still works. */
export async function proveUse(engine: TestEngine, integration: ConnectResult['integration']): Promise<void> {
  expect(await engine.tools(integration)).toContain('whoami');
  expect(await engine.call(integration, 'word_count', { text: 'one two three' })).toContain('3 words');
}

/** The typed error that `run` throws; anything else fails the test. */
export async function failureOf(run: Promise<unknown>): Promise<PosternError> {
  const error: unknown = await run.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof PosternError) return error;
  throw error instanceof Error ? error : new Error('It did not fail.');
}

/** After a failed connect: no integration, and in the vault only what the next attempt may reuse. */
export async function expectNothingStored(engine: TestEngine): Promise<void> {
  expect(await engine.ports.store.list()).toEqual([]);
  const owners = await engine.vault.owners();
  const keys = (await Promise.all(owners.map((owner) => engine.vault.keysOf(owner)))).flat();
  expect(keys.filter(({ kind }) => kind !== 'registration')).toEqual([]);
  // A registration includes its registration token, but no access token.
  const others = engine.sent.filter(({ purpose }) => purpose !== 'registration');
  expect(others.filter(({ headers }) => headers?.['authorization']?.startsWith('Bearer'))).toEqual([]);
}
