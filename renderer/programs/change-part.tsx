import type { ProgramPreview } from '../../shared/program-view.ts';
import { PasteLines } from '../errors/paste-lines.tsx';
import { Choice } from '../parts/choice.tsx';
import { Field } from '../parts/field.tsx';
import { Lines } from '../parts/lines.tsx';
import { Notice } from '../parts/notice.tsx';
import { words } from '../words.ts';

interface ChangePartProps {
  readonly change: ProgramPreview;
  /** The copy from before is kept for an undo. */
  readonly keepsCopy?: boolean;
  readonly onProfile?: ChooseProfile | undefined;
}

/** Asks for the same change in the list of another profile of an editor; without one, of the default profile. */
export type ChooseProfile = (program: string, profile: string | undefined) => void;

/** The whole change of one program's file: where, the lines, and what they hold. */
export function ChangePart({ change, keepsCopy = true, onProfile }: ChangePartProps) {
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
  ];
  return (
    <>
      {profile}
      {path !== '' && <p className="program-path mono">{path}</p>}
      <Lines label={words.programs.goes} sign="−" kind="goes" lines={before} />
      <Lines label={words.programs.comes} sign="+" kind="comes" lines={after} />
      <Lines label={words.programs.commands} sign="$" kind="runs" lines={commands} />
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
