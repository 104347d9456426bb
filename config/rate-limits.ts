/** How often something may be done by the same subject: so many points in a window, which starts with the first of them. */
export interface RateLimit {
  points: number;
  /** Whole seconds: Redis keeps windows no finer. */
  windowMs: number;
}

const MINUTE_MS = 60_000;

/** Every limit there is. The first three are the contract's; the others keep strangers from guessing and from filling tables. */
export const rateLimits = {
  /** By secret key. */
  secretKey: { points: 300, windowMs: MINUTE_MS },
  /** By token family: all tokens that one sign-in led to. */
  userToken: { points: 600, windowMs: MINUTE_MS },
  /** By public key and client network: one payer who reloads must not keep out the others. */
  publicKey: { points: 60, windowMs: MINUTE_MS },
  /** Failed sign-ins by account (the e-mail address in lower case, known or not): a password survives ten guesses a quarter of an hour. */
  signInAccount: { points: 10, windowMs: 15 * MINUTE_MS },
  /** Failed sign-ins by client network: an office behind one address has more than one forgetful member. */
  signInAddress: { points: 50, windowMs: 15 * MINUTE_MS },
  /** Charges opened on payment links' pages, by client network. */
  linkForm: { points: 20, windowMs: MINUTE_MS },
} as const satisfies Record<string, RateLimit>;

export type RateLimitName = keyof typeof rateLimits;

export type RateLimits = Record<RateLimitName, RateLimit>;
