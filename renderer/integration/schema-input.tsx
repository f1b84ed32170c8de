import { Plus, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '../parts/button.tsx';
import { Choice } from '../parts/choice.tsx';
import { Field } from '../parts/field.tsx';
import { IconButton } from '../parts/icon-button.tsx';
import { words } from '../words.ts';
import { chooseOption, startDraft, startGroup } from './start-draft.ts';
import type { Draft, GroupDraft } from './draft.ts';
import { LeafInput } from './leaf-input.tsx';
import { pathOf } from './read-arguments.ts';
import type { ArgumentFaults } from './read-arguments.ts';
import type { GroupShape, SchemaField, Shape, VariantShape } from './schema-fields.ts';
import './schema-input.css';

interface Entering {
  readonly path: string;
  readonly faults: ArgumentFaults;
  readonly onChange: (draft: Draft) => void;
}
interface SchemaInputProps extends Entering {
  readonly field: SchemaField;
  readonly draft: Draft;
}
type Of<Kind extends Shape['kind']> = SchemaInputProps & { readonly shape: Extract<Shape, { kind: Kind }> };

/** One value of the arguments, with the values in it. */
function SchemaInput(props: SchemaInputProps) {
  const { field, draft, path, faults, onChange } = props;
  const { shape } = field;
  if (typeof draft === 'object' && 'json' in draft) {
    const keep = (json: string): void => onChange(json.trim() === '' ? startDraft(field) : { json });
    return <Leaf {...props} value={draft.json} asJson fault={faults[path]} onChange={keep} />;
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

/** The fields of a group one under the other. */
export function GroupFields({
  shape,
  draft,
  path,
  faults,
  onChange,
}: Omit<Entering, 'onChange'> & {
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

function GroupInput({ field, shape, draft, path, faults, onChange }: Of<'group'>) {
  const label = labelOf(field, path);
  const entered = typeof draft === 'object' && 'group' in draft ? draft : undefined;
  const shown = entered ?? (field.required ? startGroup(shape) : undefined);
  return (
    <Nest field={field} label={label}>
      {shown && <GroupFields shape={shape} draft={shown} path={path} faults={faults} onChange={onChange} />}
      {!field.required && (
        <div>
          {shown ? (
            <Button onClick={() => onChange('')}>{words.tools.leaveOutOf(label)}</Button>
          ) : (
            <Button icon={Plus} onClick={() => onChange(startGroup(shape))}>
              {words.tools.add(label)}
            </Button>
          )}
        </div>
      )}
    </Nest>
  );
}

function ListInput({ field, shape, draft, path, faults, onChange }: Of<'list'>) {
  const label = labelOf(field, path);
  const list = typeof draft === 'object' && 'list' in draft ? draft.list : [];
  const add = (): void => onChange({ list: [...list, startDraft(shape.item)] });
  return (
    <Nest field={field} label={label}>
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
    </Nest>
  );
}

function VariantInput({ field, shape, draft, path, faults, onChange }: Of<'variant'>) {
  const chosen = typeof draft === 'object' && 'option' in draft ? draft : { option: -1, drafts: {} };
  const option = shape.options[chosen.option];
  const none = { value: '-1', label: field.required ? words.tools.chooseOne : words.tools.leaveOut };
  const options = [
    ...(field.required && option ? [] : [none]),
    ...shape.options.map((_option, index) => ({ value: String(index), label: optionLabel(shape, index) })),
  ];
  const fault = option ? undefined : faults[path];
  return (
    <Nest field={field} label={labelOf(field, path)}>
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
    </Nest>
  );
}

function Nest({
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

/** Items of a list have no name of their own. */
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
