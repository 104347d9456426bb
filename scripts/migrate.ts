import { runUntilStopped } from '../config/main.ts';
import { operatorEnv } from './local/operator-env.ts';
import { migrateDatabase } from './migrate-database.ts';

await runUntilStopped(async () => {
  const isRestored = process.argv.includes('--restored');
  await migrateDatabase((await operatorEnv(process.env)).databaseUrl, new Date(), isRestored);
  process.stdout.write('The database is up to date.\n');
});
