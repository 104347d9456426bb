/** The names the contract gives to a tenant's connections. */
export const slots = ['provider_a', 'provider_b', 'provider_c'] as const;
export type Slot = (typeof slots)[number];
