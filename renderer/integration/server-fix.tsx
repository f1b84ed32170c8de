import { useId, useState } from 'react';
import type { FormEvent } from 'react';
import type { PlainError } from '../../shared/error-codes.ts';
import { isSameError } from '../../shared/error-traits.ts';
import type { IntegrationStatus, IntegrationView } from '../../shared/integration-view.ts';
import type { IpcResult } from '../../shared/ipc-contract.ts';
import { ErrorNotice } from '../errors/error-notice.tsx';
import { needsKey } from '../integrations/server-icon.tsx';
import { Button } from '../components/button.tsx';
import { Dialog } from '../components/dialog.tsx';
import { Field, TextInput } from '../components/field.tsx';
import { Working } from '../components/notice.tsx';
import { postern, useCall } from '../postern.ts';
import { forget, useRetainedState } from '../use-retained-state.ts';
import { flash, show } from '../view.ts';
import { words } from '../words.ts';

interface ServerFix {
  readonly begin: () => void;
  /** Forces a new sign-in instead of a refresh. */
  readonly signIn: () => void;
  readonly busy: boolean;
  readonly error: PlainError | undefined;
}

/** The one action that makes a server ready again. `onSignIn`: a sign-in has started. */
export function useServerFix(integration: IntegrationView, onSignIn?: () => void): ServerFix {
  const { id, status } = integration;
  const call = useCall<unknown>();
  const signIn = (): void =>
    void call.run(() => postern.integration.signInAgain({ id })).then((begun) => begun !== undefined && onSignIn?.());
  const begin = (): void => {
    if (status.name === 'storageProblem') return show({ name: 'settings', target: 'keychain' });
    if (needsStart(integration)) return void call.run(() => postern.local.start({ id }));
    if (isRetryable(status)) return void call.run(() => retryNow(integration));
    signIn();
  };
  return { begin, signIn, busy: call.busy, error: call.error };
}

interface ServerFixButtonProps {
  readonly integration: IntegrationView;
  readonly fix: ServerFix;
}

/** `isPrimary`: it is what most people want next on the page. */
export function ServerFixButton({
  integration,
  fix,
  isPrimary = false,
}: ServerFixButtonProps & { readonly isPrimary?: boolean }) {
  const { status } = integration;
  const kind = isPrimary && !isRetryable(status) ? 'primary' : 'plain';
  if (needsKey(integration)) return <ReplaceKey integration={integration} kind={kind} />;
  return (
    <>
      <Button kind={kind} busy={fix.busy} onClick={fix.begin}>
        {words.integration.action[needsStart(integration) && isRetryable(status) ? 'stopped' : status.name]}
      </Button>
      {fix.busy && status.name === 'notAllowed' && <Working>{words.local.awaitsAnswer}</Working>}
      {awaitsRenewal(status) && (
        <Button aria-disabled={fix.busy} onClick={fix.busy ? undefined : fix.signIn}>
          {words.integration.action.signInAgain}
        </Button>
      )}
    </>
  );
}

/** The fix's own error, unless the server's status already shows it. */
export function ServerFixError({ integration, fix: { error } }: ServerFixButtonProps) {
  if (!error || isSameError(error, integration.status.error)) return null;
  return (
    <p className="field-error" role="alert">
      {words.errors.message(error)} {words.errors.nextStep(error.remedy)}
    </p>
  );
}

/** Trying again may be enough; the user cannot do anything first. */
function isRetryable({ name }: IntegrationStatus): boolean {
  return name === 'offline' || name === 'failing';
}

/** A command that does not start without the user. */
function needsStart({ status: { name, error } }: IntegrationView): boolean {
  return name === 'notAllowed' || name === 'stopped' || error?.remedy.kind === 'start-server';
}

/** Its token could not be refreshed; Postern retries on its own. */
function awaitsRenewal({ name, retryAt, error }: IntegrationStatus): boolean {
  return name === 'offline' && (retryAt !== undefined || error?.remedy.kind === 'await-renewal');
}

/** Retries a pending refresh now; otherwise just calls the server, which may have no sign-in to refresh. */
function retryNow({ id, status }: IntegrationView): Promise<IpcResult<unknown>> {
  return awaitsRenewal(status) ? postern.integration.refresh({ id }) : postern.integration.tools({ id });
}

interface ReplaceKeyProps {
  readonly integration: IntegrationView;
  readonly kind?: 'plain' | 'primary';
}

const noKey = { value: '' };

/** Replaces the API key of a server. The input stays until the server accepts it or the user cancels. */
export function ReplaceKey({ integration, kind = 'plain' }: ReplaceKeyProps) {
  const { id, url, options } = integration;
  const [isOpen, setOpen] = useState(false);
  const stateKey = `key for ${url}`;
  const [{ value }, setDraft] = useRetainedState(id, stateKey, noKey);
  const call = useCall<null>();
  const formId = useId();
  const close = (): void => {
    setOpen(false);
    call.clear();
  };
  const cancel = (): void => {
    forget(id, stateKey);
    close();
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    void call
      .run(() => postern.integration.replaceKey({ id, value }))
      .then((done) => {
        if (done === undefined) return;
        forget(id, stateKey);
        close();
        flash(() => [words.account.keyReplaced]);
      });
  };
  return (
    <>
      <Button kind={kind} onClick={() => setOpen(true)}>
        {words.account.replaceKey}
      </Button>
      <Dialog
        open={isOpen}
        title={words.account.replaceKeyTitle}
        description={words.account.replaceKeyText}
        onClose={close}
        footer={
          <>
            <Button onClick={cancel}>{words.common.cancel}</Button>
            <Button kind="primary" type="submit" form={formId} busy={call.busy} disabled={value.trim() === ''}>
              {words.account.replaceKeyButton}
            </Button>
          </>
        }
      >
        {call.error && (
          <ErrorNotice error={call.error} actions={{ storage: () => show({ name: 'settings', target: 'keychain' }) }} />
        )}
        <form id={formId} className="stack" onSubmit={submit}>
          <p className="soft">
            {words.account.keyFor} <span className="address">{url}</span>
          </p>
          <Field label={words.account.newKey(options.headerName ?? '')} hint={words.connect.keyValueHint}>
            {(control) => (
              <TextInput
                {...control}
                type="password"
                mono
                required
                maxLength={8_192}
                autoComplete="new-password"
                value={value}
                onChange={(event) => setDraft({ value: event.target.value })}
              />
            )}
          </Field>
        </form>
      </Dialog>
    </>
  );
}
