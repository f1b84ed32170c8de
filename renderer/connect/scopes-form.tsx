import type { FormEvent } from 'react';
import type { ConnectionView } from '../../shared/connection-view.ts';
import { ErrorNotice } from '../errors/error-notice.tsx';
import { Button } from '../parts/button.tsx';
import { ScopeChips } from '../parts/chips.tsx';
import { Field } from '../parts/field.tsx';
import { TextInput } from '../parts/text-input.tsx';
import { postern } from '../postern.ts';
import { useCall } from '../use-call.ts';
import { useKept } from '../use-kept.ts';
import { words } from '../words.ts';

/** Other permissions than those that the service refused; one in the list asks for them from now on. */
export function ScopesForm({ connection }: { readonly connection: ConnectionView }) {
  const { id, kind, integrationId, options, verdict } = connection;
  const [{ scope }, keep] = useKept(id, 'scopes', { scope: options.scope ?? verdict?.scopes.join(' ') ?? '' });
  const call = useCall<null>();
  const offered = [...(verdict?.scopes ?? []), ...(verdict?.otherScopes ?? [])];
  const chosen = scope.split(/\s+/).filter(Boolean);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const changed = { scope: chosen.join(' ') };
    void call.run(async () => {
      if (kind === 'connect' || integrationId === undefined) {
        return await postern.connection.start({ id, options: changed });
      }
      const kept = await postern.integration.update({ id: integrationId, options: changed });
      return kept.ok ? await postern.connection.tryAgain({ id }) : kept;
    });
  };
  return (
    <form className="way" onSubmit={submit}>
      {offered.length > 0 && (
        <ScopeChips
          label={words.credentials.scopes}
          offered={offered}
          chosen={chosen}
          onChange={(scopes) => keep({ scope: scopes.join(' ') })}
        />
      )}
      <Field label={words.credentials.scopes} hint={words.connect.scopesHint}>
        {(control) => (
          <TextInput
            {...control}
            mono
            autoFocus
            maxLength={8_192}
            value={scope}
            onChange={(event) => keep({ scope: event.target.value })}
          />
        )}
      </Field>
      {call.error && <ErrorNotice error={call.error} />}
      <Button type="submit" kind="primary" busy={call.busy}>
        {words.connect.scopesButton}
      </Button>
    </form>
  );
}
