import { FuseV1Options, getCurrentFuseWire } from '@electron/fuses';

/** The fuse states that a package must have (PK-01). */
export const expectedFuses: Readonly<Record<string, boolean>> = {
  RunAsNode: false,
  EnableCookieEncryption: true,
  EnableNodeOptionsEnvironmentVariable: false,
  EnableNodeCliInspectArguments: false,
  EnableEmbeddedAsarIntegrityValidation: true,
  OnlyLoadAppFromAsar: true,
  GrantFileProtocolExtraPrivileges: false,
};

/** Reads those fuses back from an executable. */
export async function readFuses(executable: string): Promise<Record<string, boolean>> {
  const fuses = await getCurrentFuseWire(executable);
  return Object.fromEntries(
    Object.keys(expectedFuses).map((name) => {
      const state = fuses[FuseV1Options[name as keyof typeof FuseV1Options]];
      return [name, String.fromCharCode(Number(state)) === '1'];
    }),
  );
}
