import { expect } from 'vitest';
import type { Connected } from '../../main/engine/connect/connect-server.ts';
import { PosternError } from '../../main/errors/postern-error.ts';
import type { ConnectOptions, TestEngine } from './test-engine.ts';

/** Connects to a server with the demo's tools, lists them and calls two: what "it works" means. */
export async function proveConnection(engine: TestEngine, url: string, options?: ConnectOptions): Promise<Connected> {
  const connected = await engine.connect(url, options);
  expect(connected.warnings).toEqual([]);
  expect(connected.tools.map(({ name }) => name)).toContain('word_count');
  await proveUse(engine, connected.integration);
  return connected;
}

/** The stored connection still works. */
export async function proveUse(engine: TestEngine, integration: Connected['integration']): Promise<void> {
  expect(await engine.tools(integration)).toContain('whoami');
  expect(await engine.call(integration, 'word_count', { text: 'one two three' })).toContain('3 words');
}

/** The typed error that `run` ends with; anything else fails the test. */
export async function failureOf(run: Promise<unknown>): Promise<PosternError> {
  const error: unknown = await run.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof PosternError) return error;
  throw error instanceof Error ? error : new Error('It did not fail.');
}

/** After a failed connect: no integration, and in the vault nothing but what a next attempt may use again. */
export async function expectNothingKept(engine: TestEngine): Promise<void> {
  expect(await engine.ports.store.list()).toEqual([]);
  const owners = await engine.vault.owners();
  const keys = (await Promise.all(owners.map((owner) => engine.vault.keysOf(owner)))).flat();
  expect(keys.filter(({ kind }) => kind !== 'registration')).toEqual([]);
  // With a registration goes what somebody may register programs with, and no access.
  const others = engine.sent.filter(({ purpose }) => purpose !== 'registration');
  expect(others.filter(({ headers }) => headers?.['authorization']?.startsWith('Bearer'))).toEqual([]);
}
