import type { IpcResult } from '../../shared/ipc-contract.ts';
import type { PromptMessageView } from '../../shared/mcp-view.ts';
import { postern } from '../postern.ts';
import type { Offer } from './offers.ts';
import type { JsonValue } from './schema-fields.ts';

export interface OfferResult {
  /** The tool itself says that it failed. */
  readonly isError: boolean;
  /** Of a resource: what was read, with its gaps filled. */
  readonly uri?: string;
  /** `role` of prompts only. */
  readonly parts: readonly {
    readonly role?: PromptMessageView['role'];
    readonly content: PromptMessageView['content'];
  }[];
}

export interface Trial {
  readonly id: string;
  /** By which it can be stopped. */
  readonly call: string;
  readonly offer: Offer;
  /** Of a resource, with its gaps filled where that was done by hand. */
  readonly uri: string;
  readonly values: Record<string, JsonValue>;
}

/** Calls the tool, reads the resource or fills in the prompt. */
export async function tryOffer({ id, call, offer, uri, values }: Trial): Promise<IpcResult<OfferResult>> {
  switch (offer.kind) {
    case 'tools': {
      const result = await postern.integration.callTool({ id, call, name: offer.name, arguments: values });
      if (!result.ok) return result;
      return { ok: true, value: { isError: result.value.isError, parts: [{ content: result.value.content }] } };
    }
    case 'resources': {
      const filled = offer.template === 'fields' ? { uri: offer.name, values: texts(values) } : { uri };
      const result = await postern.integration.readResource({ id, call, ...filled });
      if (!result.ok) return result;
      return { ok: true, value: { isError: false, uri: result.value.uri, parts: [{ content: result.value.content }] } };
    }
    case 'prompts': {
      const result = await postern.integration.getPrompt({ id, call, name: offer.name, arguments: texts(values) });
      return result.ok ? { ok: true, value: { isError: false, parts: result.value.messages } } : result;
    }
  }
}

function texts(values: Record<string, JsonValue>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
  );
}
