/**
 * Something a person has to put right before the local stack can run.
 * The message is one whole sentence; entry scripts print it alone, without a stack, and exit 1.
 */
export class SetupError extends Error {
  override name = 'SetupError';
}
