/** The credentials of an account at a provider, by the provider's own field names. */
export type Credentials = Record<string, string>;
