/** How Postern names itself to MCP servers (`clientInfo`). */
export const product = { name: 'postern', version: '0.1.0' } as const;

/** The shortcut's id (electron-builder.yml): without it, Windows drops notifications and pins a second icon. */
export const appUserModelId = 'dev.postern.Postern';
