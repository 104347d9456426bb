export type Mode = 'live' | 'test';

/** Whose rows may be read: tenant and mode are part of every query's key. */
export interface Reader {
  tenantId: string;
  mode: Mode;
}
