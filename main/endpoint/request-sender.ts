import type { IncomingMessage } from 'node:http';

/** The origin of the one web page that a person has allowed. Never rejects. */
export type AllowedOrigin = () => Promise<string | undefined>;

/** Who sends, as the head of a request alone tells: a program, the page that a person has allowed, or somebody else. */
export type RequestSender =
  { readonly kind: 'program' | 'stranger' } | { readonly kind: 'page'; readonly origin: string };

/** A page of the web has an Origin, and one that has pointed its name here another Host (DNS rebinding). */
export async function readSender(
  { headersDistinct }: Pick<IncomingMessage, 'headersDistinct'>,
  port: number,
  allowedOrigin: AllowedOrigin,
): Promise<RequestSender> {
  const { host: hosts = [], origin: origins = [] } = headersDistinct;
  const [host = ''] = hosts;
  // Of several, others may have looked at another one (RFC 9112 section 3.2).
  if (hosts.length > 1 || ![`127.0.0.1:${port}`, `localhost:${port}`].includes(host)) return { kind: 'stranger' };
  const [origin] = origins;
  if (origin === undefined) return { kind: 'program' };
  if (origins.length > 1 || origin !== (await allowedOrigin())) return { kind: 'stranger' };
  return { kind: 'page', origin };
}
