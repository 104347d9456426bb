import { floorApp } from './life-floor-app.ts';
import { openCalls } from './life-floor-calls.ts';
import { openRows } from './life-floor-rows.ts';
import { serve } from './serve.ts';

await serve(async (scope) => {
  const { DATABASE_URL, DATABASE_POOL_SIZE, MERCHANTS } = process.env;
  const rows = scope.use(await openRows(DATABASE_URL!, Number(DATABASE_POOL_SIZE)));
  return floorApp({ rows, calls: scope.use(openCalls()) }, JSON.parse(MERCHANTS!));
});
