import type { PromptMessageView } from '../../shared/mcp-view.ts';
import type { IpcResult } from '../../shared/postern-api.ts';
import { postern } from '../postern.ts';
import type { Offer } from './offers.ts';
import type { JsonValue } from './resolve-schema.ts';

export interface OfferResult {
  /** The tool itself says that it failed. */
  readonly isError: boolean;
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
  /** Of a resource, with its gaps filled. */
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
      const result = await postern.integration.readResource({ id, call, uri });
      return result.ok ? { ok: true, value: { isError: false, parts: [{ content: result.value.content }] } } : result;
    }
    case 'prompts': {
      const texts = Object.fromEntries(
        Object.entries(values).map(([name, value]) => [
          name,
          typeof value === 'string' ? value : JSON.stringify(value),
        ]),
      );
      const result = await postern.integration.getPrompt({ id, call, name: offer.name, arguments: texts });
      return result.ok ? { ok: true, value: { isError: false, parts: result.value.messages } } : result;
    }
  }
}
