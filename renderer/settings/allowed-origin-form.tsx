import { useState } from 'react';
import type { FormEvent } from 'react';
import { readWebOrigin } from '../../shared/web-origin.ts';
import { Button } from '../parts/button.tsx';
import { Field } from '../parts/field.tsx';
import { TextInput } from '../parts/text-input.tsx';
import { postern } from '../postern.ts';
import { useCall } from '../use-call.ts';
import { words } from '../words.ts';

/** The one web page that may use Postern over HTTP. */
export function AllowedOriginForm({ origin }: { readonly origin: string | undefined }) {
  const [text, setText] = useState(origin ?? '');
  const [tried, setTried] = useState<string>();
  const call = useCall<null>();
  const own = words.settings;
  const save = (event: FormEvent): void => {
    event.preventDefault();
    const allowedOrigin = readWebOrigin(text.trim());
    setTried(text);
    if (allowedOrigin !== undefined) void call.run(() => postern.settings.update({ allowedOrigin }));
  };
  const isWrong = tried !== undefined && readWebOrigin(tried.trim()) === undefined;
  const why = isWrong
    ? own.allowedOriginWrong
    : call.error && `${words.errors.message(call.error)} ${words.errors.nextStep(call.error.remedy)}`;
  // It was said of what was tried.
  const error = tried === undefined || text === tried ? why : undefined;
  return (
    <form onSubmit={save}>
      <Field label={<span className="hidden">{own.allowedOrigin}</span>} hint={own.allowedOriginHint} error={error}>
        {(control) => (
          <div className="row">
            <TextInput
              {...control}
              className="origin-input"
              inputMode="url"
              maxLength={300}
              placeholder="http://localhost:6274"
              value={text}
              onChange={(event) => setText(event.target.value)}
            />
            <Button type="submit" busy={call.busy} disabled={text.trim() === (origin ?? '')}>
              {words.common.save}
            </Button>
            {origin !== undefined && (
              <Button
                kind="quiet"
                disabled={call.busy}
                onClick={() => void call.run(() => postern.settings.update({ allowedOrigin: null }))}
              >
                {own.allowedOriginNone}
              </Button>
            )}
          </div>
        )}
      </Field>
    </form>
  );
}
