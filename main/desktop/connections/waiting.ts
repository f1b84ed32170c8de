import type {
  CredentialsAnswer,
  CredentialsRequest,
  DevicePage,
  HostsRequest,
  PendingAuthorization,
} from '../../integration/sign-in/sign-in-interaction.ts';
import type { PosternError } from '../../postern-error.ts';
import type { SignInPopup } from '../../window-ports.ts';

/** What a sign-in waits for: the one thing that it has asked the person for last. */
export type Waiting =
  | {
      readonly for: 'credentials';
      readonly request: CredentialsRequest;
      readonly answer: (answer: CredentialsAnswer) => void;
    }
  | { readonly for: 'hosts'; readonly request: HostsRequest; readonly answer: (agrees: boolean) => void }
  | { readonly for: 'callback'; readonly authorization: PendingAuthorization; readonly page: SignInPage }
  | { readonly for: 'device'; readonly shown: DevicePage }
  | { readonly for: 'install'; readonly ticketId: string; readonly answer: (answer: InstallAnswer) => void };

/** Where the sign-in page is shown; `host` as it is displayed. */
export type SignInPage =
  | {
      readonly where: 'popup';
      readonly popup: SignInPopup;
      readonly host: string;
      /** NAV_BLOCKED: the page wanted to lead away from the web, last. */
      readonly blocked?: PosternError | undefined;
    }
  /** `opened`: false where no browser could be started; the link stays usable. */
  | { readonly where: 'browser'; readonly host: string; readonly opened: boolean };

export interface InstallAnswer {
  readonly surface: string;
  readonly name?: string | undefined;
}

type WaitingFor<Kind extends Waiting['for']> = Extract<Waiting, { readonly for: Kind }>;

/** What is waited for, if it is of this kind. */
export function waitingFor<Kind extends Waiting['for']>(
  attempt: { readonly waiting: Waiting | undefined } | undefined,
  kind: Kind,
): WaitingFor<Kind> | undefined {
  const waiting = attempt?.waiting;
  return waiting && isFor(waiting, kind) ? waiting : undefined;
}

function isFor<Kind extends Waiting['for']>(waiting: Waiting, kind: Kind): waiting is WaitingFor<Kind> {
  return waiting.for === kind;
}
