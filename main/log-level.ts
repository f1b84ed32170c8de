/** How grave a line of a server's log is, from the least (RFC 5424 section 6.2.1). */
export const logLevels = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'] as const;
export type LogLevel = (typeof logLevels)[number];
