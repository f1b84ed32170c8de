/** The lock around every read-modify-write of vault and settings, and around creating key, port or registration. */
export const profileLock = 'profile';
