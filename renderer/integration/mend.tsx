import type { PlainError } from '../../shared/error-codes.ts';
import type { IntegrationStatus, IntegrationView } from '../../shared/integration-view.ts';
import type { IpcResult } from '../../shared/postern-api.ts';
import { wantsKey } from '../integrations/wants-key.ts';
import { Button } from '../parts/button.tsx';
import { postern } from '../postern.ts';
import { useCall } from '../use-call.ts';
import { show } from '../view.ts';
import { words } from '../words.ts';
import { ReplaceKey } from './replace-key.tsx';

interface Mend {
  readonly begin: () => void;
  /** A new sign-in, which needs no renewal. */
  readonly signIn: () => void;
  readonly busy: boolean;
  readonly error: PlainError | undefined;
}

/** The one step that makes a server ready again. `onSignIn`: a sign-in has begun. */
export function useMend(integration: IntegrationView, onSignIn?: () => void): Mend {
  const { id, status } = integration;
  const call = useCall<unknown>();
  const signIn = (): void =>
    void call.run(() => postern.integration.signInAgain({ id })).then((begun) => begun !== undefined && onSignIn?.());
  const begin = (): void => {
    if (status.name === 'storageProblem') return show({ name: 'settings', section: 'storage' });
    if (isEnded(integration)) return void call.run(() => postern.local.start({ id }));
    if (isTried(status)) return void call.run(() => tryNow(integration));
    signIn();
  };
  return { begin, signIn, busy: call.busy, error: call.error };
}

interface MendButtonProps {
  readonly integration: IntegrationView;
  readonly mend: Mend;
}

/** `isMain`: it is the one thing on its page that most people want next. */
export function MendButton({ integration, mend, isMain = false }: MendButtonProps & { readonly isMain?: boolean }) {
  const { status } = integration;
  const kind = isMain && !isTried(status) ? 'primary' : 'plain';
  if (wantsKey(integration)) return <ReplaceKey integration={integration} kind={kind} />;
  return (
    <>
      <Button kind={kind} busy={mend.busy} onClick={mend.begin}>
        {words.integration.action[isEnded(integration) && isTried(status) ? 'stopped' : status.name]}
      </Button>
      {awaitsRenewal(status) && (
        <Button aria-disabled={mend.busy} onClick={mend.busy ? undefined : mend.signIn}>
          {words.integration.action.signInAgain}
        </Button>
      )}
    </>
  );
}

/** What became of the step, unless the state of the server says the same. */
export function MendError({ integration, mend: { error } }: MendButtonProps) {
  if (!error || error.message === integration.status.error?.message) return null;
  return (
    <p className="field-error" role="alert">
      {words.errors.message(error)} {words.errors.nextStep(error.remedy)}
    </p>
  );
}

/** The same again may be enough: there is nothing that the person could do first. */
function isTried({ name }: IntegrationStatus): boolean {
  return name === 'offline' || name === 'failing';
}

/** A command that nobody starts before the person wants it. */
function isEnded({ status: { name, error } }: IntegrationView): boolean {
  return name === 'notAllowed' || name === 'stopped' || error?.remedy.kind === 'start-server';
}

/** Its access could not be renewed, which Postern tries again by itself. */
export function awaitsRenewal({ name, retryAt, error }: IntegrationStatus): boolean {
  return name === 'offline' && (retryAt !== undefined || error?.remedy.kind === 'await-renewal');
}

/** Where a renewal waits for its next try, that; else the server is asked, which needs no sign-in that could be renewed. */
function tryNow({ id, status }: IntegrationView): Promise<IpcResult<unknown>> {
  return awaitsRenewal(status) ? postern.integration.refresh({ id }) : postern.integration.tools({ id });
}
