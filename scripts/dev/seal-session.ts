/** In development our pages have a network: hot reload needs it. A built program has `main/windows/guard-contents.ts`. */
export async function sealSession(): Promise<void> {}
