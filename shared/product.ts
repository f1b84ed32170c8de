/** How Postern names itself to MCP servers (`clientInfo`). */
export const product = { name: 'postern', version: '0.1.0' } as const;
