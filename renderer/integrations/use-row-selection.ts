import { useEffect, useState } from 'react';
import type { IntegrationView } from '../../shared/integration-view.ts';
import { showIntegration } from '../view.ts';
import type { Row } from './arrange-rows.ts';

/** Selection beyond the server whose page is open. */
interface SelectionState {
  /** The server whose page was open then; opening another one resets the selection. */
  readonly openId: string | undefined;
  readonly active: string | undefined;
  /** Start of a range. */
  readonly anchor: string | undefined;
  readonly ids: ReadonlySet<string>;
}

export interface RowSelection {
  /** Row with the keyboard focus; -1: none. */
  readonly active: number;
  readonly isSelected: (id: string) => boolean;
  /** Servers selected together, in row order; empty for a single one. */
  readonly several: readonly IntegrationView[];
  /** Opens a server, or moves the keyboard focus to a group. */
  readonly go: (index: number) => void;
  /** Moves the keyboard focus without selecting. */
  readonly step: (index: number) => void;
  readonly toggle: (index: number) => void;
  /** Selects from the range's start to here. */
  readonly extend: (index: number) => void;
  readonly all: () => void;
  readonly reset: () => void;
}

/** As in native lists: a click or an arrow key selects one, Ctrl and Shift select more. */
export function useRowSelection(rows: readonly Row[], openId: string | undefined): RowSelection {
  const [stored, setStored] = useState<SelectionState>();
  useEffect(() => setStored((now) => (now?.openId === openId ? now : undefined)), [openId]);
  const only = new Set(openId === undefined ? [] : [openId]);
  const now = stored?.openId === openId && stored ? stored : { openId, active: openId, anchor: openId, ids: only };
  const place = (key: string | undefined): number => rows.findIndex((row) => row.key === key);
  const active = place(now.active);
  const chosen = rows.flatMap((row) => (row.kind === 'server' && now.ids.has(row.server.id) ? [row.server] : []));
  return {
    active,
    isSelected: (id) => now.ids.has(id),
    several: chosen.length > 1 ? chosen : [],
    go(index) {
      const row = rows[index];
      if (row?.kind === 'server') {
        setStored(undefined);
        showIntegration(row.server.id);
      } else if (row) setStored({ openId, active: row.key, anchor: row.key, ids: new Set() });
    },
    step: (index) => setStored({ ...now, active: rows[index]?.key }),
    toggle(index) {
      const row = rows[index];
      if (row?.kind !== 'server') return;
      const { id } = row.server;
      const ids = new Set(chosen.map((server) => server.id));
      if (!ids.delete(id)) ids.add(id);
      setStored({ openId, active: id, anchor: id, ids });
    },
    extend(index) {
      const begin = Math.max(0, place(now.anchor));
      const range = rows.slice(Math.min(begin, index), Math.max(begin, index) + 1);
      const ids = new Set(range.flatMap((row) => (row.kind === 'server' ? [row.server.id] : [])));
      setStored({ openId, active: rows[index]?.key, anchor: rows[begin]?.key, ids });
    },
    all() {
      const ids = new Set(rows.flatMap((row) => (row.kind === 'server' ? [row.server.id] : [])));
      setStored({ ...now, active: now.active ?? rows[0]?.key, ids });
    },
    reset: () => setStored(undefined),
  };
}
