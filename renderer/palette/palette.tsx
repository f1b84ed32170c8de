import { useDeferredValue, useEffect, useId, useMemo, useRef, useState } from 'react';
import type { KeyboardEvent } from 'react';
import { flushSync } from 'react-dom';
import { useShallow } from 'zustand/shallow';
import { showTool } from '../integration/capabilities.ts';
import { sortIntegrations } from '../integrations/arrange-rows.ts';
import { describeStatus } from '../integrations/server-icon.tsx';
import { serverActions } from '../integrations/use-server-menu.tsx';
import { Dialog } from '../components/dialog.tsx';
import { postern } from '../postern.ts';
import { sectionOf, settingsRows } from '../settings-rows.ts';
import type { SettingsRow } from '../settings-rows.ts';
import { useListedTools, useSnapshots } from '../store.ts';
import { forget, useRetainedState } from '../use-retained-state.ts';
import { closePalette, flashError, show, showIntegration, useView } from '../view.ts';
import { useLanguage, words } from '../words.ts';
import './palette.css';
import { rankEntries } from './rank-entries.ts';
import type { RankedEntry } from './rank-entries.ts';

/** Command palette: servers, apps, pages and actions by a few letters. */
export function Palette() {
  const isOpen = useView((state) => state.isPaletteOpen === true);
  if (!isOpen) return null;
  return (
    <Dialog open title={words.palette.title} onClose={closePalette}>
      <PaletteSearch />
    </Dialog>
  );
}

const stateKey = 'palette';
const emptyDraft = { query: '' };

function PaletteSearch() {
  const id = useId();
  const entries = usePaletteEntries();
  const [{ query }, setDraft] = useRetainedState('page', stateKey, emptyDraft);
  const [chosen, setChosen] = useState(0);
  const deferredQuery = useDeferredValue(query);
  const found = useMemo(() => rankEntries(entries, deferredQuery), [entries, deferredQuery]);
  const list = useRef<HTMLUListElement>(null);
  const current = Math.min(chosen, found.length - 1);
  useEffect(() => {
    list.current?.children[current]?.scrollIntoView({ block: 'nearest' });
  }, [current, found]);

  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>): void => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0 && found.length > 0) setChosen((current + step + found.length) % found.length);
    // Use the typed text: the deferred list may lag behind.
    const first = deferredQuery === query ? found[current] : rankEntries(entries, query)[0];
    if (event.key === 'Enter' && first) runEntry(first);
    if (step !== 0 || event.key === 'Enter') event.preventDefault();
  };
  return (
    <>
      <input
        className="input"
        role="combobox"
        aria-label={words.palette.label}
        aria-expanded={found.length > 0}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={found.length > 0 ? `${id}-${current}` : undefined}
        placeholder={words.palette.label}
        spellCheck={false}
        autoComplete="off"
        value={query}
        onChange={(event) => {
          if (event.target.value === '') forget('page', stateKey);
          else setDraft({ query: event.target.value });
          setChosen(0);
        }}
        onKeyDown={onKeyDown}
        // The previous query is selected, so that typing replaces it.
        onFocus={(event) => event.target.select()}
      />
      {found.length === 0 && (
        <p className="soft" role="status">
          {words.palette.nothing}
        </p>
      )}
      <ul ref={list} id={`${id}-list`} className="palette-list" role="listbox" aria-label={words.palette.found}>
        {found.map((entry, index) => (
          <li
            key={entry.id}
            id={`${id}-${index}`}
            className={`palette-entry${index === current ? ' selected' : ''}`}
            role="option"
            aria-selected={index === current}
            onClick={() => runEntry(entry)}
            onPointerMove={() => setChosen(index)}
          >
            <span className="palette-label">{entry.label}</span>
            <span className="palette-kind">{entry.kind}</span>
          </li>
        ))}
      </ul>
    </>
  );
}

/** Run after the palette has closed and restored the focus, so that the action can move it. */
function runEntry(entry: PaletteEntry): void {
  forget('page', stateKey);
  flushSync(closePalette);
  setTimeout(entry.run);
}

interface PaletteEntry extends RankedEntry {
  readonly id: string;
  /** What it is, shown next to its label. */
  readonly kind: string;
  readonly run: () => void;
}

/** Pages and actions first, then servers, apps, and the actions of each server. */
function usePaletteEntries(): readonly PaletteEntry[] {
  const {
    integrations = [],
    apps = [],
    desktop,
  } = useSnapshots(
    useShallow(({ integrations: all, apps: found, desktop: app }) => ({
      ...(all && { integrations: all }),
      ...(found && { apps: found }),
      desktop: app,
    })),
  );
  const { language } = useLanguage();
  const listed = useListedTools();
  return useMemo(() => {
    const { palette } = words;
    const servers = sortIntegrations(integrations);
    const isPaused = desktop?.settings.appsPaused === true;
    return [
      page('home', words.home.title, () => show({ name: 'home' })),
      page('connect', words.sidebar.connect, () => show({ name: 'connect' })),
      page('apps', words.apps.title, () => show({ name: 'apps' })),
      page('activity', words.activity.title, () => show({ name: 'activity' })),
      page('settings', words.sidebar.settings, () => show({ name: 'settings' })),
      {
        id: 'pause',
        kind: palette.action,
        label: isPaused ? palette.resume : palette.pause,
        run: () => void pauseApps(!isPaused),
      },
      ...servers.map((server) => ({
        id: `server ${server.id}`,
        kind: describeStatus(server),
        label: server.name,
        keywords: server.url,
        run: () => showIntegration(server.id),
      })),
      ...apps.map(({ id, name }) => ({
        id: `app ${id}`,
        kind: palette.app,
        label: name,
        run: () => show({ name: 'app', id }),
      })),
      ...(Object.entries(settingsRows()) as [SettingsRow, readonly string[]][]).map(
        ([target, [name = '', ...also]]) => ({
          ...page(`settings ${target}`, palette.setting(name), () => show({ name: 'settings', target })),
          keywords: [...also, words.settings.sections[sectionOf(target)]].join(' '),
          isLowPriority: true,
        }),
      ),
      ...servers.flatMap(({ id, name }) =>
        (listed[id] ?? []).map((tool) => ({
          id: `tool ${id} ${tool.name}`,
          kind: palette.tool,
          label: palette.serverAction(name, tool.title),
          keywords: tool.name,
          isLowPriority: true,
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
            isLowPriority: true,
            run: onChoose,
          })),
      ),
    ];
  }, [integrations, apps, desktop?.settings.appsPaused, language, listed]);
}

async function pauseApps(appsPaused: boolean): Promise<void> {
  const result = await postern.settings.update({ appsPaused });
  if (!result.ok) flashError(result.error);
}

function page(id: string, label: string, run: () => void): PaletteEntry {
  return { id, kind: words.palette.page, label, run };
}
