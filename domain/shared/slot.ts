/**
 * The names of providers in the API (spec section "checkout"): a tenant has one connection in each.
 */
export const slots = ['provider_a', 'provider_b', 'provider_c'] as const;
export type Slot = (typeof slots)[number];
