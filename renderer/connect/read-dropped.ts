import type { Dropped } from '../view.ts';

/** The most that a dropped file may hold, in bytes. */
const fileLimit = 1_048_576;

/** A link, an address as text, or a file such as `mcp.json`; `undefined` for anything else. */
export async function readDropped(data: DataTransfer): Promise<Dropped | undefined> {
  const [file] = data.files;
  if (file !== undefined) return file.size > fileLimit ? undefined : { text: await file.text() };
  const link = data
    .getData('text/uri-list')
    .split(/\r?\n/)
    .find((line) => line !== '' && !line.startsWith('#'));
  const text = (link ?? data.getData('text/plain')).trim();
  return text === '' ? undefined : { text };
}
