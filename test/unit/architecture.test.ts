import { globSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { parseSync } from 'vite';
import { describe, expect, it } from 'vitest';
import { errorCodes } from '../../shared/error-codes.ts';
import type { Node } from '../mutants/code-pattern.ts';
import { calledPath, isWord, syntaxNodes } from '../support/source-words.ts';

const root = join(import.meta.dirname, '../..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');

interface Module {
  readonly file: string;
  readonly nodes: readonly Node[];
  /** Targets of static and dynamic imports; project files as paths from the root. */
  readonly imports: readonly string[];
  /** The imports that are not type-only. */
  readonly loads: readonly string[];
  /** Those of them that are loaded along with the module. */
  readonly loadsAtOnce: readonly string[];
  readonly hasDefaultExport: boolean;
  /** Some module loads it with `import()`. */
  isLazy: boolean;
  readonly reExports: number;
  readonly exports: number;
}

function parseModule(file: string): Module {
  const source = read(file);
  const { module } = parseSync(file, source);
  const entries = module.staticExports.flatMap((statement) => statement.entries);
  const targetOf = (request: string): string =>
    request.startsWith('.') ? posix.normalize(posix.join(posix.dirname(file), request)) : request;
  const imported = [
    ...module.staticImports.map(({ moduleRequest, entries: names }) => ({
      target: targetOf(moduleRequest.value),
      isType: names.length > 0 && names.every(({ isType }) => isType),
      isLazy: false,
    })),
    ...entries.flatMap(({ moduleRequest, isType }) =>
      moduleRequest === null ? [] : [{ target: targetOf(moduleRequest.value), isType, isLazy: false }],
    ),
    ...module.dynamicImports.map(({ moduleRequest }) => {
      const text = source.slice(moduleRequest.start, moduleRequest.end);
      return { target: /^['"]/.test(text) ? targetOf(text.slice(1, -1)) : '', isType: false, isLazy: true };
    }),
  ];
  return {
    file,
    nodes: syntaxNodes(file, source),
    imports: imported.map(({ target }) => target),
    loads: imported.filter(({ isType }) => !isType).map(({ target }) => target),
    loadsAtOnce: imported.filter(({ isType, isLazy }) => !isType && !isLazy).map(({ target }) => target),
    isLazy: false,
    hasDefaultExport: entries.some(({ exportName }) => exportName.kind === 'Default'),
    reExports: entries.filter(({ moduleRequest }) => moduleRequest !== null).length,
    exports: entries.length,
  };
}

const modules = globSync('{shared,main,preload,renderer}/**/*.{ts,tsx}', { cwd: root })
  .map((file) => file.replaceAll('\\', '/'))
  .toSorted()
  .map(parseModule);

for (const { file, nodes } of modules)
  for (const { type, source } of nodes) {
    if (type !== 'ImportExpression') continue;
    const target = posix.join(posix.dirname(file), String((source as Node)['value']));
    const lazy = modules.find((module) => module.file === target);
    if (lazy) lazy.isLazy = true;
  }

const leaves = [
  'shared/',
  'main/address/',
  'main/errors/',
  ...modules.map(({ file }) => file).filter((file) => /^main\/(?!index\.|command\.)[^/]+$/.test(file)),
];

/** Allowed imports. A part may always import itself and the leaves; packages are checked below. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  'shared/': [],
  'preload/': [],
  'renderer/': [],
  'main/address/': [],
  'main/errors/': [],
  'main/oauth/': [],
  'main/mcp/': ['main/oauth/'],
  'main/engine/': ['main/oauth/', 'main/mcp/'],
  'main/gateway/': ['main/oauth/', 'main/mcp/', 'main/engine/'],
  'main/net/': [],
  'main/storage/': [],
  'main/apps/': [],
  'main/apps/files/': ['main/apps/'],
  'main/local/': [],
  'main/operations/': ['main/engine/', 'main/mcp/', 'main/oauth/', 'main/apps/'],
  'main/host/': [
    'main/engine/',
    'main/gateway/',
    'main/apps/',
    'main/apps/files/',
    'main/local/',
    'main/net/',
    'main/storage/',
  ],
  'main/window/': ['main/operations/', 'main/engine/', 'main/mcp/', 'main/oauth/', 'main/apps/'],
  'main/window/updates/': [],
  'main/window/ipc/': [],
  'main/window/electron/': [],
};

/** The parts, innermost first: a file belongs to the innermost one. */
const parts = [...Object.keys(mayImport), 'main/cli/', 'main/window/start/'].toSorted((a, b) => b.length - a.length);

/** Subfolders (rooms) of a part: each may only import those listed before it. */
const roomsOf: Readonly<Record<string, readonly string[]>> = {
  'main/mcp/': ['messages', 'http', 'sse', 'client', 'stdio'],
  'main/oauth/': ['http', 'discovery', 'client', 'authorization', 'token'],
  'main/storage/': ['files', 'keychain', 'vault', 'settings', 'profile'],
  'main/engine/': ['records', 'refresh', 'sign-in', 'use', 'removal', 'connect', 'trace'],
  'main/gateway/': [
    'messages',
    'responses',
    'limits',
    'capabilities',
    'server',
    'bridge',
    'session',
    'collection',
    'http',
  ],
  'main/apps/': ['table', 'list', 'records', 'entry', 'import', 'plan', 'inspect', 'files'],
  'main/cli/': [
    'schemas',
    'options',
    'terminal',
    'output',
    'interaction',
    'opening',
    'apps',
    'commands',
    'table',
    'start',
  ],
  'main/window/': [
    'electron',
    'ipc',
    'updates',
    'attempts',
    'views',
    'icons',
    'state',
    'consent',
    'sign-in',
    'apps',
    'handlers',
    'start',
  ],
  'renderer/': [
    'components',
    'errors',
    'catalog',
    'diagnosis',
    'credentials',
    'integrations',
    'connect',
    'activity',
    'permissions',
    'apps',
    'settings',
    'integration',
    'elicitation',
    'home',
    'palette',
    'app',
    'sign-in-bar',
  ],
};

/** Parts that do I/O only through ports. They may only import the Node modules below. */
const pureParts = [
  'shared/',
  'main/address/',
  'main/oauth/',
  'main/engine/',
  'main/gateway/',
  'main/apps/',
  'main/operations/',
];
const pureBuiltins = new Set(['node:crypto', 'node:net', 'node:util', 'node:buffer', 'node:url']);

const inside = (module: Module, part: string): boolean => module.file.startsWith(part);
/** Modules with a matching syntax node. */
const modulesWith = (isUse: (node: Node) => boolean): readonly Module[] =>
  modules.filter(({ nodes }) => nodes.some(isUse));
/** The part of each module: a rule for a single file does not fix the file's place within its part. */
const partsOf = (some: readonly Module[]): readonly string[] => some.map(({ file }) => partOf(file)).toSorted();
const partOf = (file: string): string => parts.find((part) => file.startsWith(part)) ?? dirname(file);
/** Parts that act on errors. They must decide by an error's type, never by its text. */
const decidingParts = parts.filter((part) => part.startsWith('main/') && part !== 'main/errors/');
/** True for an identifier or a member with one of these names. */
const isNamed = (node: unknown, names: readonly string[]): boolean => {
  const { type, property, expression, name } = (node ?? {}) as Node &
    Record<'property' | 'expression', Node> & { name?: string };
  if (type === 'ChainExpression') return isNamed(expression, names);
  if (type === 'MemberExpression') return isWord(property, names);
  return type === 'Identifier' && names.includes(name ?? '');
};
const filesThatDecide = (some: readonly Module[]): readonly string[] =>
  some.filter((module) => decidingParts.some((part) => inside(module, part))).map(({ file }) => file);
const isLocal = (target: string): boolean => /^(?:shared|main|preload|renderer|pipe|test|scripts|bin)\//.test(target);

describe('architecture', () => {
  it('finds the modules to check', () => {
    expect(modules.length).toBeGreaterThan(50);
    expect(modules.flatMap(({ imports }) => imports).filter(isLocal).length).toBeGreaterThan(100);
  });

  it('lets each part import only the parts below it', () => {
    const wrong = Object.entries(mayImport).flatMap(([part, others]) => {
      const always = part.startsWith('main/') ? leaves : ['shared/'];
      const isAllowed = (target: string): boolean =>
        [part, ...others].includes(partOf(target)) || always.some((prefix) => target.startsWith(prefix));
      return modules
        .filter(({ file }) => partOf(file) === part)
        .flatMap(({ file, imports }) =>
          imports.filter((target) => isLocal(target) && !isAllowed(target)).map((target) => `${file} → ${target}`),
        );
    });
    expect(wrong).toEqual([]);
  });

  it.each(Object.entries(roomsOf))('lets the folders of %s import only those listed before them', (part, names) => {
    const rooms = names.map((name) => `${part}${name}/`);
    const placeOf = (file: string): number => rooms.findIndex((room) => file.startsWith(room));
    /** Room files that a file imports, directly or through files at the top level of the part. */
    const reached = (file: string): readonly string[] =>
      placeOf(file) >= 0
        ? [file]
        : modules
            .filter((module) => module.file === file && inside(module, part))
            .flatMap(({ imports }) => imports.flatMap(reached));
    const within = modules.filter((module) => inside(module, part));
    const unexpected = within.filter(({ file }) => file.slice(part.length).includes('/') && placeOf(file) < 0);
    expect(unexpected.map(({ file }) => file)).toEqual([]);
    const wrong = within
      .filter(({ file }) => placeOf(file) >= 0)
      .flatMap(({ file, imports }) =>
        imports.flatMap((target) =>
          reached(target)
            .filter((room) => placeOf(room) > placeOf(file) || (room !== target && placeOf(room) === placeOf(file)))
            .map((room) => [file, ...new Set([target, room])].join(' → ')),
        ),
      );
    expect(wrong).toEqual([]);
  });

  it.each(Object.entries(roomsOf))('lists only existing folders of %s', (part, names) => {
    const gone = names.filter((name) => !modules.some((module) => inside(module, `${part}${name}/`)));
    expect(gone).toEqual([]);
  });

  it('keeps the window and the command line apart', () => {
    const apart = [
      ['main/window/start/', 'main/cli/'],
      ['main/cli/', 'main/window/start/'],
    ] as const;
    const wrong = apart.flatMap(([part, other]) =>
      modules.filter((module) => inside(module, part) && module.imports.some((target) => target.startsWith(other))),
    );
    expect(wrong.map(({ file }) => file)).toEqual([]);
  });

  it('lets leaves import only leaves', () => {
    const wrong = modules
      .filter(({ file }) => leaves.some((leaf) => file.startsWith(leaf)))
      .flatMap(({ file, imports }) =>
        imports
          .filter((target) => isLocal(target) && !leaves.some((leaf) => target.startsWith(leaf)))
          .map((target) => `${file} → ${target}`),
      );
    expect(wrong).toEqual([]);
  });

  it('has no circular imports, types included', () => {
    const graph = new Map(modules.map(({ file, imports }) => [file, imports]));
    const finished = new Set<string>();
    const circles: string[] = [];
    const walk = (file: string, trail: readonly string[]): void => {
      if (trail.includes(file)) circles.push([...trail.slice(trail.indexOf(file)), file].join(' → '));
      if (trail.includes(file) || finished.has(file)) return;
      for (const target of graph.get(file) ?? []) walk(target, [...trail, file]);
      finished.add(file);
    };
    for (const file of graph.keys()) walk(file, []);
    expect(circles).toEqual([]);
  });

  it('lets only operations inspect an address, connect and sign in again', () => {
    const bodies = ['connect/connect-server.ts', 'connect/inspect-server.ts', 'sign-in/reauthenticate.ts'];
    const surfaces = modules.filter((module) => inside(module, 'main/cli/') || inside(module, 'main/window/'));
    const direct = surfaces.filter(({ loads }) => bodies.some((file) => loads.includes(`main/engine/${file}`)));
    expect(direct.map(({ file }) => file)).toEqual([]);
  });

  it('covers every folder of main', () => {
    const unexpected = modules.filter(
      ({ file }) =>
        file.split('/').length > 2 && file.startsWith('main/') && !parts.some((part) => file.startsWith(part)),
    );
    expect(unexpected.map(({ file }) => file)).toEqual([]);
  });

  it('loads nothing but Node modules and its own files in the pipe (design 3)', () => {
    const pipe = globSync('pipe/*.js', { cwd: root }).map((file) => parseModule(file.replaceAll('\\', '/')));
    const unexpected = pipe.flatMap(({ file, imports }) =>
      imports
        .filter((target) => !target.startsWith('node:') && !target.startsWith('pipe/'))
        .map((target) => `${file} → ${target}`),
    );
    expect(pipe.length).toBeGreaterThan(3);
    expect(unexpected).toEqual([]);
    const users = modules.filter(({ imports }) => imports.some((target) => target.startsWith('pipe/')));
    expect(new Set(partsOf(users))).toEqual(new Set(['main/cli/']));
  });

  it('starts every process by its full path, and never synchronously', () => {
    const pipe = globSync('pipe/*.js', { cwd: root }).map((file) => parseModule(file.replaceAll('\\', '/')));
    const textOf = (node: unknown): unknown => (node as Node | undefined)?.['value'];
    // Windows searches the current folder for a bare name. A joined path has its folder in front.
    const isBareName = (node: unknown): boolean => {
      const text = textOf(node);
      return typeof text === 'string' && !text.startsWith('/');
    };
    const starts = ['spawn', 'execFile', 'exec', 'fork'];
    const starting = [...modules, ...pipe].filter(({ imports }) =>
      imports.some((target) => target === 'node:child_process'),
    );
    const wrong = starting.flatMap(({ file, nodes }) =>
      nodes.flatMap((node) => {
        const called = calledPath(node)?.path.split('.').at(-1);
        const [first] = (node['arguments'] as readonly unknown[] | undefined) ?? [];
        if (/^(?:spawn|exec|execFile)Sync$/u.test(called ?? '')) return [`${file}: ${called}`];
        return starts.includes(called ?? '') && isBareName(first) ? [`${file}: ${String(textOf(first))}`] : [];
      }),
    );
    expect(wrong).toEqual([]);
    // The same for names in variables.
    const joined = (node: Node): readonly unknown[] =>
      /(?:^|\.)join$/u.test(calledPath(node)?.path ?? '') ? (node['arguments'] as readonly unknown[]).slice(1) : [];
    const bare = starting.flatMap(({ file, nodes }) => {
      const placed = new Set(nodes.flatMap(joined));
      return nodes
        .filter((node) => /^[\w-]+\.exe$/iu.test(String(textOf(node))) && !placed.has(node))
        .map((node) => `${file}: ${String(textOf(node))}`);
    });
    expect(bare).toEqual([]);
  });

  it('loads the MCP library lazily, since a server can answer meanwhile', () => {
    const library = '@modelcontextprotocol/client';
    const byFile = new Map(modules.map((module) => [module.file, module]));
    const paths = new Map(['connect', 'capabilities', 'call'].map((name) => [`main/cli/commands/${name}.ts`, name]));
    // A map may grow while it is iterated.
    for (const [file, way] of paths)
      for (const target of byFile.get(file)?.loadsAtOnce ?? [])
        if (!paths.has(target)) paths.set(target, `${way} → ${target}`);
    expect(paths.size).toBeGreaterThan(100);
    expect(paths.get(library)).toBeUndefined();
  });

  it('has no small file next to its only importer', () => {
    const readers = new Map<string, Set<string>>();
    for (const { file, imports } of modules)
      for (const target of imports) readers.set(target, (readers.get(target) ?? new Set()).add(file));
    // Files that tests import without the importer, mostly because the importer needs a window.
    const tests = globSync(['test/**/*.ts', 'scripts/**/*.ts'], { cwd: root });
    const tested = new Set(
      tests.flatMap((test) =>
        [...read(test).matchAll(/'(\.\.?\/[^']+\.tsx?)'/gu)].map(([, target = '']) =>
          posix.join(posix.dirname(test), target),
        ),
      ),
    );
    const linesOf = new Map(modules.map(({ file }) => [file, read(file).split('\n').length]));
    const wrong = modules.flatMap(({ file, isLazy }) => {
      const [reader = '', ...others] = readers.get(file) ?? [];
      const lines = linesOf.get(file) ?? 0;
      const isBeside = reader !== '' && others.length === 0 && dirname(reader) === dirname(file);
      const isOne = lines < 150 && lines + (linesOf.get(reader) ?? 0) <= 400;
      return isBeside && isOne && !isLazy && !tested.has(file) ? [`${file} (${lines}) → ${reader}`] : [];
    });
    expect(wrong).toEqual([]);
  });

  it('has no folder with a single file', () => {
    const counts = new Map<string, number>();
    for (const { file } of modules)
      for (let folder = dirname(file); folder !== '.'; folder = dirname(folder))
        counts.set(folder, (counts.get(folder) ?? 0) + 1);
    const pages = new Set(globSync('renderer/**/*.html', { cwd: root }).map((page) => dirname(page)));
    const single = [...counts].flatMap(([folder, count]) => (count === 1 ? folder : []));
    // Pages have their own entries, and a style sheet next to a component is a second file.
    const styled = (folder: string): boolean => globSync(`${folder}/*.css`, { cwd: root }).length > 0;
    expect(single.filter((folder) => folder !== 'preload' && !pages.has(folder) && !styled(folder))).toEqual([]);
  });

  it('keeps test and script code out of the product', () => {
    const wrong = modules.filter(({ imports }) => imports.some((target) => /^(?:test|scripts)\//.test(target)));
    expect(wrong.map(({ file }) => file)).toEqual([]);
  });

  it('keeps the engine pure: no files, sockets, processes or clocks', () => {
    const wrong = modules
      .filter(({ file }) => pureParts.includes(partOf(file)))
      .flatMap(({ file, imports }) =>
        imports
          .filter((target) => target.startsWith('node:') && !pureBuiltins.has(target))
          .map((target) => `${file} → ${target}`),
      );
    expect(wrong).toEqual([]);
  });

  it("keeps the window's views synchronous: they only map data", () => {
    const waiting = modulesWith(({ async, type }) => async === true || type === 'AwaitExpression');
    expect(waiting.filter((module) => inside(module, 'main/window/views/')).map(({ file }) => file)).toEqual([]);
  });

  it('keeps electron out of everything that the command line can load', () => {
    const wrong = modules.filter(
      ({ file, imports }) =>
        !/^(?:main\/(?:(?:index|command)\.ts|window\/(?:start|ipc|electron)\/)|preload\/)/.test(file) &&
        imports.some((target) => /^electron(?:$|\/|-store)/.test(target)),
    );
    expect(wrong.map(({ file }) => file)).toEqual([]);
  });

  it.each([
    ['ipcMain', 'main/window/ipc/', (node: Node) => isWord(node, ['ipcMain'])],
    ['ipcRenderer', 'preload/', (node: Node) => isWord(node, ['ipcRenderer'])],
    ['shell.openExternal', 'main/window/electron/', (node: Node) => isWord(node, ['openExternal', 'openPath'])],
  ])('lets only one file use %s (IP-12)', (_name, part, isUse) => {
    expect(partsOf(modulesWith(isUse))).toEqual([part]);
  });

  it('lets only one file send IPC messages to a page (IP-12)', () => {
    const isSend = (node: Node): boolean => {
      const call = calledPath(node);
      return call !== undefined && call.argumentCount > 1 && /\.(?:send|postMessage)$/.test(call.path);
    };
    const sending = modulesWith(isSend).filter(
      ({ file, imports }) => file.startsWith('main/') && imports.includes('electron'),
    );
    expect(partsOf(sending)).toEqual(['main/window/ipc/']);
  });

  it.each(['CheckedAddress', 'BrowserAddress'])('lets only the address rules create a %s (MD-13)', (name) => {
    const isSaying = ({ type, typeAnnotation }: Node): boolean =>
      /^TS(?:AsExpression|TypeAssertion|TypePredicate)$/.test(type) &&
      JSON.stringify(typeAnnotation ?? '').includes(`"${name}"`);
    expect(partsOf(modulesWith(isSaying))).toEqual(['main/address/']);
  });

  it('handles links in one place, registers no other scheme, and never passes links as switches (IP-13)', () => {
    const takesLinks = (node: Node): boolean => isWord(node, ['open-url', 'second-instance']);
    expect(partsOf(modulesWith(takesLinks))).toEqual(['main/window/start/']);
    const registers = (node: Node): boolean => isWord(node, ['setAsDefaultProtocolClient', 'open-file']);
    expect(modulesWith(registers).map(({ file }) => file)).toEqual([]);
    const built = read('electron-builder.yml');
    expect(built).not.toMatch(/^\s*(?:fileAssociations|mimeTypes):/mu);
    expect(built.match(/schemes: .*$/gmu)).toEqual(['schemes: [postern], role: Viewer }']);
    expect(built.match(/executableArgs: .*$/gmu)).toEqual(["executableArgs: ['%u']", 'executableArgs: []']);
    const registered = read('packaging/win/protocol.nsh').match(/^\s*WriteReg\w+ .*\bcommand\b.*$/gmu) ?? [];
    expect(registered).toHaveLength(1);
    // Windows replaces `%1` with the link; nothing after `--` is a switch.
    expect(registered.join()).toMatch(/" -- "%1"'$/u);
  });

  it('never inserts text into the window as markup', () => {
    const markup = ['dangerouslySetInnerHTML', 'innerHTML', 'outerHTML', 'insertAdjacentHTML'];
    const isMarkup = (node: Node): boolean =>
      isWord(node, markup) || /(?:^|\.)document\.write(?:ln)?$/.test(calledPath(node)?.path ?? '');
    const inWindow = modulesWith(isMarkup).filter(({ file }) => /^(?:renderer|preload)\//.test(file));
    expect(inWindow.map(({ file }) => file)).toEqual([]);
  });

  it('lets only code that writes sentences read their details', () => {
    const looking = modulesWith(
      ({ type, imported }) => type === 'ImportSpecifier' && isWord(imported as Node, ['readDetail']),
    );
    expect(looking).not.toEqual([]);
    // The command line writes its own sentences and JSON.
    expect(filesThatDecide(looking).filter((file) => !file.startsWith('main/cli/'))).toEqual([]);
  });

  it("puts an error's meaning in its type, never in a separate map", () => {
    const mapping = filesThatDecide(modulesWith((node) => isWord(node, ['WeakMap', 'WeakSet'])));
    // These use such maps for Electron windows and downloads, and for long texts.
    const known = /^main\/(?:window\/(?:start|electron)\/|mcp\/messages\/survey-json)/;
    expect(mapping.filter((file) => !known.test(file))).toEqual([]);
  });

  it('never branches on `retryable`: it may only be shown and passed on', () => {
    const isIt = (node: unknown): boolean => {
      const { type, property, expression } = (node ?? {}) as Node & { property?: Node; expression?: Node };
      if (type === 'ChainExpression') return isIt(expression);
      return isWord((type === 'MemberExpression' ? property : (node ?? { type: '' })) as Node, ['retryable']);
    };
    const isRenamed = ({ key, value }: Node): boolean => {
      const { type, left } = (value ?? {}) as Node & { left?: Node };
      return isIt(key) && !isIt(type === 'AssignmentPattern' ? left : value);
    };
    const decides = (node: Node): boolean => {
      if (node.type === 'ObjectPattern') return (node['properties'] as readonly Node[]).some(isRenamed);
      // `??` only fills in a missing value.
      if (node.type === 'LogicalExpression' && node['operator'] === '??') return false;
      const judged = /^(?:If|While|DoWhile|For)Statement$|^ConditionalExpression$/u.test(node.type)
        ? ['test']
        : /^(?:Logical|Binary)Expression$/u.test(node.type)
          ? ['left', 'right']
          : { UnaryExpression: ['argument'], SwitchStatement: ['discriminant'], ArrowFunctionExpression: ['body'] }[
              node.type
            ];
      return (judged ?? []).some((name) => isIt(node[name]));
    };
    expect(modulesWith((node) => node.type === 'MemberExpression' && isIt(node))).not.toEqual([]);
    expect(modulesWith(decides).map(({ file }) => file)).toEqual([]);
  });

  it('never branches on an error code: its meaning is a catalog fact (`hasTrait`) or a type', () => {
    const isCode = (node: unknown): boolean =>
      (node as Node | undefined)?.type === 'Literal' && isWord(node as Node, errorCodes);
    const decides = (node: Node): boolean => {
      switch (node.type) {
        case 'BinaryExpression':
          return isCode(node['left']) || isCode(node['right']);
        case 'SwitchCase':
          return isCode(node['test']);
        // A list of codes, for a lookup.
        case 'ArrayExpression': {
          const elements = node['elements'] as readonly unknown[];
          return elements.length > 0 && elements.every(isCode);
        }
        default:
          return false;
      }
    };
    const found = [
      "error.code === 'DEADLINE'",
      "switch (code) { case 'DEADLINE': }",
      "new Set(['DEADLINE', 'DNS_FAIL']).has(error.code)",
    ].map((source) => syntaxNodes('found.ts', source).some(decides));
    expect(found).toEqual([true, true, true]);
    expect(modulesWith(decides).map(({ file }) => file)).toEqual([]);
  });

  it('lets only one file compare the codes of two errors, to report the same error once', () => {
    const isCode = (node: unknown): boolean => isNamed(node, ['code']);
    const compares = ({ type, left, right }: Node & { left?: Node; right?: Node }): boolean =>
      type === 'BinaryExpression' && isCode(left) && isNamed(right, ['code', 'cause']);
    expect(modulesWith(compares).map(({ file }) => file)).toEqual(['shared/error-traits.ts']);
  });

  it('never branches on the stage of an error, which is only where it failed', () => {
    const isStage = (node: unknown): boolean => isNamed(node, ['stage']);
    const decides = (node: Node): boolean => {
      switch (node.type) {
        case 'BinaryExpression':
          return isStage(node['left']) || isStage(node['right']);
        case 'SwitchStatement':
          return isStage(node['discriminant']);
        case 'MemberExpression':
          return node['computed'] === true && isStage(node['property']);
        default:
          return (
            /\.(?:has|get|includes|startsWith)$/u.test(calledPath(node)?.path ?? '') &&
            (node['arguments'] as readonly Node[]).some(isStage)
          );
      }
    };
    const deciding = modulesWith(decides).map(({ file }) => file);
    // A trace shows an error at its request; the notice describes the stage.
    expect(deciding).toEqual(['main/engine/trace/trace.ts', 'renderer/errors/error-notice.tsx']);
  });

  it('never compares the message of an error, which is only for people', () => {
    const isMessage = (node: unknown): boolean => {
      const { type, object, expression } = node as Node & { object?: unknown; expression?: unknown };
      if (type === 'ChainExpression') return isMessage(expression);
      return type === 'MemberExpression' && isNamed(node, ['message']) && isNamed(object, ['error']);
    };
    const compares = (node: Node): boolean =>
      node.type === 'BinaryExpression' && (isMessage(node['left']) || isMessage(node['right']));
    // undici reports a failed upgrade in no other way.
    expect(modulesWith(compares).map(({ file }) => file)).toEqual(['main/net/http/request-failure.ts']);
  });

  it('lets only sentences read the detail of an error', () => {
    const isDetail = (node: unknown): boolean =>
      (node as Node).type === 'MemberExpression' && isNamed(node, ['detail']);
    const looks = ({ type, object, value, key }: Node & { object?: Node; value?: Node; key?: Node }): boolean =>
      type === 'MemberExpression'
        ? isDetail(object)
        : type === 'Property' && isNamed(key, ['detail']) && value?.type === 'ObjectPattern';
    expect(modulesWith(looks).map(({ file }) => file)).toEqual([]);
  });

  it('never lets sentence details choose the remedy', () => {
    const mentions = (node: unknown, word: string): boolean => JSON.stringify(node ?? '').includes(`"${word}`);
    const isFunction = (node: unknown): boolean => /Function/.test((node as Node | undefined)?.type ?? '');
    const chooses = (node: Node): boolean =>
      isFunction(node)
        ? mentions(node['params'], 'CatalogDetail') &&
          /"(?:Network)?Remedy"/.test(JSON.stringify(node['returnType'] ?? ''))
        : node.type === 'Property' && isWord(node['key'] as Node, ['remedy', 'retryable']) && isFunction(node['value']);
    const choosing = modulesWith(chooses).filter((module) => inside(module, 'shared/error-catalog/'));
    expect(choosing.map(({ file }) => file)).toEqual([]);
  });

  it('lets the preload import only names, so that it stays small', () => {
    const names = modules
      .filter((module) => inside(module, 'preload/'))
      .flatMap(({ imports }) => imports.filter((target) => isLocal(target) && !target.startsWith('preload/')));
    expect(names).toHaveLength(1);
    expect(modules.filter(({ file }) => names.includes(file)).map(({ imports }) => imports)).toEqual([[]]);
  });

  it('lets the window import only schema types, because zod would delay its first screen', () => {
    const graph = new Map(modules.map(({ file, loads }) => [file, loads]));
    const pages = globSync('renderer/**/*.html', { cwd: root }).map((file) => file.replaceAll('\\', '/'));
    const started = pages.flatMap((page) =>
      [...read(page).matchAll(/<script type="module" src="([^"]*)"/gu)].map(([, src = '']) =>
        posix.join(posix.dirname(page), src),
      ),
    );
    expect(started.length).toBeGreaterThanOrEqual(pages.length);
    const reached = new Set(started);
    for (const file of reached) for (const target of graph.get(file) ?? []) reached.add(target);
    expect([...reached].filter((file) => file.startsWith('shared/'))).not.toEqual([]);
    expect([...reached].filter((file) => graph.get(file)?.includes('zod'))).toEqual([]);
  });

  it('keeps the schemas of calls and errors out of what every command loads at startup', () => {
    const graph = new Map(modules.map(({ file, loads }) => [file, loads]));
    const reached = new Set(['main/storage/settings/settings-document.ts']);
    for (const file of reached) for (const target of graph.get(file) ?? []) reached.add(target);
    const calls = new Set(graph.get('shared/ipc-contract.ts'));
    // Stored data is also shown, but schemas of calls, views and errors belong to the window only.
    const ofWindow = [...reached].filter((file) => calls.has(file) && /(?:-calls|-view|-error)\.ts$/u.test(file));
    expect(reached.has('shared/integration.ts')).toBe(true);
    expect(ofWindow).toEqual([]);
    expect(reached.has('shared/plain-error.ts')).toBe(false);
  });

  it.each(['keytar', 'undici', 'tldts', 'ipaddr.js', 'jsonc-parser', 'smol-toml', 'yaml'])(
    'lets only one part use %s',
    (name) => {
      // Searches for the name as a string: keytar is loaded through a variable.
      const knowing = modulesWith((node) => node.type === 'Literal' && node['value'] === name);
      expect(new Set(partsOf(knowing)).size).toBe(1);
    },
  );

  it('has named exports, no barrel files and no catch-all files', () => {
    expect(modules.filter(({ hasDefaultExport }) => hasDefaultExport).map(({ file }) => file)).toEqual([]);
    const barrels = modules.filter(({ exports, reExports }) => exports > 1 && reExports === exports);
    expect(barrels.map(({ file }) => file)).toEqual([]);
    // Keychains call the namespace of their entries a service.
    const catchAlls = modules.filter(
      ({ file }) =>
        /(?:utils?|helpers?|manager|service|common|misc)\.tsx?$/.test(file) &&
        posix.basename(file) !== 'keychain-service.ts',
    );
    expect(catchAlls.map(({ file }) => file)).toEqual([]);
    expect(modules.filter(({ file }) => !/^[a-z0-9/.-]+$/.test(file)).map(({ file }) => file)).toEqual([]);
  });

  it('imports project modules with their file extension', () => {
    const wrong = modules.flatMap(({ file, imports }) =>
      imports
        .filter((target) => isLocal(target) && !/\.(?:ts|tsx|js|json|css)$/.test(target))
        .map((target) => `${file} → ${target}`),
    );
    expect(wrong).toEqual([]);
  });
});

describe('package.json', () => {
  const { dependencies, optionalDependencies, devDependencies } = JSON.parse(read('package.json')) as Record<
    string,
    Record<string, string>
  >;

  it('pins exact versions', () => {
    const ranges = Object.entries({ ...dependencies, ...optionalDependencies, ...devDependencies }).filter(
      ([, version]) => !/^\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(version),
    );
    expect(ranges).toEqual([]);
  });
});
