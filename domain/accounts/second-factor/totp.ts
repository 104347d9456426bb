import { generateSecret, generateURI, verifySync } from 'otplib';

/** A code of the time step before is accepted as well: typing takes time. In seconds. */
const TOLERANCE: [past: number, future: number] = [30, 0];

/** A new secret for an authenticator app: 160 bits in base32 (RFC 4226, section 4). */
export function newTotpSecret(): string {
  return generateSecret({ length: 20 });
}

/** What an authenticator app reads from a QR code. */
export function totpUri(secret: string, account: { merchant: string; email: string }): string {
  return generateURI({ issuer: account.merchant, label: account.email, secret });
}

/**
 * The time step of a code (RFC 6238: 6 digits, 30 s), or undefined when it is not right now.
 * No code of the step `after` or earlier is accepted, so that none is accepted twice.
 */
export function totpStepOf(
  secret: string,
  code: string,
  now: Date,
  after: number | null,
): number | undefined {
  if (!/^[0-9]{6}$/.test(code)) return undefined;
  const result = verifySync({
    secret,
    token: code,
    epoch: Math.floor(now.getTime() / 1_000),
    epochTolerance: TOLERANCE,
    ...(after === null ? {} : { afterTimeStep: after }),
  });
  return result.valid && 'timeStep' in result ? result.timeStep : undefined;
}
