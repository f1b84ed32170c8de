import { rpcCode, tooMany, underWay } from '../answers/answers.ts';
import type { RequestEnvelope } from '../messages/envelope.ts';

export interface Standing {
  /** Another request with the same id. */
  readonly isUnderWay: boolean;
  /** The server is known to speak the older wire alone. */
  readonly isOlder: boolean;
  /** Too much waits already. */
  readonly isFull: boolean;
}

/** Why a request goes nowhere, as an error of JSON-RPC; `undefined` where it goes on its way. */
export function refuseAtOnce({ method }: RequestEnvelope, { isUnderWay, isOlder, isFull }: Standing) {
  if (isUnderWay) return { code: rpcCode.notARequest, message: underWay };
  // What programs of both eras take as the sign to begin with `initialize`.
  if (method === 'server/discover' && isOlder) return { code: rpcCode.unknownMethod, message: 'Method not found' };
  if (isFull) return { code: rpcCode.implementation, message: tooMany };
  return undefined;
}
