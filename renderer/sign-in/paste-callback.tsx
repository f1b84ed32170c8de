import type { FormEvent } from 'react';
import type { IpcOutput } from '../../shared/ipc-contract.ts';
import { ErrorNotice } from '../errors/error-notice.tsx';
import { Button } from '../parts/button.tsx';
import { Field } from '../parts/field.tsx';
import { TextInput } from '../parts/text-input.tsx';
import { postern } from '../postern.ts';
import { useCall } from '../use-call.ts';
import { forget, useKept } from '../use-kept.ts';
import { words } from '../words.ts';

const place = 'callback';
const nothing = { address: '' };

/** For a browser that cannot reach this computer: the address that it ended on does as well. */
export function PasteCallback({ id }: { readonly id: string }) {
  const [{ address }, keep] = useKept(id, place, nothing);
  const call = useCall<IpcOutput<'connection:submitCallback'>>();
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    // It holds the authorization code, so it does not stay in the page.
    forget(id, place);
    void call.run(() => postern.connection.submitCallback({ id, address: address.trim() }));
  };
  const verdict = call.value?.verdict;
  return (
    <form className="stack-tight" onSubmit={submit}>
      <Field
        label={words.signIn.pasteLabel}
        hint={words.signIn.pasteText}
        error={verdict === undefined || verdict === 'done' ? undefined : words.signIn.pasteVerdict[verdict]}
      >
        {(control) => (
          <div className="row nowrap">
            <TextInput
              {...control}
              maxLength={16_384}
              value={address}
              placeholder="http://127.0.0.1/…"
              onChange={(event) => keep({ address: event.target.value })}
            />
            <Button type="submit" busy={call.busy} disabled={address.trim() === ''}>
              {words.signIn.pasteButton}
            </Button>
          </div>
        )}
      </Field>
      {verdict === 'done' && <p role="status">{words.signIn.pasteVerdict.done}</p>}
      {call.error && <ErrorNotice error={call.error} />}
    </form>
  );
}
