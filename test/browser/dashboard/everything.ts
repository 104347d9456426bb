import { rowsOfEachKind } from '../../support/dashboard-rows.ts';
import type { Stack } from '../../support/stack.ts';

const LONG = 'adaeze.oluwaseun.chukwuemeka.okonkwo-adebayo.the.third'.repeat(4).slice(0, 200);

export async function addEverything(stack: Stack): Promise<Record<string, string>> {
  const charge = {
    email: `${'x'.repeat(60)}@${'subdomain.'.repeat(6)}example.com`,
    name: LONG.slice(0, 100),
    reference: LONG.slice(0, 100),
    metadata: { [LONG.slice(0, 40)]: LONG },
  };
  const texts = { charge, reason: LONG, description: LONG, evidence: { text: LONG } };
  const ids = await rowsOfEachKind(stack, texts);
  await stack.sql`update charges set failure_message = ${LONG}`;
  await stack.sql`update refunds set failure_message = ${LONG}, attention = ${LONG}`;
  await stack.sql`update connections set credentials_refused_at = ${stack.clock()}`;
  return ids;
}
