import * as z from 'zod/mini';
import { isErrorCode } from './error-codes.ts';
import type { ErrorCode } from './error-codes.ts';

/** Looks the code up in the catalog: an enum would copy its names, twice for each schema, at every start. */
export const errorCodeSchema = z.custom<ErrorCode>((value) => typeof value === 'string' && isErrorCode(value));
