import { useEffect, useState } from 'react';
import type { ReactNode } from 'react';
import type { PlainError } from '../../shared/error-codes.ts';
import type { IntegrationView } from '../../shared/integration-view.ts';
import type { ProgramPreviews, ProgramView } from '../../shared/program-view.ts';
import { ErrorNotice } from '../errors/error-notice.tsx';
import { compareNames } from '../integrations/arrange-rows.ts';
import { Button } from '../parts/button.tsx';
import { CheckBox } from '../parts/check-box.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { postern, useCall } from '../postern.ts';
import { mayUse, useSnapshots, useUsed } from '../store.ts';
import { lookedAt, useKept } from '../use-kept.ts';
import { endUse, useView } from '../view.ts';
import { words } from '../words.ts';
import { MadeChanges, noteMade, useMadeFor, Waiting } from './made-changes.tsx';
import { PreviewDialog } from './preview-dialog.tsx';
import './programs.css';

const nothingChosen: Readonly<Record<string, boolean>> = {};

interface UseInProgramsProps {
  /** One, or those that were chosen together. */
  readonly servers: readonly Pick<IntegrationView, 'id' | 'name'>[];
  readonly programs: readonly ProgramView[];
  /** Those that are not said no to are chosen. */
  readonly isOffer?: boolean;
  readonly onLater?: () => void;
}

/** The programs of this computer for some servers: chosen one by one, looked at and changed together. */
export function UseInPrograms({ servers, programs, isOffer = false, onLater }: UseInProgramsProps) {
  /** By program, why its file was left alone. */
  const [faults, setFaults] = useState<Readonly<Record<string, PlainError>>>({});
  /** By program, of editors: where that is not the default one. */
  const [profiles, setProfiles] = useState<Readonly<Record<string, string | undefined>>>({});
  const [shown, setShown] = useState<ProgramPreviews>();
  /** Its lines alone are shown once more. */
  const [waitingOne, setWaitingOne] = useState<ProgramView>();
  const preview = useCall<ProgramPreviews>();
  const ids = servers.map(({ id }) => id);
  const [chosen, setChosen] = useKept(ids[0] ?? 'page', lookedAt(`programs for ${ids.join(' ')}`), nothingChosen);
  const wants = (program: ProgramView): Use =>
    chosen[program.id] ?? (isOffer && !program.isRevoked ? true : useOf(program, ids));
  const wanted = programs.filter((program) => wants(program) !== useOf(program, ids));
  const ask = async (inProfiles: Readonly<Record<string, string | undefined>>): Promise<void> => {
    setProfiles(inProfiles);
    setWaitingOne(undefined);
    const changes = wanted.map((program) => {
      const use = wants(program) === true;
      const editorProfile = use ? inProfiles[program.id] : undefined;
      const integrations = ids.filter((id) => mayUse(program, id) !== use);
      const change = { program: program.id, integrations, use };
      return { ...change, ...(editorProfile !== undefined && { editorProfile }) };
    });
    const found = await preview.run(async () => {
      const result = await postern.program.preview({ changes });
      const [alone] = wanted;
      const refused = result.ok ? result.value.refused : alone ? [{ program: alone.id, error: result.error }] : [];
      setFaults(Object.fromEntries(refused.map(({ program, error }) => [program, error])));
      return result;
    });
    setShown(found);
  };
  const showLines = async (program: ProgramView): Promise<void> => {
    const integrations = ids.filter((id) => program.waiting?.includes(id));
    const changes = [{ program: program.id, integrations, use: true }];
    const found = await preview.run(() => postern.program.preview({ changes }));
    setWaitingOne(program);
    setShown(found);
  };
  const about = waitingOne ? [waitingOne] : wanted;
  return (
    <>
      <div className="program-choices" role="group" aria-label={words.programs.title}>
        {programs.map((program) => {
          const fault = faults[program.id];
          const use = isOffer ? undefined : describeUse(program, ids);
          return (
            <div className="stack-tight" key={program.id}>
              <CheckBox
                checked={wants(program)}
                label={program.name}
                hint={fault ? words.errors.message(fault) : use}
                onChange={(isChosen) => setChosen({ ...chosen, [program.id]: isChosen })}
              />
              <Waiting isTold program={program} servers={ids} onShow={() => void showLines(program)} />
            </div>
          );
        })}
      </div>
      {preview.error && <ErrorNotice error={preview.error} actions={{ dismiss: preview.clear }} />}
      <div className="row">
        <Button
          // Beside an offer stands what a page is for.
          kind={isOffer ? 'plain' : 'primary'}
          busy={preview.busy}
          disabled={wanted.length === 0}
          onClick={() => void ask({})}
        >
          {words.programs.look}
        </Button>
        {onLater && (
          <Button kind="quiet" onClick={onLater}>
            {words.programs.later}
          </Button>
        )}
        <span className="soft" role="status">
          {wanted.length > 0 && words.programs.chosen(wanted.length)}
        </span>
      </div>
      {shown && (
        <PreviewDialog
          title={titleOf(ofThose(about, shown), wants, nameOf(servers))}
          shown={shown}
          onClose={() => setShown(undefined)}
          {...(!waitingOne && { onProfile: (program, profile) => void ask({ ...profiles, [program]: profile }) })}
          onDone={(outcomes) => {
            setShown(undefined);
            setChosen({});
            noteMade(ids, outcomes, shown);
          }}
        />
      )}
    </>
  );
}

/** Those that can be changed, where any can. */
function ofThose(wanted: readonly ProgramView[], { previews }: ProgramPreviews): readonly ProgramView[] {
  const able = wanted.filter(({ id }) => previews.some(({ program }) => program === id));
  return able.length > 0 ? able : wanted;
}

/** Whether a program uses the servers: all of them, none, or some. */
type Use = boolean | 'some';

function useOf(program: ProgramView, servers: readonly string[]): Use {
  const used = servers.filter((id) => mayUse(program, id)).length;
  return used > 0 && used < servers.length ? 'some' : used > 0;
}

function describeUse(program: ProgramView, servers: readonly string[]): string {
  const { length: all } = servers;
  const used = servers.filter((id) => program.uses.includes(id)).length;
  const isWaiting = servers.some((id) => program.waiting?.includes(id));
  if (isWaiting && used === 0) return words.programs.waiting;
  const use =
    used === all || used === 0 ? words.programs[used > 0 ? 'usesIt' : 'usesNot'](all) : words.programs.uses(used, all);
  return isWaiting ? `${use} · ${words.programs.waiting}` : use;
}

/** What they are called together. */
function nameOf(servers: readonly Pick<IntegrationView, 'name'>[]): string {
  const [only] = servers;
  return only && servers.length === 1 ? only.name : words.arrange.chosen(servers.length);
}

function titleOf(wanted: readonly ProgramView[], wants: (program: ProgramView) => Use, server: string): string {
  const names = wanted.map(({ name }) => name);
  const added = wanted.filter((program) => wants(program) === true);
  if (added.length === wanted.length) return words.programs.previewOf(names, true, server);
  return added.length > 0 ? words.programs.previewMixed(names) : words.programs.previewOf(names, false, server);
}

/** Of more the number alone is said. */
const mostNamed = 12;

/** Which programs use the servers that were chosen together: one preview of all changes, and one undo. */
export function UseSeveralDialog() {
  const using = useView((state) => state.using);
  const servers = useUsed(using).toSorted((one, other) => compareNames(one.name, other.name));
  if (servers.length === 0) return null;
  return (
    <Dialog
      wide
      open
      title={words.programs.offer(nameOf(servers))}
      description={words.programs.useSeveralIntro}
      onClose={endUse}
      footer={<Button onClick={endUse}>{words.common.close}</Button>}
    >
      <div className="stack">
        {servers.length > 1 && servers.length <= mostNamed && (
          <p className="soft">{servers.map(({ name }) => name).join(', ')}</p>
        )}
        <MadeChanges servers={servers.map(({ id }) => id)} />
        <FoundPrograms>{(programs) => <UseInPrograms servers={servers} programs={programs} />}</FoundPrograms>
      </div>
    </Dialog>
  );
}

interface OfferProgramsProps {
  readonly integration: IntegrationView;
  readonly onLater: () => void;
}

/** At the end of a sign-in: the programs that do not use the server yet. */
export function OfferPrograms({ integration, onLater }: OfferProgramsProps) {
  const programs = useSnapshots((state) => state.programs) ?? [];
  const made = useMadeFor([integration.id]);
  const others = programs.filter((program) => !mayUse(program, integration.id));
  if (made) return <MadeChanges servers={[integration.id]} />;
  if (others.length === 0 || integration.state !== 'integrated') return null;
  return (
    <section className="section program-offer" aria-labelledby="program-offer">
      <h2 id="program-offer">{words.programs.offer(integration.name)}</h2>
      <UseInPrograms isOffer servers={[integration]} programs={others} onLater={onLater} />
    </section>
  );
}

/** The programs on this computer, looked for again; without any, what to do about it. */
export function FoundPrograms({ children }: { readonly children: (programs: readonly ProgramView[]) => ReactNode }) {
  const programs = useSnapshots((state) => state.programs);
  useEffect(() => {
    // One may have been installed meanwhile.
    void postern.program.find();
  }, []);
  if (programs === undefined) return <p role="status">{words.programs.looking}</p>;
  if (programs.length > 0) return children(programs);
  return (
    <div className="stack-tight">
      <p>{words.programs.none}</p>
      <p className="soft">{words.programs.noneNext}</p>
      <div>
        <Button onClick={() => void postern.program.find()}>{words.programs.lookAgain}</Button>
      </div>
    </div>
  );
}
