import { readPictureSize } from './picture-size.ts';

/** A map, since an object also has names that nobody gave it, and a server chooses which is asked for. */
const extensions: ReadonlyMap<string, string> = new Map([
  ['text/csv', 'csv'],
  ['text/html', 'html.txt'],
  ['text/markdown', 'md'],
  ['application/json', 'json'],
  ['application/pdf', 'pdf'],
  ['audio/mpeg', 'mp3'],
  ['audio/wav', 'wav'],
]);

/** How the file of a result that is no text ends: no name of it comes from the server, which could be one that a system runs. */
export function fileExtension(mimeType: string, bytes: Buffer): string {
  const picture = readPictureSize(bytes);
  return picture ? picture.type.slice('image/'.length) : (extensions.get(mimeType) ?? 'bin');
}
