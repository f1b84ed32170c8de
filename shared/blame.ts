import { blames } from './error-codes.ts';
import type { Blame, ErrorCode } from './error-codes.ts';
import type { Remedy } from './remedy.ts';

/** The usual one of each code; whoever makes an error and knows better sets `PosternError.blame`. */
const codesOf = {
  input: [
    ...['URL_INVALID', 'URL_SCHEME', 'URL_USERINFO', 'URL_FRAGMENT', 'URL_TOO_LONG', 'URL_PORT', 'URL_COMMAND'],
    ...['HOST_CONFUSABLE', 'CLIENT_REJECTED', 'CLIENT_KEY_INVALID', 'CLIENT_DOCUMENT_REFUSED', 'ASSERTION_INVALID'],
    ...[
      'API_KEY_REFUSED',
      'API_KEY_INVALID',
      'INPUT_REFUSED',
      'TOOL_NOT_FOUND',
      'RESOURCE_NOT_FOUND',
      'PROMPT_NOT_FOUND',
      'PROVIDER_ONLY',
      'NOT_FOUND',
      'NAME_TAKEN',
    ],
    ...['LIST_UNREADABLE', 'SIDE_BAR_FULL', 'COLLECTIONS_FULL', 'USAGE', 'REGISTRY_UNUSABLE', 'PROGRAM_NAME_TAKEN'],
  ],
  document: [
    ...['URL_DOWNGRADE', 'HOST_BLOCKED', 'JSON_INVALID', 'JSON_DEPTH', 'JSON_DUPLICATE_KEY', 'SCHEMA_INVALID'],
    ...['PRM_MISSING', 'ASM_MISSING', 'RESOURCE_MISMATCH', 'ISSUER_MISMATCH', 'PKCE_UNSUPPORTED', 'DEMAND_UNMET'],
    ...['TOKEN_ENDPOINT_INSECURE', 'REFRESH_ISSUER_CHANGED', 'ENDPOINT_REFUSED', 'OLD_TRANSPORT'],
    ...['DEVICE_UNSUPPORTED', 'DCR_UNSUPPORTED', 'CREDENTIALS_REQUIRED'],
  ],
  answer: [
    ...['REDIRECT_REFUSED', 'REDIRECT_LOOP', 'HEADERS_TOO_LARGE', 'BODY_TOO_LARGE', 'BODY_ENCODING', 'CONTENT_TYPE'],
    ...['ASM_UNAVAILABLE', 'DCR_REJECTED', 'DCR_RESPONSE_INVALID', 'DCR_REDIRECT_CHANGED', 'DCR_SECRET_EXPIRED'],
    ...['REG_UNAVAILABLE', 'STATE_UNKNOWN', 'CALLBACK_INVALID', 'ISS_MISMATCH', 'ISS_MISSING', 'AS_ERROR'],
    ...['DEVICE_RESPONSE_INVALID', 'TOKEN_RESPONSE_INVALID', 'TOKEN_CHARSET', 'TOKEN_TYPE', 'TOKEN_ERROR'],
    ...['TOKEN_RATE_LIMITED', 'TOKEN_SERVER_ERROR', 'PROOF_REFUSED', 'SCOPE_REDUCED', 'IDENTITY_REFUSED'],
    ...[
      'IDENTITY_INVALID',
      'TOKEN_REJECTED',
      'MCP_FAILED',
      'SERVER_ERROR',
      'METHOD_UNSUPPORTED',
      'SESSION_ENDED',
      'TOOL_FAILED',
      'RESULT_TOO_LARGE',
    ],
    ...['CALL_TIMED_OUT', 'TASK_CANCELLED', 'NO_SUBSCRIPTIONS', 'REFRESH_TRANSIENT', 'REGISTRY_BUSY', 'UPD_SIGNATURE'],
    ...['UPD_DOWNGRADE', 'NAV_BLOCKED'],
  ],
  network: [
    ...['DNS_FAIL', 'DNS_REBIND', 'TLS_FAIL', 'CONNECT_FAIL', 'PROXY_FAIL', 'DEADLINE'],
    ...['SERVER_OFFLINE', 'SESSION_LOST', 'UPD_FAILED'],
  ],
  computer: [
    ...['PORT_UNAVAILABLE', 'BROWSER_OPEN_FAILED', 'LINK_REUSED', 'ADDRESS_CHANGED', 'API_KEY_MISSING'],
    ...['API_KEY_ADDRESS_CHANGED', 'REG_ISSUER_MISMATCH', 'KC_UNAVAILABLE', 'KC_LOCKED', 'KC_DENIED', 'KC_TIMEOUT'],
    ...['KC_TOO_LARGE', 'KC_CORRUPT', 'KC_WRITE_UNVERIFIED', 'KEYRING_WRONG_KEY', 'KEYRING_UNREADABLE'],
    ...['KEY_FILE_UNSAFE', 'KEY_FILE_MISSING', 'CFG_CORRUPT', 'CFG_PART_UNREAD', 'CFG_NO_COPY', 'CFG_LINK'],
    ...['CFG_SHARED', 'CFG_NEWER', 'CFG_DISK_FULL', 'CFG_READONLY', 'CFG_CONFLICT', 'GATEWAY_HELD', 'GATEWAY_PORT'],
    ...['GATEWAY_BUSY', 'PIPE_OUTDATED', 'PROGRAM_SECRET_LOST', 'IPC_SENDER', 'IPC_SCHEMA', 'CLOCK_WRONG'],
    ...['OUTPUT_FAILED', 'INTERNAL', 'APP_TRANSLOCATED', 'ERA_UNSUPPORTED', 'PROGRAM_NOT_FOUND'],
    ...['PROGRAM_FILE_DENIED', 'PROGRAM_FILE_DAMAGED', 'PROGRAM_FILE_LAYOUT', 'PROGRAM_FILE_CHANGED'],
    ...['PROGRAM_COMMAND_FAILED'],
  ],
  command: ['LOCAL_NOT_FOUND', 'LOCAL_EXITED', 'LOCAL_SILENT', 'LOCAL_NOISE', 'LOCAL_INVALID'],
  nobody: [
    ...['HOST_NOT_AGREED', 'STATE_REUSED', 'STATE_EXPIRED', 'USER_DENIED', 'USER_CANCELLED', 'FLOW_SUPERSEDED'],
    ...['TICKET_INVALID', 'PROVIDER_SIGN_IN', 'SIGN_IN_REQUIRED', 'NO_SIGN_IN', 'SCOPE_REQUIRED', 'CALL_INTERRUPTED'],
    ...[
      'REFRESH_REFUSED',
      'REFRESH_REVOKED',
      'API_KEY_INSTEAD',
      'GATEWAY_PAUSED',
      'PROGRAM_PAUSED',
      'PROGRAM_UNKNOWN',
      'PROGRAM_REVOKED',
    ],
    ...['TOOL_DENIED', 'TOOL_CHANGED', 'OFFER_DENIED', 'MEMBER_GONE', 'APPROVAL_REFUSED', 'APPROVAL_TIMEOUT'],
    ...['APPROVAL_IMPOSSIBLE', 'LOCAL_CONSENT', 'LOCAL_STOPPED', 'UNDO_STALE', 'REGISTRY_OFF'],
  ],
} as const satisfies Readonly<Record<Blame, readonly ErrorCode[]>>;

const usual: ReadonlyMap<ErrorCode, Blame> = new Map(
  blames.flatMap((blame) => codesOf[blame].map((code) => [code, blame] as const)),
);

export function usualBlame(code: ErrorCode): Blame {
  // A code that stands in no list does not compile.
  const listed: (typeof codesOf)[Blame][number] = code;
  return usual.get(listed) ?? 'nobody';
}

/** Steps that check what the user typed: advice only where that is to blame. */
const inputSteps: ReadonlySet<Remedy['kind']> = new Set([
  'correct-address',
  'check-address',
  'give-address',
  'correct-key',
  'correct-client-key',
  'correct-credentials',
  'check-client',
  'check-document',
  'correct-input',
]);

export function checksInput(remedy: Remedy): boolean {
  if (remedy.kind === 'replace-key') return remedy.because === 'refused';
  if (remedy.kind === 'check-certificate') return remedy.problem === 'name';
  return inputSteps.has(remedy.kind);
}
