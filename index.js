// What Electron starts where it is given a checkout; a package names dist/main itself (electron-builder.yml).
import './dist/main/index.js';
