import type { FormEvent } from 'react';
import type { ConnectionView } from '../../shared/connection-view.ts';
import { useKnownServer } from '../catalogue/catalogue.ts';
import { OpenPage } from '../catalogue/known-part.tsx';
import { ErrorNotice } from '../errors/error-notice.tsx';
import { Button } from '../parts/button.tsx';
import { Field, TextInput } from '../parts/field.tsx';
import { postern, useCall } from '../postern.ts';
import { forget, useKept } from '../use-kept.ts';
import { words } from '../words.ts';
import type { Given } from './ways-round.ts';

interface KeyFormProps {
  readonly connection: ConnectionView;
  readonly given?: Given;
  readonly autoFocus?: boolean;
}

interface TypedKey {
  readonly name?: string;
  readonly value: string;
}

const noKey: TypedKey = { value: '' };

/** A fixed header instead of a sign-in. */
export function KeyForm({ connection, given = {}, autoFocus = false }: KeyFormProps) {
  const { id, url, keyName } = connection;
  const known = useKnownServer(url);
  const key = known?.key;
  // It is meant for this address, and for no other that is looked at later.
  const place = `key for ${url}`;
  const [typed, keep] = useKept(id, place, noKey);
  const { name = keyName ?? key?.header ?? 'Authorization', value } = typed;
  const call = useCall<null>();
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const scheme = name === key?.header && !value.trim().includes(' ') ? key.scheme : undefined;
    const header = { name: name.trim(), value: scheme === undefined ? value : `${scheme} ${value.trim()}` };
    void call
      .run(() => postern.connection.start({ id, header, ...given }))
      // What main has taken stands here no longer; what it refused does.
      .then((taken) => taken === null && forget(id, place));
  };
  return (
    <section className="way">
      <h2>{words.connect.keyTitle}</h2>
      <p className="soft">{words.connect.keyText}</p>
      {key?.what !== undefined && <p>{words.catalogue.told(key.what)}</p>}
      {known && key?.page !== undefined && (
        <div>
          <OpenPage server={known} page="key" label={words.catalogue.openKey(known.name)} />
        </div>
      )}
      <form className="stack" onSubmit={submit}>
        <Field label={words.connect.keyName}>
          {(control) => (
            <TextInput
              {...control}
              mono
              required
              maxLength={128}
              value={name}
              onChange={(event) => {
                call.clear();
                keep({ ...typed, name: event.target.value });
              }}
            />
          )}
        </Field>
        <Field
          label={words.connect.keyValue}
          hint={key?.scheme === undefined ? words.connect.keyValueHint : words.catalogue.keyScheme(key.scheme)}
        >
          {(control) => (
            <TextInput
              {...control}
              type="password"
              autoFocus={autoFocus}
              mono
              required
              maxLength={8_192}
              value={value}
              onChange={(event) => {
                call.clear();
                keep({ ...typed, value: event.target.value });
              }}
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
