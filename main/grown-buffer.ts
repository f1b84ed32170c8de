/**
 * The same bytes with room for more. What they had is given back at once, and not when a collection of garbage comes by:
 * nobody else may have any of it.
 */
export function grownBuffer(bytes: Buffer, room: number): Buffer<ArrayBuffer> {
  // Room that is not used takes no memory, as it would with zeros in it.
  const grown = Buffer.allocUnsafeSlow(room);
  bytes.copy(grown, 0, 0, room);
  const place = bytes.buffer;
  // Small buffers share one.
  if (place instanceof ArrayBuffer && place.byteLength === bytes.byteLength) place.transfer(0);
  return grown;
}
