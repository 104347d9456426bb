import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Migration } from '@mikro-orm/migrations';

/** Files in the order in which they refer to each other. */
const texts = [
  ...['accounts', 'mail', 'journal', 'charges', 'refunds', 'webhooks'],
  ...['settlements', 'limits', 'partitions'],
].map((module) => readFileSync(new URL(`./baseline/${module}.sql`, import.meta.url), 'utf8'));

export class Migration0001Baseline extends Migration {
  override up(): void {
    for (const text of texts) this.addSql(text);
  }
}

/** The hash tells the text of 1.0.0, which never changes, from those of builds before it. */
export const baselineName = `Migration0001Baseline-${fingerprint(texts.join('\n'))}`;

/** Ignores comments and white space. */
function fingerprint(sql: string): string {
  const statements = sql.replaceAll(/--.*$/gm, '').replaceAll(/\s+/g, ' ');
  return createHash('sha256').update(statements).digest('hex').slice(0, 12);
}
