/** In development our pages have a network: hot reload needs it. A built program has `main/window/electron/guard-contents.ts`. */
export async function sealSession(): Promise<void> {}
