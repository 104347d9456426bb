import { MINUTE_MS } from '../../domain/shared/units.ts';

export interface RateLimit {
  points: number;
  /** Whole seconds: Redis has no finer windows. */
  windowMs: number;
}

/** The first three are of spec section "Limits"; the others stop guessing and floods. */
export const rateLimits = {
  secretKey: { points: 300, windowMs: MINUTE_MS },
  userToken: { points: 600, windowMs: MINUTE_MS },
  /** By public key and client network: one payer who reloads must not block the others. */
  publicKey: { points: 60, windowMs: MINUTE_MS },
  /**
   * Failed sign-ins by account (each member with the e-mail address, else the address) and device
   * or network: a password survives ten guesses, and nobody can lock its owner out.
   */
  signInAccount: { points: 10, windowMs: 15 * MINUTE_MS },
  /** Wrong codes by member and device, session or network, so that nobody locks a member out. */
  authenticationCode: { points: 10, windowMs: 15 * MINUTE_MS },
  /**
   * Wrong six-digit codes of a member from devices that never signed them in: who knows the
   * password and has many networks finds one of the three right with a chance of 0.03 % a day.
   * Known devices and recovery codes still work when they are used up.
   */
  unknownDeviceCode: { points: 100, windowMs: 24 * 60 * MINUTE_MS },
  /** By network: an office behind one address has several forgetful members. */
  signInAddress: { points: 50, windowMs: 15 * MINUTE_MS },
  /** Forgotten passwords by address: each may send a mail. */
  forgottenAddress: { points: 5, windowMs: 60 * MINUTE_MS },
  /** And by network. */
  forgottenNetwork: { points: 20, windowMs: 60 * MINUTE_MS },
  /** By charge or payment link: mails that its merchant sends its payer by hand. */
  payerMail: { points: 3, windowMs: 24 * 60 * MINUTE_MS },
  /** By tenant, whatever its merchant has mailed; `MAILS_PER_DAY` sets how many. */
  payerMails: { points: 2_000, windowMs: 24 * 60 * MINUTE_MS },
  /** Unknown credentials by network, cookies and refresh tokens too: beyond, none is looked up. */
  unknownBearer: { points: 300, windowMs: MINUTE_MS },
  /** By connection and network. A corrected secret is accepted a minute later. */
  badNotification: { points: 120, windowMs: MINUTE_MS },
  /** By network, to any connection. A provider sends for many merchants. */
  badNotificationNetwork: { points: 1_200, windowMs: MINUTE_MS },
  /** By network: each form may create a charge. */
  linkForm: { points: 20, windowMs: MINUTE_MS },
  /** By checkout and network: each try may open a payment at a provider. */
  payRetry: { points: 5, windowMs: MINUTE_MS },
  /** By network: many payers share the address of their phone company. */
  payVisit: { points: 600, windowMs: MINUTE_MS },
  /** By checkout: notifications and lists find its payment all the same. */
  payQuestion: { points: 10, windowMs: MINUTE_MS },
  /** By network: each payer's checkout asks every two seconds. */
  payStatus: { points: 6_000, windowMs: MINUTE_MS },
  linkVisit: { points: 600, windowMs: MINUTE_MS },
} as const satisfies Record<string, RateLimit>;

export type RateLimitName = keyof typeof rateLimits;

export type RateLimits = Record<RateLimitName, RateLimit>;
