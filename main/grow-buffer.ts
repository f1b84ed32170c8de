/**
 * Copies `bytes` to a buffer of `room` bytes, and frees the old memory now instead of at the next garbage collection.
 * No other code may hold a reference to the old buffer.
 */
export function growBuffer(bytes: Buffer, room: number): Buffer<ArrayBuffer> {
  // Not zero-filled: untouched pages use no memory.
  const grown = Buffer.allocUnsafeSlow(room);
  bytes.copy(grown, 0, 0, room);
  const place = bytes.buffer;
  // Small buffers share one ArrayBuffer, which must not be freed.
  if (place instanceof ArrayBuffer && place.byteLength === bytes.byteLength) place.transfer(0);
  return grown;
}
