/**
 * In development our pages come from the renderer's server, which also notifies them of changes. Replaces
 * `main/window/electron/app-protocol.ts`.
 */
export function registerAppScheme(): void {}

export function serveAppFiles(): void {}
