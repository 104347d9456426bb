import { generateSecret, generateURI, verifySync } from 'otplib';

/** In seconds. The step before is accepted too: typing takes time. */
const TOLERANCE: [past: number, future: number] = [30, 0];

/** 160 bits in base32 (RFC 4226, section 4). */
export function newTotpSecret(): string {
  return generateSecret({ length: 20 });
}

export function totpUri(secret: string, account: { merchant: string; email: string }): string {
  return generateURI({ issuer: account.merchant, label: account.email, secret });
}

/** The code's time step (RFC 6238: 6 digits, 30 s); undefined: wrong, or not after step `after`. */
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
