import type { TracePurpose } from '../../../shared/trace.ts';

/** What the rule of a request is chosen by. */
export interface RuleSubject {
  readonly purpose: TracePurpose;
  readonly url: string;
  readonly status: number | undefined;
  /** Whether the answer carries a challenge for a token, and which metadata address it names. */
  readonly challenge: { readonly resourceMetadata?: string } | undefined;
  /** A challenge in the same trace names this address as that of its metadata. */
  readonly isNamed: boolean;
  /** Of an MCP request. */
  readonly rpcMethod: string | undefined;
}

export interface TraceRule {
  readonly rule: string;
  readonly clause: string;
}

type Judged = 'probe' | 'protected-resource-metadata' | 'authorization-server-metadata' | 'mcp';

const fixedRules: Readonly<Record<Exclude<TracePurpose, Judged>, TraceRule>> = {
  registration: { rule: 'Client registration', clause: 'RFC 7591 3.1' },
  'device-authorization': { rule: 'Device authorization request', clause: 'RFC 8628 3.1' },
  'pushed-request': { rule: 'Pushed authorization request', clause: 'RFC 9126 2.1' },
  authorization: { rule: 'Authorization request, answered at the callback', clause: 'RFC 6749 4.1.1, RFC 9207' },
  token: { rule: 'Code for tokens', clause: 'RFC 6749 4.1.3, RFC 7636 4.5' },
  refresh: { rule: 'New tokens by refresh token', clause: 'RFC 6749 6' },
  revocation: { rule: 'Token revocation', clause: 'RFC 7009 2.1' },
  'registration-update': { rule: 'Update of the registration', clause: 'RFC 7592 2.2' },
  'registration-deletion': { rule: 'Deletion of the registration', clause: 'RFC 7592 2.3' },
  icon: { rule: 'Picture of the server', clause: 'MCP 2025-11-25, icons' },
  registry: { rule: 'Search of the MCP registry', clause: 'MCP registry API v0.1' },
};

/** The rule that judges the answer to a request, and where it is written. */
export function ruleOf(subject: RuleSubject): TraceRule {
  switch (subject.purpose) {
    case 'probe':
      return probeRule(subject);
    case 'protected-resource-metadata':
      return resourceMetadataRule(subject);
    case 'authorization-server-metadata':
      return serverMetadataRule(subject);
    case 'mcp':
      return { rule: `MCP ${subject.rpcMethod ?? 'stream'}`, clause: 'MCP streamable HTTP, RFC 6750 2.1' };
    default:
      return fixedRules[subject.purpose];
  }
}

function probeRule({ status, challenge }: RuleSubject): TraceRule {
  if (challenge?.resourceMetadata !== undefined) {
    return { rule: 'Sign-in needed: the challenge names the metadata', clause: 'RFC 9728 5.1' };
  }
  if (status === 401 || challenge) {
    return { rule: 'Sign-in needed, without an address: the well-known forms', clause: 'RFC 9728 3.1' };
  }
  return { rule: 'No challenge: the well-known forms say whether there is a sign-in', clause: 'RFC 9728 3.1' };
}

function resourceMetadataRule({ url, isNamed }: RuleSubject): TraceRule {
  if (isNamed) return { rule: 'PRM, named by the challenge', clause: 'RFC 9728 5.1' };
  const isRoot = URL.parse(url)?.pathname === '/.well-known/oauth-protected-resource';
  return { rule: isRoot ? 'PRM, root form' : 'PRM, path form', clause: 'RFC 9728 3.1' };
}

function serverMetadataRule({ url }: RuleSubject): TraceRule {
  const path = URL.parse(url)?.pathname ?? '';
  if (path.startsWith('/.well-known/oauth-authorization-server')) return { rule: 'ASM', clause: 'RFC 8414 3.1' };
  if (path.startsWith('/.well-known/openid-configuration/')) {
    return { rule: 'ASM, OpenID form with the path inserted', clause: 'RFC 8414 5' };
  }
  const form = path === '/.well-known/openid-configuration' ? 'OpenID form' : 'OpenID form with the path in front';
  return { rule: `ASM, ${form}`, clause: 'OpenID Connect Discovery 1.0 4' };
}
