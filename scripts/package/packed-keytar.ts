/** Where keytar lies in a package, from the folder of resources. */
export const packedKeytar = 'app.asar.unpacked/node_modules/keytar/build/Release/keytar.node';
