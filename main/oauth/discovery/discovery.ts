import type { IssuerKey } from '../../../shared/issuer-key.ts';
import type { CompatibilityNote } from '../../../shared/compatibility-notes.ts';
import type { AuthenticationMethod } from '../../../shared/authentication-method.ts';
import type { ErrorCode } from '../../../shared/error-codes.ts';
import type { WireEra } from '../../../shared/integration.ts';
import type { CheckedAddress } from '../../address/check-address.ts';
import type { Clock, Http } from '../../ports.ts';
import type { PosternError } from '../../postern-error.ts';
import type { TokenChallenge } from '../wire/token-challenge.ts';
import type { DiscoveryContextOptions } from './discovery-context.ts';
import type { IssuerFallback } from '../../issuer-key.ts';
import type { AuthorizationServerMetadata, ProtectedResourceMetadata } from '../wire/messages.ts';
import type { AnswerKind } from './probe-body.ts';

/** Endpoints that a person typed, for a service that publishes none or the wrong ones. */
export interface TypedEndpoints {
  readonly authorization: string;
  readonly token: string;
}

/** All that one discovery learned: the snapshot that a sign-in works with. Plain data, without a secret. */
export interface Discovery {
  /** The server's. */
  readonly url: CheckedAddress;
  readonly method: AuthenticationMethod;
  /** Why there is no authorization server metadata; with `NoAuth` only. */
  readonly reason?: ErrorCode;
  /** The same as an error that can be told. */
  readonly unread?: PosternError;
  readonly probeStatus?: number;
  /** The status with which the server asked for authorization, in answer to the probe or for its tools. */
  readonly refusedStatus?: number;
  /** What kind of thing answered the probe; absent where it only asked for authorization. */
  readonly answer?: AnswerKind;
  /** The wire that the server showed to the probe. */
  readonly era?: WireEra;
  readonly challenge?: TokenChallenge;
  readonly resourceMetadata?: ProtectedResourceMetadata;
  readonly resourceMetadataUrl?: CheckedAddress;
  /** RFC 8707 resource indicator: the published string, verbatim. Absent where nothing is published. */
  readonly resource?: string;
  readonly metadata?: AuthorizationServerMetadata;
  readonly metadataUrl?: CheckedAddress;
  /** The issuer that was asked for. */
  readonly authorizationServer?: string;
  /**
   * What secrets are kept under (`issuerKeyFor`): the issuer that the metadata names, or a typed token endpoint. `iss`
   * is compared with the metadata's own.
   */
  readonly issuerKey?: IssuerKey;
  readonly issuerFallback?: IssuerFallback;
  /** The other authorization servers that the resource names. */
  readonly alternatives: readonly string[];
  /** The default endpoints of MCP 2025-03-26 are used. */
  readonly legacyEndpoints: boolean;
  /** What was tolerated, by name. */
  readonly notes: readonly CompatibilityNote[];
}

export interface DiscoveryPorts {
  readonly http: Http;
  readonly clock: Clock;
}

export interface DiscoveryOptions extends DiscoveryContextOptions {
  /** From a 401 or 403 that came later: takes the place of the probe. */
  readonly challenge?: TokenChallenge | undefined;
  readonly typedCredentials?: boolean | undefined;
  readonly clientMetadataUrl?: string | undefined;
  /** The person wants the default endpoints of MCP 2025-03-26 where nothing is published. */
  readonly legacyEndpoints?: boolean | undefined;
  /** Pinned, or chosen among several; another one is used only when the resource no longer names it. */
  readonly authorizationServer?: string | undefined;
  /** The address is that of an issuer, which signs in for MCP servers elsewhere. */
  readonly isIssuer?: boolean | undefined;
  /** Typed by the person; they take the place of the published ones. */
  readonly endpoints?: TypedEndpoints | undefined;
}
