import { createContext } from 'react';
import { postern } from '../postern.ts';
import type { GroupDraft } from './draft.ts';
import type { Offer } from './offers.ts';

/** What may stand in a field whose value is begun; nothing where it cannot be had. */
export type Suggest = (name: string, value: string) => Promise<readonly string[]>;

/** Of the fields in it; `undefined`: nobody is asked. */
export const Suggesting = createContext<Suggest | undefined>(undefined);

/** Prompts and templates have a server to ask (MCP 2025-11-25, completion); tools have their schema. */
export function suggestFor(id: string, offer: Offer, { group }: GroupDraft): Suggest | undefined {
  if (offer.kind === 'tools') return undefined;
  const of = offer.kind === 'prompts' ? { prompt: offer.name } : { template: offer.name };
  return async (name, value) => {
    const others = Object.entries(group).filter(
      (entry): entry is [string, string] => entry[0] !== name && typeof entry[1] === 'string' && entry[1] !== '',
    );
    const given = Object.fromEntries(others);
    const result = await postern.integration.complete({ id, of, argument: { name, value }, given });
    return result.ok ? result.value.values : [];
  };
}
