/**
 * An error that a person has to correct before a command can run: a setting, a port, a folder, a
 * database. The message is one sentence; entry scripts print it without a stack and exit 1.
 */
export class SetupError extends Error {
  override name = 'SetupError';
}
