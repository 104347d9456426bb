import { expect } from 'chai';
import { findConnection } from '../../../domain/accounts/connection/connection.ts';
import { reportOn } from '../../../domain/settlements/settlement/report.ts';
import { lagosDay } from '../../../domain/shared/lagos.ts';
import { DAY } from '../../support/clock.ts';
import { openStore, type Store } from '../../support/store.ts';
import { describeForEachProvider, type ProviderFixture } from '../providers/fixture.ts';

interface StoreOptions {
  /** Tells the stories of these providers alone. */
  only?: readonly ProviderFixture['name'][];
}

/** Tells stories of payouts for each provider, each of a merchant of its own. After each, every kobo is explained. */
export function describeStores(
  title: string,
  tell: (store: () => Store) => void,
  { only }: StoreOptions = {},
): void {
  const stories = (fixture: ProviderFixture) => {
    if (only && !only.includes(fixture.name)) return;
    let store: Store;
    beforeEach(async () => {
      store = await openStore(fixture);
    });
    afterEach(() => expectExplained(store));
    // What comes after it need not wait for this merchant's payouts.
    afterEach(() => store.stack.context.db.query('update connection_tasks set due_at = null'));
    tell(() => store);
  };
  describeForEachProvider(title, stories, { payouts: true });
}

/** What was expected and did not land is what its discrepancies add up to, for each settlement and for all there is together. */
async function expectExplained(store: Store): Promise<void> {
  const { context, clock } = store.stack;
  const standing = (await store.discrepancies()).filter(({ status }) => status !== 'resolved');
  for (const {
    id,
    status,
    expected_amount_kobo: expectedKobo,
    landed_amount_kobo: landedKobo,
  } of await store.settlements()) {
    if (status !== 'landed' && status !== 'short') continue;
    const ofIt = standing.filter(({ settlement_id }) => settlement_id === id);
    expect(ofIt.reduce((sum, { difference_kobo: kobo }) => sum + kobo, 0)).to.equal(
      expectedKobo - landedKobo,
    );
  }
  const now = clock();
  const days = {
    from: lagosDay(new Date(now.getTime() - 60 * DAY)),
    to: lagosDay(new Date(now.getTime() + 10 * DAY)),
  };
  const { sums } = await reportOn(
    context.db,
    (await findConnection(context.db, store.connectionId))!,
    days,
  );
  expect(sums.unexplainedKobo).to.equal(0);
  expect(sums.openCount + sums.closedCount).to.equal(standing.length);
}
