import type { TraceEntry } from '../../../shared/trace.ts';
import { product } from '../../../shared/product.ts';
import { displayText } from '../../address/display-text.ts';
import { urlLength } from '../../limits.ts';
import { errorOf } from '../../integration/sign-in/flow-state.ts';
import { toPlainError } from '../../plain-error.ts';
import type { DesktopContext } from '../desktop-context.ts';

/** What a person can send to whoever helps them: program, verdict, error and every request, all of it redacted. */
export async function renderReport(
  { connections, board, ports, health }: DesktopContext,
  id: string,
  entries: readonly TraceEntry[],
): Promise<string> {
  const connection = connections.find((candidate) => candidate.id === id);
  const integration = await ports.store.read(connection?.wanted.integrationId ?? id);
  const state = connection?.flow.state;
  const ended = state && errorOf(state);
  const error = ended ? toPlainError(ended) : integration && board.views([integration])[0]?.status.error;
  const url = connection?.wanted.url ?? integration?.url;
  const method = connection?.flow.found.discovery?.method ?? integration?.method;
  const lines = [
    `Postern ${product.version} on ${process.platform}, secrets in ${health.view().backend}`,
    ...(url === undefined ? [] : [`Server: ${withoutQuery(url)}`]),
    ...(method === undefined ? [] : [`Method: ${method}`]),
    ...(state ? [`State: ${state.name}`] : integration ? [`State: ${integration.state}`] : []),
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
