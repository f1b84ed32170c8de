/** In development our pages are on the renderer's server. Replaces `main/window/electron/resolve-app-file.ts`. */
export const appOrigin = process.env['POSTERN_DEV_RENDERER'] ?? '';
