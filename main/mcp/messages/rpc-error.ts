/** An error of JSON-RPC 2.0 (section 5.1). */
export interface RpcError {
  /** 0 if the server sent no whole number. */
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/**
 * The error of a response in any form: servers commonly send a plain string, a numeric string as code, or a missing or
 * non-string message. Any other value counts as an error too.
 */
export function readError(error: unknown): RpcError {
  if (typeof error === 'string') return { code: 0, message: error };
  if (typeof error !== 'object' || error === null) return { code: 0, message: '' };
  const { code, message, data } = error as Readonly<Record<string, unknown>>;
  const number = typeof code === 'string' && /^-?\d+$/u.test(code) ? Number(code) : code;
  const words = typeof message === 'string' ? message : JSON.stringify(message ?? '');
  return {
    code: isCode(number) ? number : 0,
    message: message === undefined || message === null ? '' : words,
    ...(data !== undefined && data !== null && { data }),
  };
}

/** Whether an app accepts it unchanged. */
export function isRpcError(error: unknown): error is RpcError {
  const { code, message } = (error ?? {}) as Readonly<Record<string, unknown>>;
  return isCode(code) && typeof message === 'string';
}

function isCode(code: unknown): code is number {
  return Number.isSafeInteger(code);
}
