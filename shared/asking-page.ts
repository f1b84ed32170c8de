/** What stands behind the address of our page in the small window that asks about calls of tools. */
export const askingPage = '#asking';
