import { Plus, X } from 'lucide-react';
import { createContext, useContext } from 'react';
import type { ReactNode } from 'react';
import { Button, IconButton } from '../components/button.tsx';
import { Choice, Field, SuggestedInput, TextInput } from '../components/field.tsx';
import { postern } from '../postern.ts';
import { words } from '../words.ts';
import { chooseOption, pathOf, startDraft, startGroup } from './argument-draft.ts';
import type { ArgumentFault, ArgumentFaults, Draft, GroupDraft } from './argument-draft.ts';
import type { Capability } from './capabilities.ts';
import type { GroupShape, SchemaField, Shape, TextFormat, VariantShape } from './schema-fields.ts';
import './schema-input.css';

interface InputContext {
  readonly path: string;
  readonly faults: ArgumentFaults;
  readonly onChange: (draft: Draft) => void;
}
interface SchemaInputProps extends InputContext {
  readonly field: SchemaField;
  readonly draft: Draft;
}
type InputProps<Kind extends Shape['kind']> = SchemaInputProps & { readonly shape: Extract<Shape, { kind: Kind }> };

/** One value, including nested ones. */
function SchemaInput(props: SchemaInputProps) {
  const { field, draft, path, faults, onChange } = props;
  const { shape } = field;
  if (typeof draft === 'object' && 'json' in draft) {
    const setJson = (json: string): void => onChange(json.trim() === '' ? startDraft(field) : { json });
    return <Leaf {...props} value={draft.json} asJson fault={faults[path]} onChange={setJson} />;
  }
  switch (shape.kind) {
    case 'group':
      return <GroupInput {...props} shape={shape} />;
    case 'list':
      return <ListInput {...props} shape={shape} />;
    case 'variant':
      return <VariantInput {...props} shape={shape} />;
    default:
      return <Leaf {...props} value={typeof draft === 'string' ? draft : ''} asJson={false} fault={faults[path]} />;
  }
}

function Leaf({ field, path, ...rest }: Omit<Parameters<typeof LeafInput>[0], 'label'> & { readonly path: string }) {
  return <LeafInput field={field} label={labelOf(field, path)} {...rest} />;
}

/** The fields of a group, stacked. */
export function GroupFields({
  shape,
  draft,
  path,
  faults,
  onChange,
}: Omit<InputContext, 'onChange'> & {
  readonly shape: GroupShape;
  readonly draft: GroupDraft;
  readonly onChange: (draft: GroupDraft) => void;
}) {
  return shape.fields.map((field) => (
    <SchemaInput
      key={field.name}
      field={field}
      draft={draft.group[field.name] ?? startDraft(field)}
      path={pathOf(path, field.name)}
      faults={faults}
      onChange={(next) => onChange({ ...draft, group: { ...draft.group, [field.name]: next } })}
    />
  ));
}

function GroupInput({ field, shape, draft, path, faults, onChange }: InputProps<'group'>) {
  const label = labelOf(field, path);
  const entered = typeof draft === 'object' && 'group' in draft ? draft : undefined;
  const groupDraft = entered ?? (field.required ? startGroup(shape) : undefined);
  return (
    <NestedFields field={field} label={label}>
      {groupDraft && <GroupFields shape={shape} draft={groupDraft} path={path} faults={faults} onChange={onChange} />}
      {!field.required && (
        <div>
          {groupDraft ? (
            <Button onClick={() => onChange('')}>{words.tools.leaveOutOf(label)}</Button>
          ) : (
            <Button icon={Plus} onClick={() => onChange(startGroup(shape))}>
              {words.tools.add(label)}
            </Button>
          )}
        </div>
      )}
    </NestedFields>
  );
}

function ListInput({ field, shape, draft, path, faults, onChange }: InputProps<'list'>) {
  const label = labelOf(field, path);
  const list = typeof draft === 'object' && 'list' in draft ? draft.list : [];
  const add = (): void => onChange({ list: [...list, startDraft(shape.item)] });
  return (
    <NestedFields field={field} label={label}>
      {list.map((item, index) => (
        <div className="schema-item" key={index}>
          <SchemaInput
            field={shape.item}
            draft={item}
            path={pathOf(path, index)}
            faults={faults}
            onChange={(next) => onChange({ list: list.with(index, next) })}
          />
          <IconButton
            icon={X}
            label={words.tools.removeItem(label, index + 1)}
            onClick={() => onChange({ list: list.toSpliced(index, 1) })}
          />
        </div>
      ))}
      <div>
        <Button icon={Plus} onClick={add}>
          {words.tools.add(label)}
        </Button>
      </div>
    </NestedFields>
  );
}

function VariantInput({ field, shape, draft, path, faults, onChange }: InputProps<'variant'>) {
  const chosen = typeof draft === 'object' && 'option' in draft ? draft : { option: -1, drafts: {} };
  const option = shape.options[chosen.option];
  const none = { value: '-1', label: field.required ? words.tools.chooseOne : words.tools.leaveOut };
  const options = [
    ...(field.required && option ? [] : [none]),
    ...shape.options.map((_option, index) => ({ value: String(index), label: optionLabel(shape, index) })),
  ];
  const fault = option ? undefined : faults[path];
  return (
    <NestedFields field={field} label={labelOf(field, path)}>
      <Field label={words.tools.kindOf} error={fault && words.tools[fault]}>
        {(control) => (
          <Choice
            {...control}
            value={String(chosen.option)}
            options={options}
            onChoose={(next) => onChange(chooseOption(shape, chosen, Number(next)))}
          />
        )}
      </Field>
      {option && (
        <SchemaInput
          field={{ ...option, label: optionLabel(shape, chosen.option) }}
          draft={chosen.drafts[chosen.option] ?? startDraft(option)}
          path={path}
          faults={faults}
          onChange={(next) => onChange({ ...chosen, drafts: { ...chosen.drafts, [chosen.option]: next } })}
        />
      )}
    </NestedFields>
  );
}

function NestedFields({
  field,
  label,
  children,
}: {
  readonly field: SchemaField;
  readonly label: string;
  readonly children: ReactNode;
}) {
  return (
    <fieldset className="schema-nest">
      <legend>
        {label} {!field.required && <span className="faint small">{words.common.optional}</span>}
      </legend>
      {field.description && <p className="field-hint">{field.description}</p>}
      {children}
    </fieldset>
  );
}

/** List items have no name of their own. */
function labelOf({ label }: SchemaField, path: string): string {
  return label === '' ? words.tools.item(Number(path.slice(path.lastIndexOf('/') + 1)) + 1) : label;
}

function optionLabel({ options }: VariantShape, index: number): string {
  const option = options[index];
  if (!option) return '';
  const label = option.label === '' ? words.tools.shapes[option.shape.kind] : option.label;
  const isOnly =
    options.filter((other) => other.label === option.label && other.shape.kind === option.shape.kind).length === 1;
  return isOnly ? label : `${label} (${index + 1})`;
}

interface LeafInputProps {
  readonly field: SchemaField;
  readonly label: string;
  readonly value: string;
  /** Edit as JSON, whatever the field's shape. */
  readonly asJson: boolean;
  readonly fault: ArgumentFault | undefined;
  readonly onChange: (value: string) => void;
}

/** A value without nested ones, or edited as JSON. */
export function LeafInput({ field, label, value, asJson, fault, onChange }: LeafInputProps) {
  const { required, description } = field;
  const suggest = useContext(SuggestContext);
  const shape: Shape = asJson ? { kind: 'json' } : field.shape;
  const aside = [!required && words.common.optional, shape.kind === 'json' && words.tools.jsonHint].filter(Boolean);
  return (
    <Field label={label} aside={aside.join(', ')} hint={description} error={fault && words.tools[fault]}>
      {(control) => {
        if (shape.kind === 'choice' || shape.kind === 'boolean') {
          const choices = shape.kind === 'choice' ? shape.choices : yesAndNo;
          const none = { value: '', label: required ? words.tools.chooseOne : words.tools.leaveOut };
          const options = required && value !== '' ? choices : [none, ...choices];
          return <Choice {...control} value={value} options={options} onChoose={onChange} />;
        }
        if (shape.kind === 'json' || (shape.kind === 'text' && shape.long)) {
          const isJson = shape.kind === 'json';
          return (
            <textarea
              {...control}
              className={`input${isJson ? ' mono' : ''}`}
              rows={3}
              spellCheck={!isJson}
              value={value}
              onChange={(event) => onChange(event.target.value)}
            />
          );
        }
        const common = { ...control, ...keyboardOf(shape), value };
        if (suggest && shape.kind === 'text')
          return (
            <SuggestedInput
              {...common}
              suggest={(text) => suggest(field.name, text)}
              listLabel={words.tools.suggestions(label)}
              onChange={onChange}
            />
          );
        return <TextInput {...common} type={typeOf(shape, value)} onChange={(event) => onChange(event.target.value)} />;
      }}
    </Field>
  );
}

const yesAndNo = [
  { value: 'true', label: words.tools.yes },
  { value: 'false', label: words.tools.no },
];

const modes: Readonly<Record<TextFormat, 'text' | 'email' | 'url'>> = {
  plain: 'text',
  date: 'text',
  email: 'email',
  uri: 'url',
  password: 'text',
};

function keyboardOf(shape: Shape): { readonly inputMode: 'text' | 'email' | 'url' | 'decimal' } {
  return { inputMode: shape.kind === 'text' ? modes[shape.format] : 'decimal' };
}

/** A native date input cannot show an invalid date, so that stays text. */
function typeOf(shape: Shape, value: string): 'text' | 'date' | 'password' {
  if (shape.kind !== 'text') return 'text';
  if (shape.format === 'password') return 'password';
  return shape.format === 'date' && (value === '' || /^\d{4}-\d\d-\d\d$/.test(value)) ? 'date' : 'text';
}

/** Suggestions for a field; empty if there are none. */
type Suggest = (name: string, value: string) => Promise<readonly string[]>;

/** Suggestions for the fields inside; `undefined` if there is no server to ask. */
export const SuggestContext = createContext<Suggest | undefined>(undefined);

/**
 * Prompts and resource templates can be completed by the server (MCP 2025-11-25, completion); tools have a schema
 * instead.
 */
export function suggestFor(id: string, capability: Capability, { group }: GroupDraft): Suggest | undefined {
  if (capability.kind === 'tools') return undefined;
  const of = capability.kind === 'prompts' ? { prompt: capability.name } : { template: capability.name };
  return async (name, value) => {
    const others = Object.entries(group).filter(
      (entry): entry is [string, string] => entry[0] !== name && typeof entry[1] === 'string' && entry[1] !== '',
    );
    const given = Object.fromEntries(others);
    const result = await postern.integration.complete({ id, of, argument: { name, value }, given });
    return result.ok ? result.value.values : [];
  };
}
