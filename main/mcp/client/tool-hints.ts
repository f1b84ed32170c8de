import { displayText } from '../../address/display-text.ts';
import type { Tool } from './call-tool.ts';

/**
 * Parts of a tool's description that the user should read themselves: `hidden`, invisible characters that a model
 * reads; `instructions`, text that gives the model orders beyond using the tool. A hint, not a verdict: honest servers
 * do this too, and dishonest ones can avoid it.
 */
export interface ToolHint {
  readonly kind: 'hidden' | 'instructions';
  /** Short excerpt, with hidden characters escaped. */
  readonly excerpt: string;
}

/** Characters read per tool, levels of its schema, characters of an excerpt, and characters around a hidden one. */
const bounds = { text: 64 * 1_024, depth: 32, excerpt: 160, around: 24 } as const;

/** Invisible characters, except those that join emoji or select their style. */
const hidden =
  /[\p{Cc}\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200c\u200e\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164\ufe00-\ufe0e\ufeff\uffa0\ufff0-\ufffb\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]|(?<![\p{Extended_Pictographic}\ufe0f\u{1f3fb}-\u{1f3ff}])\u200d/u;
const ordinaryWhitespace = /[\t\n\r]/gu;

/** Every repetition is bounded: the text comes from a server. */
const instructions: readonly RegExp[] = [
  /\b(?:ignore|disregard|forget|override|bypass)\b[^.\n]{0,40}\b(?:instructions?|prompts?|rules|guidelines|safety|restrictions)\b/iu,
  /<\s{0,4}\/?\s{0,4}(?:important|system|instructions?|secret|hidden|critical|assistant)\b[^>]{0,40}>/iu,
  /\b(?:do not|don[’']t|never|without)\b[^.\n]{0,30}\b(?:tell|telling|mention|mentioning|inform|informing|notify|notifying|reveal|show|asking)\b[^.\n]{0,30}\b(?:user|person|human|anyone)\b/iu,
  /\b(?:before|instead of|after|whenever)\b[^.\n]{0,20}\b(?:using|calling|use|call|invoking)\b[^.\n]{0,20}\b(?:any|every|all|other|another)\b[^.\n]{0,20}\btools?\b/iu,
  /\b(?:system prompt|jailbreak|developer mode|you are now)\b/iu,
  /(?:~|\$HOME|%USERPROFILE%|\/home\/\w{1,32}|\/Users\/\w{1,32})[\\/]\.(?:ssh|aws|gnupg|cursor|claude|config|netrc|npmrc)\b|\bid_(?:rsa|ed25519)\b/iu,
  /\b(?:ignoriere|vergiss|missachte)\b[^.\n]{0,40}\b(?:anweisungen|regeln|vorgaben)\b/iu,
];

/** Hints for a tool, at most one of each kind. */
export function toolHints({
  name,
  title,
  description,
  inputSchema,
  outputSchema,
  annotations,
}: Tool): readonly ToolHint[] {
  const texts = textsOf([name, title, description, annotations?.title, inputSchema, outputSchema]);
  const found: ToolHint[] = [];
  const hiddenExcerpt = texts.map(findHidden).find((excerpt) => excerpt !== undefined);
  if (hiddenExcerpt !== undefined) found.push({ kind: 'hidden', excerpt: hiddenExcerpt });
  const instructionExcerpt = texts.map(findInstruction).find((excerpt) => excerpt !== undefined);
  if (instructionExcerpt !== undefined) found.push({ kind: 'instructions', excerpt: instructionExcerpt });
  return found;
}

/** Every string in it, including member names: a schema can say as much as a description. Not recursive. */
function textsOf(values: readonly unknown[]): readonly string[] {
  const texts: string[] = [];
  let remaining: number = bounds.text;
  const stack = values.map((value) => ({ value, depth: 0 })).toReversed();
  for (let next = stack.pop(); next && remaining > 0; next = stack.pop()) {
    const { value, depth } = next;
    if (typeof value === 'string') {
      texts.push(value.slice(0, remaining));
      remaining -= value.length;
    } else if (typeof value === 'object' && value !== null && depth < bounds.depth) {
      const members = Array.isArray(value) ? value : Object.entries(value).flat();
      for (const member of members.toReversed()) stack.push({ value: member, depth: depth + 1 });
    }
  }
  return texts;
}

function findHidden(text: string): string | undefined {
  const normalized = text.replaceAll(ordinaryWhitespace, ' ');
  const at = normalized.search(hidden);
  if (at < 0) return undefined;
  const piece = normalized.slice(Math.max(0, at - bounds.around), at + 3 * bounds.around);
  const escaped = Array.from(piece, (character) =>
    hidden.test(character) ? `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}` : character,
  );
  return displayText(escaped.join(''), bounds.excerpt);
}

function findInstruction(text: string): string | undefined {
  for (const pattern of instructions) {
    const found = pattern.exec(text);
    if (found)
      return displayText(
        text.slice(Math.max(0, found.index - bounds.around), found.index + bounds.excerpt),
        bounds.excerpt,
      );
  }
  return undefined;
}
