import type { PlainError } from '../../../shared/error-codes.ts';
import type { TraceEntry } from '../../../shared/trace.ts';
import { product } from '../../../shared/product.ts';
import { displayText } from '../../address/display-text.ts';
import { urlLength } from '../../limits.ts';

/** What is known of a connection or an integration. */
export interface Reported {
  /** Where secrets are kept here, by name. */
  readonly backend: string;
  readonly url: string | undefined;
  readonly method: string | undefined;
  readonly state: string | undefined;
  readonly error: PlainError | undefined;
  readonly entries: readonly TraceEntry[];
}

/**
 * What a person can send to whoever helps them: program, verdict, error and every request, all of it redacted. In
 * English whatever the window speaks: it goes to those who maintain a service or Postern, wherever they are.
 */
export function renderReport({ backend, url, method, state, error, entries }: Reported): string {
  const lines = [
    `Postern ${product.version} on ${process.platform}, secrets in ${backend}`,
    ...(url === undefined ? [] : [`Server: ${withoutQuery(url)}`]),
    ...(method === undefined ? [] : [`Method: ${method}`]),
    ...(state === undefined ? [] : [`State: ${state}`]),
    ...(error
      ? [`Error: ${error.code}${error.cause ? ` (${error.cause})` : ''} in ${error.stage}: ${error.message}`]
      : []),
    '',
    ...entries.flatMap(renderEntry),
  ];
  return `${lines.join('\n').trimEnd()}\n`;
}

function renderEntry(entry: TraceEntry): string[] {
  const { number, method, url, status, milliseconds, rule, clause, verdict, code, request, response } = entry;
  const outcome = `${status ?? 'no answer'}${milliseconds === undefined ? '' : ` in ${milliseconds} ms`}`;
  const fields = (title: string, message: TraceEntry['request'] | undefined): string[] =>
    [...(message?.headers ?? []), ...(message?.body ?? [])].map(({ name, value }) => `     ${title} ${name}: ${value}`);
  return [
    `${number}. ${method} ${url} → ${outcome}`,
    `     ${rule} (${clause}): ${verdict}${code ? ` ${code}` : ''}`,
    ...fields('>', request),
    ...fields('<', response),
  ];
}

function withoutQuery(url: string): string {
  const address = URL.parse(url);
  return displayText(address ? `${address.origin}${address.pathname}` : '', urlLength.received);
}
