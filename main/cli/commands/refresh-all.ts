import type { Integration } from '../../../shared/integration.ts';
import { usesApiKey } from '../../engine/kept/api-key.ts';
import { isOutcome, PosternError } from '../../errors/postern-error.ts';
import { keptStatus } from '../../kept-status.ts';
import { readServer } from '../../operations/read-server.ts';
import { refreshServer } from '../../operations/servers.ts';
import { terminalSurface } from '../asking/terminal-user.ts';
import type { CommandContext, CommandEngine } from '../command-context.ts';
import { historyOf, openCommandEngine } from '../opening/open-command-engine.ts';
import { hasOption, UsageError } from '../options/parse-arguments.ts';
import { toCommandError } from '../output/describe-error.ts';
import { describeMoment, summarise } from '../output/describe-integration.ts';
import type { Answer } from '../output/output.ts';
import { printableLine } from '../text.ts';

type Renewed =
  | { readonly integration: Integration; readonly failure?: undefined }
  | { readonly integration: Integration; readonly failure: PosternError };

/**
 * `postern refresh --all`: one after the other, since each may wait for the same sign-in service. What has nothing to
 * renew (no sign-in, an API key, signed out, no refresh token) is left out. Errors: that of the first that failed.
 */
export async function refreshAll(context: CommandContext): Promise<Answer> {
  const { args, steps, situation } = context;
  if (hasOption(args, 'sign-in')) throw new UsageError('--all and --sign-in do not go together.', 'refresh');
  const engine = await openCommandEngine(context);
  const { ports } = engine;
  const renewed: Renewed[] = [];
  for (const integration of (await ports.store.list()).filter(isRenewable)) {
    steps.begin(`Renewing ${printableLine(integration.name)}`);
    renewed.push(await renew(context, engine, integration));
  }
  steps.clear();
  const failure = renewed.find((one) => one.failure)?.failure;
  return {
    fields: {
      integrations: renewed.map(({ integration, failure: error }) => ({
        ...summarise(integration),
        ...(error && { error: toCommandError(error, situation()) }),
      })),
    },
    text: renewed.length === 0 ? 'There is no access to renew.' : renewed.map(describe).join('\n'),
    failure,
  };
}

async function renew(context: CommandContext, engine: CommandEngine, integration: Integration): Promise<Renewed> {
  const { id } = integration;
  const { ports } = engine;
  const scope = { ...terminalSurface(context), ports, access: { signal: context.signal }, history: historyOf(engine) };
  try {
    await refreshServer({ ...scope, during: (_server, work) => work() }, { id });
    return { integration: await readServer(ports, id) };
  } catch (error) {
    // What was called off, and what is a defect, ends the whole.
    if (!(error instanceof PosternError) || !isOutcome(error)) throw error;
    return { integration: (await ports.store.read(id)) ?? integration, failure: error };
  }
}

function isRenewable(integration: Integration): boolean {
  const status = keptStatus(integration, Date.now());
  const isSignedIn = status === 'ready' || status === 'offline' || status === 'failing';
  return (
    isSignedIn && integration.method !== 'NoAuth' && !usesApiKey(integration) && integration.hasRefreshToken !== false
  );
}

function describe({ integration: { name, expiresAt }, failure }: Renewed): string {
  const shown = `“${printableLine(name)}”`;
  if (failure) return `${shown} could not be renewed (${failure.code}).`;
  return expiresAt === undefined
    ? `${shown} has new access.`
    : `${shown} has new access until ${describeMoment(expiresAt, Date.now())}.`;
}
