/**
 * Something a person has to put right before a command can run: a setting, a port, a folder, a
 * database. The message is one whole sentence; entry scripts print it alone, without a stack, and
 * exit 1.
 */
export class SetupError extends Error {
  override name = 'SetupError';
}
