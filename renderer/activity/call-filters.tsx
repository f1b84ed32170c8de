import { Pause, Play } from 'lucide-react';
import { useMemo } from 'react';
import { locale } from '../locale.ts';
import { Button } from '../parts/button.tsx';
import { Choice } from '../parts/choice.tsx';
import { TextInput } from '../parts/text-input.tsx';
import { words } from '../words.ts';
import { nameOfProgram } from './describe-call.ts';
import { programOf, serverOf } from './filter-calls.ts';
import type { CallFilter } from './filter-calls.ts';
import type { NumberedCall } from './use-activity.ts';

interface CallFiltersProps {
  readonly calls: readonly NumberedCall[];
  readonly nameOfServer: (call: NumberedCall) => string;
  readonly filter: CallFilter;
  readonly onFilter: (filter: CallFilter) => void;
  readonly isLive: boolean;
  readonly onLive: (isLive: boolean) => void;
}

export function CallFilters({ calls, nameOfServer, filter, onFilter, isLive, onLive }: CallFiltersProps) {
  const { activity } = words;
  const programs = useMemo(() => namesOf(calls, programOf, nameOfProgram), [calls]);
  const servers = useMemo(() => namesOf(calls, serverOf, nameOfServer), [calls, nameOfServer]);
  const outcomes = (['all', 'failed'] as const).map((value) => ({ value, label: activity.outcomes[value] }));
  return (
    <div className="call-filters" role="group" aria-label={activity.filters}>
      <Choice
        aria-label={activity.program}
        value={filter.program}
        options={[{ value: '', label: activity.everyProgram }, ...programs]}
        onChoose={(program) => onFilter({ ...filter, program })}
      />
      <Choice
        aria-label={activity.server}
        value={filter.server}
        options={[{ value: '', label: activity.everyServer }, ...servers]}
        onChoose={(server) => onFilter({ ...filter, server })}
      />
      <Choice
        aria-label={activity.outcome}
        value={filter.outcome}
        options={outcomes}
        onChoose={(outcome) => onFilter({ ...filter, outcome })}
      />
      <TextInput
        type="search"
        aria-label={activity.tool}
        placeholder={activity.toolPlaceholder}
        value={filter.tool}
        onChange={(event) => onFilter({ ...filter, tool: event.target.value })}
        onKeyDown={(event) => event.key === 'Escape' && onFilter({ ...filter, tool: '' })}
      />
      <Button icon={isLive ? Pause : Play} onClick={() => onLive(!isLive)}>
        {isLive ? activity.pause : activity.resume}
      </Button>
    </div>
  );
}

/** Each that occurs, once, by name; the newest call says what it is called. */
function namesOf(
  calls: readonly NumberedCall[],
  keyOf: (call: NumberedCall) => string,
  nameOf: (call: NumberedCall) => string,
): { value: string; label: string }[] {
  const names = new Map<string, string>();
  for (const call of calls) if (!names.has(keyOf(call))) names.set(keyOf(call), nameOf(call));
  return [...names]
    .map(([value, label]) => ({ value, label }))
    .toSorted((one, other) => one.label.localeCompare(other.label, locale));
}
