import { authorityOf } from '../../shared/authority-of.ts';
import type { RegistryRemote } from '../../shared/registry-calls.ts';
import { classifyHost } from '../address/classify-host.ts';
import { displayPlace } from '../address/display-place.ts';
import { displayText } from '../address/display-text.ts';
import { parseAddress } from '../address/parse-address.ts';
import { registrableDomain } from '../address/registrable-domain.ts';
import { displayNameLength, urlLength } from '../limits.ts';
import { PosternError } from '../postern-error.ts';
import type { Registry } from './open-registry.ts';
import { readInput, readRemote } from './read-page.ts';
import type { PublishedInput, PublishedRemote } from './read-page.ts';
import { registryEntry } from './registry-bounds.ts';

type Blank = RegistryRemote['blanks'][number];

const placeholder = /\{(\w{1,64})\}/gu;
const transports: Readonly<Record<string, RegistryRemote['transport'] | undefined>> = {
  'streamable-http': 'http',
  sse: 'sse',
};

/**
 * One address of the server with that name; `undefined` where it is none that a registry may offer: another scheme or
 * transport, a host in the person's own network that a stranger names, more to fill in than anybody would.
 */
export function describeRemote(published: unknown, name: string, registry: Registry): RegistryRemote | undefined {
  const remote = readRemote(published);
  const transport = remote && Object.hasOwn(transports, remote.type) ? transports[remote.type] : undefined;
  if (!remote || !transport) return undefined;
  const template = fillKnown(remote);
  if (template.length > urlLength.received) return undefined;
  const names = [...new Set([...template.matchAll(placeholder)].map(([, blank = '']) => blank))];
  // As it would be with each blank filled in: only the whole address can be judged.
  const url = parseOffered(template.replaceAll(placeholder, 'x'), registry);
  if (!url || names.length > registryEntry.blanks || !isFillable(template)) return undefined;
  return {
    url: names.length === 0 ? url.href : template,
    place: placeOf(template, url),
    transport,
    blanks: names.map((blank) => describeBlank(blank, inputOf(remote, blank))),
    headers: requiredHeaders(remote),
    isAtOwnDomain: isAtDomainOf(name, url),
  };
}

/** With the values that the publisher has set: those are for nobody to change. One that is too long makes it too long. */
function fillKnown(remote: PublishedRemote): string {
  return remote.url.replaceAll(
    placeholder,
    (blank, name: string) => inputOf(remote, name)?.value?.slice(0, urlLength.received + 1) ?? blank,
  );
}

function inputOf({ variables }: PublishedRemote, name: string): PublishedInput | undefined {
  return Object.hasOwn(variables, name) ? readInput(variables[name]) : undefined;
}

function parseOffered(address: string, registry: Registry): URL | undefined {
  try {
    const url = parseAddress(address, 'discovery');
    const kind = classifyHost(url.hostname);
    if (kind === 'forbidden') return undefined;
    const isInside = kind === 'loopback' || kind === 'private';
    if (isInside && !registry.isOwn) return undefined;
    return url.protocol === 'https:' || (kind === 'loopback' && registry.isOwn) ? url : undefined;
  } catch (error) {
    if (!(error instanceof PosternError)) throw error;
    return undefined;
  }
}

/**
 * Whoever reads the address knows whose it is: a blank is the whole host, or stands before the domain of an owner, and
 * nothing needs another form to be shown.
 */
function isFillable(template: string): boolean {
  if (!template.includes('{')) return true;
  const authority = authorityOf(template);
  const [, domain] = /\}\.([\w.-]+(?::\d+)?)$/u.exec(authority) ?? [];
  const isWhole = /^\{\w+\}(?::\d+)?$/u.test(authority);
  const isOwned = domain !== undefined && registrableDomain(domain.replace(/:\d+$/u, '')) !== undefined;
  return /^[!-~]+$/u.test(template) && (!authority.includes('{') || isWhole || isOwned);
}

function placeOf(template: string, url: URL): string {
  const authority = authorityOf(template);
  return authority.includes('{') ? authority : displayPlace(url);
}

function describeBlank(name: string, input: PublishedInput | undefined): Blank {
  const { description = '', default: byDefault, choices = [], isSecret = false } = input ?? {};
  const what = displayText(description, registryEntry.text);
  const usual = displayText(byDefault ?? '', displayNameLength);
  const offered = choices
    .slice(0, registryEntry.choices)
    .flatMap((choice) => (typeof choice === 'string' ? displayText(choice, displayNameLength) : []))
    .filter((choice, index, all) => choice !== '' && all.indexOf(choice) === index);
  return {
    name,
    ...(what && { what }),
    ...(usual && { usual }),
    ...(offered.length > 0 && { choices: offered }),
    isSecret,
  };
}

function requiredHeaders({ headers }: PublishedRemote): RegistryRemote['headers'] {
  return headers.slice(0, registryEntry.headers).flatMap((each) => {
    const { name = '', description = '', isRequired } = readInput(each) ?? {};
    if (isRequired !== true || !/^[\w!#$%&'*+.^`|~-]{1,128}$/u.test(name)) return [];
    const what = displayText(description, registryEntry.text);
    return [{ name, ...(what && { what }) }];
  });
}

/** A name `com.example/x` was given only to who holds example.com; that says nothing of any other domain. */
function isAtDomainOf(name: string, url: URL): boolean {
  const [reversed = ''] = name.split('/');
  const domain = registrableDomain(reversed.split('.').toReversed().join('.'));
  return domain !== undefined && domain === registrableDomain(url.hostname);
}
