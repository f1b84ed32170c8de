import { useRef, useState } from 'react';
import type { FormEvent, ReactNode } from 'react';
import { flushSync } from 'react-dom';
import { Button } from '../parts/button.tsx';
import { FieldError } from '../parts/field-error.tsx';
import { Field } from '../parts/field.tsx';
import { TextInput } from '../parts/text-input.tsx';
import { words } from '../words.ts';
import type { Offer } from './offers.ts';
import type { ArgumentFaults } from './read-arguments.ts';
import type { JsonValue } from './resolve-schema.ts';
import type { GroupShape } from './schema-fields.ts';
import { GroupFields } from './schema-input.tsx';
import { wholePath } from './use-entered.ts';
import type { EnteredArguments } from './use-entered.ts';
import './run-bar.css';

interface OfferFormProps {
  readonly offer: Offer;
  readonly shape: GroupShape;
  readonly entered: EnteredArguments;
  readonly busy: boolean;
  readonly onRun: (values: Record<string, JsonValue>) => void;
  /** Beside the button. */
  readonly children?: ReactNode;
}

const verbs = { tools: 'run', resources: 'read', prompts: 'get' } as const;

/** The input of a tool, as fields or as JSON, with the button that stays in sight. */
export function OfferForm({ offer, shape, entered, busy, onRun, children }: OfferFormProps) {
  const form = useRef<HTMLFormElement>(null);
  // Once it was tried, each fault goes as it is mended.
  const [wasTried, setWasTried] = useState(false);
  const faults: ArgumentFaults = wasTried ? entered.read().faults : {};
  const faulty = Object.keys(faults).length;
  const takesInput = shape.fields.length > 0;
  const run = (event: FormEvent): void => {
    event.preventDefault();
    const found = entered.read();
    const isRight = Object.keys(found.faults).length === 0;
    // Drawn at once, since the first field that is wrong gets the focus: it may be out of sight.
    flushSync(() => setWasTried(!isRight));
    if (isRight && !busy) onRun(found.values);
    else focusFault();
  };
  const focusFault = (): void => form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  const switchView = (): void => {
    if (entered.showJson(!entered.json)) return setWasTried(false);
    flushSync(() => setWasTried(true));
    focusFault();
  };
  return (
    <form className="stack" ref={form} onSubmit={run} noValidate>
      {offer.template === 'by-hand' && (
        <Field label={words.tools.uri} hint={words.tools.template}>
          {(control) => (
            <TextInput {...control} value={entered.uri} onChange={(event) => entered.enterUri(event.target.value)} />
          )}
        </Field>
      )}
      {entered.json ? (
        <Field label={words.tools.jsonView} error={faults[wholePath] && words.tools[faults[wholePath]]}>
          {(control) => (
            <textarea
              {...control}
              className="input mono json-view"
              spellCheck={false}
              value={entered.json?.text}
              onChange={(event) => entered.enterJson(event.target.value)}
            />
          )}
        </Field>
      ) : (
        <GroupFields
          shape={shape}
          draft={entered.draft}
          path={wholePath}
          faults={faults}
          onChange={(draft) => entered.enter(draft)}
        />
      )}
      <div className="row run-bar">
        <Button type="submit" kind={offer.destructive ? 'danger' : 'primary'} busy={busy}>
          {words.tools[verbs[offer.kind]]}
        </Button>
        {offer.kind === 'tools' && (
          <Button onClick={switchView}>{entered.json ? words.tools.asForm : words.tools.asJson}</Button>
        )}
        {faulty > 0 && <FieldError>{words.tools.attention(faulty)}</FieldError>}
        {offer.kind !== 'resources' && !takesInput && <span className="soft small">{words.tools.noArguments}</span>}
        {children}
      </div>
    </form>
  );
}
