/** The command was not called as it can be. */
export class UsageError extends Error {}
