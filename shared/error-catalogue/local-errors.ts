import type { CatalogueDetail, CatalogueEntry } from './catalogue-entry.ts';
import { advise, textOf } from './catalogue-entry.ts';

const commandOr = (detail: CatalogueDetail): string => {
  const command = textOf(detail, 'command');
  return command === undefined ? 'Its command' : `“${command}”`;
};

function howItEnded({ code, signal }: CatalogueDetail): string {
  if (signal !== undefined) return ` (${signal})`;
  return code === undefined ? '' : ` (code ${code})`;
}

function endedOften(detail: CatalogueDetail): string {
  const { times } = detail;
  const often = times === undefined ? '' : ` ${times} times within five minutes, and is not started again`;
  return `${commandOr(detail)} ended${often}${howItEnded(detail)}.`;
}

/** What keeps a server on this computer from answering. */
export const localErrors = {
  LOCAL_CONSENT: {
    message: 'You have not allowed this command yet, or it has changed since.',
    remedy: { kind: 'allow-command' },
    retryable: false,
  },
  LOCAL_NOT_FOUND: {
    message: (detail) => {
      if (detail['folder'] !== undefined) return `The folder “${detail['folder']}” is not there.`;
      return detail['denied'] === undefined
        ? `${commandOr(detail)} is not on this computer.`
        : `${commandOr(detail)} is not a program that may be run.`;
    },
    remedy: advise('go-on', 'Install what is missing, or connect the server with another command.'),
    retryable: false,
  },
  LOCAL_EXITED: { message: endedOften, remedy: { kind: 'see-output' }, retryable: true },
  LOCAL_SILENT: {
    message: (detail) => {
      const missing = textOf(detail, 'missing');
      const silent = `${commandOr(detail)} runs, and does not answer.`;
      return missing === undefined
        ? silent
        : `${silent} It fetches code, and is not given what is set here for the network: ${missing}.`;
    },
    remedy: { kind: 'see-output' },
    retryable: true,
  },
  LOCAL_NOISE: {
    message: (detail) => `${commandOr(detail)} writes text where its messages belong, and was ended.`,
    remedy: { kind: 'see-output' },
    retryable: false,
  },
  LOCAL_INVALID: {
    message: (detail) => `${commandOr(detail)} answers, but not as an MCP server should.`,
    remedy: { kind: 'see-output' },
    retryable: false,
  },
  LOCAL_STOPPED: {
    message: 'This server was stopped in Postern.',
    remedy: { kind: 'start-server' },
    retryable: false,
  },
} satisfies Partial<Record<string, CatalogueEntry>>;
