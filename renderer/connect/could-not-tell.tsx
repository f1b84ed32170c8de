import { useState } from 'react';
import type { FormEvent } from 'react';
import type { ConnectionView } from '../../shared/connection-view.ts';
import { ErrorNotice } from '../errors/error-notice.tsx';
import { Button } from '../parts/button.tsx';
import { Field } from '../parts/field.tsx';
import { TextInput } from '../parts/text-input.tsx';
import { postern } from '../postern.ts';
import { useCall } from '../use-call.ts';
import { words } from '../words.ts';

/** A server that wants a sign-in and publishes nothing: the addresses of older servers, or a key. */
export function CouldNotTell({ connection }: { readonly connection: ConnectionView }) {
  const { id, url, options } = connection;
  const legacy = useCall<{ id: string }>();
  return (
    <div className="ways">
      <section className="way">
        <h2>{words.connect.legacyTitle}</h2>
        <p className="soft">{words.connect.legacyText}</p>
        {legacy.error && <ErrorNotice error={legacy.error} />}
        <Button
          busy={legacy.busy}
          onClick={() =>
            void legacy.run(() =>
              postern.connection.discover({ id, url, options: { ...options, legacyEndpoints: true } }),
            )
          }
        >
          {words.connect.legacyButton}
        </Button>
      </section>
      <KeyForm connection={connection} />
    </div>
  );
}

function KeyForm({ connection: { id } }: { readonly connection: ConnectionView }) {
  const [name, setName] = useState('Authorization');
  const [value, setValue] = useState('');
  const call = useCall<null>();
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const header = { name: name.trim(), value };
    // The key is main's from here on.
    setValue('');
    void call.run(() => postern.connection.start({ id, header }));
  };
  return (
    <section className="way">
      <h2>{words.connect.keyTitle}</h2>
      <p className="soft">{words.connect.keyText}</p>
      <form className="stack" onSubmit={submit}>
        <Field label={words.connect.keyName}>
          {(control) => (
            <TextInput
              {...control}
              mono
              required
              maxLength={128}
              value={name}
              onChange={(event) => setName(event.target.value)}
            />
          )}
        </Field>
        <Field label={words.connect.keyValue} hint={words.connect.keyValueHint}>
          {(control) => (
            <TextInput
              {...control}
              type="password"
              mono
              required
              maxLength={8_192}
              value={value}
              onChange={(event) => setValue(event.target.value)}
            />
          )}
        </Field>
        {call.error && <ErrorNotice error={call.error} />}
        <Button type="submit" busy={call.busy} disabled={value === '' || name.trim() === ''}>
          {words.connect.keyStart}
        </Button>
      </form>
    </section>
  );
}
