import type { PosternLink } from '../../shared/postern-link.ts';
import { urlLength } from '../limits.ts';
import { parseAddress } from './parse-address.ts';

/** Characters; an address may be percent-encoded in it, which makes three of each. */
const longestLink = 4 * urlLength.received;
const scheme = /^postern:/iu;
/** As ids of servers are made, or written into the settings by hand. */
const openForm = /^postern:\/\/open\/([\w-]{1,64})\/?$/iu;

/** How the pipe asks the system for a start without a window (pipe/src/windows.rs). */
const background = /^postern:(?:\/\/)?background\/?$/iu;

/** The link among the words that the program was started with, if one is there. */
export function findPosternLink(words: readonly string[]): string | undefined {
  return words.find((word) => scheme.test(word));
}

/** Whether it asks for a start without a window: all that it then does. */
export function isBackgroundLink(link: string): boolean {
  return link.length <= longestLink && background.test(link);
}

/**
 * What a link asks for, be it from a page of the web: an address to check, by the rules for one that is typed, or a
 * server to show. Nothing else of it is looked at. Anything out of the ordinary makes it `unusable`.
 */
export function readPosternLink(link: string): PosternLink {
  const unusable = { kind: 'unusable' } as const;
  if (link.length > longestLink || /[\s\p{Cc}\\]/u.test(link)) return unusable;
  const url = URL.parse(link);
  if (url?.protocol !== 'postern:' || url.username + url.password + url.port !== '') return unusable;
  const [, id] = openForm.exec(link) ?? [];
  if (id !== undefined) return { kind: 'open', id };
  const addresses = url.searchParams.getAll('url');
  const [address] = addresses;
  const isWhole = url.host.toLowerCase() === 'connect' && /^\/?$/u.test(url.pathname) && addresses.length === 1;
  if (!isWhole || address === undefined) return unusable;
  try {
    return { kind: 'connect', url: parseAddress(address, 'address').href };
  } catch {
    return unusable;
  }
}
