/**
 * In development our pages come from the renderer's server, which also tells them of changes. A built program has
 * `main/window/electron/app-protocol.ts`.
 */
export function registerAppScheme(): void {}

export function serveAppFiles(): void {}
