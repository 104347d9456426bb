import { parse } from 'csv-parse/sync';

/** By the titles of their columns. */
export function csvRows(csv: string): Record<string, string>[] {
  return parse(csv, { columns: true, bom: true });
}
