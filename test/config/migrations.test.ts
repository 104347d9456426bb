import { expect } from 'chai';
import pg from 'pg';
import { SetupError } from '../../config/setup-error.ts';
import { migrateDatabase } from '../../scripts/migrate-database.ts';
import { newDatabase } from '../support/postgres.ts';

describe('migrations', () => {
  it('refuse, in one sentence, a database made by an earlier build', async () => {
    const databaseUrl = await newDatabase();
    await rename(databaseUrl, 'Migration0001Charges');
    const refusal = await migrateDatabase(databaseUrl).catch((error: unknown) => error);
    expect(refusal).to.be.instanceOf(SetupError);
    expect((refusal as SetupError).message).to.match(/^[^.]+LOCAL_DIR[^.]+\.$/);
  });
});

async function rename(databaseUrl: string, migration: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query('update mikro_orm_migrations set name = $1', [migration]);
  await client.end();
}
