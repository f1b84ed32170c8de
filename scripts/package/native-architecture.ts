/** The system and processors that a native module was built for. */
export interface NativeTarget {
  readonly platform: 'linux' | 'darwin' | 'win32';
  readonly architectures: readonly string[];
}

const elfMachines: Readonly<Record<number, string>> = { 0x3e: 'x64', 0xb7: 'arm64' };
const peMachines: Readonly<Record<number, string>> = { 0x8664: 'x64', 0xaa64: 'arm64' };
const machProcessors: Readonly<Record<number, string>> = { 0x01000007: 'x64', 0x0100000c: 'arm64' };

/** Reads the target from the file header (ELF, thin and fat Mach-O, PE); `undefined` for other files. */
export function readNativeTarget(file: Buffer): NativeTarget | undefined {
  if (file.length < 64) return undefined;
  if (file.readUInt32BE(0) === 0x7f454c46) return singleTarget('linux', elfMachines[file.readUInt16LE(18)]);
  if (file.readUInt32LE(0) === 0xfeedfacf) return singleTarget('darwin', machProcessors[file.readUInt32LE(4)]);
  if (file.readUInt32BE(0) === 0xcafebabe) {
    const count = Math.min(file.readUInt32BE(4), 4);
    const processors = Array.from({ length: count }, (_, index) => file.readUInt32BE(8 + index * 20));
    return { platform: 'darwin', architectures: processors.map((each) => machProcessors[each] ?? 'other') };
  }
  if (file.toString('latin1', 0, 2) === 'MZ') {
    const header = file.readUInt32LE(0x3c);
    if (header + 6 > file.length || file.toString('latin1', header, header + 2) !== 'PE') return undefined;
    return singleTarget('win32', peMachines[file.readUInt16LE(header + 4)]);
  }
  return undefined;
}

function singleTarget(platform: NativeTarget['platform'], architecture: string | undefined): NativeTarget {
  return { platform, architectures: [architecture ?? 'other'] };
}
