import type { ProgramOutcomes, ProgramPreview, ProgramPreviews, ProgramView } from '../../shared/program-view.ts';
import { ErrorNotice, PasteLines } from '../errors/error-notice.tsx';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Lines } from '../parts/facts.tsx';
import { Choice, Field } from '../parts/field.tsx';
import { Notice } from '../parts/notice.tsx';
import { postern, useCall } from '../postern.ts';
import { formatDistance, words } from '../words.ts';

interface PreviewDialogProps {
  readonly title: string;
  readonly shown: ProgramPreviews;
  readonly onClose: () => void;
  readonly onDone: (outcomes: ProgramOutcomes) => void;
  readonly onProfile?: ChooseProfile;
  /** Makes the changes; left out, nothing but these. */
  readonly onMake?: (change: { tokens: string[] }) => ReturnType<typeof postern.program.change>;
  /** What is done also where no file can be changed, and what that means. */
  readonly otherwise?: { readonly label: string; readonly text: string };
}

/** Every line of the changes before they are made, and one yes to all of them. */
export function PreviewDialog({
  title,
  shown: { previews, refused },
  onClose,
  onDone,
  onProfile,
  onMake = postern.program.change,
  otherwise,
}: PreviewDialogProps) {
  const call = useCall<ProgramOutcomes>();
  const make = async (): Promise<void> => {
    const outcomes = await call.run(() => onMake({ tokens: previews.map(({ token }) => token) }));
    if (outcomes) onDone(outcomes);
  };
  const [first] = previews;
  const ours = previews.filter(({ action }) => action !== 'paste');
  const isOne = previews.length === 1 && refused.length === 0;
  const isOfOne = new Set(previews.map(({ program }) => program)).size === 1;
  const goes = previews.length > 1 && previews.every(({ after }) => after.length === 0);
  return (
    <Dialog
      wide
      isText
      open
      title={title}
      description={
        isOne && first
          ? describeAction(first)
          : isOfOne && first && goes
            ? words.programs.filesText(first.name)
            : !first && otherwise
              ? otherwise.text
              : words.programs.severalText(previews.length, previews.length - ours.length)
      }
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{words.common.cancel}</Button>
          {(first ?? otherwise) && !call.error && (
            <Button kind="primary" busy={call.busy} onClick={() => void make()}>
              {!first
                ? otherwise?.label
                : previews.length === 1 || ours.length === 0
                  ? words.programs.confirm[first.action]
                  : words.programs[isOfOne ? 'confirmFiles' : 'confirmSeveral'](ours.length)}
            </Button>
          )}
        </>
      }
    >
      <ShownPreviews shown={{ previews, refused }} onProfile={onProfile} />
      {call.error && <ErrorNotice error={call.error} />}
    </Dialog>
  );
}

interface ShownPreviewsProps {
  readonly shown: ProgramPreviews;
  readonly keepsCopies?: boolean;
  readonly onProfile?: ChooseProfile | undefined;
}

/** The changes themselves; of several each under the name of its program. */
export function ShownPreviews({ shown: { previews, refused }, keepsCopies = true, onProfile }: ShownPreviewsProps) {
  const [first] = previews;
  return (
    <>
      {first && previews.length === 1 && refused.length === 0 ? (
        <ChangePart change={first} keepsCopy={keepsCopies} onProfile={onProfile} />
      ) : (
        previews.map((change) => (
          // A program may have several files.
          <section className="program-change" key={change.token} aria-label={`${change.name}: ${change.path}`}>
            <h3>{change.name}</h3>
            <p>{describeAction(change)}</p>
            <ChangePart change={change} keepsCopy={keepsCopies} onProfile={onProfile} />
            {change.action !== 'none' && <p className="soft">{describeNotice(change)}</p>}
          </section>
        ))
      )}
      {refused.map(({ name, error }, index) => (
        <section className="program-change" key={index} aria-labelledby={`refused-${index}`}>
          <h3 id={`refused-${index}`}>{words.programs.leftAlone(name)}</h3>
          <ErrorNotice error={error} tone="ask" />
        </section>
      ))}
    </>
  );
}

/** What is done, in one sentence before the lines. */
function describeAction({ action, after, fault }: ProgramPreview): string {
  if (fault && after.length > 0) return words.programs.pasteInstead(words.errors.message(fault));
  return action === 'paste' && after.length === 0 ? words.programs.takeOut : words.programs.actions[action];
}

interface ChangePartProps {
  readonly change: ProgramPreview;
  /** The copy from before is kept for an undo. */
  readonly keepsCopy?: boolean;
  readonly onProfile?: ChooseProfile | undefined;
}

/** Asks for the same change in the list of another profile of an editor; without one, of the default profile. */
export type ChooseProfile = (program: string, profile: string | undefined) => void;

/** The whole change of one program's file: where, the lines, and what they hold. */
function ChangePart({ change, keepsCopy = true, onProfile }: ChangePartProps) {
  const { action, path, before, after, commands, restores, secret, endsSecret, fault, token, keptOut } = change;
  const isKept = keepsCopy && (action === 'updated' || action === 'deleted' || action === 'command');
  const profile = onProfile && <ProfileChoice change={change} onProfile={onProfile} />;
  if (action === 'paste' && after.length > 0)
    return (
      <>
        {profile}
        {endsSecret && (
          <Notice tone="ask" title={words.programs.secretLost(change.name)}>
            {words.programs.secretLostNext}
          </Notice>
        )}
        <PasteLines path={fault || path === '' ? undefined : path} lines={after} token={token} />
        <p className="soft">
          {secret === 'header' ? words.programs.pastedSecret : words.programs.secrets[secret]}{' '}
          {words.programs.pasteThen}
        </p>
      </>
    );
  const remarks = [
    after.length > 0 && !restores && words.programs.secrets[secret],
    [...before, ...after].some((line) => line.includes('…')) && words.programs.hiddenValues,
    isKept && words.programs.copyKept,
    change.takesMark && words.programs.takesMark,
    change.endsRules && words.programs.endsRules,
  ];
  return (
    <>
      {profile}
      {path !== '' && <p className="program-path mono">{path}</p>}
      <Lines label={words.programs.goes} sign="−" kind="goes" lines={before} />
      <Lines label={words.programs.comes} sign="+" kind="comes" lines={after} />
      <Lines label={words.programs.commands} sign="$" kind="runs" lines={commands} />
      {change.rules?.map((rule) => (
        <p key={rule.entry}>{words.programs.rules(change.name, rule)}</p>
      ))}
      <p className="soft">{remarks.filter(Boolean).join(' ')}</p>
      {keptOut !== undefined && <Notice tone="ask" title={words.programs.keptOut(change.name, keptOut)} />}
    </>
  );
}

interface ProfileChoiceProps {
  readonly change: ProgramPreview;
  readonly onProfile: ChooseProfile;
}

/** Where an editor has profiles with lists of their own. */
function ProfileChoice({ change: { program, profiles = [], editorProfile = '' }, onProfile }: ProfileChoiceProps) {
  if (profiles.length === 0) return null;
  const options = profiles.map(({ id, name }) => ({ value: id, label: name }));
  return (
    <Field label={words.programs.profile}>
      {(control) => (
        <Choice
          {...control}
          value={editorProfile}
          options={[{ value: '', label: words.programs.defaultProfile }, ...options]}
          onChoose={(value) => onProfile(program, value === '' ? undefined : value)}
        />
      )}
    </Field>
  );
}

/**
 * In a few words, how it stands with a program. `used`: how many of all servers; `now`: milliseconds since 1970.
 */
export function describeProgram(program: ProgramView, [used, all]: readonly [number, number], now: number): string {
  const { fault, isRevoked, isPaused, lastUsedAt, waiting = [] } = program;
  const unused = isRevoked
    ? words.programs.revoked
    : fault === undefined && waiting.length === 0 && words.programs.notSetUp;
  return [
    isPaused && words.programs.paused,
    used > 0 ? words.programs.uses(used, all) : unused,
    waiting.length > 0 && words.programs.waiting,
    fault !== undefined && words.programs.unreadable,
    used > 0 && lastUsedAt !== undefined && words.programs.lastUsed(formatDistance(Math.min(lastUsedAt, now), now)),
  ]
    .filter((part) => part !== false)
    .join(' · ');
}

/** When a program notices its change, and what else has to be known of it. */
export function describeNotice({
  name,
  notice,
  note,
  keptOut,
}: Pick<ProgramPreview, 'name' | 'notice' | 'note' | 'keptOut'>): string {
  if (keptOut !== undefined) return words.programs.keptOut(name, keptOut);
  const notices = words.programs.notices[notice](name);
  return note === undefined ? notices : `${notices} ${words.programs.notes[note](name)}`;
}
