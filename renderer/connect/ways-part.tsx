import { FileText } from 'lucide-react';
import { useEffect, useId, useRef, useState } from 'react';
import type { FormEvent } from 'react';
import { flushSync } from 'react-dom';
import type { ConnectionView } from '../../shared/connection-view.ts';
import type { IpcResult } from '../../shared/ipc-contract.ts';
import { ErrorNotice } from '../errors/error-notice.tsx';
import { Button } from '../parts/button.tsx';
import { RadioChoice } from '../parts/check-box.tsx';
import { ScopeChips } from '../parts/chips.tsx';
import { Field, FieldError, TextInput } from '../parts/field.tsx';
import { postern, useCall } from '../postern.ts';
import { useSnapshots } from '../store.ts';
import { useKept } from '../use-kept.ts';
import { show } from '../view.ts';
import { words } from '../words.ts';
import { EndpointForm, KeyForm } from './key-form.tsx';
import type { Given, WayRound } from './ways-round.ts';

interface WaysPartProps {
  readonly connection: ConnectionView;
  readonly ways: readonly WayRound[];
  /** Those that have their button elsewhere. */
  readonly hidden?: readonly WayRound[];
  readonly given?: Given;
  /** The one whose form is open. */
  readonly open: WayRound | undefined;
  readonly onOpen: (way: WayRound | undefined) => void;
}

/** The other ways in, each a button; a form opens below. */
export function WaysPart({ connection, ways, hidden = [], given = {}, open, onOpen }: WaysPartProps) {
  const formId = useId();
  const call = useCall<null>();
  if (ways.length === 0) return null;
  const { id, integrationId, url, options } = connection;
  const hasForm = (way: WayRound): boolean =>
    way !== 'ownApp' && way !== 'provider' && (way !== 'addresses' || connection.kind === 'connect');
  const take = (way: WayRound): void => {
    if (way === 'ownApp') void call.run(() => postern.connection.start({ id, ownApp: true, ...given }));
    else if (way === 'provider') void call.run(() => checkAsProvider(id, url, options));
    else if (hasForm(way)) onOpen(open === way ? undefined : way);
    else if (integrationId !== undefined)
      show({ name: 'integration', id: integrationId, tab: 'settings', openAdvanced: true });
  };
  const shown = ways.find((way) => way === open);
  return (
    <section className="stack" aria-label={words.connect.otherWays}>
      <div className="row ways-round">
        {ways
          .filter((way) => !hidden.includes(way))
          .map((way) => (
            <Button
              key={way}
              kind="quiet"
              busy={!hasForm(way) && call.busy}
              {...(hasForm(way) && { 'aria-expanded': way === shown, 'aria-controls': formId })}
              onClick={() => take(way)}
            >
              {words.connect.wayRound[way]}
            </Button>
          ))}
      </div>
      {call.error && <ErrorNotice error={call.error} />}
      <div id={formId}>
        {shown === 'scopes' && <ScopesForm connection={connection} />}
        {shown === 'key' && <KeyForm connection={connection} given={given} autoFocus />}
        {shown === 'withoutPerson' && <WithoutPersonForm connection={connection} given={given} />}
        {shown === 'addresses' && <EndpointForm connection={connection} given={given} autoFocus />}
      </div>
    </section>
  );
}

/** The address is an issuer's, and nobody there speaks MCP. */
async function checkAsProvider(id: string, url: string, options: ConnectionView['options']): Promise<IpcResult<null>> {
  const result = await postern.connection.discover({ id, url, options: { ...options, isIdentityProvider: true } });
  return result.ok ? { ok: true, value: null } : result;
}

/** Other permissions than those that the service refused; one in the list asks for them from now on. */
function ScopesForm({ connection }: { readonly connection: ConnectionView }) {
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

interface WithoutPersonFormProps {
  readonly connection: ConnectionView;
  readonly given?: Given;
}

/** Who gets the access: the program itself, whom a file names, or else whom the provider with this id says. */
const program = 'program';
const byFile = 'file';
const ofProgram: { readonly who: string } = { who: program };

/** Access for which no sign-in page opens. The app that it needs is asked for next. */
function WithoutPersonForm({ connection, given = {} }: WithoutPersonFormProps) {
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
