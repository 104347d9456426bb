import { Problem } from '../../domain/shared/problems.ts';
import { checkerOf } from '../http/validation.ts';

const check = checkerOf({
  type: 'object',
  required: ['password'],
  properties: { password: { type: 'string', minLength: 12, maxLength: 200, format: 'printable' } },
});

/** `must have …`, where it may not be a password. */
export function problemOfPassword(password: unknown): string | undefined {
  try {
    check({ password });
    return undefined;
  } catch (error) {
    if (error instanceof Problem && error.fields?.password) return error.fields.password;
    throw error;
  }
}
