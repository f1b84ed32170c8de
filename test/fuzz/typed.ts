import { inspect } from 'node:util';
import { toCommandError } from '../../main/cli/output/describe-error.ts';
import { PosternError } from '../../main/errors/postern-error.ts';
import { errorCodes, stages } from '../../shared/error-codes.ts';
import type { ErrorCode } from '../../shared/error-codes.ts';
import { taunt } from './hostile-values.ts';

const codes = new Set<string>(errorCodes);
const knownStages = new Set<string>(stages);

export function assert(condition: boolean, what: string): asserts condition {
  if (!condition) throw new Error(what);
}

/** The result of `work`, or the code of its typed error. Other exceptions are rethrown. */
export async function typed<Result>(
  work: () => Promise<Result> | Result,
): Promise<{ value: Result } | { code: ErrorCode }> {
  try {
    return { value: await work() };
  } catch (error) {
    if (!(error instanceof PosternError)) throw error;
    assert(codes.has(error.code) && error.code !== 'INTERNAL', `the code ${error.code}`);
    assert(knownStages.has(error.stage), `the stage ${error.stage}`);
    const { message, nextStep } = toCommandError(error, {});
    assert(message !== '' && nextStep !== '', 'words');
    assert(!`${message}${nextStep}`.includes(taunt), 'words of a server');
    for (const value of Object.values(error.detail)) assert(isHarmless(String(value)), `the detail ${inspect(value)}`);
    return { code: error.code };
  }
}

/** True for short text without control or bidirectional characters. */
export function isHarmless(text: string, length = 260): boolean {
  return text.length <= length && !/[\p{Cc}\u202a-\u202e\u2066-\u2069\u200b-\u200f]/u.test(text);
}
