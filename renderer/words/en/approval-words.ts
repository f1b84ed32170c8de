import type { ApprovalAnswer } from '../../../shared/approval-view.ts';

export const approvalWords = {
  known: (program: string, server: string) => `${program} wants to use ${server}.`,
  stranger: (name: string, server: string) =>
    name === ''
      ? `A program that does not say what it is wants to use ${server}.`
      : `A program that says it is “${name}” wants to use ${server}.`,
  startedBy: (parent: string) => `It says that “${parent}” started it.`,
  meaning: (server: string) => `You have not allowed that yet. It would use ${server} with your sign-in.`,
  onlyOnce: 'Postern does not know this program, so that it can only be allowed for this time.',
  remaining: (time: string) => `Without an answer it is refused in ${time}.`,
  unanswered: 'Not answered yet',
  missed: (distance: string) => `asked ${distance}`,
  whenAskedAgain: 'Your answer counts when it asks again.',
  waiting: (count: number) => (count === 1 ? 'One more question waits.' : `${count} more questions wait.`),
  answers: { no: 'No', once: 'Allow once', always: 'Allow' } satisfies Record<ApprovalAnswer, string>,
};
