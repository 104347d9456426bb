import { expect } from 'chai';
import { findConnection } from '../../../domain/accounts/connection/connection.ts';
import { reportOn } from '../../../domain/settlements/settlement/report.ts';
import { lagosDay } from '../../../domain/shared/lagos.ts';
import { DAY } from '../../support/clock.ts';
import {
  openProviderAccount,
  type ProviderAccountFixture,
} from '../../support/provider-account.ts';
import { describeForEachProvider, type ProviderFixture } from '../providers/fixture.ts';

/** Settlements of each provider; after each test, every kobo is explained. */
export function describeSettlements(
  title: string,
  describeTests: (account: ProviderAccountFixture, fixture: ProviderFixture) => void,
  { only }: { only?: readonly ProviderFixture['name'][] } = {},
): void {
  const testsOf = (fixture: ProviderFixture) => {
    if (only && !only.includes(fixture.name)) return;
    const account = { name: fixture.name } as ProviderAccountFixture;
    beforeEach(async () => void Object.assign(account, await openProviderAccount(fixture)));
    afterEach(() => expectExplained(account));
    // Later tests need not wait for this tenant's tasks.
    afterEach(() => account.stack.sql`update connection_tasks set due_at = null`);
    describeTests(account, fixture);
  };
  describeForEachProvider(title, testsOf, { payouts: true });
}

/**
 * The discrepancies add up to what was expected and did not land, for each settlement and for all of
 * them.
 */
async function expectExplained(account: ProviderAccountFixture): Promise<void> {
  const { context, clock } = account.stack;
  const notResolved = (await account.discrepancies()).filter(({ status }) => status !== 'resolved');
  for (const settlement of await account.settlements()) {
    const { id, status, expected_amount_kobo: expected, landed_amount_kobo: landed } = settlement;
    if (status !== 'landed' && status !== 'short') continue;
    const itsOwn = notResolved.filter(({ settlement_id }) => settlement_id === id);
    const differences = itsOwn.reduce((sum, { difference_kobo: kobo }) => sum + kobo, 0);
    expect(differences).to.equal(expected - landed);
  }
  const dayIn = (days: number) => lagosDay(new Date(clock().getTime() + days * DAY));
  const connection = (await findConnection(context.db, account.connectionId))!;
  const { sums } = await reportOn(context.db, connection, { from: dayIn(-60), to: dayIn(10) });
  expect(sums.unexplainedKobo).to.equal(0);
  expect(sums.openCount + sums.closedCount).to.equal(notResolved.length);
}
