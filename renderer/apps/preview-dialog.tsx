import type { AppOutcomes, AppPreview, AppPreviews, AppView } from '../../shared/app-view.ts';
import { ErrorNotice, PasteLines } from '../errors/error-notice.tsx';
import { Button } from '../components/button.tsx';
import { Dialog } from '../components/dialog.tsx';
import { Lines } from '../components/facts.tsx';
import { Choice, Field } from '../components/field.tsx';
import { Notice } from '../components/notice.tsx';
import { postern, useCall } from '../postern.ts';
import { formatRelative, words } from '../words.ts';

interface PreviewDialogProps {
  readonly title: string;
  readonly appPreviews: AppPreviews;
  readonly onClose: () => void;
  readonly onDone: (outcomes: AppOutcomes) => void;
  readonly onProfile?: ChooseProfile;
  /** Applies the changes; defaults to exactly the previewed ones. */
  readonly onApply?: (change: { tokens: string[] }) => ReturnType<typeof postern.app.change>;
  /** What to do when no file can be changed, and what that means. */
  readonly fallback?: { readonly label: string; readonly text: string };
}

/** Shows every line of the changes before they are made, with one button to confirm all. */
export function PreviewDialog({
  title,
  appPreviews: { previews, refused },
  onClose,
  onDone,
  onProfile,
  onApply = postern.app.change,
  fallback,
}: PreviewDialogProps) {
  const call = useCall<AppOutcomes>();
  const apply = async (): Promise<void> => {
    const outcomes = await call.run(() => onApply({ tokens: previews.map(({ token }) => token) }));
    if (outcomes) onDone(outcomes);
  };
  const [first] = previews;
  const automatic = previews.filter(({ action }) => action !== 'paste');
  const isOne = previews.length === 1 && refused.length === 0;
  const isOneApp = new Set(previews.map(({ app }) => app)).size === 1;
  const removesOnly = previews.length > 1 && previews.every(({ after }) => after.length === 0);
  return (
    <Dialog
      wide
      isText
      open
      title={title}
      description={
        isOne && first
          ? describeAction(first)
          : isOneApp && first && removesOnly
            ? words.apps.filesText(first.name)
            : !first && fallback
              ? fallback.text
              : words.apps.severalText(previews.length, previews.length - automatic.length)
      }
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{words.common.cancel}</Button>
          {(first ?? fallback) && !call.error && (
            <Button kind="primary" busy={call.busy} onClick={() => void apply()}>
              {!first
                ? fallback?.label
                : previews.length === 1 || automatic.length === 0
                  ? words.apps.confirm[first.action]
                  : words.apps[isOneApp ? 'confirmFiles' : 'confirmSeveral'](automatic.length)}
            </Button>
          )}
        </>
      }
    >
      <PreviewList appPreviews={{ previews, refused }} onProfile={onProfile} />
      {call.error && <ErrorNotice error={call.error} />}
    </Dialog>
  );
}

interface PreviewListProps {
  readonly appPreviews: AppPreviews;
  readonly keepsBackups?: boolean;
  readonly onProfile?: ChooseProfile | undefined;
}

/** The changes themselves; several are grouped by app. */
export function PreviewList({ appPreviews: { previews, refused }, keepsBackups = true, onProfile }: PreviewListProps) {
  const [first] = previews;
  return (
    <>
      {first && previews.length === 1 && refused.length === 0 ? (
        <ChangePreview change={first} keepsBackup={keepsBackups} onProfile={onProfile} />
      ) : (
        previews.map((change) => (
          // An app may have several files.
          <section className="app-change" key={change.token} aria-label={`${change.name}: ${change.path}`}>
            <h3>{change.name}</h3>
            <p>{describeAction(change)}</p>
            <ChangePreview change={change} keepsBackup={keepsBackups} onProfile={onProfile} />
            {change.action !== 'none' && <p className="soft">{describeNotice(change)}</p>}
          </section>
        ))
      )}
      {refused.map(({ name, error }, index) => (
        <section className="app-change" key={index} aria-labelledby={`refused-${index}`}>
          <h3 id={`refused-${index}`}>{words.apps.unchanged(name)}</h3>
          <ErrorNotice error={error} tone="ask" />
        </section>
      ))}
    </>
  );
}

/** One sentence above the lines: what will be done. */
function describeAction({ action, after, fault }: AppPreview): string {
  if (fault && after.length > 0) return words.apps.pasteInstead(words.errors.message(fault));
  return action === 'paste' && after.length === 0 ? words.apps.removeLines : words.apps.actions[action];
}

interface ChangePreviewProps {
  readonly change: AppPreview;
  /** A backup of the file is saved for undo. */
  readonly keepsBackup?: boolean;
  readonly onProfile?: ChooseProfile | undefined;
}

/** Previews the same change for another editor profile; `undefined` is the default profile. */
export type ChooseProfile = (app: string, profile: string | undefined) => void;

/** The change to one app's file: path, lines, and what they contain. */
function ChangePreview({ change, keepsBackup = true, onProfile }: ChangePreviewProps) {
  const { action, path, before, after, commands, restores, secret, replacesSecret, fault, token, excludedBy } = change;
  const isBackedUp = keepsBackup && (action === 'updated' || action === 'deleted' || action === 'command');
  const profile = onProfile && <ProfileChoice change={change} onProfile={onProfile} />;
  if (action === 'paste' && after.length > 0)
    return (
      <>
        {profile}
        {replacesSecret && (
          <Notice tone="ask" title={words.apps.secretLost(change.name)}>
            {words.apps.secretLostNext}
          </Notice>
        )}
        <PasteLines path={fault || path === '' ? undefined : path} lines={after} token={token} />
        <p className="soft">
          {secret === 'header' ? words.apps.pastedSecret : words.apps.secrets[secret]} {words.apps.pasteThen}
        </p>
      </>
    );
  const remarks = [
    after.length > 0 && !restores && words.apps.secrets[secret],
    [...before, ...after].some((line) => line.includes('…')) && words.apps.hiddenValues,
    isBackedUp && words.apps.copySaved,
    change.removesBom && words.apps.removesBom,
    change.preset !== undefined && words.apps.presets[change.preset],
    change.revertsRules && words.apps.revertsRules,
  ];
  return (
    <>
      {profile}
      {path !== '' && <p className="app-path mono">{path}</p>}
      <Lines label={words.apps.removedLines} sign="−" kind="removed" lines={before} />
      <Lines label={words.apps.addedLines} sign="+" kind="added" lines={after} />
      <Lines label={words.apps.commands} sign="$" kind="runs" lines={commands} />
      {change.rules?.map((rule) => (
        <p key={rule.entry}>{words.apps.rules(change.name, rule)}</p>
      ))}
      <p className="soft">{remarks.filter(Boolean).join(' ')}</p>
      {excludedBy !== undefined && <Notice tone="ask" title={words.apps.excludedBy(change.name, excludedBy)} />}
    </>
  );
}

interface ProfileChoiceProps {
  readonly change: AppPreview;
  readonly onProfile: ChooseProfile;
}

/** For editors whose profiles have server lists of their own. */
function ProfileChoice({ change: { app, profiles = [], editorProfile = '' }, onProfile }: ProfileChoiceProps) {
  if (profiles.length === 0) return null;
  const options = profiles.map(({ id, name }) => ({ value: id, label: name }));
  return (
    <Field label={words.apps.profile}>
      {(control) => (
        <Choice
          {...control}
          value={editorProfile}
          options={[{ value: '', label: words.apps.defaultProfile }, ...options]}
          onChoose={(value) => onProfile(app, value === '' ? undefined : value)}
        />
      )}
    </Field>
  );
}

/** Status of an app in a few words. `used`, `all`: numbers of servers; `now`: milliseconds since 1970. */
export function describeApp(app: AppView, [used, all]: readonly [number, number], now: number): string {
  const { fault, isRevoked, isPaused, lastUsedAt, waiting = [] } = app;
  const unused = isRevoked ? words.apps.revoked : fault === undefined && waiting.length === 0 && words.apps.notSetUp;
  return [
    isPaused && words.apps.paused,
    used > 0 ? words.apps.uses(used, all) : unused,
    waiting.length > 0 && words.apps.waiting,
    fault !== undefined && words.apps.unreadable,
    used > 0 && lastUsedAt !== undefined && words.apps.lastUsed(formatRelative(Math.min(lastUsedAt, now), now)),
  ]
    .filter((part) => part !== false)
    .join(' · ');
}

/** When the app picks up the change, and anything else to know about it. */
export function describeNotice({
  name,
  notice,
  note,
  excludedBy,
}: Pick<AppPreview, 'name' | 'notice' | 'note' | 'excludedBy'>): string {
  if (excludedBy !== undefined) return words.apps.excludedBy(name, excludedBy);
  const notices = words.apps.notices[notice](name);
  return note === undefined ? notices : `${notices} ${words.apps.notes[note](name)}`;
}
