import type { KnownDifference } from './known-difference.ts';

const withErrorCode = (...names: readonly string[]): readonly string[] =>
  names.flatMap((name) => [name, `${name}ErrorCode`]);

/** HTTP details beside the message: the adapter is the end of that HTTP, and the lines behind it cannot carry them. */
export const adapterDifferences: readonly KnownDifference[] = [
  {
    scenario: 'server-sse-polling',
    revision: '2025-11-25',
    checks: ['ServerSendsPrimingEvent', 'ServerSendsRetryField', 'ServerDisconnectResume'],
    reason: 'the stream of the POST is the adapter’s, and it never closes one; Postern takes the server’s up again',
  },
  {
    scenario: 'server-stateless',
    revision: '2026-07-28',
    checks: ['RequestMetaInvalid', 'HttpServerMetaInvalid400', 'HttpServerHeaderMismatch400'],
    reason: 'the revision is in a header field, and the message has another one or none',
  },
  {
    scenario: 'http-header-validation',
    revision: '2026-07-28',
    checks: withErrorCode(
      'ServerRejectsMismatchedMethodHeader',
      'ServerRejectsMissingMethodHeader',
      'ServerRejectsMismatchedNameHeader',
      'ServerRejectsMissingNameHeader',
      'ServerRejectsCaseMismatchValue',
    ),
    reason: 'header fields that belong to another message; towards the server Postern writes its own',
  },
  {
    scenario: 'http-custom-header-server-validation',
    revision: '2026-07-28',
    checks: withErrorCode(
      'ServerRejectsInvalidBase64Padding',
      'ServerRejectsInvalidBase64Chars',
      'ServerRejectsMissingCustomHeader',
    ),
    reason: 'header fields that belong to another message; towards the server Postern writes its own',
  },
  {
    scenario: 'tasks-request-headers',
    revision: '2026-07-28',
    checks: ['TasksHeadersRejectMismatchedMethod'],
    reason: 'a header field that belongs to another message; towards the server Postern writes its own',
  },
];
