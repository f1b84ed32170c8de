import { useEffect, useRef } from 'react';
import type { FormEvent } from 'react';
import type { ConnectionView } from '../../shared/connection-view.ts';
import { ErrorNotice } from '../errors/error-notice.tsx';
import { Button } from '../parts/button.tsx';
import { RadioChoice } from '../parts/radio-choice.tsx';
import { postern } from '../postern.ts';
import { useSnapshots } from '../store.ts';
import { useCall } from '../use-call.ts';
import { useKept } from '../use-kept.ts';
import { words } from '../words.ts';
import type { Given } from './ways-round.ts';

interface WithoutPersonFormProps {
  readonly connection: ConnectionView;
  readonly given?: Given;
}

/** Who gets the access: the program itself, or else whom the provider with this id says. */
const program = 'program';
const ofProgram: { readonly who: string } = { who: program };

/** Access for which no sign-in page opens. The app that it needs is asked for next. */
export function WithoutPersonForm({ connection, given = {} }: WithoutPersonFormProps) {
  const { id, url } = connection;
  const integrations = useSnapshots((state) => state.integrations) ?? [];
  const providers = integrations.filter(({ options }) => options.isIdentityProvider === true);
  const [{ who }, keep] = useKept(id, `who gets the access to ${url}`, ofProgram);
  const chosen = providers.some((provider) => provider.id === who) ? who : program;
  const form = useRef<HTMLFormElement>(null);
  // It opens below the button, where it may be out of sight.
  useEffect(() => form.current?.querySelector<HTMLElement>('input:checked')?.focus(), []);
  const call = useCall<null>();
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const grant =
      chosen === program
        ? ({ grant: 'client-credentials' } as const)
        : ({ grant: 'enterprise', identityProvider: chosen } as const);
    const options = { ...given.options, ...grant };
    void call.run(() => postern.connection.start({ id, ...given, options, ownApp: true }));
  };
  const { title, text, label, choices, providers: ofCompany, file, fileCommand } = words.connect.withoutPerson;
  return (
    <section className="way">
      <h2>{title}</h2>
      <p className="soft">{text}</p>
      <form className="stack" ref={form} onSubmit={submit}>
        <RadioChoice
          label={label}
          value={chosen}
          options={[
            { value: program, label: choices.program, hint: choices.programHint },
            ...providers.map(({ id: value, name }) => ({
              value,
              label: choices.provider(name),
              hint: choices.providerHint,
            })),
          ]}
          onChoose={(value) => keep({ who: value })}
        />
        {providers.length === 0 && <p className="soft small">{ofCompany}</p>}
        <p className="soft small">
          {file} <code>{fileCommand(url)}</code>
        </p>
        {call.error && <ErrorNotice error={call.error} />}
        <Button type="submit" busy={call.busy}>
          {words.connect.start.needsApp}
        </Button>
      </form>
    </section>
  );
}
