import { create } from 'zustand';
import { keepAs, lookedAt } from '../use-kept.ts';
import { showIntegration } from '../view.ts';
import type { Offer, OfferKind } from './offers.ts';

/** What of the tab is looked at. */
export interface Looking {
  readonly kind: OfferKind;
  readonly search: string;
  readonly chosen?: string | undefined;
}

/** A tool by its name, and what it is called. */
export type ListedTool = Pick<Offer, 'name' | 'title'>;

/** The tools of each server as they were listed last, by its id: no server is asked to find one by its name. */
export const useListedTools = create<Readonly<Record<string, readonly ListedTool[]>>>()(() => ({}));

export function noteTools(id: string, tools: readonly ListedTool[]): void {
  useListedTools.setState({ [id]: tools });
}

/** Opens the page of the server with the tool chosen. */
export function showTool(id: string, name: string): void {
  keepAs(id, lookedAt('tools'), { kind: 'tools', search: '', chosen: name } satisfies Looking);
  showIntegration(id, 'tools');
}
