import { useDeferredValue, useMemo } from 'react';
import type { IntegrationView } from '../../shared/integration-view.ts';
import type { ProgramView } from '../../shared/program-view.ts';
import {
  holdsChanges,
  isOffered,
  levelOf,
  offers,
  toolPresets,
  withChangedToolRule,
} from '../../shared/tool-permissions.ts';
import { filterIntegrations, sortIntegrations } from '../integrations/arrange-rows.ts';
import { ServerIcon } from '../integrations/server-icon.tsx';
import { Button } from '../parts/button.tsx';
import { CheckBox } from '../parts/check-box.tsx';
import { TextInput } from '../parts/field.tsx';
import { mayUse, useSnapshots, useUses } from '../store.ts';
import type { Used } from '../store.ts';
import { keepAs, lookedAt, useKept } from '../use-kept.ts';
import { show, showIntegration } from '../view.ts';
import { words } from '../words.ts';
import { Waiting } from './made-changes.tsx';

interface ProgramServersProps {
  readonly program: ProgramView;
  readonly onUse: (server: Used, use: boolean) => void;
}

/** A thousand rows at once would hold the window up; whoever has more looks for one by its name. */
export const most = 50;
/** More than these are not all in sight. */
export const few = 15;
const everything = { search: '' };

/** The servers, each with whether the program may use it. */
export function ProgramServers({ program, onUse }: ProgramServersProps) {
  const { id, uses, hasProfiles } = program;
  const integrations = useSnapshots((state) => state.integrations);
  const isUsed = useUses();
  const collections = useSnapshots((state) => state.collections) ?? [];
  const [{ search }, look] = useKept('page', lookedAt(`servers of ${id}`), everything);
  const wanted = useDeferredValue(search);
  const sorted = useMemo(() => {
    const all = sortIntegrations(integrations ?? []);
    // What it uses is not among those that are left out.
    return all.length > most ? all.toSorted((one, other) => rank(program, one) - rank(program, other)) : all;
  }, [integrations, program]);
  const found = filterIntegrations(sorted, wanted);
  if (sorted.length === 0)
    return (
      <div className="stack-tight">
        <p>{words.programs.noServers}</p>
        <div>
          <Button onClick={() => show({ name: 'connect' })}>{words.programs.connect}</Button>
        </div>
      </div>
    );
  return (
    <>
      {sorted.length > few && (
        <TextInput
          type="search"
          value={search}
          placeholder={words.sidebar.search}
          aria-label={words.sidebar.search}
          onChange={(event) => look({ search: event.target.value })}
        />
      )}
      {found.length > 0 ? (
        <div className="program-list">
          {wanted === '' &&
            collections.map((collection) => (
              <div className="program-server" key={collection.id}>
                <CheckBox
                  role="switch"
                  checked={mayUse(program, collection.id)}
                  label={collection.name}
                  hint={words.programs.collections.state(collection.members.length, [])}
                  onChange={(use) => onUse(collection, use)}
                />
                <Waiting program={program} servers={[collection.id]} onShow={() => onUse(collection, true)} />
              </div>
            ))}
          {found.slice(0, most).map((integration) => (
            <div className="program-server" key={integration.id}>
              <ServerIcon integration={integration} size="small" />
              <CheckBox
                role="switch"
                checked={mayUse(program, integration.id)}
                label={integration.name}
                hint={integration.host}
                onChange={(use) => onUse(integration, use)}
              />
              <Waiting program={program} servers={[integration.id]} onShow={() => onUse(integration, true)} />
              {hasProfiles && uses.includes(integration.id) && (
                <Button
                  kind="quiet"
                  aria-label={`${words.programs.anotherProfile} ${integration.name}`}
                  onClick={() => onUse(integration, true)}
                >
                  {words.programs.anotherProfile}
                </Button>
              )}
              {isUsed({ uses }, integration.id) && (
                <div className="program-server-permissions">
                  <ServerPermissions integration={integration} program={id} />
                </div>
              )}
            </div>
          ))}
        </div>
      ) : (
        <p className="soft">{words.sidebar.nothingFound(wanted)}</p>
      )}
      {found.length > most && <p className="soft small">{words.tools.shownOf(most, found.length)}</p>}
    </>
  );
}

const rank = (program: ProgramView, { id }: IntegrationView): number => (mayUse(program, id) ? 0 : 1);

interface ServerPermissionsProps {
  readonly integration: IntegrationView;
  /** Of the table of programs. */
  readonly program: string;
}

/** What one program may call of one server, in a line that leads to where it is set. */
function ServerPermissions({ integration: { id, name, permissions }, program }: ServerPermissionsProps) {
  const { summary, summaryOf } = words.permits;
  const forAll = useSnapshots((state) => state.app?.settings.changedTools);
  const levels = [permissions ?? {}, levelOf(permissions, program)];
  const strictest = toolPresets.findLast((preset) => levels.some((level) => level.preset === preset)) ?? 'everything';
  const ruled = (rule: 'ask' | 'deny'): number =>
    new Set(levels.flatMap(({ rules = [] }) => rules.flatMap((each) => (each.rule === rule ? [each.tool] : [])))).size;
  const said = [
    summary.preset[strictest],
    ...(ruled('deny') > 0 ? [summary.denied(ruled('deny'))] : []),
    ...(ruled('ask') > 0 ? [summary.asking(ruled('ask'))] : []),
    ...offers.flatMap((offer) => (isOffered(permissions, program, offer) ? [] : [summary.without[offer]])),
    ...(holdsChanges(withChangedToolRule(permissions, forAll)) ? [summary.holds] : []),
  ].join(', ');
  return (
    <Button
      kind="quiet"
      aria-label={summaryOf(name, said)}
      onClick={() => {
        keepAs(id, lookedAt('permissions'), { program });
        showIntegration(id, 'permissions');
      }}
    >
      {said}
    </Button>
  );
}
