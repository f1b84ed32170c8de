import type { ErrorCode } from '../error-codes.ts';
import { hostOr } from './catalogue-entry.ts';
import { connectStep } from './connect-step.ts';
import type { CatalogueDetail, CatalogueEntry } from './catalogue-entry.ts';

const schemeNextStep = (detail: CatalogueDetail): string => {
  switch (detail['remedy']) {
    case 'local':
      return 'Use the address with https://. If the server runs on this computer, connect it with --local.';
    case 'allow-http':
      return 'Use https. If you accept an unencrypted connection inside your own network, connect it with --allow-http.';
    default:
      return 'Use the address with https:// in front.';
  }
};

const blockedNextStep = (detail: CatalogueDetail): string => {
  switch (detail['remedy']) {
    case 'local':
      return 'If this server runs on your computer or internal network and you trust it, connect it with --local.';
    case 'allow-host':
      return `If you know and trust that host, connect the server with --allow-host ${hostOr(detail, 'HOST')}.`;
    default:
      return 'Check the address. This kind of address is never allowed.';
  }
};

const listHosts = (detail: CatalogueDetail): readonly string[] => String(detail['hosts'] ?? 'another host').split(' ');

export const addressErrors = {
  URL_INVALID: {
    message: (detail) =>
      detail['remedy'] === 'https' ? 'The address does not begin with https://.' : 'This is not a usable web address.',
    nextStep: (detail) =>
      detail['remedy'] === 'https'
        ? 'Put https:// in front of it.'
        : 'Copy the address of the MCP server again; it looks like https://example.com/mcp.',
    retryable: false,
  },
  URL_SCHEME: {
    message: (detail) =>
      detail['remedy'] === 'https'
        ? 'Only web addresses can be used here.'
        : `The connection to ${hostOr(detail, 'this server')} would not be encrypted.`,
    nextStep: schemeNextStep,
    retryable: false,
  },
  URL_USERINFO: {
    message: 'The address contains a user name or a password.',
    nextStep: 'Remove the part before the @ sign. Postern signs in another way.',
    retryable: false,
  },
  URL_FRAGMENT: {
    message: 'The address contains a # part, which does not belong in a server address.',
    nextStep: 'Remove the # and what follows it.',
    retryable: false,
  },
  URL_TOO_LONG: {
    message: 'The address is too long.',
    nextStep: 'Check that only the server address was pasted; 2,048 characters are the most.',
    retryable: false,
  },
  URL_PORT: {
    message: (detail) =>
      `The address of ${hostOr(detail, 'the server')} names a port that is not used for web traffic.`,
    nextStep: 'Check the number after the colon in the address.',
    retryable: false,
  },
  URL_COMMAND: {
    message: (detail) => {
      if (detail['kind'] === 'local') return 'That starts a server on this computer, which Postern does not do yet.';
      const whose = detail['address'] === undefined ? '' : ` of the server at ${detail['address']}`;
      return detail['kind'] === 'bridge'
        ? `That starts a bridge to the server at ${detail['address']}, and Postern goes there by itself.`
        : `That is part of a configuration${whose}, not an address.`;
    },
    nextStep: (detail) => {
      if (detail['kind'] === 'local')
        return 'Keep it in the program that runs it, or give the web address of the same service if it has one.';
      return detail['address'] === undefined
        ? 'Give the address of one server alone. The window takes a whole mcp.json.'
        : `Give that address alone: \`postern connect ${detail['address']}${detail['local'] === 1 ? ' --local' : ''}\`.`;
    },
    retryable: false,
  },
  URL_DOWNGRADE: {
    message: (detail) =>
      `The server leads to an unencrypted address${detail['host'] ? ` at ${detail['host']}` : ''}. It was not used.`,
    nextStep: 'Tell the owner of the server; its sign-in addresses must start with https://.',
    retryable: false,
  },
  HOST_BLOCKED: {
    message: (detail) => {
      const host = hostOr(detail, 'That host');
      switch (detail['remedy']) {
        case 'local':
          return `${host} is on your computer or internal network, and that is not allowed for this server.`;
        case 'allow-host':
          return `The server wants to use ${host}, another host on your internal network.`;
        default:
          return `${host} is a protected address. It was not contacted.`;
      }
    },
    nextStep: blockedNextStep,
    retryable: false,
  },
  HOST_CONFUSABLE: {
    message: (detail) =>
      `The address ${hostOr(detail, 'given')} has letters that look like others, and may be mistaken for another one.`,
    nextStep: 'Check it letter by letter, or type it yourself.',
    retryable: false,
  },
  HOST_NOT_AGREED: {
    message: (detail) =>
      `The sign-in of ${hostOr(detail, 'this server')} uses ${listHosts(detail).join(' and ')}, and nobody has agreed to that. No sign-in page was opened for it.`,
    nextStep: (detail) =>
      `If you expected that: ${connectStep(
        detail,
        listHosts(detail)
          .map((host) => `--allow-host ${host}`)
          .join(' '),
      )}.`,
    retryable: false,
  },
} satisfies Partial<Record<ErrorCode, CatalogueEntry>>;
