import type { Plugin } from 'vite';

/**
 * Shared chunks without white space, whose reading and hashing takes time at each start; names stay, for stacks. In
 * ASCII: a single character beyond Latin-1 makes V8 store the whole file at two bytes a character.
 */
const chunks = {
  entryFileNames: '[name].js',
  chunkFileNames: '[name]-[hash].js',
  charset: 'ascii',
  minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
} as const;

/** Modules: Electron waits for the first one before it is `ready`. */
export const moduleOutput = { ...chunks, format: 'es' } as const;

/** CommonJS, which Node loads in fewer steps than modules: a fifth of a command with stored tokens. */
export const commonJsOutput = { ...chunks, format: 'cjs' } as const;

/** Says beside the code that it is CommonJS, where the project says that its code is modules. */
export const commonJsFolder: Plugin = {
  name: 'common-js-folder',
  generateBundle({ format }) {
    if (format === 'cjs')
      this.emitFile({ type: 'asset', fileName: 'package.json', source: '{ "type": "commonjs" }\n' });
  },
};
