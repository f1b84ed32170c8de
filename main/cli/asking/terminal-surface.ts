import type { ServerUser } from '../../engine/use/use-server.ts';
import type { Surface } from '../../operations/operation.ts';
import type { Question, User } from '../../operations/user.ts';
import type { CommandContext } from '../command-context.ts';
import { hasOption } from '../options/parse-arguments.ts';
import { askForYes } from './terminal-prompts.ts';
import type { Preview } from './terminal-prompts.ts';

/**
 * The user at this terminal. `also`: what the command asks beside consent, since most load nothing for that. Apps are
 * served by other processes.
 */
export function terminalUser(context: CommandContext, also: ServerUser = {}): User {
  return {
    ...also,
    confirm: async (question) => {
      if (question.kind === 'remove-everything') return await confirmAll(context, question.servers);
      const preview = await previewOf(question, context);
      if (preview) await askForYes(context, preview);
      return true;
    },
  };
}

/** The terminal, as operations know it. A window that runs finds changes by itself. */
export function terminalSurface(context: CommandContext): Surface {
  return { user: terminalUser(context), changed: async () => {} };
}

async function confirmAll(
  { args, prompt, stdin, signal }: CommandContext,
  servers: number | undefined,
): Promise<boolean> {
  if (hasOption(args, 'yes')) return true;
  prompt(`Delete ${whatGoes(servers)} of Postern from this computer? [y/N] `);
  const answer = await stdin.next(signal);
  if (answer === undefined) prompt('\n');
  return /^y(es)?$/iu.test(answer?.trim() ?? '');
}

function whatGoes(servers: number | undefined): string {
  if (servers === undefined) return 'every sign-in and the settings, whose list cannot be read,';
  if (servers === 0) return 'the settings';
  return servers === 1
    ? 'the one server, its sign-in and the settings'
    : `all ${servers} servers, sign-ins and settings`;
}

/** `undefined`: typing the command was the answer. */
async function previewOf(
  question: Exclude<Question, { kind: 'remove-everything' }>,
  { output }: Pick<CommandContext, 'output'>,
): Promise<Preview | undefined> {
  switch (question.kind) {
    case 'revoke':
      return {
        event: { revokes: question.records.map(({ id, program, name }) => ({ id, program, name })) },
        lines: [`${question.app} will be able to use nothing of Postern any more.`],
      };
    case 'run-command': {
      const { describeRun } = await import('../output/describe-command.ts');
      const { command, remote } = question;
      return { event: { command, ...(remote && { remote }) }, lines: describeRun(question, output.advise) };
    }
    case 'sign-out':
    case 'remove':
      return undefined;
  }
}
