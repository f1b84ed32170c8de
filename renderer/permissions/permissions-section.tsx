import { useDeferredValue, useEffect, useState } from 'react';
import type { ChangedPiece, GoneTool, ToolChange } from '../../shared/approval-view.ts';
import type { IntegrationView } from '../../shared/integration-view.ts';
import { isSameError } from '../../shared/error-traits.ts';
import type { ToolView } from '../../shared/mcp-view.ts';
import {
  changedToolRules,
  decideTool,
  levelOf,
  capabilities,
  ownRule,
  permissionBounds,
  toolPresets,
  toolRules,
} from '../../shared/tool-permissions.ts';
import type { PermissionChange, PermissionLevel, ToolPermissions, ToolRule } from '../../shared/tool-permissions.ts';
import { ErrorNotice } from '../errors/error-notice.tsx';
import { Button } from '../components/button.tsx';
import { CheckBox } from '../components/check-box.tsx';
import { Choice, Field, TextInput } from '../components/field.tsx';
import { Working } from '../components/notice.tsx';
import { RadioChoice } from '../components/radio-choice.tsx';
import { maxRows, searchThreshold } from '../components/use-visible-rows.ts';
import { postern, useCall } from '../postern.ts';
import { useSnapshots, useAppUses } from '../store.ts';
import { viewStateKey, useRetainedState } from '../use-retained-state.ts';
import { words } from '../words.ts';
import { describeKnown, useKnownTools } from './known-tools.ts';
import './permissions.css';

const allApps = '';
const initialState = { app: allApps };

/** Which tools of a server apps may call: all apps, or one of them. */
export function PermissionsSection({ integration }: { readonly integration: IntegrationView }) {
  const { id, permissions, status } = integration;
  const [{ app: chosen }, setTab] = useRetainedState(id, viewStateKey('permissions'), initialState);
  const apps = useSnapshots((state) => state.apps) ?? [];
  const defaultRule = useSnapshots((state) => state.desktop?.settings.changedTools) ?? 'show';
  const isUsed = useAppUses();
  const setting = useCall<null>();
  const listing = useCall<{ readonly tools: readonly ToolView[] }>();
  const isSignedOut = status.name === 'signIn' || status.name === 'signInAgain';
  const { run } = listing;
  useEffect(() => {
    if (!isSignedOut) void run(() => postern.integration.tools({ id }));
  }, [run, id, isSignedOut]);
  const isUnusable = listing.value === undefined && (listing.error !== undefined || status.name !== 'ready');
  const known = useKnownTools(id, isUnusable && !isSignedOut);
  const { permits } = words;
  // Apps that may use it, and apps with settings of their own.
  const own = new Set(permissions?.apps?.map(({ app }) => app));
  const named = apps.filter((each) => isUsed(each, id) || own.has(each.id));
  const unnamed = [...own].filter((each) => !named.some((app) => app.id === each));
  const options = [
    { value: allApps, label: permits.allApps },
    ...named.map((each) => ({ value: each.id, label: each.name })),
    ...unnamed.map((each) => ({ value: each, label: each })),
  ];
  const found = options.find(({ value }) => value === chosen) ?? options[0];
  const app = found && found.value !== allApps ? found.value : undefined;
  const level = app === undefined ? (permissions ?? {}) : levelOf(permissions, app);
  const scope = app === undefined ? {} : { app };
  const set = (change: PermissionChange): void => void setting.run(() => postern.permission.set({ id, ...change }));
  return (
    <section className="stack" id="server-permissions" tabIndex={-1} aria-labelledby="server-permissions-title">
      <div className="stack-tight">
        <h2 id="server-permissions-title">{words.integration.permissions}</h2>
        <p className="soft">{permits.intro}</p>
      </div>
      <ChangedTools integration={integration} listed={listing.value} />
      <Field label={permits.forApps} {...(app !== undefined && { hint: permits.oneApp(found?.label ?? '') })}>
        {(field) => (
          <Choice
            {...field}
            value={found?.value ?? allApps}
            options={options}
            onChoose={(next) => setTab({ app: next })}
          />
        )}
      </Field>
      {setting.error && <ErrorNotice error={setting.error} actions={{ dismiss: setting.clear }} />}
      <section className="section" aria-label={permits.presets}>
        <h3>{permits.presets}</h3>
        <RadioChoice
          label={permits.presets}
          value={level.preset ?? 'everything'}
          options={toolPresets.map((preset) => ({
            value: preset,
            label: permits.preset[preset],
            hint: permits.presetHint[preset],
          }))}
          onChoose={(preset) => set({ ...scope, preset })}
        />
        <p className="soft small">{permits.hint}</p>
      </section>
      <section className="section" aria-label={permits.list}>
        <h3>{permits.list}</h3>
        {isSignedOut && <p className="soft">{permits.signInFirst}</p>}
        {listing.error && !isSameError(listing.error, status.error) && (
          <ErrorNotice
            error={listing.error}
            actions={{ retry: () => void run(() => postern.integration.tools({ id })) }}
          />
        )}
        {known && (
          <p role="status" className="soft">
            {describeKnown(known)}
          </p>
        )}
        {listing.busy && !listing.value && !known && <Working>{words.common.loading}</Working>}
        <ToolRules
          permissions={permissions}
          app={app}
          tools={(listing.value ?? known)?.tools}
          onRule={(tool, rule) => set({ ...scope, tool, rule })}
        />
      </section>
      <section className="section" aria-label={permits.capabilities}>
        <h3>{permits.capabilities}</h3>
        {capabilities.map((offer) => (
          <CheckBox
            key={offer}
            role="switch"
            label={permits.offer[offer]}
            checked={level.without?.includes(offer) !== true}
            hint={app !== undefined && permissions?.without?.includes(offer) === true ? permits.offForAll : undefined}
            onChange={(allowed) => set({ ...scope, offer, allowed })}
          />
        ))}
      </section>
      {app === undefined && (
        <section className="section" aria-label={permits.whenChanged}>
          <h3>{permits.whenChanged}</h3>
          <RadioChoice
            label={permits.whenChanged}
            value={permissions?.changedTools ?? ''}
            options={[
              { value: '', label: permits.asForAll(permits.changedRule[defaultRule]) },
              ...changedToolRules.map((rule) => ({
                value: rule,
                label: permits.changedRule[rule],
                hint: permits.changedRuleHint[rule],
              })),
            ]}
            onChoose={(rule) => set({ changedTools: rule === '' ? null : rule })}
          />
        </section>
      )}
      <p className="soft small">{permits.promptInjection}</p>
    </section>
  );
}

interface ToolRulesProps {
  readonly permissions: ToolPermissions | undefined;
  /** Absent: for all apps. */
  readonly app: string | undefined;
  /** Absent: not listed yet. */
  readonly tools: readonly ToolView[] | undefined;
  readonly onRule: (tool: string, rule: ToolRule | null) => void;
}

const noRule = 'preset';

/** Tools with their rules. A tool with a rule that no longer exists stays listed, so that the rule can be removed. */
function ToolRules({ permissions, app, tools, onRule }: ToolRulesProps) {
  const { permits } = words;
  const [search, setSearch] = useState('');
  const query = useDeferredValue(search).toLowerCase();
  const level = app === undefined ? (permissions ?? {}) : levelOf(permissions, app);
  const listed = tools ?? [];
  const gone = (level.rules ?? []).filter(({ tool }) => !listed.some(({ name }) => name === tool));
  if (tools && listed.length + gone.length === 0) return <p className="soft">{words.tools.none.tools}</p>;
  const rows = [
    ...listed.map(({ name, title, readOnly, hints }) => ({
      name,
      title,
      hints,
      readOnly: readOnly === true,
      isGone: false,
    })),
    ...gone.map(({ tool }) => ({
      name: tool,
      title: undefined,
      hints: undefined,
      readOnly: false,
      isGone: tools !== undefined,
    })),
  ];
  // Tools with a rule come first, so the limit never hides them.
  const sorted = rows.length > maxRows ? rows.toSorted((one, other) => rank(level, one) - rank(level, other)) : rows;
  const found = sorted.filter(
    ({ name, title = '' }) =>
      // Rules are stored by name, within these bounds.
      name.length > 0 && name.length <= permissionBounds.tool && `${name} ${title}`.toLowerCase().includes(query),
  );
  return (
    <>
      {rows.length > searchThreshold && (
        <TextInput
          type="search"
          value={search}
          placeholder={words.tools.search}
          aria-label={`${words.tools.search}: ${permits.list}`}
          onChange={(event) => setSearch(event.target.value)}
        />
      )}
      {rows.length > 0 && found.length === 0 && <p className="soft">{words.tools.nothingFound}</p>}
      <ul className="tool-rules">
        {found.slice(0, maxRows).map((tool) => {
          const rule = ownRule({ rules: level.rules?.filter((each) => each.tool === tool.name) }, tool.name);
          const unruled = level.rules?.filter((each) => each.tool !== tool.name);
          const fallback = decideTool({ ...level, rules: unruled }, undefined, tool);
          const effective = decideTool(permissions, app, tool);
          const own = rule ?? fallback;
          return (
            <li key={tool.name} className="tool-rule">
              <div className="tool-rule-name">
                <span>{tool.title ?? tool.name}</span>
                <span className="soft small">
                  {tool.isGone ? permits.gone : tool.readOnly ? words.tools.readOnly : ''}
                  {!tool.isGone && own !== effective ? ` ${permits.decidedByAll(permits.holds[effective])}` : ''}
                </span>
                <ToolHints hints={tool.hints} />
              </div>
              <Choice
                aria-label={permits.ruleOf(tool.title ?? tool.name)}
                value={rule ?? noRule}
                options={[
                  { value: noRule, label: permits.byPreset(permits.holds[fallback]) },
                  ...toolRules.map((value) => ({ value, label: permits.rules[value] })),
                ]}
                onChoose={(next) => onRule(tool.name, next === noRule ? null : next)}
              />
            </li>
          );
        })}
      </ul>
      {found.length > maxRows && <p className="soft small">{words.tools.shownOf(maxRows, found.length)}</p>}
    </>
  );
}

const rank = (level: PermissionLevel, { name }: { readonly name: string }): number => (ownRule(level, name) ? 0 : 1);

/** Suspicious text in a tool's description, for the user to judge. */
export function ToolHints({ hints }: { readonly hints: ToolView['hints'] }) {
  return hints?.map(({ kind, excerpt }) => (
    <p key={kind} className="tool-hint small">
      {words.permits.hints[kind]} <q>{excerpt}</q>
    </p>
  ));
}

interface ChangedToolsProps {
  readonly integration: IntegrationView;
  /** The listed tools; listing also detects changes. */
  readonly listed: unknown;
}

/** Removed tools shown at once. */
const maxRemoved = 200;

/** Changes of tools since the user's last review, word by word, and removed tools. */
function ChangedTools({ integration: { id, toolReview }, listed }: ChangedToolsProps) {
  const reading = useCall<{
    readonly changed: readonly ToolChange[];
    readonly more: number;
    readonly gone: readonly GoneTool[];
  }>();
  const accepting = useCall<null>();
  const { run } = reading;
  const { reviewedAt, changedAt } = toolReview ?? {};
  // If the server has just responded, compare with it; otherwise show the changes detected before.
  const live = listed !== undefined;
  useEffect(
    () => void run(() => postern.permission.changes({ id, live })),
    [run, id, live, listed, reviewedAt, changedAt],
  );
  const { permits } = words;
  const { changed = [], more = 0, gone: allRemoved = [] } = reading.value ?? {};
  const gone = allRemoved.slice(0, maxRemoved);
  const count = changed.length + gone.length;
  if (count === 0) return reading.error ? <ErrorNotice error={reading.error} /> : null;
  const accept = (seen: readonly ToolChange[], removed: readonly GoneTool[]): void =>
    void accepting.run(() =>
      postern.permission.accept({ id, forms: seen.map(({ form }) => form), gone: removed.map(({ name }) => name) }),
    );
  const head = (tool: string, kind: ToolChange['kind'] | 'gone', onAccept: () => void) => (
    <div className="changed-tool-head">
      <h4>
        {tool} <span className="soft small">{permits.changeKind[kind]}</span>
      </h4>
      <Button kind="quiet" disabled={accepting.busy} aria-label={permits.acceptOf(tool)} onClick={onAccept}>
        {permits.accept}
      </Button>
    </div>
  );
  return (
    <section className="section" aria-label={permits.changes}>
      <h3>{permits.changes}</h3>
      <p className="soft small">{permits.changesIntro}</p>
      {accepting.error && <ErrorNotice error={accepting.error} actions={{ dismiss: accepting.clear }} />}
      <ul className="changed-tools">
        {changed.map((change) => (
          <li key={change.form} className="changed-tool">
            {head(change.tool, change.kind, () => accept([change], []))}
            <dl className="changed-places">
              {change.places.map(({ where, words: pieces }) => (
                <div key={JSON.stringify(where)}>
                  <dt className="soft small">{where.join(' › ')}</dt>
                  <dd>{pieces.map(Piece)}</dd>
                </div>
              ))}
            </dl>
            {change.isCut && <p className="soft small">{permits.changeCut}</p>}
          </li>
        ))}
        {gone.map((each) => (
          <li key={each.name} className="changed-tool">
            {head(each.tool, 'gone', () => accept([], [each]))}
          </li>
        ))}
      </ul>
      {more > 0 && <p className="soft small">{permits.moreChanged(more)}</p>}
      {count > 1 && (
        <div>
          <Button disabled={accepting.busy} onClick={() => accept(changed, gone)}>
            {permits.acceptAll(count)}
          </Button>
        </div>
      )}
    </section>
  );
}

function Piece({ kind, text }: ChangedPiece, index: number) {
  if (kind === 'same') return <span key={index}>{text}</span>;
  return kind === 'gone' ? <del key={index}>{text}</del> : <ins key={index}>{text}</ins>;
}
