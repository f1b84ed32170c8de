import { existsSync, readFileSync } from 'node:fs';

/** Where keytar lies in a package, from the folder of resources. */
export const packedKeytar = 'app.asar.unpacked/node_modules/keytar/build/Release/keytar.node';

/** The Node-API that it is compiled for, whatever Node compiles it: every Electron and Node that Postern runs on has it. */
export const keytarNodeApi = 8;

/** Reads it from the `config.gypi` that node-gyp leaves beside what it has built. */
export function readNodeApi(config: string): number | undefined {
  const [, version] = /"napi_build_version": "?(\d+)"?/u.exec(config) ?? [];
  return version === undefined ? undefined : Number(version);
}

/** `config`: that file. A newer Node-API than the one that runs it ends the keychain's process by a signal, without an error. */
export function refuseNewerApi(config: string): void {
  const version = existsSync(config) ? readNodeApi(readFileSync(config, 'utf8')) : undefined;
  if (version === keytarNodeApi) return;
  throw new Error(
    `keytar is built for Node-API ${version ?? 'unknown'}, not ${keytarNodeApi}. Run \`npm_config_build_from_source=keytar npm_config_napi_build_version=${keytarNodeApi} npm rebuild keytar\`.`,
  );
}
