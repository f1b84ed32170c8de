import type { ConnectionView, VerdictView } from '../../shared/connection-view.ts';
import { pkcePolicies } from '../../shared/choices.ts';
import type { IntegrationOptions } from '../../shared/integration.ts';
import { Choice } from '../parts/choice.tsx';
import { ScopeChips } from '../parts/chips.tsx';
import { Field } from '../parts/field.tsx';
import { postern } from '../postern.ts';
import { words } from '../words.ts';

interface StartOptionsProps {
  readonly connection: ConnectionView;
  readonly verdict: VerdictView;
  readonly options: Partial<IntegrationOptions>;
  readonly onChange: (options: Partial<IntegrationOptions>) => void;
}

export function StartOptions({ connection, verdict, options, onChange }: StartOptionsProps) {
  const { id, url, options: earlier } = connection;
  const offered = [...verdict.scopes, ...verdict.otherScopes];
  const chosen = options.scope === undefined ? verdict.scopes : options.scope.split(' ').filter(Boolean);
  return (
    <>
      {offered.length > 0 && (
        <div className="field">
          <span className="field-label">{words.credentials.scopes}</span>
          <ScopeChips
            label={words.credentials.scopes}
            offered={offered}
            chosen={chosen}
            onChange={(scopes) => onChange({ ...options, scope: scopes.join(' ') })}
          />
        </div>
      )}
      <Field label={words.credentials.pkce}>
        {(control) => (
          <Choice
            {...control}
            value={options.pkce ?? earlier.pkce}
            options={pkcePolicies.map((value) => ({ value, label: words.credentials.pkcePolicy[value] }))}
            onChoose={(pkce) => onChange({ ...options, pkce })}
          />
        )}
      </Field>
      {verdict.alternatives.length > 0 && (
        <Field label={words.connect.another} hint={words.connect.anotherHint}>
          {(control) => (
            <Choice
              {...control}
              value={verdict.issuer ?? ''}
              options={[...(verdict.issuer === undefined ? [] : [verdict.issuer]), ...verdict.alternatives].map(
                (value) => ({
                  value,
                  label: value,
                }),
              )}
              onChoose={(authorizationServer) =>
                void postern.connection.discover({ id, url, options: { ...earlier, authorizationServer } })
              }
            />
          )}
        </Field>
      )}
    </>
  );
}
