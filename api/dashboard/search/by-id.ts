import { findCustomer } from '../../../domain/payments/customer/find.ts';
import { findDispute } from '../../../domain/payments/dispute/list.ts';
import { chargeIdOf } from '../../../domain/shared/ids.ts';
import { Problem } from '../../../domain/shared/problems.ts';
import { getDelivery } from '../../deliveries/get-delivery.ts';
import { getDiscrepancy } from '../../discrepancies/get-discrepancy.ts';
import type { Route } from '../../http/route.ts';
import { getPaymentLink } from '../../payment-links/get-payment-link.ts';
import { getRefund } from '../../refunds/get-refund.ts';
import { getSettlement } from '../../settlements/get-settlement.ts';
import { getTransaction } from '../../transactions/get-transaction.ts';
import { getWebhookEndpoint } from '../../webhook-endpoints/get-webhook-endpoint.ts';
import { pageOfFor } from '../links.ts';
import type { DashboardRequest } from '../request.ts';

type Read = (request: DashboardRequest, id: string) => Promise<unknown>;

const by =
  (route: Route): Read =>
  ({ call }, id) =>
    call(route, { params: { id } });

/** Each throws `not_found`. */
const reads: Record<string, Read> = {
  SV: by(getTransaction),
  txn: by(getTransaction),
  ref: by(getRefund),
  stl: by(getSettlement),
  lnk: by(getPaymentLink),
  dsc: by(getDiscrepancy),
  dlv: by(getDelivery),
  whe: by(getWebhookEndpoint),
  dsp: ({ context, session }, id) => findDispute(context.db, session, id),
  cus: ({ context, session }, id) => findCustomer(context.db, session, id),
};

/** An id or reference of ours, alone or at the end of an address or a sentence. */
const ID = /(?<=^|[/\s])(?:SV-\d{1,15}|[a-z]{2,3}_[0-9a-z]{26})$/i;

/** Where the page is of what the words name by an id; undefined: nowhere. */
export async function pathById(
  request: DashboardRequest,
  words: string,
): Promise<string | undefined> {
  const [named = ''] = ID.exec(words) ?? [];
  const id = /^SV/i.test(named) ? named.toUpperCase() : named.toLowerCase();
  const chargeId = chargeIdOf(id);
  const found = chargeId ?? id;
  const read = reads[found.replace(/[-_].*/, '')];
  const path = pageOfFor(request.session.role)(found);
  if (!read || !path) return undefined;
  try {
    await read(request, found);
    return path;
  } catch (error) {
    if (error instanceof Problem && error.code === 'not_found') return undefined;
    throw error;
  }
}
