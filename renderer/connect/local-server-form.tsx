import { Plus, Trash2 } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { FormEvent } from 'react';
import type { IpcOutput } from '../../shared/ipc-contract.ts';
import type { LocalCommand } from '../../shared/local-command.ts';
import { readStartWords } from '../../shared/pasted/read-command.ts';
import { commandBounds, downloadsCode, variableName, visibleWord } from '../../shared/command-display.ts';
import { ErrorNotice } from '../errors/error-notice.tsx';
import { Button, IconButton } from '../components/button.tsx';
import { Facts } from '../components/facts.tsx';
import { Field, TextInput } from '../components/field.tsx';
import { Notice, Working } from '../components/notice.tsx';
import { postern, useCall } from '../postern.ts';
import { forget } from '../use-retained-state.ts';
import { showConnected } from '../view.ts';
import { words } from '../words.ts';
import { markConnected } from './import-list.tsx';
import './local-server-form.css';
import { localStateKey, useLocalDraft } from './use-local-draft.ts';
import type { LocalDraft, TypedVariable } from './use-local-draft.ts';

type PreparedCommand = IpcOutput<'local:prepare'>;

/** A local server: enter the command, then confirm exactly what will run. */
export function LocalServerForm({ onRemote }: { readonly onRemote: (address: string) => void }) {
  const [draft, change] = useLocalDraft();
  const prepare = useCall<PreparedCommand>();
  const { local } = words;
  const { name, line, folder, variables, listed } = draft;
  const canSubmit = name.trim() !== '' && readStartWords(line).words.length > 0 && variables.every(isComplete);
  const edit = (part: Partial<LocalDraft>): void => {
    prepare.clear();
    change(part);
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const read = readStartWords(line);
    void prepare.run(() =>
      postern.local.prepare({
        name: name.trim(),
        words: [...read.words],
        ...(folder.trim() !== '' && { folder: folder.trim() }),
        variables: [...read.variables, ...variables.map(toInput)],
        ...(listed && { draft: listed.draft }),
      }),
    );
  };
  if (prepare.value) {
    const { value } = prepare;
    return (
      <LocalConsent
        name={name.trim()}
        entry={listed?.entry}
        prepared={value}
        onBack={prepare.clear}
        onRemote={onRemote}
      />
    );
  }
  return (
    <section className="option-card local-server-form" aria-labelledby="local-title">
      <h2 id="local-title">{local.title}</h2>
      <p className="soft">{local.intro}</p>
      <form className="stack" onSubmit={submit}>
        <Field label={local.command} hint={local.commandHint}>
          {(control) => (
            <TextInput
              {...control}
              mono
              required
              autoFocus
              maxLength={16_384}
              value={line}
              onChange={(event) => edit({ line: event.target.value })}
            />
          )}
        </Field>
        <Field label={local.name}>
          {(control) => (
            <TextInput
              {...control}
              required
              maxLength={80}
              value={name}
              onChange={(event) => edit({ name: event.target.value })}
            />
          )}
        </Field>
        <Field label={local.folder} hint={local.folderHint}>
          {(control) => (
            <TextInput
              {...control}
              mono
              maxLength={commandBounds.length}
              value={folder}
              onChange={(event) => edit({ folder: event.target.value })}
            />
          )}
        </Field>
        <Variables variables={variables} onChange={(next) => edit({ variables: next })} />
        {prepare.error && <ErrorNotice error={prepare.error} />}
        <div className="row">
          <Button type="submit" kind="primary" busy={prepare.busy} disabled={!canSubmit}>
            {local.review}
          </Button>
          <Button kind="quiet" onClick={() => edit({ isOpen: false })}>
            {local.close}
          </Button>
        </div>
      </form>
    </section>
  );
}

const isComplete = ({ name }: TypedVariable): boolean => variableName.test(name);

/** Values from the list are not known here, so only the name is sent. */
const toInput = ({ name, value, hasListedValue }: TypedVariable): { name: string; value?: string } =>
  hasListedValue && value === '' ? { name } : { name, value };

interface VariablesProps {
  readonly variables: readonly TypedVariable[];
  readonly onChange: (variables: readonly TypedVariable[]) => void;
}

function Variables({ variables, onChange }: VariablesProps) {
  const { local } = words;
  const edit = (at: number, part: Partial<TypedVariable>): void =>
    onChange(variables.map((variable, index) => (index === at ? { ...variable, ...part } : variable)));
  return (
    <fieldset className="stack-tight local-variables">
      <legend>{local.variables}</legend>
      <p className="soft small">{local.variablesHint}</p>
      {variables.map(({ name, value, hasListedValue }, index) => (
        <div className="local-variable" key={index}>
          <TextInput
            mono
            aria-label={local.variableName}
            maxLength={128}
            value={name}
            onChange={(event) => edit(index, { name: event.target.value, hasListedValue: false })}
          />
          <TextInput
            mono
            type="password"
            aria-label={local.variableValue}
            placeholder={hasListedValue ? local.variableStored : undefined}
            maxLength={32_768}
            value={value}
            onChange={(event) => edit(index, { value: event.target.value })}
          />
          <IconButton
            icon={Trash2}
            label={local.removeVariable(name)}
            onClick={() => onChange(variables.filter((_, other) => other !== index))}
          />
        </div>
      ))}
      <div>
        <Button
          icon={Plus}
          disabled={variables.length >= commandBounds.variables}
          onClick={() => onChange([...variables, { name: '', value: '' }])}
        >
          {local.addVariable}
        </Button>
      </div>
    </fieldset>
  );
}

interface LocalConsentProps {
  readonly name: string;
  /** Entry ID, if it comes from a list. */
  readonly entry: string | undefined;
  readonly prepared: IpcOutput<'local:prepare'>;
  readonly onBack: () => void;
  /** Uses the equivalent remote service, which runs nothing here. */
  readonly onRemote: (address: string) => void;
}

/** Shows what will run before it runs. The actual consent is a native dialog. */
function LocalConsent({ name, entry, prepared, onBack, onRemote }: LocalConsentProps) {
  const { token, command, shown, remote } = prepared;
  const deciding = shown.filter(({ decides }) => decides);
  const others = shown.filter(({ decides }) => !decides);
  const connect = useCall<IpcOutput<'local:connect'>>();
  const call = useRef('');
  const [isAllowed, setIsAllowed] = useState(false);
  useEffect(
    () =>
      postern.onEvent((event) => {
        if (event.event === 'allowed' && event.call === call.current) setIsAllowed(true);
      }),
    [],
  );
  const { local } = words;
  const ask = (): void => {
    call.current = crypto.randomUUID();
    setIsAllowed(false);
    void connect
      .run(() => postern.local.connect({ token, call: call.current }))
      .then((connected) => {
        if (!connected) return;
        forget(...localStateKey);
        if (entry !== undefined) markConnected(entry, connected.id);
        showConnected(connected.id);
      });
  };
  return (
    <section className="option-card" aria-labelledby="consent-title">
      <h2 id="consent-title">{local.consentTitle(name)}</h2>
      {remote && (
        <Notice
          title={local.remoteTitle(remote)}
          actions={<Button onClick={() => onRemote(remote.address)}>{local.useRemote}</Button>}
        >
          <p>{local.remoteText}</p>
        </Notice>
      )}
      <CommandFacts command={command} />
      {deciding.length > 0 && (
        <Notice tone="ask" title={local.deciding}>
          <VariableList of={deciding} />
        </Notice>
      )}
      {others.length > 0 && (
        <Notice title={local.givenValues}>
          <VariableList of={others} />
        </Notice>
      )}
      {command.sealed && <p>{local.hiddenSecret}</p>}
      <p>{local.asYou}</p>
      {connect.error && <ErrorNotice error={connect.error} />}
      {connect.busy && <Working>{isAllowed ? local.starting : local.awaitsAnswer}</Working>}
      <div className="row">
        <Button kind="primary" busy={connect.busy} onClick={ask}>
          {local.proceed}
        </Button>
        {connect.busy ? (
          <Button onClick={() => void postern.local.cancel({ call: call.current })}>{local.stopWaiting}</Button>
        ) : (
          <Button kind="quiet" onClick={onBack}>
            {local.back}
          </Button>
        )}
      </div>
    </section>
  );
}

function VariableList({ of: variables }: { readonly of: IpcOutput<'local:prepare'>['shown'] }) {
  return (
    <ul className="plain-list">
      {variables.map(({ name, value }) => (
        <li key={name} className="mono command-word">
          {`${visibleWord(name)}=${visibleWord(value)}`}
        </li>
      ))}
    </ul>
  );
}

/** Exactly what runs: one argument per line, with invisible characters made visible. */
export function CommandFacts({ command }: { readonly command: LocalCommand }) {
  const { local } = words;
  const { command: typed, path, arguments: rest, folder, variables, from } = command;
  return (
    <>
      <Facts
        facts={[
          { term: local.runs, value: <span className="mono command-word">{visibleWord(path)}</span> },
          typed !== path && {
            term: local.enteredAs,
            value: <span className="mono command-word">{visibleWord(typed)}</span>,
          },
          {
            term: local.words,
            value:
              rest.length === 0 ? (
                local.noWords
              ) : (
                <ol className="command-words mono">
                  {rest.map((word, index) => (
                    <li key={index} className="command-word">
                      {visibleWord(word)}
                    </li>
                  ))}
                </ol>
              ),
          },
          {
            term: local.folder,
            value:
              folder === undefined ? (
                local.homeFolder
              ) : (
                <span className="mono command-word">{visibleWord(folder)}</span>
              ),
          },
          {
            term: local.variables,
            value: variables.length === 0 ? local.usualVariables : local.withVariables(variables.join(', ')),
          },
          from !== undefined && { term: local.from, value: from },
        ]}
      />
      {downloadsCode(command) && <p className="soft">{local.fetches(typed)}</p>}
    </>
  );
}
