import { useId, useState } from 'react';
import type { FormEvent } from 'react';
import type { IntegrationView } from '../../shared/integration-view.ts';
import { ErrorNotice } from '../errors/error-notice.tsx';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Field } from '../parts/field.tsx';
import { TextInput } from '../parts/text-input.tsx';
import { postern } from '../postern.ts';
import { useCall } from '../use-call.ts';
import { forget, useKept } from '../use-kept.ts';
import { flash, show } from '../view.ts';
import { words } from '../words.ts';

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
