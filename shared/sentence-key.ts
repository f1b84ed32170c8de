/** A key of a sentence that takes less room than the sentence: 32 bits of it (FNV-1a), in base 36. */
export function shortKey(sentence: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < sentence.length; at += 1) hash = Math.imul(hash ^ sentence.charCodeAt(at), 0x01000193);
  return (hash >>> 0).toString(36);
}

/**
 * By what a table has the translation of a sentence: by the sentence. In the pages that are built it is by its short
 * key, since the sentences themselves come from elsewhere (`scripts/short-keys.ts`).
 */
export const sentenceKey = (sentence: string): string => sentence;
