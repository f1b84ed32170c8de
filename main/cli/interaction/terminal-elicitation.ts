import { spawn } from 'node:child_process';
import type { Integration } from '../../../shared/integration.ts';
import { isValidAnswer, asksForSecret } from '../../../shared/question-field.ts';
import type { FieldValue, QuestionField } from '../../../shared/question-field.ts';
import type { QuestionRefusal } from '../../../shared/question-view.ts';
import type { BrowserAddress } from '../../address/check-address.ts';
import { displayHostAndPort, isConfusableHost } from '../../address/display-text.ts';
import { PosternError } from '../../errors/postern-error.ts';
import type { UserPrompter, ServerQuestion } from '../../mcp/client/server-questions.ts';
import { openSystemBrowser } from '../../net/system-browser.ts';
import type { CommandContext } from '../command-context.ts';
import type { StdinLines } from '../terminal/terminal-input.ts';
import { printable, printableLine } from '../text.ts';
import { defaultSignInMode } from './cli-interaction.ts';

interface ElicitingCall {
  readonly integration: Pick<Integration, 'name' | 'url'>;
  readonly tool: string;
  /** Called when the call continues after a question. */
  readonly onContinue: () => void;
}

type Elicitation = Omit<UserPrompter, 'checkPage'>;
type Reply = Awaited<ReturnType<Elicitation['ask']>>;

/** Lets the user at this terminal reply to a server's questions during a call (MCP elicitation). */
export function terminalElicitation(
  context: CommandContext,
  { integration, tool, onContinue }: ElicitingCall,
): Elicitation {
  const { prompt, steps } = context;
  const serverLabel = `“${printableLine(integration.name)}” (${printableLine(new URL(integration.url).host)})`;
  return {
    async ask(question, signal) {
      steps.clear();
      const text = printable(question.message).split('\n').slice(0, 40);
      prompt(
        `\n${serverLabel} asks while “${printableLine(tool, 60)}” runs:\n\n${text.map((line) => `  ${line}\n`).join('')}\n`,
      );
      try {
        return question.kind === 'form'
          ? await askForm(context, question, serverLabel, signal)
          : await askForPage(context, question, signal);
      } finally {
        prompt('\n');
        if (!signal.aborted) onContinue();
      }
    },
    onRefused(why) {
      steps.clear();
      prompt(`${serverLabel} ${refusals[why]}\n`);
      onContinue();
    },
  };
}

const refusals: Readonly<Record<QuestionRefusal, string>> = {
  address: 'wanted to open an address that Postern does not allow. Postern declined.',
  form: 'asked something that Postern cannot show. Postern declined.',
  'too-many': 'asks too often. Postern ignores its other questions.',
  'too-late': 'got no reply in time.',
};

async function askForm(
  { prompt, stdin }: CommandContext,
  { fields }: Extract<ServerQuestion, { kind: 'form' }>,
  serverLabel: string,
  signal: AbortSignal,
): Promise<Reply> {
  if (fields.some(asksForSecret))
    prompt(
      'This may be asking for a secret. Do not type passwords, keys or codes here: a server should ask for those on a page.\n',
    );
  prompt(
    'Press Enter to accept the value in brackets or to skip an optional field. Type “decline” to refuse everything.\n\n',
  );
  const content: Record<string, FieldReply> = {};
  for (const field of fields) {
    const value = await askForField({ prompt, stdin }, field, signal);
    if (value === declined) return { action: 'decline' };
    if (value === undefined) return { action: 'cancel' };
    content[field.name] = value;
  }
  prompt(`Send this to ${serverLabel}? [Y/n] `);
  const reply = await stdin.next(signal);
  if (reply === undefined) return { action: 'cancel' };
  if (!/^(?:y|yes|)$/iu.test(reply.trim())) return { action: 'decline' };
  const entries = Object.entries(content).flatMap(([name, { value }]) =>
    value === undefined ? [] : ([[name, value]] as const),
  );
  return { action: 'accept', content: Object.fromEntries(entries) };
}

async function askForPage(
  { prompt, stdin }: CommandContext,
  { address, isRequired, completed }: Extract<ServerQuestion, { kind: 'page' }>,
  signal: AbortSignal,
): Promise<Reply> {
  const url = new URL(address);
  prompt(`It wants to open a page at ${displayHostAndPort(url)}:\n\n  ${address}\n\n`);
  if (isConfusableHost(url.hostname)) prompt('The name of this host may imitate another one. Check it carefully.\n');
  prompt('Open it? [y/N] ');
  const reply = await stdin.next(signal);
  if (reply === undefined) return { action: 'cancel' };
  if (!/^y(?:es)?$/iu.test(reply.trim())) return { action: 'decline' };
  await openPage(prompt, address);
  if (isRequired) {
    prompt('Press Enter when you are done there. ');
    const typed = stdin.next(signal);
    typed.catch(() => {});
    if ((await Promise.race([typed, completed.then(() => 'completed')])) === undefined) return { action: 'cancel' };
  }
  return { action: 'accept' };
}

const openFailedMessage = 'Postern could not open a browser. Open the page yourself.\n';

async function openPage(prompt: (text: string) => void, address: BrowserAddress): Promise<void> {
  const { env, platform } = process;
  if (defaultSignInMode(env, platform) !== 'browser') return prompt('Open the page in a browser yourself.\n');
  try {
    await openSystemBrowser(address, { env, platform, spawn, onFailed: () => prompt(openFailedMessage) });
  } catch (error) {
    if (!(error instanceof PosternError)) throw error;
    prompt(openFailedMessage);
  }
}

/** The user declines the whole question. */
const declined = Symbol('declined');
/** Reply to one field; without a value, the field is left out. */
interface FieldReply {
  readonly value: FieldValue | undefined;
}

/** Asks until the reply is valid. `undefined`: end of input. */
async function askForField(
  { prompt, stdin }: { readonly prompt: (text: string) => void; readonly stdin: StdinLines },
  field: QuestionField,
  signal: AbortSignal,
): Promise<FieldReply | typeof declined | undefined> {
  if (field.description !== undefined) prompt(`${printableLine(field.description, 400)}\n`);
  if ('choices' in field) {
    field.choices.forEach(({ label }, index) => prompt(`  ${index + 1}) ${printableLine(label, 80)}\n`));
  }
  const initial = field.initial === undefined ? '' : ` [${printableLine(String(field.initial), 60)}]`;
  for (;;) {
    prompt(`${printableLine(field.label, 80)} (${describeExpected(field)})${initial}: `);
    const line = await stdin.next(signal);
    if (line === undefined) return undefined;
    const typed = line.trim();
    if (typed.toLowerCase() === 'decline') return declined;
    const isEmpty = typed === '';
    if (isEmpty && (field.initial !== undefined || !field.required)) return { value: field.initial };
    const value = isEmpty ? undefined : readTyped(field, typed);
    if (isValidAnswer(field, value)) return { value };
    prompt(isEmpty ? 'This field is required.\n' : 'That is not valid.\n');
  }
}

function readTyped(field: QuestionField, typed: string): unknown {
  switch (field.kind) {
    case 'text':
      return typed;
    case 'number':
      return Number(typed);
    case 'boolean':
      if (/^(?:y|yes|true)$/iu.test(typed)) return true;
      return /^(?:n|no|false)$/iu.test(typed) ? false : undefined;
    case 'choice':
      return findChoice(field.choices, typed);
    case 'choices':
      return typed.split(',').map((item) => findChoice(field.choices, item.trim()));
  }
}

/** Finds a choice by number, value or label. */
function findChoice(choices: Extract<QuestionField, { kind: 'choice' }>['choices'], typed: string): string | undefined {
  const numbered = /^\d{1,4}$/u.test(typed) ? choices[Number(typed) - 1] : undefined;
  return (numbered ?? choices.find(({ value, label }) => typed === value || typed === label))?.value;
}

function describeExpected(field: QuestionField): string {
  const parts = [expectedValue(field), describeRange(field), field.required ? '' : 'optional'];
  if (field.kind === 'text' && field.pattern !== undefined)
    parts.splice(1, 0, `matching ${printableLine(field.pattern, 120)}`);
  return parts.filter((part) => part !== '').join(', ');
}

const formats = {
  email: 'an email address',
  uri: 'an address',
  date: 'a date such as 2027-05-31',
  'date-time': 'a time such as 2027-05-31T09:30:00Z',
};

function expectedValue(field: QuestionField): string {
  switch (field.kind) {
    case 'text':
      return field.format ? formats[field.format] : 'text';
    case 'number':
      return field.whole ? 'a whole number' : 'a number';
    case 'boolean':
      return 'yes or no';
    case 'choice':
      return 'a number from the list';
    case 'choices':
      return 'numbers from the list, separated by commas';
  }
}

function describeRange(field: QuestionField): string {
  if (!('least' in field || 'most' in field)) return '';
  const { least, most } = field;
  const unit = field.kind === 'text' ? ' characters' : '';
  if (least !== undefined && most !== undefined) return `${least} to ${most}${unit}`;
  return least === undefined ? `at most ${most}${unit}` : `at least ${least}${unit}`;
}
