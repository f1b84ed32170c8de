import type { ErrorCode } from '../error-codes.ts';
import { advise, hostOr, textOf } from './catalogue-entry.ts';
import type { CatalogueDetail, CatalogueEntry } from './catalogue-entry.ts';

/** What is wrong with a file, or with what stands in it. */
const fileFaults: Readonly<Record<string, string>> = {
  missing: 'is not there',
  denied: 'may not be read',
  'not-a-file': 'is no file',
  large: 'is too large for an assertion',
  foreign: 'can be written by somebody else',
  format: 'holds no signed JWT with an end',
  ended: 'holds an assertion that has ended',
};

function faultOf(detail: CatalogueDetail): string {
  const { fault } = detail;
  if (fault === 'audience') return `holds an assertion that is not for ${hostOr(detail, 'this sign-in service')}`;
  return fileFaults[String(fault)] ?? 'cannot be used';
}

/** Access without a sign-in, by what somebody else says of who this is. */
export const assertionErrors = {
  ASSERTION_INVALID: {
    message: (detail) =>
      `The file ${textOf(detail, 'file') ?? 'with the assertion'} ${faultOf(detail)}. Nothing of it was sent.`,
    remedy: advise(
      'renew-assertion',
      'See that whatever writes this file puts a new JWT for this sign-in service there, and that nobody else can write it.',
    ),
    retryable: false,
  },
} satisfies Partial<Record<ErrorCode, CatalogueEntry>>;
