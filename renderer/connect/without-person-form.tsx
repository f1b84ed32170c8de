import { FileText } from 'lucide-react';
import { useEffect, useId, useRef, useState } from 'react';
import type { FormEvent } from 'react';
import { flushSync } from 'react-dom';
import type { ConnectionView } from '../../shared/connection-view.ts';
import { ErrorNotice } from '../errors/error-notice.tsx';
import { Button } from '../parts/button.tsx';
import { FieldError } from '../parts/field-error.tsx';
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

/** Who gets the access: the program itself, whom a file names, or else whom the provider with this id says. */
const program = 'program';
const byFile = 'file';
const ofProgram: { readonly who: string } = { who: program };

/** Access for which no sign-in page opens. The app that it needs is asked for next. */
export function WithoutPersonForm({ connection, given = {} }: WithoutPersonFormProps) {
  const { id, url, assertionFile } = connection;
  const integrations = useSnapshots((state) => state.integrations) ?? [];
  const providers = integrations.filter(({ options }) => options.isIdentityProvider === true);
  const [{ who }, keep] = useKept(id, `who gets the access to ${url}`, ofProgram);
  const chosen = who === byFile || providers.some((provider) => provider.id === who) ? who : program;
  const fileId = useId();
  const [lacksFile, setLacksFile] = useState(false);
  const choosing = useCall<{ readonly chosen: boolean }>();
  const choose = (): void => void choosing.run(() => postern.connection.chooseAssertionFile({ id }));
  const form = useRef<HTMLFormElement>(null);
  const chooser = useRef<HTMLButtonElement>(null);
  // It opens below the button, where it may be out of sight.
  useEffect(() => form.current?.querySelector<HTMLElement>('input:checked')?.focus(), []);
  const call = useCall<null>();
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const isReady = chosen !== byFile || assertionFile !== undefined;
    flushSync(() => setLacksFile(!isReady));
    if (!isReady) return chooser.current?.focus();
    const grant =
      chosen === program
        ? ({ grant: 'client-credentials' } as const)
        : chosen === byFile
          ? ({ grant: 'jwt-bearer' } as const)
          : ({ grant: 'enterprise', identityProvider: chosen } as const);
    const options = { ...given.options, ...grant };
    void call.run(() => postern.connection.start({ id, ...given, options, ownApp: true }));
  };
  const { title, text, label, choices, providers: ofCompany, file } = words.connect.withoutPerson;
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
            { value: byFile, label: choices.file, hint: choices.fileHint },
          ]}
          onChoose={(value) => keep({ who: value })}
        />
        {chosen === byFile && (
          <div className="stack-tight">
            <div className="row">
              <Button
                ref={chooser}
                icon={FileText}
                busy={choosing.busy}
                aria-describedby={lacksFile ? `${fileId}-error` : fileId}
                onClick={choose}
              >
                {assertionFile === undefined ? file.choose : file.chooseOther}
              </Button>
              <span id={fileId} className="small">
                {assertionFile}
              </span>
            </div>
            {lacksFile && assertionFile === undefined && <FieldError id={`${fileId}-error`}>{file.needed}</FieldError>}
          </div>
        )}
        {choosing.error && <ErrorNotice error={choosing.error} />}
        {providers.length === 0 && <p className="soft small">{ofCompany}</p>}
        {call.error && <ErrorNotice error={call.error} />}
        <Button type="submit" busy={call.busy}>
          {words.connect.start.needsApp}
        </Button>
      </form>
    </section>
  );
}
