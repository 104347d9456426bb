import { runUntilStopped } from '../config/main.ts';
import { operatorEnv } from './local/operator-env.ts';
import { migrateDatabase, untilMigrated } from './migrate-database.ts';

await runUntilStopped(async (stopped) => {
  const { databaseUrl } = await operatorEnv(process.env);
  const isRestored = process.argv.includes('--restored');
  if (process.argv.includes('--wait')) await untilMigrated(databaseUrl, stopped);
  else await migrateDatabase(databaseUrl, new Date(), isRestored);
  process.stdout.write('The database is up to date.\n');
});
