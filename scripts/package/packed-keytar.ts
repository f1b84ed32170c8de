import { existsSync, readFileSync } from 'node:fs';

/** Path of keytar in a package, relative to the resources folder. */
export const packedKeytar = 'app.asar.unpacked/node_modules/keytar/build/Release/keytar.node';

/** The Node-API that keytar is compiled for, whichever Node compiles it: every supported Electron and Node has it. */
export const keytarNodeApi = 8;

/** Reads the version from the `config.gypi` that node-gyp leaves next to its build. */
export function readNodeApi(config: string): number | undefined {
  const [, version] = /"napi_build_version": "?(\d+)"?/u.exec(config) ?? [];
  return version === undefined ? undefined : Number(version);
}

/** `config`: path of `config.gypi`. A build for a newer Node-API than the runtime's crashes the keychain process silently. */
export function refuseNewerApi(config: string): void {
  const version = existsSync(config) ? readNodeApi(readFileSync(config, 'utf8')) : undefined;
  if (version === keytarNodeApi) return;
  throw new Error(
    `keytar is built for Node-API ${version ?? 'unknown'}, not ${keytarNodeApi}. Run \`npm_config_build_from_source=keytar npm_config_napi_build_version=${keytarNodeApi} npm rebuild keytar\`.`,
  );
}
