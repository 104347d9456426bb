/** Providers' names in the API (spec section "checkout"): one connection in each. */
export const slots = ['provider_a', 'provider_b', 'provider_c'] as const;
export type Slot = (typeof slots)[number];
