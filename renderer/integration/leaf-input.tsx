import { useContext } from 'react';
import { Choice } from '../parts/choice.tsx';
import { Field } from '../parts/field.tsx';
import { SuggestedInput } from '../parts/suggested-input.tsx';
import { TextInput } from '../parts/text-input.tsx';
import { words } from '../words.ts';
import type { ArgumentFault } from './read-arguments.ts';
import type { SchemaField, Shape, TextFormat } from './schema-fields.ts';
import { Suggesting } from './suggesting.ts';

interface LeafInputProps {
  readonly field: SchemaField;
  readonly label: string;
  readonly value: string;
  /** Whatever the field takes otherwise, this is entered as JSON. */
  readonly asJson: boolean;
  readonly fault: ArgumentFault | undefined;
  readonly onChange: (value: string) => void;
}

/** A value that has no parts, or is entered as JSON. */
export function LeafInput({ field, label, value, asJson, fault, onChange }: LeafInputProps) {
  const { required, description } = field;
  const suggest = useContext(Suggesting);
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

/** The system's calendar cannot show what is no date, so that stays text. */
function typeOf(shape: Shape, value: string): 'text' | 'date' | 'password' {
  if (shape.kind !== 'text') return 'text';
  if (shape.format === 'password') return 'password';
  return shape.format === 'date' && (value === '' || /^\d{4}-\d\d-\d\d$/.test(value)) ? 'date' : 'text';
}
