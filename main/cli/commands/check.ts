import type { Integration } from '../../../shared/integration.ts';
import type { EnginePorts } from '../../engine/engine-ports.ts';
import { findIntegration } from '../../engine/kept/find-integration.ts';
import { keysIn } from '../../engine/kept/stored-secrets.ts';
import { createWorkQueue } from '../../engine/work-queue.ts';
import { isOutcome, PosternError } from '../../errors/postern-error.ts';
import { readServer } from '../../operations/read-server.ts';
import { listTools } from '../../operations/use.ts';
import type { UseScope } from '../../operations/use.ts';
import type { CommandContext } from '../command-context.ts';
import { historyOf, openCommandEngine } from '../opening/open-command-engine.ts';
import { toCommandError } from '../output/describe-error.ts';
import type { CommandError } from '../output/describe-error.ts';
import { summarise } from '../output/describe-integration.ts';
import type { Answer } from '../output/output.ts';
import { printableLine } from '../text.ts';

const checksAtOnce = 8;

type Checked =
  | { readonly server: Integration; readonly tools: number; readonly failure?: undefined }
  | { readonly server: Integration; readonly failure: PosternError };

/**
 * `postern check [ID…]`: asks each server for its tools, which also renews what is due; without ID all of them. One that
 * fails stops no other. Errors: that of the first that failed, in the order of the list; NOT_FOUND before any is asked.
 */
export async function check(context: CommandContext): Promise<Answer> {
  const { args, steps, situation } = context;
  const engine = await openCommandEngine(context);
  const { ports } = engine;
  const history = historyOf(engine);
  const servers = await namedServers(ports, args.positionals);
  const checked = new Map<string, Checked>();
  const defects: unknown[] = [];
  const queue = createWorkQueue(checksAtOnce);
  const tellProgress = (): void => steps.begin(`Checking: ${checked.size} of ${servers.length} have answered`);
  tellProgress();
  for (const server of servers)
    queue.add(server.id, async () => {
      try {
        checked.set(
          server.id,
          await checkServer({ ports, history, integration: server, access: { signal: context.signal } }),
        );
        tellProgress();
      } catch (error) {
        defects.push(error);
      }
    });
  await queue.idle();
  if (defects.length > 0) throw defects[0];
  steps.clear();
  const found = servers.flatMap(({ id }) => checked.get(id) ?? []);
  const told = found.map(({ server, ...each }) => ({
    server,
    ...(each.failure
      ? { error: toCommandError(each.failure, { ...situation(), name: server.name }) }
      : { tools: each.tools }),
  }));
  return {
    fields: { integrations: told.map(({ server, ...each }) => ({ ...summarise(server), ...each })) },
    text: told.length === 0 ? 'No server is connected yet.' : told.map(describe).join('\n'),
    failure: found.find(({ failure }) => failure)?.failure,
  };
}

async function namedServers({ store, vault }: EnginePorts, references: readonly string[]): Promise<Integration[]> {
  if (references.length === 0) return [...(await store.list())];
  const keys = keysIn(vault);
  const named = new Map<string, Integration>();
  for (const reference of references) {
    const server = await findIntegration(store, reference, keys);
    named.set(server.id, server);
  }
  return [...named.values()];
}

async function checkServer(scope: UseScope): Promise<Checked> {
  const { ports, integration } = scope;
  try {
    const { found } = await listTools(scope);
    // A sign-in that was due has another end now.
    return { server: await readServer(ports, integration.id), tools: found.length };
  } catch (error) {
    // What was called off, and what is a defect, ends the whole.
    if (!(error instanceof PosternError) || !isOutcome(error)) throw error;
    return { server: (await ports.store.read(integration.id)) ?? integration, failure: error };
  }
}

function describe(told: { readonly server: Integration } & ({ tools: number } | { error: CommandError })): string {
  const name = `“${printableLine(told.server.name)}”`;
  if ('error' in told) return `${name} does not work: ${told.error.message} ${told.error.nextStep}`;
  return `${name} answers, with ${told.tools === 1 ? '1 tool' : `${told.tools} tools`}.`;
}
