/** In development our pages have network access: hot reload needs it. Replaces `main/window/electron/guard-contents.ts`. */
export async function sealSession(): Promise<void> {}
