import { readFileSync } from 'node:fs';
import type { Plugin } from 'vite';
import { editedSources } from '../mutants/edited-sources.ts';
import type { Edit } from '../mutants/edited-sources.ts';

/** Something that is there for speed alone, and how the program is built without it. */
export interface Trick {
  readonly name: string;
  readonly plugins: readonly Plugin[];
  /** Of the code that is there for it. */
  readonly edits?: readonly Edit[];
  /** Compiled code is kept beside the program. */
  readonly compileCache: boolean;
  /** What starts it is a module, which loads Node's loader of modules. */
  readonly startedByModule?: true;
}

export const tricks: readonly Trick[] = [
  withoutCode('metadata asked for beside the probe', {
    in: 'discoverAuthenticationMethod',
    find: 'prefetchMetadata($context, $options.authorizationServer)',
    replace: '$context',
  }),
  withoutCode(
    'both protocols asked at once',
    {
      in: 'openServer',
      find: "$protocol === undefined ? ['session', 'stateless'] : [$protocol]",
      replace: "$protocol === undefined ? ['stateless'] : [$protocol]",
    },
    { in: 'connectMcp', find: "const $older = openMcpClient($address, 'session', $signal);", replace: '' },
    { in: 'connectMcp', find: '$older.catch(() => {});', replace: '' },
    { in: 'connectMcp', find: 'void $older.then(($it) => $it.discard()).catch(() => {});', replace: '' },
    {
      in: 'connectMcp',
      find: 'return await older;',
      replace: "return await openMcpClient(address, 'session', signal);",
    },
  ),
  withoutCode(
    'tools listed while tokens are stored',
    {
      in: 'connectServer',
      find: 'const $early = $isProvider ? undefined : listToolsEarly($ports, $entry, $tokens, $protocol, $signal);',
      replace: 'const $early = () => listToolsEarly($ports, $entry, $tokens, $protocol, $signal);',
    },
    {
      in: 'connectServer',
      find: '({ integration: $installed, listing: $early })',
      replace: '({ integration: $installed, listing: $early() })',
    },
  ),
  withoutCode('first question before the MCP library is loaded', {
    in: 'openServer',
    find: 'sendOpeningRequests($fetch, $url, $protocols, $signal, $capabilities)',
    replace: '{ fetch: $fetch, settled: Promise.resolve() }',
  }),
  withoutCode('callback port chosen first', {
    in: 'connectServer',
    find: 'callbackAddress($ports).catch(() => {})',
    replace: 'Promise.resolve()',
  }),
  withoutCode('keychain started before the command', {
    in: 'wakeKeychain',
    find: '$spec?.secrets !== "at-once"',
    replace: 'true',
  }),
  withoutCode('schemas interpreted', {
    in: '',
    find: 'config({ jitless: true, memoizer: $memoizer })',
    replace: 'config({ jitless: false, memoizer: $memoizer })',
  }),
  withoutCode('connection handed back before an answer ends', {
    in: 'dispatchRequest',
    find: 'afterRelease(() => $body?.close())',
    replace: '$body?.close()',
  }),
  withoutCode('wire written with the entry', { in: 'install', find: '$knownProtocol?.()', replace: 'undefined' }),
  withoutCode('registration stored beside what follows', {
    in: 'obtainCredentials',
    find: '$found.resolve($client); await saveRegistration($vault, $registration);',
    replace: 'await saveRegistration($vault, $registration); $found.resolve($client);',
  }),
  withoutCode('files parsed once while they stay the same', {
    in: 'memoizeParse',
    find: '$last?.text !== $text',
    replace: 'true',
  }),
  { name: 'compiled code kept', plugins: [], compileCache: false },
  { name: 'starter no module', plugins: [], compileCache: true, startedByModule: true },
  changedBuild('CommonJS instead of modules', (build) => {
    build.output = { ...build.output, format: 'es' };
  }),
  changedBuild('no white space in what is built', (build) => {
    build.output = { ...build.output, minify: false };
  }),
  {
    name: 'unused parts of undici left out',
    plugins: [
      {
        name: 'whole-undici',
        enforce: 'pre',
        load: (id) =>
          id.includes('/node_modules/undici/') ? { code: readFileSync(id, 'utf8'), moduleType: 'js' } : null,
      },
    ],
    compileCache: true,
  },
  changedBuild("undici's Headers and Response", ({ transform }) => {
    delete transform.inject['Headers'];
    delete transform.inject['Response'];
  }),
];

/** Code that is there for speed alone. */
export interface EditTrick {
  readonly name: string;
  readonly edits: readonly Edit[];
}

/** Of a call of a tool through the gateway. */
export const callTricks: readonly EditTrick[] = [
  {
    name: 'an answer ends where it says how long it is',
    edits: [{ in: 'readDocument', find: '$endsAtLength && $announced > 0', replace: 'false' }],
  },
];

/** What `serve` does to use less memory. */
export const memoryTrick: EditTrick = {
  name: 'garbage collected when idle',
  edits: [{ in: 'serve', find: 'const $stop = collectGarbageWhenIdle();', replace: 'const $stop = () => {};' }],
};

/** Of the start of the window. */
export const windowTricks: readonly EditTrick[] = [
  {
    name: 'engine loaded beside the page',
    edits: [
      {
        in: 'startPostern',
        find: 'if (isBackground) { app.dock?.hide(); void $opening.then(work, () => app.exit(1)); } else windows.show();',
        replace: 'await $opening; if (!isBackground) windows.show();',
      },
    ],
  },
  {
    name: 'files of the pages answered without fetch',
    edits: [
      {
        in: 'serveAppFiles',
        find: 'protocol.registerBufferProtocol(appScheme, ($request, $answer) => void answerRequest($root, $request).then($answer));',
        replace: `protocol.handle(appScheme, async ($request) => {
          const { data, statusCode, headers } = await answerRequest($root, $request);
          return new Response(data, { status: statusCode, headers });
        });`,
      },
    ],
  },
  {
    name: 'window made while its session is sealed',
    edits: [
      {
        in: 'startPostern',
        find: 'const $sealed = sealSession(session.defaultSession);',
        replace: 'const $sealed = sealSession(session.defaultSession); await $sealed;',
      },
    ],
  },
];

/** All whose code has to be found, by the same search as that of the mutants. */
export const editTricks: readonly EditTrick[] = [
  ...tricks.flatMap(({ name, edits }) => (edits === undefined ? [] : [{ name, edits }])),
  ...callTricks,
  memoryTrick,
  ...windowTricks,
];

interface BuildOptions {
  readonly transform: { readonly inject: Record<string, unknown> };
  output: object;
}

function changedBuild(name: string, change: (options: BuildOptions) => void): Trick {
  const plugin: Plugin = {
    name: 'built-otherwise',
    config(config) {
      change(config.build?.rolldownOptions as unknown as BuildOptions);
    },
  };
  return { name, plugins: [plugin], compileCache: true };
}

function withoutCode(name: string, ...edits: readonly Edit[]): Trick {
  return { name, edits, plugins: [editedBundle(...edits)], compileCache: true };
}

/** A bundle with these edits. Building it throws where one does not fit any more. */
export function editedBundle(...edits: readonly Edit[]): Plugin {
  let sources: ReturnType<typeof editedSources> | undefined;
  return {
    name: 'without-a-trick',
    enforce: 'pre',
    load: (id) => (sources ??= editedSources(edits)).get(id.split('?')[0] ?? id) ?? null,
  };
}
