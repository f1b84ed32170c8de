import { useId, useState } from 'react';
import type { FormEvent } from 'react';
import type { PlainError } from '../../shared/error-codes.ts';
import type { IntegrationStatus, IntegrationView } from '../../shared/integration-view.ts';
import type { IpcResult } from '../../shared/ipc-contract.ts';
import { ErrorNotice } from '../errors/error-notice.tsx';
import { wantsKey } from '../integrations/server-icon.tsx';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Field, TextInput } from '../parts/field.tsx';
import { postern, useCall } from '../postern.ts';
import { forget, useKept } from '../use-kept.ts';
import { flash, show } from '../view.ts';
import { words } from '../words.ts';

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
function awaitsRenewal({ name, retryAt, error }: IntegrationStatus): boolean {
  return name === 'offline' && (retryAt !== undefined || error?.remedy.kind === 'await-renewal');
}

/** Where a renewal waits for its next try, that; else the server is asked, which needs no sign-in that could be renewed. */
function tryNow({ id, status }: IntegrationView): Promise<IpcResult<unknown>> {
  return awaitsRenewal(status) ? postern.integration.refresh({ id }) : postern.integration.tools({ id });
}

interface ReplaceKeyProps {
  readonly integration: IntegrationView;
  readonly kind?: 'plain' | 'primary';
}

const noKey = { value: '' };

/** Another API key for a server that is used with one. What was typed stays until the server takes it, or the person cancels. */
export function ReplaceKey({ integration, kind = 'plain' }: ReplaceKeyProps) {
  const { id, url, options } = integration;
  const [isOpen, setOpen] = useState(false);
  const place = `key for ${url}`;
  const [{ value }, keep] = useKept(id, place, noKey);
  const call = useCall<null>();
  const formId = useId();
  const close = (): void => {
    setOpen(false);
    call.clear();
  };
  const cancel = (): void => {
    forget(id, place);
    close();
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    void call
      .run(() => postern.integration.replaceKey({ id, value }))
      .then((done) => {
        if (done === undefined) return;
        forget(id, place);
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
          <ErrorNotice error={call.error} actions={{ storage: () => show({ name: 'settings', section: 'storage' }) }} />
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
                onChange={(event) => keep({ value: event.target.value })}
              />
            )}
          </Field>
        </form>
      </Dialog>
    </>
  );
}
