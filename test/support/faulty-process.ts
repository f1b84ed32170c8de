/**
 * faulty-process.ts FOLDER OPERATION URL FATAL: one operation of the engine on a profile, killed at point FATAL.
 * Prints all points if it reaches its end, and the error code if there was one. `runFaultyProcess` starts it.
 */
import { connectServer } from '../../main/engine/connect/connect-server.ts';
import { deleteEverything } from '../../main/engine/removal/delete-everything.ts';
import { finishDeletions } from '../../main/engine/removal/finish-deletions.ts';
import { beginDeletions } from '../../main/engine/removal/pending-deletions.ts';
import { removeIntegration } from '../../main/engine/removal/remove-integration.ts';
import { signOut } from '../../main/engine/removal/sign-out.ts';
import { reauthenticate } from '../../main/engine/sign-in/reauthenticate.ts';
import type { SignInInteraction } from '../../main/engine/sign-in/sign-in-interaction.ts';
import { listTools } from '../../main/engine/use/use-server.ts';
import type { Integration } from '../../shared/integration.ts';
import { createFaultPoints, replaceWithFaultPoints, withFaultPoints } from './fault-points.ts';
import { localOptions } from './local-options.ts';
import { openProfileEngine } from './profile-engine.ts';
import { refreshIntegration } from './refresh-integration.ts';

const [folder = '', operation = '', url = '', fatal = '0'] = process.argv.slice(2);
const points = createFaultPoints(folder, Number(fatal));
const beforeStep = (step: string): void => points.pass(`replace ${step}`);
const engine = openProfileEngine(folder, { replace: replaceWithFaultPoints(points), beforeStep });
const ports = withFaultPoints(engine.ports, points);
const { signal } = new AbortController();
const interaction: SignInInteraction = {
  onEvent: () => {},
  askCredentials: async () => undefined,
  open: async (pending) => void (await fetch(pending.url)),
};

async function run(): Promise<string | undefined> {
  const [integration] = await engine.ports.store.list();
  const operations: Readonly<Record<string, () => Promise<unknown>>> = {
    connect: () => connectServer(ports, { url, options: localOptions, surface: 'test' }, interaction, signal),
    refresh: async () => integration && refreshIntegration(ports, integration, { signal }),
    use: async () => integration && listTools(ports, integration, { signal }),
    'sign-in-again': async () => integration && reauthenticate(ports, integration, {}, interaction, signal),
    'sign-out-with-undo': () => beginAndFinish('signOut', integration),
    'remove-with-undo': () => beginAndFinish('remove', integration),
    'sign-out': async () => integration && signOut(ports, integration, signal),
    'delete-everything': () => deleteEverything(ports, engine.storedData, { signal }),
    remove: async () => integration && removeIntegration(ports, integration, signal),
  };
  try {
    await operations[operation]?.();
    return undefined;
  } catch (error) {
    return (error as { code?: string }).code ?? String(error);
  }
}

async function beginAndFinish(kind: 'signOut' | 'remove', integration: Integration | undefined): Promise<void> {
  const [deletion] = integration ? await beginDeletions(ports, [integration.id], kind) : [];
  const [finished] = deletion ? await finishDeletions({ ...ports, apps: engine.apps }, [deletion]) : [];
  if (finished?.kind === 'failed') throw finished.error;
}

// Bundled as CommonJS, which has no top-level `await`.
void run().then(async (code) => {
  // The bundle has no console.
  process.stdout.write(`${JSON.stringify({ code, passed: points.passed })}\n`);
  await engine.close();
});
