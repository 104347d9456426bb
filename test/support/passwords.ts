import type { PasswordCost } from '../../domain/accounts/token/credentials.ts';

/** What a password costs where a test is not about that: hashes in less than a millisecond. */
export const cheapPasswords: PasswordCost = { memory: 64, passes: 1, parallelism: 1 };
