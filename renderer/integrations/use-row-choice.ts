import { useEffect, useState } from 'react';
import type { IntegrationView } from '../../shared/integration-view.ts';
import { showIntegration } from '../view.ts';
import type { Row } from './arrange-rows.ts';

/** What is chosen in the list beyond the server that is shown. */
interface Kept {
  /** The server that was shown then: another page ends it. */
  readonly shown: string | undefined;
  readonly active: string | undefined;
  /** Where a range begins. */
  readonly anchor: string | undefined;
  readonly ids: ReadonlySet<string>;
}

export interface RowChoice {
  /** The row that the keyboard is at; -1: none. */
  readonly active: number;
  readonly isChosen: (id: string) => boolean;
  /** Those that are chosen together, in their order; none where it is one alone. */
  readonly several: readonly IntegrationView[];
  /** Shows a server, or brings the keyboard to a group. */
  readonly go: (index: number) => void;
  /** Brings the keyboard there, and chooses nothing. */
  readonly step: (index: number) => void;
  readonly toggle: (index: number) => void;
  /** All from where the range begins. */
  readonly extend: (index: number) => void;
  readonly all: () => void;
  readonly reset: () => void;
}

/** As in the lists of a system: one by a click or an arrow, more by Ctrl or Shift with it. */
export function useRowChoice(rows: readonly Row[], shown: string | undefined): RowChoice {
  const [kept, keep] = useState<Kept>();
  useEffect(() => keep((now) => (now?.shown === shown ? now : undefined)), [shown]);
  const only = new Set(shown === undefined ? [] : [shown]);
  const now = kept?.shown === shown && kept ? kept : { shown, active: shown, anchor: shown, ids: only };
  const place = (key: string | undefined): number => rows.findIndex((row) => row.key === key);
  const active = place(now.active);
  const chosen = rows.flatMap((row) => (row.kind === 'server' && now.ids.has(row.server.id) ? [row.server] : []));
  return {
    active,
    isChosen: (id) => now.ids.has(id),
    several: chosen.length > 1 ? chosen : [],
    go(index) {
      const row = rows[index];
      if (row?.kind === 'server') {
        keep(undefined);
        showIntegration(row.server.id);
      } else if (row) keep({ shown, active: row.key, anchor: row.key, ids: new Set() });
    },
    step: (index) => keep({ ...now, active: rows[index]?.key }),
    toggle(index) {
      const row = rows[index];
      if (row?.kind !== 'server') return;
      const { id } = row.server;
      const ids = new Set(chosen.map((server) => server.id));
      if (!ids.delete(id)) ids.add(id);
      keep({ shown, active: id, anchor: id, ids });
    },
    extend(index) {
      const begin = Math.max(0, place(now.anchor));
      const range = rows.slice(Math.min(begin, index), Math.max(begin, index) + 1);
      const ids = new Set(range.flatMap((row) => (row.kind === 'server' ? [row.server.id] : [])));
      keep({ shown, active: rows[index]?.key, anchor: rows[begin]?.key, ids });
    },
    all() {
      const ids = new Set(rows.flatMap((row) => (row.kind === 'server' ? [row.server.id] : [])));
      keep({ ...now, active: now.active ?? rows[0]?.key, ids });
    },
    reset: () => keep(undefined),
  };
}
