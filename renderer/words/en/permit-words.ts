import type { HeldCallAnswer } from '../../../shared/held-call-view.ts';
import type { ToolPreset, ToolRule } from '../../../shared/tool-permissions.ts';

export const permitWords = {
  asks: (program: string | undefined, server: string) => `${program ?? 'A program'} wants to call a tool of ${server}.`,
  tool: 'Tool',
  saysReadOnly: 'The server says that it only reads.',
  saysNothing: 'The server does not say that it only reads.',
  input: 'Input',
  noInput: 'It takes no input here.',
  cut: 'There is more of it than is shown here.',
  remaining: (time: string) => `Without an answer it is refused in ${time}.`,
  waiting: (count: number) => (count === 1 ? 'One more call waits.' : `${count} more calls wait.`),
  answers: {
    no: 'No',
    once: 'Once',
    session: 'For this session',
    always: 'Always',
  } satisfies Record<HeldCallAnswer, string>,
  nothing: 'No call waits for an answer.',
  intro: 'Which of its tools programs may call. What is denied they do not even see.',
  whom: 'For',
  everybody: 'all programs',
  particular: (program: string) =>
    `Here ${program} can have stricter rules than the others, and single tools that need not ask. What is denied for all programs stays denied.`,
  presets: 'Tools without a choice of their own',
  preset: {
    everything: 'May be called',
    'ask-changes': 'Ask before changes',
    'read-only': 'Only those that read',
  } satisfies Record<ToolPreset, string>,
  presetHint: {
    everything: 'Postern does not ask; many programs do it themselves.',
    'ask-changes': 'A small window asks each time, unless the server says that the tool only reads.',
    'read-only': 'The others are denied. What was allowed by itself is denied too, until you allow it again.',
  } satisfies Record<ToolPreset, string>,
  hint: 'Whether a tool only reads is what the server says. Nobody checks that: a dishonest server can say it of any tool.',
  misled:
    'A tool’s description and its results are read by the AI model as well, and a hostile server can use them to mislead it. Deny what you do not need, and let the rest ask where it can do harm.',
  hints: {
    hidden: 'What the server says of this tool holds characters that nobody sees:',
    instructions: 'What the server says of this tool reads like an instruction to the AI model:',
  },
  list: 'Tools',
  rules: { allow: 'Allow', ask: 'Ask', deny: 'Deny' } satisfies Record<ToolRule, string>,
  byPreset: (rule: string) => `As above (${rule})`,
  ruleOf: (tool: string) => `What becomes of ${tool}`,
  holds: { allow: 'allowed', ask: 'asks', deny: 'denied' } satisfies Record<ToolRule, string>,
  decidedByAll: (rule: string) => `${rule}, since that holds for all programs`,
  gone: 'Not among the tools of the server now',
  signInFirst: 'Sign in to see the tools of this server. What is set here holds all the same.',
};
