/** How code for Node is written: modules and shared chunks, as readable as the sources for whoever reads a stack. */
export const moduleOutput = {
  format: 'es',
  entryFileNames: '[name].js',
  chunkFileNames: '[name]-[hash].js',
} as const;
