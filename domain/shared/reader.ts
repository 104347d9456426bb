export type Mode = 'live' | 'test';

/** The tenant and mode whose rows may be read. They are part of every query. */
export interface Reader {
  tenantId: string;
  mode: Mode;
}
