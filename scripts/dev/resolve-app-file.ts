/** In development our pages live on the renderer's server. A built program has `main/window/electron/resolve-app-file.ts`. */
export const appOrigin = process.env['POSTERN_DEV_RENDERER'] ?? '';
