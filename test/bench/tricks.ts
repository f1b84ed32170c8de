import type { Plugin } from 'vite';
import { editedSources } from '../mutants/edited-sources.ts';
import type { Edit } from '../mutants/edited-sources.ts';

/** Something that is there for speed alone, and how the program is built without it. */
export interface Trick {
  readonly name: string;
  readonly plugins: readonly Plugin[];
  /** Compiled code is kept beside the program. */
  readonly compileCache: boolean;
}

export const tricks: readonly Trick[] = [
  withoutCode(
    'both wires asked at once',
    {
      in: 'openServer',
      find: "$era === undefined ? ['legacy', 'modern'] : [$era]",
      replace: "$era === undefined ? ['modern'] : [$era]",
    },
    { in: 'connectMcp', find: "const $older = openMcpClient($address, 'legacy', $signal);", replace: '' },
    { in: 'connectMcp', find: '$older.catch(() => {});', replace: '' },
    { in: 'connectMcp', find: 'void $older.then(($it) => $it.discard()).catch(() => {});', replace: '' },
    {
      in: 'connectMcp',
      find: 'return await older;',
      replace: "return await openMcpClient(address, 'legacy', signal);",
    },
  ),
  withoutCode('first question before the MCP library is loaded', {
    in: 'openServer',
    find: 'askFirst($fetch, $url, $eras, $signal)',
    replace: '{ fetch: $fetch, settled: Promise.resolve() }',
  }),
  withoutCode('callback port chosen first', {
    in: 'connectServer',
    find: 'callbackAddress($ports).catch(() => {})',
    replace: 'Promise.resolve()',
  }),
  withoutCode('keychain started before the command', {
    in: 'loadCommand',
    find: 'readsSecrets.has($command)',
    replace: 'false',
  }),
  withoutCode('schemas interpreted', {
    in: 'loadCommand',
    find: 'config({ jitless: true })',
    replace: 'config({ jitless: false })',
  }),
  { name: 'compiled code kept', plugins: [], compileCache: false },
];

function withoutCode(name: string, ...edits: readonly Edit[]): Trick {
  // Throws where an edit does not fit any more.
  const sources = editedSources(edits);
  const plugin: Plugin = {
    name: 'without-a-trick',
    enforce: 'pre',
    load: (id) => sources.get(id.split('?')[0] ?? id) ?? null,
  };
  return { name, plugins: [plugin], compileCache: true };
}
