import { Plus, Trash2 } from 'lucide-react';
import type { FormEvent } from 'react';
import type { IpcOutput } from '../../shared/ipc-contract.ts';
import { commandBounds, variableName } from '../../shared/local-command-bounds.ts';
import { ErrorNotice } from '../errors/error-notice.tsx';
import { Button } from '../parts/button.tsx';
import { Field } from '../parts/field.tsx';
import { IconButton } from '../parts/icon-button.tsx';
import { TextInput } from '../parts/text-input.tsx';
import { readStartWords } from '../pasted/start-words.ts';
import { postern } from '../postern.ts';
import { useCall } from '../use-call.ts';
import { words } from '../words.ts';
import { LocalConsent } from './local-consent.tsx';
import { useLocalDraft } from './use-local-draft.ts';
import type { LocalDraft, TypedVariable } from './use-local-draft.ts';
import './local-part.css';

export type PreparedCommand = IpcOutput<'local:prepare'>;

/** A server that is a command: what to run, and then exactly that for a yes. */
export function LocalPart({ onRemote }: { readonly onRemote: (address: string) => void }) {
  const [draft, change] = useLocalDraft();
  const prepare = useCall<PreparedCommand>();
  const { local } = words;
  const { name, line, folder, variables, listed } = draft;
  const fits = name.trim() !== '' && readStartWords(line).words.length > 0 && variables.every(isWhole);
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
        variables: [...read.variables, ...variables.map(sent)],
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
    <section className="way local-part" aria-labelledby="local-title">
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
          <Button type="submit" kind="primary" busy={prepare.busy} disabled={!fits}>
            {local.look}
          </Button>
          <Button kind="quiet" onClick={() => edit({ isOpen: false })}>
            {local.close}
          </Button>
        </div>
      </form>
    </section>
  );
}

const isWhole = ({ name }: TypedVariable): boolean => variableName.test(name);

/** A value of the list is not here. */
const sent = ({ name, value, isKept }: TypedVariable): { name: string; value?: string } =>
  isKept && value === '' ? { name } : { name, value };

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
      {variables.map(({ name, value, isKept }, index) => (
        <div className="local-variable" key={index}>
          <TextInput
            mono
            aria-label={local.variableName}
            maxLength={128}
            value={name}
            onChange={(event) => edit(index, { name: event.target.value, isKept: false })}
          />
          <TextInput
            mono
            type="password"
            aria-label={local.variableValue}
            placeholder={isKept ? local.variableKept : undefined}
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
