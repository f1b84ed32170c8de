import type { IssuerKey } from '../../../shared/issuer-key.ts';
import type { IntegrationOptions } from '../../../shared/integration.ts';
import type { Discovery } from '../../oauth/discovery/discovery.ts';
import type { Secret } from '../../secret.ts';
import type { OwnApp } from './sign-in-interaction.ts';

export interface SignInRequest {
  readonly integrationId: string;
  readonly options: IntegrationOptions;
  /** Of the server at its checked address. */
  readonly discovery: Discovery;
  readonly typed?: OwnApp | undefined;
  /** With which a person may register programs at the service. */
  readonly registrationToken?: Secret | undefined;
  /** Scopes of the sign-in before: a step-up asks for the union (MCP 2026-07-28). */
  readonly earlierScope?: string | undefined;
  /** Ask for another account, by a choice or a new login. */
  readonly otherAccount?: boolean | undefined;
  /**
   * The account that is wanted, where its name is known; `earlierIssuerKey` is of who gave it, and no other one is
   * told.
   */
  readonly loginHint?: string | undefined;
  /** What the secrets of the sign-in before are keyed by. */
  readonly earlierIssuerKey?: IssuerKey | undefined;
  /** Milliseconds to wait for the callback; the state's ten minutes bound it. */
  readonly timeout?: number | undefined;
}
