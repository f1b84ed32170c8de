import { cpSync, readdirSync, rmSync } from 'node:fs';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { loadCredentials, loadTokens } from '../../../main/engine/records/stored-secrets.ts';
import { finishLeftoverDeletions } from '../../../main/engine/removal/finish-deletions.ts';
import { sweepOrphans } from '../../../main/engine/removal/remove-integration.ts';
import { reauthenticate } from '../../../main/engine/sign-in/reauthenticate.ts';
import { listTools } from '../../../main/engine/use/use-server.ts';
import { PosternError } from '../../../main/errors/postern-error.ts';
import type { Vault } from '../../../main/ports.ts';
import type { Integration } from '../../../shared/integration.ts';
import type { FaultPoint } from '../../support/fault-points.ts';
import { openProfileEngine } from '../../support/profile-engine.ts';
import type { ProfileEngine } from '../../support/profile-engine.ts';
import { startRotatingServer } from '../../support/rotating-server.ts';
import type { RotatingServer } from '../../support/rotating-server.ts';
import { bundleFaultyProcess, runFaultyProcess } from '../../support/run-faulty-process.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const timeout = 300_000;
/** Port calls around the end of a connection: each has a kill point before and after it. */
const atTheEnd = 4;
const { signal } = new AbortController();
const interaction = {
  onEvent: () => {},
  askCredentials: async () => undefined,
  open: async ({ url }: { url: string }) => void (await fetch(url)),
};

interface AfterCrash extends ProfileEngine {
  readonly server: RotatingServer;
  readonly vault: Vault;
  /** The one integration, if it is in the list. */
  entry(): Promise<Integration | undefined>;
  /** Generation of the stored pair; both tokens have to be of the same one. */
  pairOf(entry: Integration): Promise<{ grant: string; generation: number; client: string | undefined } | undefined>;
}

/**
 * Kills `operation` at every point from `from` on at which it leaves a new state, each time on a fresh copy of the same
 * profile and with the same grants at the server, and lets `judge` check what a new process finds.
 */
async function killEverywhere(
  operation: string,
  { from = 'before', signedIn = true }: { readonly from?: string; readonly signedIn?: boolean },
  judge: (found: AfterCrash, point: string) => Promise<void>,
): Promise<void> {
  const server = await startRotatingServer();
  onTestFinished(() => server.close());
  const template = temporaryFolder();
  if (signedIn) await runFaultyProcess(template, 'connect', server.url);
  const copy = (): string => {
    for (const grant of server.grants.grants.values()) Object.assign(grant, { generation: 1, isRevoked: false });
    server.grants.reuses.length = 0;
    const folder = temporaryFolder();
    cpSync(template, folder, { recursive: true });
    return folder;
  };
  const { passed } = await runFaultyProcess(copy(), operation, server.url);
  const first = passed.findIndex(({ name }) => name.startsWith(from)) + 1;
  expect(first).toBeGreaterThan(0);
  for (let fatal = first; fatal <= passed.length; fatal += 1) {
    const { name: step, isNew } = passed[fatal - 1] as FaultPoint;
    if (fatal > first && !isNew) continue;
    const folder = copy();
    const point = `${fatal} ${step}`;
    const { killed, passed: all } = await runFaultyProcess(folder, operation, server.url, fatal);
    if (!killed) {
      // Requests of a connection that is closing may or may not be sent: the last points may not be reached.
      expect({ point, reached: all.length }).toEqual({ point, reached: fatal - 1 });
      expect(fatal).toBeGreaterThan(passed.length - atTheEnd);
      break;
    }
    const engine = openProfileEngine(folder);
    const vault = await engine.ports.vault();
    const found: AfterCrash = {
      ...engine,
      server,
      vault,
      entry: async () => (await engine.ports.store.list())[0],
      pairOf: async ({ id, issuerKey: issuer = '' }) => {
        const tokens = await loadTokens(vault, id, issuer);
        if (!tokens) return undefined;
        const [, grant = '', generation] = /^a:(.+):(\d+)$/.exec(tokens.accessToken.reveal()) ?? [];
        expect({ point, pair: tokens.refreshToken?.reveal() }).toEqual({ point, pair: `r:${grant}:${generation}` });
        const credentials = await loadCredentials(vault, id, issuer);
        return { grant, generation: Number(generation), client: credentials?.clientId };
      },
    };
    try {
      await judge(found, point);
      // Whatever a crash left half-written is gone after the next write.
      await vault.write({ kind: 'header', owner: 'self-test-next', server: 'next' }, 'write');
      expect({ point, left: readdirSync(folder).filter((name) => name.includes('.tmp-')) }).toEqual({
        point,
        left: [],
      });
    } finally {
      await engine.close();
      rmSync(folder, { recursive: true, force: true });
    }
  }
}

/** Uses the server like a user who knows of no crash, and signs in again when asked. */
async function useAndHeal({ ports, entry }: AfterCrash): Promise<'worked' | 'asked'> {
  const before = await entry();
  if (!before) throw new Error('there is nothing to use');
  try {
    await listTools(ports, before, { signal });
    expect(await entry()).toMatchObject({ state: 'integrated' });
    return 'worked';
  } catch (error) {
    expect(error).toBeInstanceOf(PosternError);
    expect(['REFRESH_REVOKED', 'SIGN_IN_REQUIRED']).toContain((error as PosternError).code);
    expect((await entry())?.state).not.toBe('integrated');
    await reauthenticate(ports, before, {}, interaction, signal);
    await listTools(ports, (await entry()) ?? before, { signal });
    return 'asked';
  }
}

beforeAll(bundleFaultyProcess);

describe('a process that is killed', { timeout }, () => {
  it('anywhere in a refresh leaves exactly the old or the new pair, and requires a sign-in only if the new one was lost', async () => {
    await killEverywhere('refresh', {}, async (found, point) => {
      const { entry, pairOf, server } = found;
      const integration = await entry();
      expect({ point, state: integration?.state }).toEqual({ point, state: 'integrated' });
      const pair = integration && (await pairOf(integration));
      const served = server.grants.grants.get(pair?.grant ?? '')?.generation;
      expect([1, 2]).toContain(pair?.generation);
      const isLost = served === 2 && pair?.generation === 1;
      expect({ point, outcome: await useAndHeal(found) }).toEqual({ point, outcome: isLost ? 'asked' : 'worked' });
      // Sent again once, after an unknown outcome, and never a third time.
      for (const grant of server.grants.grants.values()) {
        for (const shown of grant.presented.values()) expect(shown).toBeLessThanOrEqual(2);
        grant.presented.clear();
      }
    });
  });

  it('anywhere in an install leaves nothing, or a sign-in that works', async () => {
    await killEverywhere('connect', { signedIn: false, from: 'before vault.ready' }, async (found, point) => {
      const { entry, pairOf, vault, ports } = found;
      const integration = await entry();
      if (integration) {
        expect({ point, pair: await pairOf(integration) }).toMatchObject({ point, pair: { generation: 1 } });
        expect(integration.issuerKey).toBeDefined();
        expect(await useAndHeal(found)).toBe('worked');
        return;
      }
      await vault.ready();
      await sweepOrphans(ports);
      const remaining = await Promise.all((await vault.owners()).map((owner) => vault.keysOf(owner)));
      expect({ point, left: remaining.flat().filter(({ kind }) => kind !== 'registration') }).toEqual({
        point,
        left: [],
      });
    });
  });

  it('anywhere in signing in again leaves the old or the new pair, each with its own client', async () => {
    await killEverywhere('sign-in-again', { from: 'before vault' }, async (found, point) => {
      const { entry, pairOf, server } = found;
      const integration = await entry();
      const pair = integration && (await pairOf(integration));
      expect({ point, client: pair?.client }).toEqual({ point, client: server.clients.get(pair?.grant ?? '') });
      expect({ point, outcome: await useAndHeal(found) }).toEqual({ point, outcome: 'worked' });
      expect(server.mixed).toEqual([]);
    });
  });

  it('anywhere in signing out never leaves an entry that is signed in without tokens', async () => {
    await killEverywhere('sign-out', {}, judgeEnding);
  });

  it.each(['sign-out-with-undo', 'remove-with-undo'])(
    'anywhere in %s, which can be undone, leaves it to the next start to finish',
    async (operation) => {
      await killEverywhere(operation, {}, async (found, point) => {
        const { ports, apps } = found;
        const [pending] = await ports.store.pendingDeletions();
        if (pending) expect((await found.entry())?.state).not.toBe('integrated');
        await (
          await finishLeftoverDeletions({ ...ports, apps }, () => true, signal)
        ).notifying;
        expect({ point, left: await ports.store.pendingDeletions() }).toEqual({ point, left: [] });
        await judgeEnding(found, point);
      });
    },
  );

  it('anywhere in a removal never leaves an entry that is signed in without tokens', async () => {
    await killEverywhere('remove', {}, judgeEnding);
  });
});

async function judgeEnding({ entry, pairOf, vault, ports }: AfterCrash, point: string): Promise<void> {
  const integration = await entry();
  if (integration?.state === 'integrated') {
    expect({ point, pair: await pairOf(integration) }).toMatchObject({ point, pair: { generation: 1 } });
    return;
  }
  await sweepOrphans(ports);
  const kinds = (await Promise.all((await vault.owners()).map((owner) => vault.keysOf(owner)))).flat();
  expect({ point, tokens: kinds.filter(({ kind }) => kind === 'tokens') }).toEqual({ point, tokens: [] });
}
