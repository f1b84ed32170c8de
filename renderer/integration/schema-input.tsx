import { Choice } from '../parts/choice.tsx';
import { Field } from '../parts/field.tsx';
import { TextInput } from '../parts/text-input.tsx';
import { words } from '../words.ts';
import type { ArgumentFault } from './read-arguments.ts';
import type { SchemaField } from './schema-fields.ts';

interface SchemaInputProps {
  readonly field: SchemaField;
  readonly value: string;
  readonly fault: ArgumentFault | undefined;
  readonly onChange: (value: string) => void;
}

const asides = { json: words.tools.jsonHint, lines: words.tools.listHint } as Readonly<
  Record<string, string | undefined>
>;

export function SchemaInput({ field, value, fault, onChange }: SchemaInputProps) {
  const { kind, required, description, label } = field;
  const aside = [required ? undefined : words.common.optional, asides[kind]].filter(Boolean).join(', ');
  return (
    <Field label={label} aside={aside} hint={description} error={fault && words.tools[fault]}>
      {(control) => {
        switch (kind) {
          case 'choice':
          case 'boolean':
            return (
              <Choice
                {...control}
                value={value}
                options={[...(required ? (value === '' ? [unchosen] : []) : [empty]), ...choicesOf(field)]}
                onChoose={onChange}
              />
            );
          case 'longText':
          case 'lines':
          case 'json':
            return (
              <textarea
                {...control}
                className={`input${kind === 'json' ? ' mono' : ''}`}
                rows={3}
                spellCheck={kind === 'longText'}
                value={value}
                onChange={(event) => onChange(event.target.value)}
              />
            );
          default:
            return (
              <TextInput
                {...control}
                inputMode={kind === 'text' ? 'text' : 'decimal'}
                value={value}
                onChange={(event) => onChange(event.target.value)}
              />
            );
        }
      }}
    </Field>
  );
}

const unchosen = { value: '', label: words.tools.chooseOne };
const empty = { value: '', label: words.tools.leaveOut };

function choicesOf({ kind, choices }: SchemaField): SchemaField['choices'] {
  if (kind === 'choice') return choices;
  return [
    { value: 'true', label: words.tools.yes },
    { value: 'false', label: words.tools.no },
  ];
}
