import { MINUTE_MS } from '../../domain/shared/units.ts';

/** A subject's points in a window, which starts with the first of them. */
export interface RateLimit {
  points: number;
  /** Whole seconds: Redis has no finer windows. */
  windowMs: number;
}

/**
 * All rate limits. The first three are set by spec section "Limits"; the others stop guessing and
 * the flooding of tables.
 */
export const rateLimits = {
  /** By secret key. */
  secretKey: { points: 300, windowMs: MINUTE_MS },
  /** By token family: all tokens that one sign-in led to. */
  userToken: { points: 600, windowMs: MINUTE_MS },
  /** By public key and client network: one payer who reloads must not block the others. */
  publicKey: { points: 60, windowMs: MINUTE_MS },
  /**
   * Failed sign-ins by account (each member with the e-mail address; the lower-case address where
   * there is none) and the device or client network they come from: a password survives ten guesses
   * in 15 minutes. By account alone, anybody could lock its owner out with ten wrong passwords.
   */
  signInAccount: { points: 10, windowMs: 15 * MINUTE_MS },
  /**
   * Wrong authentication codes by member and the device, session or client network they come from.
   * By member alone, whoever knows the password could lock the member out with ten wrong codes.
   */
  authenticationCode: { points: 10, windowMs: 15 * MINUTE_MS },
  /**
   * Wrong six-digit codes of a member from all devices that never signed them in. Three codes of a
   * million are right at any moment, so whoever knows the password and has many networks finds one
   * with a chance of 0.03 % a day. Devices that signed in before, and recovery codes, which nobody
   * guesses, still work when they are used up.
   */
  unknownDeviceCode: { points: 100, windowMs: 24 * 60 * MINUTE_MS },
  /**
   * Failed sign-ins by client network: an office behind one address has several forgetful members.
   */
  signInAddress: { points: 50, windowMs: 15 * MINUTE_MS },
  /**
   * Credentials that nobody has, session cookies and refresh tokens among them, by client network:
   * beyond them the network's credentials are not looked up, unless they were valid lately.
   */
  unknownBearer: { points: 300, windowMs: MINUTE_MS },
  /**
   * Notifications without a valid signature, by connection and client network. A provider whose
   * secret was entered wrongly here is accepted a minute after it was corrected.
   */
  badNotification: { points: 120, windowMs: MINUTE_MS },
  /** The same by client network, to any connection. A provider sends for many merchants. */
  badNotificationNetwork: { points: 1_200, windowMs: MINUTE_MS },
  /**
   * Forms of a payment link, by client network: each may create a charge. Of all links together a
   * network sends as many as it visits.
   */
  linkForm: { points: 20, windowMs: MINUTE_MS },
  /**
   * Visits of a checkout, by client network: many payers share the address of their phone company.
   */
  payVisit: { points: 600, windowMs: MINUTE_MS },
  /**
   * Questions to providers that visits of one checkout cause: by notifications and lists its
   * payment is found all the same.
   */
  payQuestion: { points: 10, windowMs: MINUTE_MS },
  /** Questions of a checkout that waits, by client network: each payer's asks every two seconds. */
  payStatus: { points: 6_000, windowMs: MINUTE_MS },
  /** Visits of payment links, by client network. */
  linkVisit: { points: 600, windowMs: MINUTE_MS },
} as const satisfies Record<string, RateLimit>;

export type RateLimitName = keyof typeof rateLimits;

export type RateLimits = Record<RateLimitName, RateLimit>;
