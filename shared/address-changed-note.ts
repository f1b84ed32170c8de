/** In the notes of an integration whose address was changed in the settings file, away from its secrets. */
export const addressChangedNote = 'address-changed';
