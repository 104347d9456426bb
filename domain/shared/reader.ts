export type Mode = 'live' | 'test';

/** Part of every query. */
export interface Reader {
  tenantId: string;
  mode: Mode;
}
