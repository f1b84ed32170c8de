import { useMemo } from 'react';
import { useKept } from '../use-kept.ts';
import { writeTemplate } from './argument-template.ts';
import { groupOf, startGroup } from './start-draft.ts';
import type { GroupDraft } from './draft.ts';
import { readArguments } from './read-arguments.ts';
import type { ReadArguments } from './read-arguments.ts';
import { isObject } from './resolve-schema.ts';
import type { JsonValue } from './resolve-schema.ts';
import type { GroupShape } from './schema-fields.ts';

interface Entered {
  readonly draft: GroupDraft;
  /** While it is looked at as JSON: what stands there, and what stood there when it was opened. */
  readonly json?: { readonly text: string; readonly before: string };
  readonly uri: string;
}

export interface EnteredArguments extends Entered {
  readonly read: () => ReadArguments;
  readonly enter: (draft: GroupDraft) => void;
  readonly enterJson: (text: string) => void;
  readonly enterUri: (uri: string) => void;
  /** False: what stands there as JSON is no object, so that it stays in sight. */
  readonly showJson: (shown: boolean) => boolean;
}

/** The path of the whole, where it is entered as JSON. */
export const wholePath = '';

/** What was entered for one tool, as fields or as JSON; both ways nothing is lost. */
export function useEntered(owner: string, place: string, shape: GroupShape, uri: string): EnteredArguments {
  const start = useMemo<Entered>(() => ({ draft: startGroup(shape), uri }), [shape, uri]);
  const [entered, keep] = useKept(owner, place, start);
  const { draft, json } = entered;
  const read = (): ReadArguments => {
    if (!json) return readArguments(shape, draft);
    const values = parseObject(json.text);
    return values ? { values, faults: {} } : { values: {}, faults: { [wholePath]: 'objectWrong' } };
  };
  const showJson = (shown: boolean): boolean => {
    if (shown) {
      const text = writeTemplate(shape, draft);
      keep({ ...entered, json: { text, before: text } });
      return true;
    }
    const values = json && json.text !== json.before ? parseObject(json.text) : undefined;
    if (json && json.text !== json.before && !values) return false;
    // What is not right yet in a field stays there, as long as nothing was changed here.
    keep({ draft: values ? groupOf(shape, values) : draft, uri: entered.uri });
    return true;
  };
  return {
    ...entered,
    read,
    enter: (next) => keep({ ...entered, draft: next }),
    enterJson: (text) => keep({ ...entered, ...(json && { json: { ...json, text } }) }),
    enterUri: (next) => keep({ ...entered, uri: next }),
    showJson,
  };
}

function parseObject(text: string): Record<string, JsonValue> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? (value as Record<string, JsonValue>) : undefined;
  } catch {
    return undefined;
  }
}
