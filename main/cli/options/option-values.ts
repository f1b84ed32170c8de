import { displayText, serverName } from '../../address/display-text.ts';
import { stateLifetime } from '../../limits.ts';
import { logLevels } from '../../log-level.ts';
import type { LogLevel } from '../../log-level.ts';
import type { OptionName } from './option-specs.ts';
import type { ParsedArguments } from './parse-arguments.ts';
import { UsageError } from './usage-error.ts';

/** Whether a switch was given. */
export function hasOption({ options }: ParsedArguments, name: OptionName): boolean {
  return options.has(name);
}

/** The value of an option that may stand once. Errors: USAGE when it stands twice. */
export function optionValue({ command, options }: ParsedArguments, name: OptionName): string | undefined {
  const values = options.get(name) ?? [];
  if (values.length > 1) throw new UsageError(`--${name} is there twice.`, command);
  return values[0];
}

/** What a server is to be called; typed as an option or as a word. Errors: USAGE where commands could not tell it. */
export function checkServerName(name: string, command: ParsedArguments['command']): string {
  if (serverName(name) === '') throw new UsageError('A name needs something that can be shown.', command);
  if (serverName(name) !== displayText(name))
    throw new UsageError('A name begins with neither “-” nor “+”: those are for options and collections.', command);
  return name;
}

/** A wait in milliseconds; `longest`: of a sign-in, or what else is waited for. Errors: USAGE. */
export function timeoutValue(args: ParsedArguments, longest: number = stateLifetime): number | undefined {
  const text = optionValue(args, 'timeout');
  if (text === undefined) return undefined;
  const most = longest / 1_000;
  const seconds = /^\d{1,5}(\.\d{1,3})?$/u.test(text) ? Number(text) : 0;
  if (seconds < 1 || seconds > most) {
    throw new UsageError(`--timeout needs a number of seconds from 1 to ${most}.`, args.command);
  }
  return Math.ceil(seconds * 1_000);
}

export function logLevelValue(args: ParsedArguments): LogLevel | undefined {
  const text = optionValue(args, 'log-level');
  return logLevels.find((known) => known === text);
}

/** How long access has to last, in milliseconds. Errors: USAGE. */
export function minTtlValue(args: ParsedArguments): number | undefined {
  const text = optionValue(args, 'min-ttl');
  if (text === undefined) return undefined;
  const seconds = /^\d{1,5}$/u.test(text) ? Number(text) : 0;
  if (seconds < 1 || seconds > 86_400) {
    throw new UsageError('--min-ttl needs a number of seconds from 1 to 86400.', args.command);
  }
  return seconds * 1_000;
}

/** A port. Errors: USAGE. */
export function portValue(args: ParsedArguments): number | undefined {
  const text = optionValue(args, 'port');
  if (text === undefined) return undefined;
  const port = /^\d{1,5}$/u.test(text) ? Number(text) : 0;
  if (port < 1_024 || port > 65_535) {
    throw new UsageError('--port needs a number from 1024 to 65535.', args.command);
  }
  return port;
}

/** How long ago, in milliseconds. Errors: USAGE. */
export function sinceValue(args: ParsedArguments): number | undefined {
  const text = optionValue(args, 'since');
  if (text === undefined) return undefined;
  const [, count, unit] = /^(\d{1,6})([smhd])$/u.exec(text) ?? [];
  if (count === undefined) throw new UsageError('--since needs a time such as 30s, 10m, 1h or 2d.', args.command);
  return Number(count) * { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }[unit as 's' | 'm' | 'h' | 'd'];
}

/** Seconds after which nobody needs it any more, at most a day. Errors: USAGE. */
export function idleExitValue(args: ParsedArguments): number | undefined {
  const text = optionValue(args, 'idle-exit');
  if (text === undefined) return undefined;
  const seconds = /^\d{1,5}$/u.test(text) ? Number(text) : 0;
  if (seconds < 1 || seconds > 86_400) {
    throw new UsageError('--idle-exit needs a number of seconds from 1 to 86400.', args.command);
  }
  return seconds;
}
