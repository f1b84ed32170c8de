import { ChevronRight } from 'lucide-react';
import { useState } from 'react';
import type { FormEvent } from 'react';
import type { IntegrationView } from '../../shared/integration-view.ts';
import type { ProgramPreviews, ProgramView } from '../../shared/program-view.ts';
import { ErrorNotice } from '../errors/error-notice.tsx';
import { sortIntegrations } from '../integrations/arrange-rows.ts';
import { Button } from '../parts/button.tsx';
import { RadioChoice } from '../parts/check-box.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Choice, Field, TextInput } from '../parts/field.tsx';
import { ServiceIcon } from '../parts/service-icon.tsx';
import { postern, useCall } from '../postern.ts';
import { useCounts, useSnapshots } from '../store.ts';
import { forget, useKept } from '../use-kept.ts';
import { flash, show } from '../view.ts';
import { useNow, words } from '../words.ts';
import { CollectionsPart } from './collections-part.tsx';
import { describeProgram, PreviewDialog } from './preview-dialog.tsx';
import './programs.css';
import { FoundPrograms } from './use-in-programs.tsx';
import { MissedQuestions } from './use-question.tsx';

/** Every program that was found, with what it may use. */
export function ProgramsPage() {
  const integrations = useSnapshots((state) => state.integrations) ?? [];
  const [isAdding, setAdding] = useState(false);
  return (
    <div className="page">
      <h1>{words.programs.title}</h1>
      <p className="soft">{words.programs.intro}</p>
      <MissedQuestions />
      <FoundPrograms>{(programs) => <ProgramList programs={programs} />}</FoundPrograms>
      {integrations.length > 0 && (
        <>
          <div>
            <Button onClick={() => setAdding(true)}>{words.programs.other.add}</Button>
          </div>
          <CollectionsPart />
        </>
      )}
      {isAdding && (
        <OtherProgramDialog integrations={sortIntegrations(integrations)} onClose={() => setAdding(false)} />
      )}
    </div>
  );
}

interface OtherProgramDialogProps {
  /** At least one. */
  readonly integrations: readonly IntegrationView[];
  readonly onClose: () => void;
}

interface Entered {
  readonly name: string;
  readonly integration?: string;
  readonly way: 'command' | 'address';
}

const place = 'other program';
const nothing: Entered = { name: '', way: 'command' };

/** A program that Postern does not know: a name, one of the servers, and the lines for both. */
function OtherProgramDialog({ integrations, onClose }: OtherProgramDialogProps) {
  const own = words.programs.other;
  const [entered, keep] = useKept('page', place, nothing);
  const { name, way } = entered;
  const integration = (integrations.find(({ id }) => id === entered.integration) ?? integrations[0])?.id ?? '';
  const [shown, setShown] = useState<ProgramPreviews>();
  const preview = useCall<ProgramPreviews>();
  const end = (): void => {
    forget('page', place);
    onClose();
  };
  const look = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const wanted = { name: name.trim(), integration, isHttp: way === 'address' };
    setShown(await preview.run(() => postern.program.previewOther(wanted)));
  };
  const server = integrations.find(({ id }) => id === integration)?.name ?? '';
  if (shown)
    return (
      <PreviewDialog
        title={words.programs.previewOf([name.trim()], true, server)}
        shown={shown}
        onClose={onClose}
        onDone={({ made: [made] }) => {
          end();
          if (!made) return;
          // Who leads elsewhere ends what was said before.
          show({ name: 'program', id: made.program });
          flash(() => [words.programs.other.added(made.name)]);
        }}
      />
    );
  return (
    <Dialog
      open
      title={own.title}
      description={own.text}
      onClose={onClose}
      footer={
        <>
          <Button onClick={end}>{words.common.cancel}</Button>
          <Button kind="primary" type="submit" form="other-program" busy={preview.busy} disabled={name.trim() === ''}>
            {own.look}
          </Button>
        </>
      }
    >
      <form id="other-program" className="stack" onSubmit={(event) => void look(event)}>
        <Field label={own.name} hint={own.nameHint}>
          {(control) => (
            <TextInput
              {...control}
              value={name}
              maxLength={80}
              onChange={(event) => keep({ ...entered, name: event.target.value })}
            />
          )}
        </Field>
        <Field label={own.server}>
          {(control) => (
            <Choice
              {...control}
              value={integration}
              options={integrations.map((each) => ({ value: each.id, label: each.name }))}
              onChoose={(id) => keep({ ...entered, integration: id })}
            />
          )}
        </Field>
        <RadioChoice
          label={own.way}
          value={way}
          options={[
            { value: 'command', label: own.command, hint: own.commandHint },
            { value: 'address', label: own.address, hint: own.addressHint },
          ]}
          onChoose={(chosen) => keep({ ...entered, way: chosen })}
        />
        {preview.error && <ErrorNotice error={preview.error} actions={{ dismiss: preview.clear }} />}
      </form>
    </Dialog>
  );
}

/** Programs, each with how it stands with it; a click opens its page. */
export function ProgramList({ programs }: { readonly programs: readonly ProgramView[] }) {
  const countsOf = useCounts();
  const now = useNow(60_000);
  return (
    <ul className="program-list">
      {programs.map((program) => (
        <li key={program.id}>
          <button type="button" className="program-row" onClick={() => show({ name: 'program', id: program.id })}>
            <ServiceIcon name={program.name} size="small" />
            <span className="program-name">{program.name}</span>
            <span className="program-state">{describeProgram(program, countsOf(program), now)}</span>
            <ChevronRight aria-hidden="true" size={15} />
          </button>
        </li>
      ))}
    </ul>
  );
}
