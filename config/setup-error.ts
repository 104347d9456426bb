/** A person must correct this first. Entry scripts print its one sentence and exit 1. */
export class SetupError extends Error {
  override name = 'SetupError';
}
