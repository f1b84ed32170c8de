import { advise, fixDocument, hostOr, errorEntry } from './catalog-entry.ts';
import type { Causes, Detail } from './catalog-entry.ts';

/** The remedy when only the scheme is missing. */
export const putHttpsInFront = advise('correct-address', 'putHttpsInFront');

const memberOf = ({ member }: Detail<'member'>): string => (member === undefined ? '' : ` (${member})`);

/** For an address from a document, names the member; the user typed none of it. */
const published =
  <D extends Detail<'member' | 'publisher'>>(what: string, typed: (detail: D) => string) =>
  (detail: D): string =>
    detail.member === undefined
      ? typed(detail)
      : `${detail.publisher ?? 'The server'} publishes ${what} in its sign-in information${memberOf(detail)}.`;

export const addressErrors = {
  URL_INVALID: errorEntry<'part' | 'member' | 'publisher', { readonly reason: 'no-scheme' }>({
    blame: 'input',
    traits: ['not-an-address'],
    message: published('an invalid address', (detail) =>
      detail.reason === 'no-scheme'
        ? 'The address does not start with https://.'
        : detail.part !== undefined
          ? `This address contains a placeholder: ${detail.part}.`
          : 'This is not a valid web address.',
    ),
    remedy: advise('correct-address', 'copyAddressAgain'),
    otherwise: fixDocument,
    retryable: false,
  }),
  URL_SCHEME: errorEntry<'host' | 'member' | 'publisher', { readonly reason: 'not-web' }>({
    blame: 'input',
    traits: ['not-an-address'],
    message: (detail) =>
      detail.reason === 'not-web'
        ? published('an address that is not a web address', () => 'Postern can only use web addresses.')(detail)
        : published(
            'an unencrypted address',
            () => `The connection to ${hostOr(detail, 'this server')} would not be encrypted.`,
          )(detail),
    remedy: advise('correct-address', 'useHttpsAddress'),
    otherwise: fixDocument,
    retryable: false,
  }),
  URL_USERINFO: errorEntry<'member' | 'publisher'>({
    blame: 'input',
    traits: ['not-an-address'],
    message: published(
      'an address with a user name or password',
      () => 'The address contains a user name or password.',
    ),
    remedy: advise('correct-address', 'removeUserinfo'),
    otherwise: fixDocument,
    retryable: false,
  }),
  URL_FRAGMENT: errorEntry<'member' | 'publisher'>({
    blame: 'input',
    traits: ['not-an-address'],
    message: published(
      'an address with a # or ? part that does not belong there',
      () => 'The address contains a # part, which does not belong in a server address.',
    ),
    remedy: advise('correct-address', 'removeFragment'),
    otherwise: fixDocument,
    retryable: false,
  }),
  URL_TOO_LONG: errorEntry<'member' | 'publisher'>({
    blame: 'input',
    traits: ['not-an-address'],
    message: published('an address that is too long', () => 'The address is too long.'),
    remedy: advise('correct-address', 'pasteAddressAlone'),
    otherwise: fixDocument,
    retryable: false,
  }),
  URL_PORT: errorEntry<'host' | 'member' | 'publisher'>({
    blame: 'input',
    traits: ['not-an-address'],
    message: published(
      'an address with a port that is not used for web traffic',
      (detail) => `The address of ${hostOr(detail, 'the server')} uses a port that is not for web traffic.`,
    ),
    remedy: advise('correct-address', 'checkPortNumber'),
    otherwise: fixDocument,
    retryable: false,
  }),
  URL_COMMAND: errorEntry<'address', { readonly kind: 'local' | 'bridge' | 'configuration' }>({
    blame: 'input',
    traits: ['not-an-address'],
    message: (detail) => {
      if (detail.kind === 'local') return 'This is not an address but a command that starts a server on this computer.';
      const whose = detail.address === undefined ? '' : ` of the server at ${detail.address}`;
      return detail.kind === 'bridge'
        ? `This starts a bridge to the server at ${detail.address}, which Postern can reach directly.`
        : `This is part of a configuration${whose}, not an address.`;
    },
    remedy: { kind: 'give-address', starts: false, local: false },
    retryable: false,
  }),
  URL_DOWNGRADE: errorEntry<'publisher' | 'host' | 'member'>({
    blame: 'document',
    message: (detail) =>
      `${detail.publisher ?? 'The server'} points to an unencrypted address${detail.host ? ` at ${detail.host}` : ''}${memberOf(detail)}. Postern did not use it.`,
    remedy: advise('contact-owner', 'tellOwnerNeedsHttps'),
    retryable: false,
  }),
  HOST_BLOCKED: errorEntry<'publisher' | 'host' | 'member', { readonly reason: 'inside' | 'other-host' }>({
    blame: 'document',
    traits: ['forbidden-host'],
    message: (detail) => {
      const host = hostOr(detail, 'That host');
      switch (detail.reason) {
        case 'inside':
          return `${host} is on your computer or internal network, which is not allowed for this server.`;
        case 'other-host':
          return `The server points to ${host}, another host on your internal network.`;
        default:
          return detail.publisher === undefined
            ? `${host} is a protected address. Postern did not contact it.`
            : `${detail.publisher} points to ${host}${memberOf(detail)}, a protected address. Postern did not contact it.`;
      }
    },
    remedy: fixDocument,
    otherwise: advise('correct-address', 'addressNeverAllowed'),
    retryable: false,
  }),
  HOST_CONFUSABLE: errorEntry<'host'>({
    blame: 'input',
    message: (detail) =>
      `${detail.host ? `The address ${detail.host}` : 'This address'} contains letters that look like others, so it may imitate another address.`,
    remedy: advise('correct-address', 'typeItYourself'),
    otherwise: fixDocument,
    retryable: false,
  }),
  HOST_NOT_AGREED: errorEntry<'host' | 'hosts'>({
    blame: 'nobody',
    message: (detail) =>
      `The sign-in of ${hostOr(detail, 'this server')} uses ${detail.hosts?.join(' and ') || 'another host'}, which you have not allowed. Postern opened no sign-in page.`,
    remedy: { kind: 'agree-to-hosts', hosts: [] },
    retryable: false,
  }),
};

/** Only for docs/errors.md. */
export const addressErrorCauses: Causes<typeof addressErrors> = {
  URL_INVALID: 'A typing error, a missing `https://`, or a placeholder such as `{tenant}`.',
  URL_SCHEME: 'The address starts with `http://`, or is not a web address.',
  URL_USERINFO: 'The address contains a key or password before the @ sign.',
  URL_FRAGMENT: 'The address was copied from a page of the documentation.',
  URL_TOO_LONG: 'More than the address was pasted.',
  URL_PORT: 'A typing error in the port.',
  URL_COMMAND: 'A command or a part of a configuration was given where only an address is possible.',
  URL_DOWNGRADE: 'A misconfigured server, often behind a proxy.',
  HOST_BLOCKED: 'The server publishes an internal or reserved address, or redirects to one.',
  HOST_CONFUSABLE: 'A link from an untrusted source, or an international domain name.',
  HOST_NOT_AGREED: 'The server uses a sign-in service with another owner, which is normal for many companies.',
};
