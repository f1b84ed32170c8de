/**
 * Copies `bytes` to a buffer of `capacity` bytes, and frees the old memory now instead of at the next garbage
 * collection. No other code may hold a reference to the old buffer.
 */
export function growBuffer(bytes: Buffer, capacity: number): Buffer<ArrayBuffer> {
  // Not zero-filled: untouched pages use no memory.
  const grown = Buffer.allocUnsafeSlow(capacity);
  bytes.copy(grown, 0, 0, capacity);
  const memory = bytes.buffer;
  // Small buffers share one ArrayBuffer, which must not be freed.
  if (memory instanceof ArrayBuffer && memory.byteLength === bytes.byteLength) memory.transfer(0);
  return grown;
}
