/**
 * run.ts [--seconds N] [--seed N] [--integrations N] [--counts FILE]: many integrations with tokens of five seconds on
 * a rotating, sometimes failing authorization server, used by two processes that are stopped, killed and cut off. Every
 * sign-in that is lost has to be explained by a kill or a cut between the server's rotation and our writing.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { storedTokens } from '../../main/engine/refresh/access-token.ts';
import { refreshStoredTokens } from '../../main/engine/refresh/refresh-stored-tokens.ts';
import { PosternError } from '../../main/errors/postern-error.ts';
import { openProfileEngine } from '../support/profile-engine.ts';
import { explainLoss } from './judge-losses.ts';
import { makeTrouble } from './make-trouble.ts';
import { printReport } from './report.ts';
import { createSeededRandom } from './seeded-random.ts';
import { signInDirectly } from './sign-in-directly.ts';
import { startSoakServer } from './soak-server.ts';
import { Tally } from './tally.ts';
import { WorkerProcess } from './worker-process.ts';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '600' },
    seed: { type: 'string' },
    integrations: { type: 'string', default: '200' },
    counts: { type: 'string' },
  },
});
const seconds = Number(values.seconds);
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31));
const ids = Array.from({ length: Number(values.integrations) }, (_, index) => `soak-${index}`);
console.log(`${seconds} s, ${ids.length} integrations, tokens of 5 s, two processes; --seed ${seed}`);

const folder = mkdtempSync(path.join(tmpdir(), 'postern-soak-'));
const random = createSeededRandom(seed);
const server = await startSoakServer(createSeededRandom(seed + 1), 5);
const engine = openProfileEngine(folder);
for (const id of ids) await signInDirectly(engine.ports, server.origin, id);

const tally = new Tally();
const workers = ['steady-', 'mortal-'].map(
  (name, index) =>
    new WorkerProcess({
      name,
      folder,
      origin: server.origin,
      seed: seed + 1_000 * (index + 1),
      onMessage: (message, run) => tally.note(message, run),
    }),
);
const [steady, mortal] = workers as [WorkerProcess, WorkerProcess];
for (const worker of workers) worker.start();

const time = new AbortController();
const trouble = makeTrouble({ server, mortal, workers }, random, time.signal);
await sleep(seconds * 1_000);
time.abort();
const troubles = await trouble;
server.behave();
// Let requests in flight finish, so that the end is no excuse.
await sleep(3_000);
await Promise.all(workers.map((worker) => worker.end()));

const { signal } = new AbortController();
for (const integration of await engine.ports.store.list()) {
  if (integration.state !== 'integrated') continue;
  try {
    const tokens = await storedTokens(engine.ports, integration);
    await refreshStoredTokens(engine.ports, integration, tokens, 'requested', signal);
    tally.alive += 1;
  } catch (error) {
    tally.ended(error instanceof PosternError ? error.code : String(error));
  }
}

const deaths = workers.flatMap((worker) => worker.deaths);
const evidence = { requests: server.requests, deaths, stored: tally.stored };
const losses = server.grants.reuses.map((loss) => ({ loss, cause: explainLoss(loss, evidence) }));
const failures = printReport({
  integrations: ids.length,
  server,
  tally,
  troubles,
  evidence,
  losses: losses.map(({ cause }) => cause),
  crashes: steady.crashes + mortal.crashes,
});
for (const { loss, cause } of losses) {
  if (cause !== undefined) continue;
  console.log(`unexplained: ${loss.grant.id}, generation ${loss.generation} of ${loss.grant.generation}`);
  for (const request of server.requests.filter(({ refreshToken }) => refreshToken.includes(`:${loss.grant.id}:`))) {
    console.log(`  ${JSON.stringify(request)}`);
  }
}
if (values.counts !== undefined) {
  writeFileSync(values.counts, JSON.stringify({ passed: failures.checks - failures.failed, failed: failures.failed }));
}
await engine.close();
await server.close();
rmSync(folder, { recursive: true, force: true });
process.exitCode = failures.failed === 0 ? 0 : 1;
