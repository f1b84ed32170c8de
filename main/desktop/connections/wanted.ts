import type { IntegrationOptions } from '../../../shared/integration.ts';
import type { Inspection } from '../../integration/connect/inspect-server.ts';
import type { Secret } from '../../secret.ts';
import type { KeyHeader } from './key-header.ts';

/** What a person has chosen for a connection so far; the next attempt starts from it. Replaced whole. */
export interface Wanted {
  /** The integration that is signed in again, or that came of it. */
  readonly integrationId?: string | undefined;
  /** As typed until it has been understood, then in canonical form. */
  readonly url: string;
  readonly name: string;
  readonly options: IntegrationOptions;
  /** The verdict that they were shown; none holds once other choices would lead elsewhere. */
  readonly inspection?: Inspection | undefined;
  /** Typed, or from an imported list. */
  readonly header?: KeyHeader | undefined;
  /** Of the last attempt, so that it need not be typed again at the service that it was typed for. */
  readonly typedSecret?:
    { readonly clientId: string; readonly secret: Secret; readonly issuer: string | undefined } | undefined;
}
