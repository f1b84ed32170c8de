import { describeRemedy } from '../../main/cli/output/describe-error.ts';
import { describeError, errorCodes } from '../../shared/error-codes.ts';
import type { ErrorCode } from '../../shared/error-codes.ts';
import type { Blame } from '../../shared/error-facts.ts';
import { escape } from './cli-guide.ts';

const mistakes: Readonly<Record<Blame, string>> = {
  input: 'what was typed or chosen here',
  document: 'what the service publishes about itself',
  answer: 'what the service or the server answers',
  network: 'the network between here and there',
  computer: 'something on this computer',
  command: 'the command of a local server',
  nobody: 'nothing: this can happen when everything works',
};

/** docs/errors.md: every error code with what happened, where the mistake is, and what helps. */
export function errorGuide(): string {
  return [
    '# Errors',
    '',
    'Every error has a code. The window shows it under _Copy details_, the command line at the end of the message and in `--json`. The sentences here are the general ones; with an error you see them with its hosts, files and numbers filled in. Made by `npx node scripts/write-cli-docs.ts` from the table that the program itself uses.',
    '',
    ...errorCodes.toSorted().flatMap(describe),
  ].join('\n');
}

function describe(code: ErrorCode): readonly string[] {
  const { message, blame, remedy, retryable } = describeError(code, {});
  return [
    `## ${code}`,
    '',
    escape(message),
    '',
    `- **Where the mistake is:** ${mistakes[blame]}.`,
    `- **What helps:** ${escape(describeRemedy(remedy, {}))}`,
    ...(retryable ? ['- Trying again may help by itself.'] : []),
    '',
  ];
}
