/** The shortcut's (electron-builder.yml): without it Windows drops notices, and pins a second icon. */
export const appUserModelId = 'dev.postern.Postern';
