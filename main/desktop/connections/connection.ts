import { randomUUID } from 'node:crypto';
import type { ConnectionView } from '../../../shared/connection-view.ts';
import type { PlainError } from '../../../shared/error-codes.ts';
import type { FlowState } from '../../../shared/flow-state.ts';
import type { IntegrationOptions } from '../../../shared/integration.ts';
import type { Inspection } from '../../integration/connect/inspect-server.ts';
import type {
  CredentialsRequest,
  HostsRequest,
  PendingAuthorization,
  TypedCredentials,
} from '../../integration/sign-in/sign-in-interaction.ts';
import type { Trace } from '../../integration/trace/trace.ts';
import type { Discovery } from '../../oauth/discovery.ts';
import type { DiscoveryStep } from '../../oauth/discovery-context.ts';
import type { Secret } from '../../secret.ts';
import type { SignInPopup } from '../../window-ports.ts';
import type { KeyHeader } from './key-header.ts';

/** A sign-in page that waits for its callback, and where it is shown. */
export interface OpenSignIn {
  readonly authorization: PendingAuthorization;
  surface: 'popup' | 'browser';
  host: string;
  opened: boolean;
  /** The page wanted to lead away from the web, last. */
  blocked: boolean;
  popup: SignInPopup | undefined;
}

/** Somebody waits for the person: the credential dialog, the end of an install. */
export interface Question<Asked, Answer> {
  readonly asked: Asked;
  readonly answer: (answer: Answer) => void;
}

export interface InstallAnswer {
  readonly surface: string;
  readonly name?: string | undefined;
}

/** One discovery or sign-in that the window shows, from the typed address to its end. Main's memory alone. */
export interface Connection {
  readonly id: string;
  readonly kind: ConnectionView['kind'];
  /** The window that started it. */
  readonly surface: string;
  integrationId: string | undefined;
  url: string;
  name: string;
  options: IntegrationOptions;
  state: FlowState;
  steps: readonly DiscoveryStep[];
  inspection: Inspection | undefined;
  discovery: Discovery | undefined;
  /** The service that was shown when the sign-in began: what was typed for it goes to no later one. */
  firstIssuer: string | undefined;
  credentials: Question<CredentialsRequest, TypedCredentials | 'try-again'> | undefined;
  /** Of the last attempt, so that it need not be typed again at the service that it was typed for. */
  typedSecret: { readonly clientId: string; readonly secret: Secret; readonly issuer: string | undefined } | undefined;
  /** Typed, or from an imported list. */
  header: KeyHeader | undefined;
  /** Hosts of several owners, asked about on the way. */
  hosts: Question<HostsRequest, boolean> | undefined;
  signIn: OpenSignIn | undefined;
  install: Question<string, InstallAnswer> | undefined;
  error: PlainError | undefined;
  trace: Trace | undefined;
  /** Ends what is under way. */
  abort: AbortController;
  /** Settles when it is over; never rejects. */
  running: Promise<void> | undefined;
  /** Starts it again as it was started last. */
  again: (() => void) | undefined;
}

export function createConnection(
  start: Pick<Connection, 'kind' | 'surface' | 'url' | 'name' | 'options'> & { readonly integrationId?: string },
): Connection {
  return {
    id: randomUUID(),
    integrationId: undefined,
    ...start,
    state: { name: 'urlEntered' },
    steps: [],
    inspection: undefined,
    discovery: undefined,
    firstIssuer: undefined,
    credentials: undefined,
    typedSecret: undefined,
    header: undefined,
    hosts: undefined,
    signIn: undefined,
    install: undefined,
    error: undefined,
    trace: undefined,
    abort: new AbortController(),
    running: undefined,
    again: undefined,
  };
}

/** Whether something goes on that only one of may go on for an integration. */
export function isRunning({ running }: Connection): boolean {
  return running !== undefined;
}
