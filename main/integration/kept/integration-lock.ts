/** Name of the lock around re-read, request and store of one integration's secrets. */
export function integrationLock(id: string): string {
  return `integration ${id}`;
}
