import type { AddressPolicy } from '../../address/address-policy.ts';
import { iconBounds as bounds } from './icon-bounds.ts';
import type { Http } from '../../ports.ts';
import { PosternError } from '../../postern-error.ts';
import type { IconSource } from './choose-icons.ts';
import { readIcon } from './read-icon.ts';

/**
 * The first of these that may be drawn. Asked for without a credential, a cookie or anything else that tells who asks,
 * and within the origin (MCP 2025-11-25, icons: "fetch icons without credentials", no redirect to another host).
 */
export async function fetchIcon(
  http: Pick<Http, 'exchange'>,
  policy: AddressPolicy,
  sources: readonly IconSource[],
  signal: AbortSignal,
): Promise<Buffer | undefined> {
  for (const source of sources) {
    const found = source.kind === 'inside' ? readIcon(source.bytes) : await ask(http, policy, source.url, signal);
    if (found) return found;
  }
  return undefined;
}

async function ask(
  http: Pick<Http, 'exchange'>,
  policy: AddressPolicy,
  url: Extract<IconSource, { kind: 'at' }>['url'],
  signal: AbortSignal,
): Promise<Buffer | undefined> {
  try {
    const { status, headers, body } = await http.exchange({
      purpose: 'icon',
      stage: 'connection',
      method: 'GET',
      url,
      headers: { accept: 'image/png, image/webp, image/jpeg' },
      policy,
      redirects: 'same-origin',
      deadline: bounds.deadline,
      bodyLimit: bounds.bytes,
      signal,
    });
    return status === 200 ? readIcon(Buffer.from(body), headers.get('content-type')) : undefined;
  } catch (error) {
    // The drawn letter does as well.
    if (error instanceof PosternError) return undefined;
    throw error;
  }
}
