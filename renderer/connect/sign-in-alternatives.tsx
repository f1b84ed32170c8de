import { FileText } from 'lucide-react';
import { useEffect, useId, useRef, useState } from 'react';
import type { FormEvent } from 'react';
import { flushSync } from 'react-dom';
import type { ConnectionView } from '../../shared/connection-view.ts';
import type { IpcResult } from '../../shared/ipc-contract.ts';
import { ErrorNotice } from '../errors/error-notice.tsx';
import { Button } from '../components/button.tsx';
import { RadioChoice } from '../components/radio-choice.tsx';
import { ScopeChips } from '../components/chips.tsx';
import { Field, FieldError, TextInput } from '../components/field.tsx';
import { postern, useCall } from '../postern.ts';
import { useSnapshots } from '../store.ts';
import { useRetainedState } from '../use-retained-state.ts';
import { show } from '../view.ts';
import { words } from '../words.ts';
import { EndpointForm, KeyForm } from './key-form.tsx';
import type { ConnectionOverrides, Alternative } from './list-alternatives.ts';

interface SignInAlternativesProps {
  readonly connection: ConnectionView;
  readonly alternatives: readonly Alternative[];
  /** Alternatives that have a button elsewhere. */
  readonly hidden?: readonly Alternative[];
  readonly overrides?: ConnectionOverrides;
  /** The alternative whose form is open. */
  readonly open: Alternative | undefined;
  readonly onOpen: (alternative: Alternative | undefined) => void;
}

/** Alternative sign-in methods as buttons; a form opens below. */
export function SignInAlternatives({
  connection,
  alternatives,
  hidden = [],
  overrides = {},
  open,
  onOpen,
}: SignInAlternativesProps) {
  const formId = useId();
  const call = useCall<null>();
  if (alternatives.length === 0) return null;
  const { id, integrationId, url, options } = connection;
  const hasForm = (alternative: Alternative): boolean =>
    alternative !== 'ownOAuthApp' &&
    alternative !== 'provider' &&
    (alternative !== 'addresses' || connection.kind === 'connect');
  const choose = (alternative: Alternative): void => {
    if (alternative === 'ownOAuthApp')
      void call.run(() => postern.connection.start({ id, ownOAuthApp: true, ...overrides }));
    else if (alternative === 'provider') void call.run(() => checkAsProvider(id, url, options));
    else if (hasForm(alternative)) onOpen(open === alternative ? undefined : alternative);
    else if (integrationId !== undefined)
      show({ name: 'integration', id: integrationId, tab: 'settings', openAdvanced: true });
  };
  const openForm = alternatives.find((alternative) => alternative === open);
  return (
    <section className="stack" aria-label={words.connect.otherOptions}>
      <div className="row sign-in-alternatives">
        {alternatives
          .filter((alternative) => !hidden.includes(alternative))
          .map((alternative) => (
            <Button
              key={alternative}
              kind="quiet"
              busy={!hasForm(alternative) && call.busy}
              {...(hasForm(alternative) && { 'aria-expanded': alternative === openForm, 'aria-controls': formId })}
              onClick={() => choose(alternative)}
            >
              {words.connect.alternatives[alternative]}
            </Button>
          ))}
      </div>
      {call.error && <ErrorNotice error={call.error} />}
      <div id={formId}>
        {openForm === 'scopes' && <ScopesForm connection={connection} />}
        {openForm === 'key' && <KeyForm connection={connection} overrides={overrides} autoFocus />}
        {openForm === 'nonInteractive' && <NonInteractiveForm connection={connection} overrides={overrides} />}
        {openForm === 'addresses' && <EndpointForm connection={connection} overrides={overrides} autoFocus />}
      </div>
    </section>
  );
}

/** The address is an issuer's, and no MCP server is there. */
async function checkAsProvider(id: string, url: string, options: ConnectionView['options']): Promise<IpcResult<null>> {
  const result = await postern.connection.discover({ id, url, options: { ...options, isIdentityProvider: true } });
  return result.ok ? { ok: true, value: null } : result;
}

/** Requests other scopes than the refused ones. For a connected server they are saved for later sign-ins. */
function ScopesForm({ connection }: { readonly connection: ConnectionView }) {
  const { id, kind, integrationId, options, verdict } = connection;
  const [{ scope }, setDraft] = useRetainedState(id, 'scopes', {
    scope: options.scope ?? verdict?.scopes.join(' ') ?? '',
  });
  const call = useCall<null>();
  const allScopes = [...(verdict?.scopes ?? []), ...(verdict?.otherScopes ?? [])];
  const chosen = scope.split(/\s+/).filter(Boolean);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const changed = { scope: chosen.join(' ') };
    void call.run(async () => {
      if (kind === 'connect' || integrationId === undefined) {
        return await postern.connection.start({ id, options: changed });
      }
      const saved = await postern.integration.update({ id: integrationId, options: changed });
      return saved.ok ? await postern.connection.tryAgain({ id }) : saved;
    });
  };
  return (
    <form className="option-card" onSubmit={submit}>
      {allScopes.length > 0 && (
        <ScopeChips
          label={words.credentials.scopes}
          available={allScopes}
          chosen={chosen}
          onChange={(scopes) => setDraft({ scope: scopes.join(' ') })}
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
            onChange={(event) => setDraft({ scope: event.target.value })}
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

interface NonInteractiveFormProps {
  readonly connection: ConnectionView;
  readonly overrides?: ConnectionOverrides;
}

/**
 * Whose identity the sign-in uses: the OAuth app's own (client credentials), the subject of a file's assertion, or the
 * user that the identity provider with this ID names.
 */
const app = 'app';
const fromFile = 'file';
const defaultSubject: { readonly subject: string } = { subject: app };

/** Access without a sign-in page. The OAuth app it needs is asked for next. */
function NonInteractiveForm({ connection, overrides = {} }: NonInteractiveFormProps) {
  const { id, url, assertionFile } = connection;
  const integrations = useSnapshots((state) => state.integrations) ?? [];
  const providers = integrations.filter(({ options }) => options.isIdentityProvider === true);
  const [{ subject }, setDraft] = useRetainedState(id, `subject for ${url}`, defaultSubject);
  const chosen = subject === fromFile || providers.some((provider) => provider.id === subject) ? subject : app;
  const fileId = useId();
  const [lacksFile, setLacksFile] = useState(false);
  const choosing = useCall<{ readonly chosen: boolean }>();
  const choose = (): void => void choosing.run(() => postern.connection.chooseAssertionFile({ id }));
  const form = useRef<HTMLFormElement>(null);
  const chooser = useRef<HTMLButtonElement>(null);
  // It opens below the button, possibly out of view.
  useEffect(() => form.current?.querySelector<HTMLElement>('input:checked')?.focus(), []);
  const call = useCall<null>();
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const isReady = chosen !== fromFile || assertionFile !== undefined;
    flushSync(() => setLacksFile(!isReady));
    if (!isReady) return chooser.current?.focus();
    const grant =
      chosen === app
        ? ({ grant: 'client-credentials' } as const)
        : chosen === fromFile
          ? ({ grant: 'jwt-bearer' } as const)
          : ({ grant: 'enterprise', identityProvider: chosen } as const);
    const options = { ...overrides.options, ...grant };
    void call.run(() => postern.connection.start({ id, ...overrides, options, ownOAuthApp: true }));
  };
  const { title, text, label, choices, providers: providersHint, file } = words.connect.nonInteractive;
  return (
    <section className="option-card">
      <h2>{title}</h2>
      <p className="soft">{text}</p>
      <form className="stack" ref={form} onSubmit={submit}>
        <RadioChoice
          label={label}
          value={chosen}
          options={[
            { value: app, label: choices.app, hint: choices.appHint },
            ...providers.map(({ id: value, name }) => ({
              value,
              label: choices.provider(name),
              hint: choices.providerHint,
            })),
            { value: fromFile, label: choices.file, hint: choices.fileHint },
          ]}
          onChoose={(value) => setDraft({ subject: value })}
        />
        {chosen === fromFile && (
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
        {providers.length === 0 && <p className="soft small">{providersHint}</p>}
        {call.error && <ErrorNotice error={call.error} />}
        <Button type="submit" busy={call.busy}>
          {words.connect.start.needsOAuthApp()}
        </Button>
      </form>
    </section>
  );
}
