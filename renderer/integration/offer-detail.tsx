import { ArrowLeft } from 'lucide-react';
import { useState } from 'react';
import type { FormEvent } from 'react';
import { flushSync } from 'react-dom';
import { ErrorNotice } from '../errors/error-notice.tsx';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { FieldError } from '../parts/field-error.tsx';
import { Field } from '../parts/field.tsx';
import { TextInput } from '../parts/text-input.tsx';
import { postern } from '../postern.ts';
import { useCall } from '../use-call.ts';
import { words } from '../words.ts';
import { tryOffer } from './try-offer.ts';
import type { OfferResult } from './try-offer.ts';
import type { Offer } from './offers.ts';
import { readArguments } from './read-arguments.ts';
import type { ArgumentFault } from './read-arguments.ts';
import { ResultView } from './result-view.tsx';
import { SchemaInput } from './schema-input.tsx';

interface OfferDetailProps {
  readonly integrationId: string;
  readonly signedInAt: number | undefined;
  readonly offer: Offer;
  readonly onBack: () => void;
}

const verbs = { tools: words.tools.run, resources: words.tools.read, prompts: words.tools.get } as const;

export function OfferDetail({ integrationId, signedInAt, offer, onBack }: OfferDetailProps) {
  const [entered, setEntered] = useState<Readonly<Record<string, string>>>({});
  const [faults, setFaults] = useState<Readonly<Record<string, ArgumentFault>>>({});
  const [uri, setUri] = useState(offer.name);
  const call = useCall<OfferResult>();
  const [calledUnder, setCalledUnder] = useState(signedInAt);
  const [asks, setAsks] = useState(false);
  const signIn = (): void => void postern.integration.signInAgain({ id: integrationId });
  const read = () => readArguments(offer.fields, entered);
  const send = (): void => {
    setAsks(false);
    setCalledUnder(signedInAt);
    void call.run(() => tryOffer({ id: integrationId, offer, uri, values: read().values }));
  };
  const run = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const found = read().faults;
    // Drawn at once, since the first field that is wrong gets the focus: it may be out of sight.
    flushSync(() => setFaults(found));
    if (Object.keys(found).length > 0) event.currentTarget.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
    else if (offer.destructive) setAsks(true);
    else send();
  };
  const enter = (name: string, value: string): void => {
    setEntered((before) => ({ ...before, [name]: value }));
    setFaults(({ [name]: _mended, ...others }) => others);
  };
  const faulty = Object.keys(faults).length;
  return (
    <article className="stack" aria-labelledby="offer-title">
      <header className="stack-tight">
        <div className="offer-back">
          <Button kind="quiet" icon={ArrowLeft} onClick={onBack}>
            {words.common.back}
          </Button>
        </div>
        <h2 id="offer-title">{offer.title}</h2>
        <p className="mono small soft">{offer.name}</p>
        {offer.description && <p className="offer-description">{offer.description}</p>}
        {(offer.readOnly || offer.destructive) && (
          <p className={offer.destructive ? 'warn small' : 'soft small'}>
            {offer.destructive ? words.tools.destructive : words.tools.readOnly}
          </p>
        )}
      </header>
      <form className="stack" onSubmit={run} noValidate>
        {offer.template && (
          <Field label={words.tools.uri} hint={words.tools.template}>
            {(control) => <TextInput {...control} mono value={uri} onChange={(event) => setUri(event.target.value)} />}
          </Field>
        )}
        {offer.fields.map((field) => (
          <SchemaInput
            key={field.name}
            field={field}
            value={entered[field.name] ?? field.initial}
            fault={faults[field.name]}
            onChange={(value) => enter(field.name, value)}
          />
        ))}
        <div className="row">
          <Button type="submit" kind={offer.destructive ? 'danger' : 'primary'} busy={call.busy}>
            {verbs[offer.kind]}
          </Button>
          {offer.kind !== 'resources' && offer.fields.length === 0 && (
            <span className="soft small">{words.tools.noArguments}</span>
          )}
          {faulty > 0 && <FieldError>{words.tools.attention(faulty)}</FieldError>}
        </div>
      </form>
      {call.error &&
        (calledUnder === signedInAt ? (
          <ErrorNotice error={call.error} actions={{ signIn, grant: signIn }} />
        ) : (
          <p role="status">{words.tools.runAgain}</p>
        ))}
      {call.value && <ResultView result={call.value} />}
      <Dialog
        open={asks}
        title={words.tools.confirm(offer.title)}
        description={words.tools.confirmText}
        onClose={() => setAsks(false)}
        footer={
          <>
            <Button onClick={() => setAsks(false)}>{words.common.cancel}</Button>
            <Button kind="danger" onClick={send}>
              {words.tools.confirmed}
            </Button>
          </>
        }
      />
    </article>
  );
}
