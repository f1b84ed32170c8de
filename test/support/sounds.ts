/** WAV files, only their headers. */

export const chunk = (name: string, body: Buffer): Buffer => {
  const size = Buffer.alloc(4);
  size.writeUInt32LE(body.length);
  return Buffer.concat([Buffer.from(name), size, body, Buffer.alloc(body.length % 2)]);
};
export const wave = (...chunks: Buffer[]): Buffer => Buffer.concat([Buffer.from('RIFF....WAVE'), ...chunks]);
export const format = (tag: number, rest = Buffer.alloc(14)): Buffer =>
  chunk('fmt ', Buffer.concat([Buffer.from([tag & 0xff, tag >> 8]), rest]));
