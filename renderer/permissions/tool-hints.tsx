import type { ToolView } from '../../shared/mcp-view.ts';
import { words } from '../words.ts';
import './permissions.css';

/** What of a server's words about a tool a person should read for themselves. */
export function ToolHints({ hints }: { readonly hints: ToolView['hints'] }) {
  return hints?.map(({ kind, excerpt }) => (
    <p key={kind} className="tool-hint small">
      {words.permits.hints[kind]} <q>{excerpt}</q>
    </p>
  ));
}
