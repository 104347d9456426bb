import { ALL, exemptions, tables } from './tenant-keys.ts';
import { unboundTables } from './unbound-tables.ts';
import type { WatchedStatement } from './watched-statements.ts';

export function expectBound(statements: readonly WatchedStatement[]): void {
  const found = statements.flatMap(({ place, text }) => {
    const exempt = exemptTables(place);
    if (exempt.includes(ALL)) return [];
    return unboundTables(text, tables)
      .filter((table) => !exempt.includes(table))
      .map((table) => `${place} reads rows of any tenant or mode of ${table}:\n${text}`);
  });
  if (found.length > 0) throw new Error(found.join('\n\n'));
}

/** Those that may be left open at a place, such as `/domain/accounts/lock-tenant.ts:12`. */
function exemptTables(place: string): readonly string[] {
  const file = place.slice(1, place.lastIndexOf(':'));
  return Object.values(exemptions).flatMap((files) => files[file] ?? []);
}
