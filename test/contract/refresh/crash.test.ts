import { readdirSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { connectServer } from '../../../main/engine/connect/connect-server.ts';
import { loadCredentials, loadTokens } from '../../../main/engine/records/stored-secrets.ts';
import { finishDeletions, finishLeftoverDeletions } from '../../../main/engine/removal/finish-deletions.ts';
import { beginDeletions } from '../../../main/engine/removal/pending-deletions.ts';
import { removeIntegration, sweepOrphans } from '../../../main/engine/removal/remove-integration.ts';
import { signOut } from '../../../main/engine/removal/sign-out.ts';
import { reauthenticate } from '../../../main/engine/sign-in/reauthenticate.ts';
import { listTools } from '../../../main/engine/use/use-server.ts';
import { PosternError } from '../../../main/errors/postern-error.ts';
import type { Vault } from '../../../main/ports.ts';
import type { Integration } from '../../../shared/integration.ts';
import { anIntegration } from '../../support/an-integration.ts';
import { CrashPoints } from '../../support/crash-points.ts';
import { localOptions } from '../../support/local-options.ts';
import { openProfileEngine } from '../../support/profile-engine.ts';
import type { ProfileEngine } from '../../support/profile-engine.ts';
import { refreshIntegration } from '../../support/refresh-integration.ts';
import { startRotatingServer } from '../../support/rotating-server.ts';
import type { RotatingServer } from '../../support/rotating-server.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

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

const connect = async ({ ports }: ProfileEngine, url: string) =>
  void (await connectServer(ports, { url, options: localOptions, surface: 'test' }, interaction, signal));

const finishWithUndo = async ({ ports, apps }: ProfileEngine, kind: 'signOut' | 'remove', id: string) => {
  const [finished] = await finishDeletions({ ...ports, apps }, await beginDeletions(ports, [id], kind));
  if (finished?.kind === 'failed') throw finished.error;
};

/** What is done to a server that is signed in. */
const operations = {
  refresh: ({ ports }, entry) => refreshIntegration(ports, entry, { signal }),
  'sign-in-again': ({ ports }, entry) => reauthenticate(ports, entry, {}, interaction, signal),
  'sign-out': ({ ports }, entry) => signOut(ports, entry, signal),
  remove: ({ ports }, entry) => removeIntegration(ports, entry, signal),
  'sign-out-with-undo': (engine, { id }) => finishWithUndo(engine, 'signOut', id),
  'remove-with-undo': (engine, { id }) => finishWithUndo(engine, 'remove', id),
} satisfies Readonly<Record<string, (engine: ProfileEngine, entry: Integration) => Promise<unknown>>>;

/**
 * Runs `operation` once and lets `judge` check what a new process would find after a crash at each point at which it
 * leaves a new state, here or at the server.
 */
async function crashEverywhere(
  operation: keyof typeof operations | 'connect',
  judge: (found: AfterCrash, point: string) => Promise<void>,
): Promise<void> {
  const server = await startRotatingServer();
  onTestFinished(() => server.close());
  const folder = temporaryFolder();
  if (operation !== 'connect') await withEngine(openProfileEngine(folder), (engine) => connect(engine, server.url));
  const record = new CrashPoints(folder, () => server.grants.save());
  await withEngine(record.openEngine(), async (engine) => {
    if (operation === 'connect') return await connect(engine, server.url);
    const [entry] = await openProfileEngine(folder).ports.store.list();
    if (!entry) throw new Error('there is nothing to use');
    await operations[operation](engine, entry);
  });
  record.pass('the end');
  expect(record.points.length).toBeGreaterThan(3);
  for (const { name: point, folder: left, remote } of record.points) {
    server.grants.restore(remote);
    await withEngine(openProfileEngine(left), async (engine) => {
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
      await judge(found, point);
      // Whatever a crash left half-written is gone after the next write of the same file.
      await engine.ports.store.write(anIntegration({ id: 'self-test-next' }));
      await vault.write({ kind: 'header', owner: 'self-test-next', server: 'next' }, 'write');
      expect({ point, left: readdirSync(left).filter((name) => name.includes('.tmp-')) }).toEqual({ point, left: [] });
    });
  }
}

async function withEngine(engine: ProfileEngine, work: (engine: ProfileEngine) => Promise<void>): Promise<void> {
  try {
    await work(engine);
  } finally {
    await engine.close();
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

describe('a process that is killed', () => {
  it('anywhere in a refresh leaves exactly the old or the new pair, and requires a sign-in only if the new one was lost', async () => {
    await crashEverywhere('refresh', async (found, point) => {
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
    await crashEverywhere('connect', async (found, point) => {
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
    await crashEverywhere('sign-in-again', async (found, point) => {
      const { entry, pairOf, server } = found;
      const integration = await entry();
      const pair = integration && (await pairOf(integration));
      expect({ point, client: pair?.client }).toEqual({ point, client: server.clients.get(pair?.grant ?? '') });
      expect({ point, outcome: await useAndHeal(found) }).toEqual({ point, outcome: 'worked' });
      expect(server.mixed).toEqual([]);
    });
  });

  it('anywhere in signing out never leaves an entry that is signed in without tokens', async () => {
    await crashEverywhere('sign-out', judgeEnding);
  });

  it.each(['sign-out-with-undo', 'remove-with-undo'] as const)(
    'anywhere in %s, which can be undone, leaves it to the next start to finish',
    async (operation) => {
      await crashEverywhere(operation, async (found, point) => {
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
    await crashEverywhere('remove', judgeEnding);
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
