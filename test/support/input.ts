import { Problem } from '../../domain/shared/problems.ts';

/** A compiled schema: throws `validation_failed` for a value that does not fit. */
export type Check = (value: unknown) => void;

/** The refused fields by name, each with its message. Empty: the value fits. */
export function refusedFields(check: Check, value: unknown): Record<string, string> {
  try {
    check(value);
    return {};
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'validation_failed') throw error;
    return error.fields ?? {};
  }
}

export function namedBy(check: Check, value: unknown): string[] {
  return Object.keys(refusedFields(check, value));
}
