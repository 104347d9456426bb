/** By the provider's own field names. */
export type Credentials = Record<string, string>;
