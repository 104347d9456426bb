import type { PasswordCost } from '../../domain/accounts/token/credentials.ts';

/** The cost of passwords in tests that are not about it: less than a millisecond for a hash. */
export const cheapPasswords: PasswordCost = { memory: 64, passes: 1, parallelism: 1 };
