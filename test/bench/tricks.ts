import { readFileSync } from 'node:fs';
import type { Plugin } from 'vite';
import { editedSources } from '../mutants/edited-sources.ts';
import type { Edit } from '../mutants/edited-sources.ts';

/** An optimization, and how to build the program without it. */
export interface Trick {
  readonly name: string;
  readonly plugins: readonly Plugin[];
  /** Removes its code. */
  readonly edits?: readonly Edit[];
  /** The compile cache is stored next to the program. */
  readonly compileCache: boolean;
  /** The entry point is an ES module, which loads Node's module loader. */
  readonly startedByModule?: true;
}

export const tricks: readonly Trick[] = [
  withoutCode('metadata requested along with the probe', {
    in: 'discoverAuthenticationMethod',
    find: 'prefetchMetadata($context, $options.authorizationServer)',
    replace: '$context',
  }),
  withoutCode(
    'both protocol revisions tried at once',
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
      find: 'return await sessionClient;',
      replace: "return await openMcpClient(address, 'session', signal);",
    },
  ),
  withoutCode(
    'tools listed while tokens are being stored',
    {
      in: 'connectServer',
      find: 'const $early = $isProvider ? undefined : listToolsEarly($ports, $entry, $tokens, $protocol, $signal);',
      replace: 'const $early = () => listToolsEarly($ports, $entry, $tokens, $protocol, $signal);',
    },
    {
      in: 'connectServer',
      find: '({ integration: $installed, listing: $early, isUnnamed: $isUnnamed })',
      replace: '({ integration: $installed, listing: $early(), isUnnamed: $isUnnamed })',
    },
  ),
  withoutCode('first request before the MCP library is loaded', {
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
  withoutCode('connection released before a response ends', {
    in: 'dispatchRequest',
    find: 'afterRelease(() => $body?.close())',
    replace: '$body?.close()',
  }),
  withoutCode('protocol revision saved with the entry', {
    in: 'install',
    find: '$knownProtocol?.()',
    replace: 'undefined',
  }),
  withoutCode('registration stored in the background', {
    in: 'obtainCredentials',
    find: '$found.resolve($client); await saveRegistration($vault, $registration);',
    replace: 'await saveRegistration($vault, $registration); $found.resolve($client);',
  }),
  withoutCode('unchanged files parsed once', {
    in: 'memoizeParse',
    find: '$last?.text !== $text',
    replace: 'true',
  }),
  withoutCode('schemas built when first used', {
    in: 'lazy',
    find: '() => ($value ??= $create())',
    replace: '(($built) => () => $built)($create())',
  }),
  changedBuild('shared code in few files', (build) => {
    build.output = { ...build.output, codeSplitting: { groups: [] } };
  }),
  { name: 'compile cache', plugins: [], compileCache: false },
  { name: 'CommonJS entry point', plugins: [], compileCache: true, startedByModule: true },
  changedBuild('CommonJS instead of modules', (build) => {
    build.output = { ...build.output, format: 'es' };
  }),
  changedBuild('minified white space', (build) => {
    build.output = { ...build.output, minify: false };
  }),
  {
    name: 'unused parts of undici omitted',
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

/** An optimization that edits can remove. */
export interface EditTrick {
  readonly name: string;
  readonly edits: readonly Edit[];
}

/** Optimizations of a tool call through the gateway. */
export const callTricks: readonly EditTrick[] = [
  {
    name: 'a response ends at its Content-Length',
    edits: [{ in: 'readDocument', find: '$endsAtLength && $announced > 0', replace: 'false' }],
  },
];

/** What `serve` does to use less memory. */
export const memoryTrick: EditTrick = {
  name: 'garbage collected when idle',
  edits: [{ in: 'serve', find: 'const $stop = collectGarbageWhenIdle();', replace: 'const $stop = () => {};' }],
};

/** Optimizations of the window's start. */
export const windowTricks: readonly EditTrick[] = [
  {
    name: 'engine loaded along with the page',
    edits: [
      {
        in: 'startPostern',
        find: 'if (isBackground) { app.dock?.hide(); void $opening.then(work, () => app.exit(1)); } else windows.show();',
        replace: 'await $opening; if (!isBackground) windows.show();',
      },
    ],
  },
  {
    name: 'page files served without fetch',
    edits: [
      {
        in: 'serveAppFiles',
        find: 'protocol.registerBufferProtocol(appScheme, ($request, $answer) => void serveFile($root, $request).then($answer));',
        replace: `protocol.handle(appScheme, async ($request) => {
          const { data, statusCode, headers } = await serveFile($root, $request);
          return new Response(data, { status: statusCode, headers });
        });`,
      },
    ],
  },
  {
    name: 'window created while its session is sealed',
    edits: [
      {
        in: 'startPostern',
        find: 'const $sealed = sealSession(session.defaultSession);',
        replace: 'const $sealed = sealSession(session.defaultSession); await $sealed;',
      },
    ],
  },
];

/** All that are removed by edits; `test/mutants/run.ts --find` checks them. */
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

/** Applies edits to a bundle. The build throws if one does not match exactly once. */
export function editedBundle(...edits: readonly Edit[]): Plugin {
  let sources: ReturnType<typeof editedSources> | undefined;
  return {
    name: 'without-a-trick',
    enforce: 'pre',
    load: (id) => (sources ??= editedSources(edits)).get(id.split('?')[0] ?? id) ?? null,
  };
}
