import { useMemo } from 'react';
import { useShallow } from 'zustand/shallow';
import { sortIntegrations } from '../integrations/filter-integrations.ts';
import { describeStatus } from '../integrations/describe-status.ts';
import { showTool, useListedTools } from '../integration/listed-tools.ts';
import { serverActions } from '../integrations/use-server-menu.tsx';
import { useLanguage } from '../language.ts';
import { postern } from '../postern.ts';
import { useSnapshots } from '../store.ts';
import { flashError, show, showIntegration } from '../view.ts';
import type { SettingsSection } from '../view.ts';
import { words } from '../words.ts';
import type { Ranked } from './rank-entries.ts';

export interface PaletteEntry extends Ranked {
  readonly id: string;
  /** What it is, beside its name. */
  readonly kind: string;
  readonly run: () => void;
}

/** Pages and actions first, then servers, programs, and what can be done with each server. */
export function usePaletteEntries(): readonly PaletteEntry[] {
  const {
    integrations = [],
    programs = [],
    app,
  } = useSnapshots(
    useShallow(({ integrations: all, programs: found, app: program }) => ({
      ...(all && { integrations: all }),
      ...(found && { programs: found }),
      app: program,
    })),
  );
  const { language } = useLanguage();
  const listed = useListedTools();
  return useMemo(() => {
    const { palette } = words;
    const servers = sortIntegrations(integrations);
    const isPaused = app?.programsPaused === true;
    return [
      page('home', words.home.title, () => show({ name: 'home' })),
      page('connect', words.sidebar.connect, () => show({ name: 'connect' })),
      page('programs', words.programs.title, () => show({ name: 'programs' })),
      page('activity', words.activity.title, () => show({ name: 'activity' })),
      page('settings', words.sidebar.settings, () => show({ name: 'settings' })),
      {
        id: 'pause',
        kind: palette.action,
        label: isPaused ? palette.resume : palette.pause,
        run: () => void pausePrograms(!isPaused),
      },
      ...servers.map((server) => ({
        id: `server ${server.id}`,
        kind: describeStatus(server),
        label: server.name,
        also: server.url,
        run: () => showIntegration(server.id),
      })),
      ...programs.map(({ id, name }) => ({
        id: `program ${id}`,
        kind: palette.program,
        label: name,
        run: () => show({ name: 'program', id }),
      })),
      ...settingsPages().map(([section, title]) => ({
        ...page(`settings ${section}`, palette.setting(title), () => show({ name: 'settings', section })),
        isLater: true,
      })),
      ...servers.flatMap(({ id, name }) =>
        (listed[id] ?? []).map((tool) => ({
          id: `tool ${id} ${tool.name}`,
          kind: palette.tool,
          label: palette.serverAction(name, tool.title),
          also: tool.name,
          isLater: true,
          run: () => showTool(id, tool.name),
        })),
      ),
      ...servers.flatMap((server) =>
        serverActions(server)
          .slice(1)
          .map(({ label, onChoose }) => ({
            id: `${label} ${server.id}`,
            kind: palette.action,
            label: palette.serverAction(server.name, label),
            isLater: true,
            run: onChoose,
          })),
      ),
    ];
  }, [integrations, programs, app?.programsPaused, language, listed]);
}

const settingsPages = (): readonly (readonly [SettingsSection, string])[] => [
  ['callback', words.settings.signIn],
  ['background', words.settings.background],
  ['appearance', words.settings.appearance],
  ['storage', words.settings.storage],
  ['list', words.settings.list],
  ['registry', words.registry.title],
  ['update', words.update.title],
  ['about', words.settings.about],
];

async function pausePrograms(programsPaused: boolean): Promise<void> {
  const result = await postern.settings.update({ programsPaused });
  if (!result.ok) flashError(result.error);
}

function page(id: string, label: string, run: () => void): PaletteEntry {
  return { id, kind: words.palette.page, label, run };
}
