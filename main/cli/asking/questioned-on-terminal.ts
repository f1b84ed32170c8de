import { spawn } from 'node:child_process';
import type { Integration } from '../../../shared/integration.ts';
import { wantsSecret } from '../../../shared/question-field.ts';
import type { RefusedQuestion } from '../../../shared/question-view.ts';
import type { BrowserAddress } from '../../address/browser-address.ts';
import { displayPlace } from '../../address/display-place.ts';
import { isConfusableHost } from '../../address/is-confusable-host.ts';
import type { QuestionedPerson, ServerQuestion } from '../../mcp/client/server-questions.ts';
import { PosternError } from '../../postern-error.ts';
import { openSystemBrowser } from '../../user-agent/browser/system-browser.ts';
import type { CommandContext } from '../command-context.ts';
import { printable, printableLine } from '../text/printable.ts';
import { askForField, declined } from './ask-for-field.ts';
import type { AskedField } from './ask-for-field.ts';
import { defaultSignInWay } from './sign-in-way.ts';

export interface QuestionedCall {
  readonly integration: Pick<Integration, 'name' | 'url'>;
  readonly tool: string;
  /** After a question the call goes on. */
  readonly goOn: () => void;
}

type Person = Omit<QuestionedPerson, 'checkPage'>;
type Answer = Awaited<ReturnType<Person['ask']>>;

/** Whoever sits at this terminal answers what a server asks while it works. */
export function questionedOnTerminal(context: CommandContext, { integration, tool, goOn }: QuestionedCall): Person {
  const { prompt, steps } = context;
  const who = `“${printableLine(integration.name)}” (${printableLine(new URL(integration.url).host)})`;
  return {
    async ask(question, signal) {
      steps.clear();
      const text = printable(question.message).split('\n').slice(0, 40);
      prompt(
        `\n${who} asks while “${printableLine(tool, 60)}” runs:\n\n${text.map((line) => `  ${line}\n`).join('')}\n`,
      );
      try {
        return question.kind === 'form'
          ? await askForm(context, question, who, signal)
          : await askForPage(context, question, signal);
      } finally {
        prompt('\n');
        if (!signal.aborted) goOn();
      }
    },
    refused(why) {
      steps.clear();
      prompt(`${who} ${refusals[why]}\n`);
      goOn();
    },
  };
}

const refusals: Readonly<Record<RefusedQuestion, string>> = {
  address: 'wanted to open an address that Postern does not open. It was told no.',
  form: 'asked for something that cannot be asked here. It was told no.',
  'too-many': 'asks too often. From here on it gets no answer.',
  'too-late': 'got no answer, since nobody gave one in time.',
};

async function askForm(
  { prompt, stdin }: CommandContext,
  { fields }: Extract<ServerQuestion, { kind: 'form' }>,
  who: string,
  signal: AbortSignal,
): Promise<Answer> {
  if (fields.some(wantsSecret))
    prompt('This looks like a secret. Type no password, key or code here: the server should ask for that on a page.\n');
  prompt('Enter takes what stands in brackets, or leaves out what is not needed. “decline” says no to all of it.\n\n');
  const content: Record<string, AskedField> = {};
  for (const field of fields) {
    const value = await askForField({ prompt, stdin }, field, signal);
    if (value === declined) return { action: 'decline' };
    if (value === undefined) return { action: 'cancel' };
    content[field.name] = value;
  }
  prompt(`Send this to ${who}? [Y/n] `);
  const yes = await stdin.next(signal);
  if (yes === undefined) return { action: 'cancel' };
  if (!/^(?:y|yes|)$/iu.test(yes.trim())) return { action: 'decline' };
  const given = Object.entries(content).flatMap(([name, { value }]) =>
    value === undefined ? [] : ([[name, value]] as const),
  );
  return { action: 'accept', content: Object.fromEntries(given) };
}

async function askForPage(
  { prompt, stdin }: CommandContext,
  { address, isRequired, completed }: Extract<ServerQuestion, { kind: 'page' }>,
  signal: AbortSignal,
): Promise<Answer> {
  const url = new URL(address);
  prompt(`It wants to open a page at ${displayPlace(url)}:\n\n  ${address}\n\n`);
  if (isConfusableHost(url.hostname)) prompt('The name of that host may look like another one. Look twice.\n');
  prompt('Open it? [y/N] ');
  const answer = await stdin.next(signal);
  if (answer === undefined) return { action: 'cancel' };
  if (!/^y(?:es)?$/iu.test(answer.trim())) return { action: 'decline' };
  await openPage(prompt, address);
  if (isRequired) {
    prompt('Press Enter once you are through with it. ');
    const typed = stdin.next(signal);
    typed.catch(() => {});
    if ((await Promise.race([typed, completed.then(() => 'completed')])) === undefined) return { action: 'cancel' };
  }
  return { action: 'accept' };
}

const notOpened = 'No browser could be opened. Open it yourself.\n';

async function openPage(prompt: (text: string) => void, address: BrowserAddress): Promise<void> {
  const { env, platform } = process;
  if (defaultSignInWay(env, platform) !== 'browser') return prompt('Open it in a browser yourself.\n');
  try {
    await openSystemBrowser(address, { env, platform, spawn, onFailed: () => prompt(notOpened) });
  } catch (error) {
    if (!(error instanceof PosternError)) throw error;
    prompt(notOpened);
  }
}
